"""The mutations of a source text: small changes of meaning, one at a time.

What is changed
    comparisons (``<`` and ``<=``, ``==`` and ``!=``, ``is``, ``in``), arithmetic (``+`` and ``-``, ``*`` and ``/``,
    ``//``, ``**``, ``%``, bits), numbers (1 becomes 0, any other c becomes c + 1), ``True`` and ``False``, ``and`` and
    ``or``, ``not``, conditions (negated), least and greatest, ends of slices and of ranges (one less), ``break`` and
    ``continue``; and what is done: a call, an assignment to a part of something, an error, or what is returned, is
    dropped.

What is not, because no test of behaviour should notice it
    docstrings, annotations, decorators, ``__all__``, what is only there for the type checker (``TYPE_CHECKING``,
    ``overload``), and text for people: f-strings, what an error is made of, ``__repr__``, ``stacklevel``. Other
    strings are left alone too: the sentences of the paper, of claims and of findings are text. ``strict`` of ``zip``
    checks what does not happen. And how a figure looks: widths of lines, sizes of letters, marks and panels,
    transparency, what is in front, limits of axes, and where words and arrows stand. What is drawn, and that it is
    drawn, is changed, and so are the settings, limits and printed numbers of experiments and claims, as any others.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
EXTREMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
OPPOSITES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)  # changing them negates the condition
TEXT_FUNCTIONS = ("__repr__", "__str__")
NOT_SEEN = ("stacklevel", "strict")
LOOK = (
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


def mutations(source: str) -> list[Mutation]:
    """Return all mutations of a source text, in the order of their places."""
    return sorted(set(_Finder(source).found()))


class _Finder(ast.NodeVisitor):
    """Walks through a syntax tree and notes mutations."""

    def __init__(self, source: str) -> None:
        self.raw = source.encode()
        self.tree = ast.parse(source)
        lines = self.raw.splitlines(keepends=True)
        self.line_starts = [0]
        for line in lines:
            self.line_starts.append(self.line_starts[-1] + len(line))
        self.scope: list[str] = []
        self.mutations: list[Mutation] = []

    def found(self) -> list[Mutation]:
        self.visit(self.tree)
        return self.mutations

    # Where things are

    def start(self, node: ast.AST) -> int:
        return self.line_starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.AST) -> int:
        return self.line_starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        return self.raw[self.start(node) : self.end(node)].decode()

    def change(self, start: int, end: int, new: str) -> None:
        line = self.raw.count(b"\n", 0, start) + 1
        self.mutations.append(Mutation(start, end, self.raw[start:end].decode(), new, line, ".".join(self.scope)))

    def replace(self, node: ast.AST, new: str) -> None:
        self.change(self.start(node), self.end(node), new)

    def replace_between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> None:
        """Replace an operator, which stands between two operands, perhaps with brackets around these."""
        gap = self.raw[self.end(left) : self.start(right)].decode()
        place = self.end(left) + len(gap[: gap.index(old)].encode())
        self.change(place, place + len(old), new)

    # What is left alone

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scope.append(node.name)
        if node.name not in TEXT_FUNCTIONS and not _is_overload(node):
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                self.visit(default)
            self.visit_all(node.body)
        self.scope[-1:] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scope.append(node.name)
        self.visit_all(node.body)
        self.scope[-1:] = []

    def visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.drop_assignment(node, [node.target])
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in (*NOT_SEEN, *LOOK):
            self.visit(node.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and key.value in LOOK):
                self.visit_all([part for part in (key, value) if part is not None])

    # Expressions

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self.replace_between(left, right, *COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in ARITHMETIC:
            self.replace_between(node.left, node.right, *ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.replace_between(left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.replace(node, f"bool({self.text(node.operand)})")
        elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self.replace(node, self.text(node.operand))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.replace(node, "0" if node.value == 1 and isinstance(node.value, int) else _one_more(node.value))

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in EXTREMES and isinstance(node.ctx, ast.Load):
            self.replace(node, EXTREMES[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in EXTREMES and isinstance(node.ctx, ast.Load):
            end = self.end(node)
            self.change(end - len(node.attr), end, EXTREMES[node.attr])
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
            self.one_less(node.args[0] if len(node.args) == 1 else node.args[1])
        if getattr(node.func, "id", getattr(node.func, "attr", "")) not in PLACED:
            self.generic_visit(node)

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None:
                self.one_less(bound)
        self.generic_visit(node)

    def one_less(self, bound: ast.expr) -> None:
        if not isinstance(bound, ast.Constant):  # numbers change anyway
            simple = isinstance(bound, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.BinOp)
            self.replace(bound, f"{self.text(bound)} - 1" if simple else f"({self.text(bound)}) - 1")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self.negate(condition)
        self.generic_visit(node)

    def negate(self, condition: ast.expr) -> None:
        opposite = (
            isinstance(condition, ast.Compare) and len(condition.ops) == 1 and type(condition.ops[0]) in OPPOSITES
        )
        inverted = isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not)
        if not opposite and not inverted:
            self.replace(condition, f"not ({self.text(condition)})")

    # Statements

    def visit_If(self, node: ast.If) -> None:
        if _is_type_checking(node.test):
            return
        self.negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self.negate(node.test)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.replace(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return
        self.drop_assignment(node, node.targets)
        self.generic_visit(node)

    def drop_assignment(self, node: ast.stmt, targets: list[ast.expr]) -> None:
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets):
            self.replace(node, "pass")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.replace(node, "pass")
        if type(node.op) in ARITHMETIC:
            old, new = ARITHMETIC[type(node.op)]
            self.replace_between(node.target, node.value, f"{old}=", f"{new}=")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.replace(node.value, "None")
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.replace(node, "pass")

    def visit_Break(self, node: ast.Break) -> None:
        self.replace(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.replace(node, "break")


def _one_more(value: float) -> str:
    return repr(value + 1) if value + 1 != value else repr(value * 2)


def _is_overload(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"
