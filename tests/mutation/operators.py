"""The mutations of a source text: small changes of meaning, one at a time.

What is changed
    comparisons (``<`` and ``<=``, ``==`` and ``!=``, ``is``, ``in``), arithmetic (``+`` and ``-``, ``*`` and ``/``,
    ``//``, ``**``, ``%``, bits), numbers (1 becomes 0, any other c becomes c + 1), ``True`` and ``False``, ``and`` and
    ``or``, ``not``, conditions (negated), least and greatest, ends of slices and of ranges (one less), ``break`` and
    ``continue``; and what is done: a call, an assignment to a part of something, an error, or what is returned, is
    dropped.

What is not, because no test of behaviour should notice it
    docstrings, annotations, decorators, ``__all__``, what is only there for the type checker (``TYPE_CHECKING``,
    ``overload``), and text for people: strings, what an error is made of, ``__repr__``, ``stacklevel``. ``strict`` of
    ``zip`` checks what does not happen. And how a figure looks: widths of lines, sizes of letters, marks and panels,
    transparency, what is in front, limits of axes, and where words and arrows stand. What is drawn, and that it is
    drawn, is changed, and so are the settings, limits and printed numbers of experiments and claims.
"""

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

INSTEAD = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div},
    **{ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd},
    **{ast.LShift: ast.RShift, ast.RShift: ast.LShift},
}
EXTREMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
OPPOSITES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)  # changing them negates the condition
TEXT_FUNCTIONS = ("__repr__", "__str__")
NOT_SEEN = (
    *("stacklevel", "strict"),
    *("lw", "linewidth", "linewidths", "elinewidth", "ms", "markersize", "mew", "markeredgewidth", "capsize"),
    *("fontsize", "labelsize", "title_fontsize", "alpha", "zorder", "pad", "shrink", "aspect", "rotation"),
    *("width", "height", "figsize", "width_ratios", "height_ratios", "xlim", "ylim", "bbox_to_anchor"),
    *("handlelength", "handletextpad"),
)
PLACED = ("text", "annotate", "arrow")  # functions that write or point somewhere in a figure


@dataclass(frozen=True, order=True)
class Mutation:
    """A change of one place in a source text.

    Attributes
    ----------
    start, end : the place, in bytes.
    old, new : what is there, and what takes its place.
    line : the number of its first line, from 1.
    function : the function it is in, with its class, as in ``__qualname__``; "" for the module itself.
    """

    start: int
    end: int
    old: str
    new: str
    line: int
    function: str

    def applied(self, source: str) -> str:
        """Return the text with the change."""
        raw = source.encode()
        return (raw[: self.start] + self.new.encode() + raw[self.end :]).decode()

    def lines(self, source: str) -> tuple[str, str]:
        """Return the lines of a text that the change touches, before and after."""
        old, new = source.splitlines()[self.line - 1 :], self.applied(source).splitlines()[self.line - 1 :]
        return "\n".join(old[: self.old.count("\n") + 1]), "\n".join(new[: self.new.count("\n") + 1])


def mutations(source: str) -> list[Mutation]:
    """Return all mutations of a source text, in the order of their places."""
    raw = source.encode()
    starts = [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = set()
    for node, new, scope in _changes(ast.parse(source), ""):
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        found.add(Mutation(start, end, raw[start:end].decode(), ast.unparse(new), node.lineno, scope))
    return sorted(found)


def _changes(node: ast.AST, scope: str) -> Iterator[tuple[ast.AST, ast.AST, str]]:
    """Walk through a syntax tree: nodes, what takes their places, and the functions they are in."""
    if _is_left_alone(node):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        scope = f"{scope}.{node.name}".lstrip(".")
    for old, new in _instead(node):
        yield old, new, scope
    for part in _parts(node):
        yield from _changes(part, scope)


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.FunctionDef(name=name, decorator_list=decorators):
            return name in TEXT_FUNCTIONS or any(isinstance(d, ast.Name) and d.id == "overload" for d in decorators)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in PLACED
        case ast.keyword(arg=name):
            return name in NOT_SEEN
        case ast.JoinedStr() | ast.Assign(targets=[ast.Name(id="__all__")]) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
    return False


def _parts(node: ast.AST) -> Iterable[ast.AST]:
    """Return the parts of a node that are changed, too."""
    match node:
        case ast.ClassDef():
            return node.body
        case ast.FunctionDef():
            return (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body)
        case ast.AnnAssign():
            return filter(None, [node.value])
        case ast.Raise():
            return ()
        case ast.Dict():
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            return (value for key, value in zip(keys, node.values, strict=True) if key not in NOT_SEEN)
    return ast.iter_child_nodes(node)


def _instead(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield a node, or a part of it, and what takes its place."""
    if type(getattr(node, "op", None)) in INSTEAD:
        yield node, _with(node, op=INSTEAD[type(node.op)]())
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _negated(node.test)
    match node:
        case ast.Compare():
            for i, one in enumerate(node.ops):
                yield node, _with(node, ops=[*node.ops[:i], INSTEAD[type(one)](), *node.ops[i + 1 :]])
        case ast.UnaryOp(op=ast.Not()) | ast.UnaryOp(op=ast.USub(), operand=ast.expr()):
            if not isinstance(node.operand, ast.Constant):
                yield node, node.operand
        case ast.Constant(value=bool()):
            yield node, ast.Constant(not node.value)
        case ast.Constant(value=int() | float()):
            more = node.value + 1 if node.value + 1 != node.value else node.value * 2
            yield node, ast.Constant(0 if node.value == 1 and isinstance(node.value, int) else more)
        case ast.Name(id=name, ctx=ast.Load()) if name in EXTREMES:
            yield node, _with(node, id=EXTREMES[name])
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in EXTREMES:
            yield node, _with(node, attr=EXTREMES[name])
        case ast.Call(func=ast.Name(id="range"), args=[end]) | ast.Call(func=ast.Name(id="range"), args=[_, end, *_]):
            yield from _one_less(end)
        case ast.Slice():
            for end in filter(None, (node.lower, node.upper)):
                yield from _one_less(end)
        case ast.comprehension():
            for condition in node.ifs:
                yield from _negated(condition)
        case ast.Return(value=ast.expr()) if ast.unparse(node.value) != "None":
            yield node.value, ast.Constant(None)
        case ast.Break():
            yield node, ast.Continue()
        case ast.Continue():
            yield node, ast.Break()
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
            yield node, ast.Pass()
        case (
            ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
            | ast.AnnAssign(target=ast.Attribute() | ast.Subscript(), value=ast.expr())
        ):
            yield node, ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    vars(changed).update(fields)
    return changed


def _negated(condition: ast.expr) -> Iterator[tuple[ast.AST, ast.AST]]:
    match condition:
        case ast.Compare(ops=[one]) if isinstance(one, OPPOSITES):
            return
        case ast.UnaryOp(op=ast.Not()) | ast.Constant():
            return
    yield condition, ast.UnaryOp(ast.Not(), condition)


def _one_less(bound: ast.expr) -> Iterator[tuple[ast.AST, ast.AST]]:
    if not isinstance(bound, ast.Constant):  # numbers change anyway
        yield bound, ast.BinOp(bound, ast.Sub(), ast.Constant(1))
