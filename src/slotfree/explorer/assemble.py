"""Join the sources of the explorer into one HTML page.

Only the standard library is used, so that the page can be assembled while the package is built.

A JavaScript module becomes a function that returns what it exports; modules are joined in the order of their imports.
Each import is one line, ``import { a, b } from "./c.js";``, and each export is a declaration: a function, a class or a
constant. Comments that have lines of their own, and indents, are left out: no string may go over several lines. A
module ``worker.js`` becomes a text of its own, from which the page starts a Web Worker.

The page's Content-Security-Policy allows its own script and style, by their hashes, its worker, and nothing else.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

ROOM = Path(__file__).parent
ENTRY, WORKER = "main.js", "worker.js"
IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "\./([\w/]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
REMARK = re.compile(r"^[ \t]*(?:/\*\*.*?\*/|//[^\n]*)\n|^[ \t]+|^\n", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"<!-- ((?:hash of )?(?:styles|scripts)|data|worker) -->")


def assemble(room: Path = ROOM) -> str:
    """Return the page, with styles, scripts and data inside."""
    parts = {
        "styles": "\n".join(path.read_text("utf-8") for path in sorted((room / "styles").glob("*.css"))),
        "data": "\n".join(_elements(room / "data")),
        "worker": _inside(bundle(room / "scripts", WORKER)),
        "scripts": _inside(bundle(room / "scripts", ENTRY)),
    }
    parts |= {f"hash of {name}": _hash(parts[name]) for name in ("styles", "scripts")}
    return PLACE.sub(lambda place: parts[place[1]], (room / "page.html").read_text("utf-8"))


def bundle(folder: Path, entry: str) -> str:
    """Return one script that runs a module after all that it imports, each in a scope of its own."""
    pieces, exports = ['"use strict";', "const modules = {};"], {}
    for name in _in_order(folder, entry):
        text = (folder / name).read_text("utf-8")
        exports[name] = EXPORT.findall(text)
        for wanted, other in IMPORT.findall(text):
            for each in set(wanted.split(", ")) - set(exports[other]):
                raise ValueError(f"{name}: {other} does not export {each}")
        text = REMARK.sub("", text)
        body = IMPORT.sub(lambda found: f'const {{ {found[1]} }} = modules["{found[2]}"];', EXPORT.sub("", text))
        if odd := re.search(r"^(?:import|export)\b.*", body, re.MULTILINE):
            raise ValueError(f"{name}: this is written in a way that is not understood: {odd[0]}")
        pieces.append(f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(exports[name])} }};\n}})();')
    return "\n".join(pieces)


def _in_order(folder: Path, entry: str) -> list[str]:
    """Return the modules that an entry needs, each after what it imports; the entry is the last."""
    order: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"modules import each other: {' → '.join((*above, name))}")
        if name not in order:
            for _, other in IMPORT.findall((folder / name).read_text("utf-8")):
                visit(other, (*above, name))
            order.append(name)

    visit(entry, ())
    return order


def _elements(folder: Path) -> list[str]:
    """Return files of data as elements: JSON as it is, other bytes in base 64."""
    paths = sorted(folder.glob("[!.]*"))
    if len({path.stem for path in paths}) < len(paths):
        raise ValueError(f"two files of data have the same name: {', '.join(path.name for path in paths)}")
    return [_element(path) for path in paths]


def _element(path: Path) -> str:
    if path.suffix == ".json":
        text = json.dumps(json.loads(path.read_text("utf-8")), ensure_ascii=False, separators=(",", ":"))
        text = text.replace("<", "\\u003c")
        return f'<script type="application/json" id="data-{path.stem}">{text}</script>'
    text = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<script type="application/octet-stream" id="data-{path.stem}">{text}</script>'


def _hash(text: str) -> str:
    """Return what a Content-Security-Policy calls a script or a style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _inside(text: str) -> str:
    """Return a script that cannot end the element it is in: in a string, a backslash does no harm."""
    return re.sub(r"<(?=/script|!--)", r"<\\", text, flags=re.IGNORECASE)
