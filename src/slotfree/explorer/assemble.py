"""Join the sources of the explorer into one HTML page.

Only the standard library is used, so that the page can be assembled while the package is built.

A JavaScript module becomes a function that returns what it exports; modules are joined in the order of their imports.
Each import is one line, ``import { a, b } from "./c.js";``, and each export is a declaration: a function, a class or a
constant. A module ``worker.js`` becomes a text of its own, from which the page starts a Web Worker.
"""

import base64
import json
import re
from pathlib import Path

ROOM = Path(__file__).parent
ENTRY, WORKER = "main.js", "worker.js"
IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./([\w/]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
PLACE = re.compile(r"<!-- (styles|data|worker|scripts) -->")


def assemble(room: Path = ROOM) -> str:
    """Return the page, with styles, scripts and data inside."""
    parts = {
        "styles": "\n".join(path.read_text("utf-8") for path in sorted((room / "styles").glob("*.css"))),
        "data": "\n".join(_element(path) for path in sorted((room / "data").iterdir())),
        "worker": _inside(bundle(room / "scripts", WORKER)),
        "scripts": _inside(bundle(room / "scripts", ENTRY)),
    }
    return PLACE.sub(lambda place: parts[place[1]], (room / "page.html").read_text("utf-8"))


def bundle(folder: Path, entry: str) -> str:
    """Return one script that runs a module after all that it imports, each in a scope of its own."""
    pieces = ['"use strict";', "const modules = {};"]
    for name in _in_order(folder, entry):
        text = (folder / name).read_text("utf-8")
        exported = EXPORT.findall(text)
        body = IMPORT.sub(lambda found: f'const {{ {found[1]} }} = modules["{found[2]}"];', EXPORT.sub("", text))
        if "\nimport " in f"\n{body}" or "\nexport " in f"\n{body}":
            raise ValueError(f"{name}: an import or export is written in a way that is not understood")
        pieces.append(f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(exported)} }};\n}})();')
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


def _element(path: Path) -> str:
    """Return a file of data as an element: JSON as it is, other bytes in base 64."""
    if path.suffix == ".json":
        text = _inside(json.dumps(json.loads(path.read_text("utf-8")), ensure_ascii=False, separators=(",", ":")))
        return f'<script type="application/json" id="data-{path.stem}">{text}</script>'
    text = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<script type="application/octet-stream" id="data-{path.stem}">{text}</script>'


def _inside(text: str) -> str:
    """Return a text that cannot end the element it is in."""
    return text.replace("</script", "<\\/script")
