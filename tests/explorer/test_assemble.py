import base64
import json
import zlib

import pytest
from browser import visited

from slotfree.explorer.assemble import assemble, bundle

PAGE = (
    "<!doctype html><title>made up</title><style><!-- styles --></style><!-- data -->"
    '<script type="text/plain" id="worker"><!-- worker --></script><script><!-- scripts --></script>'
)


def made(folder, **modules):
    """Write modules, named without their suffix, and return their folder."""
    for name, text in modules.items():
        path = folder / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def room(tmp_path):
    """A page whose scripts say what they find."""
    for name in ("scripts", "styles", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "styles" / "a.css").write_text("html { color: rgb(1, 2, 3); }")
    (tmp_path / "data" / "words.json").write_text(json.dumps({"said": "</script><!-- <script> é"}))
    (tmp_path / "data" / "numbers.bin").write_bytes(zlib.compress(bytes(range(256))))
    made(
        tmp_path / "scripts",
        worker='import { mine } from "./parts/own.js";\npostMessage(`${mine()} </script>`);\n',
        parts__own="const own = 'own';\nexport function mine() {\n  return own;\n}\n",
        main='import { mine } from "./parts/own.js";\nconst own = "</SCRIPT> <!-- <script>";\n'
        "globalThis.found = [mine(), own];\n",
    )
    return tmp_path


def test_a_page_holds_styles_scripts_a_worker_and_data(room, browser):
    (room / "made.html").write_text(assemble(room), "utf-8")
    with visited(browser, (room / "made.html").as_uri()) as visit:
        page = visit.page
        assert page.evaluate("globalThis.found") == ["own", "</SCRIPT> <!-- <script>"]
        assert page.evaluate("getComputedStyle(document.documentElement).color") == "rgb(1, 2, 3)"
        said = page.evaluate("JSON.parse(document.getElementById('data-words').textContent).said")
        assert said == "</script><!-- <script> é"
        packed = page.evaluate("document.getElementById('data-numbers').textContent")
        assert zlib.decompress(base64.b64decode(packed)) == bytes(range(256))
        told = """new Promise((resolve) => {
          const text = new Blob([document.getElementById("worker").textContent]);
          new Worker(URL.createObjectURL(text)).onmessage = (event) => resolve(event.data);
        })"""
        assert page.evaluate(told) == "own </script>"
        assert visit.asked_of_others() == []
        assert visit.complaints == []


def test_comments_and_indents_are_left_out_and_strings_stay(tmp_path):
    before, words = (
        "/**\n * What it is.\n */\nexport const a = [\n",
        '  "// no comment", // one\n\n  // more\n  "/** none */",\n',
    )
    script = bundle(made(tmp_path, a=f"{before}{words}];\n"), "a.js")
    assert '\nconst a = [\n"// no comment", // one\n"/** none */",\n];\n' in script


def test_data_of_one_name_are_refused(room):
    (room / "data" / "words.bin").write_bytes(b"")
    with pytest.raises(ValueError, match=r"two files of data have the same name: .*words\.bin, words\.json"):
        assemble(room)


def test_modules_come_once_and_after_what_they_import(tmp_path):
    folder = made(
        tmp_path,
        main='import { b } from "./b.js";\nimport { a } from "./a.js";\nconsole.log(a, b);\n',
        b='import { a } from "./a.js";\nexport const b = a + 1;\n',
        a="export const a = 1;\n",
        unused="export const c = 1;\n",
    )
    text = bundle(folder, "main.js")
    starts = [text.index(f'modules["{name}.js"] = ') for name in ("a", "b", "main")]
    assert starts == sorted(starts)
    assert text.count("] = (() => {") == 3


def test_every_kind_of_declaration_is_exported(tmp_path, browser):
    folder = made(
        tmp_path,
        main='import { C, async, count, made, n } from "./all.js";\n'
        "globalThis.all = [typeof C, typeof async, [...count()].length, made(), n];\n",
        all="export class C {}\nexport async function async() {}\nexport function* count() {\n  yield 1;\n}\n"
        "export function made() {\n  return hidden;\n}\nexport const n = 4;\nconst hidden = 3;\n",
    )
    page = browser.new_page()
    page.evaluate(f"(() => {{ {bundle(folder, 'main.js')} }})()")
    assert page.evaluate("globalThis.all") == ["function", "function", 1, 3, 4]
    assert page.evaluate("typeof hidden + typeof modules") == "undefinedundefined"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('import { c } from "./main.js";', r"modules import each other: main\.js → b\.js → main\.js"),
        (
            'import { a as c } from "./a.js";',
            "b.js: this is written in a way that is not understood: import { a as c }",
        ),
        ('import a from "./a.js";', "not understood: import a from"),
        ('import {\n  a,\n} from "./a.js";', "not understood: import {"),
        ('import { a } from "../a.js";', "not understood"),
        ("export default 3;", "not understood: export default 3;"),
        ("export { b };", "not understood"),
        ('import { a, missing } from "./a.js";', r"b\.js: a\.js does not export missing"),
    ],
)
def test_what_would_not_run_is_refused(tmp_path, line, message):
    folder = made(
        tmp_path,
        main='import { b } from "./b.js";\nexport const c = b;\n',
        b=f"{line}\nexport const b = 1;\n",
        a="export const a = 1;\n",
    )
    with pytest.raises(ValueError, match=message):
        bundle(folder, "main.js")
