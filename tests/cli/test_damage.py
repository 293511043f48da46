"""Every kind of file in a directory of results, damaged in every way: it is made again, or a line tells the user."""

import json
import math
import os
import shutil

import pytest
from program import STUDY, slotfree

from slotfree.drawing.picture import Picture
from slotfree.files.sealed_json import read_sealed, sealed

# A file of each kind; the item "other" is not asked for when the study is run again.
UNDERSTOOD = ("items/other.json", "units/noise", "plan.json", "manifest.json")
WRITTEN_ANEW = ("figures/noise.png", "tables/noise.csv", "data/noise.safetensors", "claims.json", "report.html")


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path):
    path.write_bytes(b"")


def not_utf8(path):
    path.write_bytes(b"\xff\xfe\x80\n" + path.read_bytes())


def nested(path):
    path.write_bytes(b"[" * 100_000)


def huge_number(path):
    path.write_bytes(path.read_bytes() + b" 1" + b"0" * 5000)


def wrong_types(path):
    path.write_bytes(b'{"format": 3, "settings": [], "claims": 7, "item": null, "experiments": "x", "files": 1}')


def pipe(path):
    path.unlink()
    os.mkfifo(path)


def folder(path):
    path.unlink()
    path.mkdir()


def link_to_nothing(path):
    path.unlink()
    path.symlink_to(path.parent / "nowhere" / "at-all")


def unreadable(path):
    path.chmod(0)


IN_THE_WAY = [folder, link_to_nothing]  # it may be left to the user: nothing can be put in its place
if os.geteuid() != 0:
    IN_THE_WAY.append(unreadable)
CASES = [
    *((kind, d) for kind in UNDERSTOOD for d in (cut, emptied, not_utf8, nested, huge_number, wrong_types, pipe)),
    *((kind, pipe) for kind in (*WRITTEN_ANEW, ".slotfree-lock")),
    *((kind, d) for kind in (*UNDERSTOOD, *WRITTEN_ANEW, ".slotfree-lock") for d in IN_THE_WAY),
]


@pytest.fixture(scope="module", autouse=True)
def no_drawing():
    """Drawing takes most of the time."""
    png = b"\x89PNG\r\n\x1a\n" + bytes(8) + (100).to_bytes(4, "big") * 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Picture, "files", lambda self: iter([("svg", b"<svg></svg>"), ("png", png)]))
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("damage") / "whole"
    assert slotfree("run", STUDY, "--out", out, "--jobs", 1).returncode == 0
    return out


@pytest.fixture
def out(tmp_path, whole):
    """A copy of a whole directory, to be damaged."""
    return shutil.copytree(whole, tmp_path / "out")


def contents(out):
    """What is in a directory."""
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def results(out):
    """The same without how long units took, which is no result."""
    return {name: c for name, c in contents(out).items() if not name.startswith(("units", "items", "report"))}


def in_the_way(path):
    return f"Error: {path} is a directory, where slotfree writes a file; remove it or choose another --out"


@pytest.mark.parametrize(("kind", "damage"), CASES)
def test_damage_is_told_in_a_line_and_made_good(out, whole, kind, damage):
    path = min((out / kind).iterdir()) if kind == "units/noise" else out / kind
    damage(path)
    looked = slotfree("status", out)
    again = slotfree("run", STUDY, "noise", "--out", out, "--jobs", 1)
    for told in (looked, again):
        assert told.returncode in (0, 1, 2)
        if told.returncode:
            assert [line for line in told.stderr.splitlines() if str(path) in line], told.stderr
    if again.returncode == 0:
        assert contents(out).keys() == contents(whole).keys()
        assert results(out) == results(whole)
        if damage not in IN_THE_WAY:
            assert f"damaged, and done again: {path}: " in again.stderr
    else:
        assert damage in IN_THE_WAY or kind in (".slotfree-lock", "manifest.json")
    if damage is folder:
        assert (again.returncode, again.stderr.splitlines()[-1]) == (2, in_the_way(path))


def test_a_damaged_manifest_is_refused_and_nothing_is_touched(out):
    cut(out / "manifest.json")
    before = contents(out)
    for command in (["run", STUDY, "--out", out], ["status", out], ["clean", out]):
        told = slotfree(*command)
        assert told.returncode == 2
        assert told.stderr.startswith(
            f"Error: {out / 'manifest.json'} is not a manifest of slotfree: it is not the JSON"
        )
        assert told.stderr.endswith(f"; choose another --out, or remove {out}\n")
        assert told.stderr.count("\n") == 1
    assert contents(out) == before


def test_a_folder_in_the_place_of_a_figure_that_is_drawn_anew_is_not_the_fault_of_the_study(out):
    (out / "items" / "noise.json").unlink()
    folder(out / "figures" / "noise.png")
    told = slotfree("run", STUDY, "noise", "--out", out, "--jobs", 1)
    assert (told.returncode, told.stderr.splitlines()[-1]) == (2, in_the_way(out / "figures" / "noise.png"))


def changed(out, name, **content):
    """Write a JSON file with other content, and the right checksum; None is left out."""
    whole = {**read_sealed(out / name), **content}
    (out / name).write_bytes(sealed({key: value for key, value in whole.items() if value is not None}))


ETC, FILE = "../../etc/passwd", "a key of files must be a file that slotfree writes to the directory"
WRONG = [
    ("plan.json", {"experiments": []}, "experiments must be a JSON object, not []"),
    ("plan.json", {"experiments": {"a": 1}}, "experiments['a'] must be a JSON object, not 1"),
    ("plan.json", {"experiments": {"a/b": {}}}, "a key of experiments must be a name without /, not 'a/b'"),
    ("plan.json", {"experiments": {"a": {"runs": "8"}}}, "experiments['a'].runs must be an integer ≥ 1, not '8'"),
    ("plan.json", {"experiments": {"a": {"runs": 1}}}, "experiments['a'] has no 'identity'"),
    ("items/noise.json", {"claims": None}, "it has no 'claims'"),
    ("items/noise.json", {"claims": [{"id": 5}]}, "claims[0].id must be a string, not 5"),
    ("items/noise.json", {"files": None}, "it has no 'files'"),
    ("items/noise.json", {"files": [ETC]}, f"files must be a JSON object, not ['{ETC}']"),
    ("items/noise.json", {"files": {ETC: ""}}, f"{FILE}, not '{ETC}'"),
    ("items/noise.json", {"files": {"/etc/passwd": ""}}, f"{FILE}, not '/etc/passwd'"),
    ("items/noise.json", {"core_seconds": math.nan}, "core_seconds must be a number, not nan"),
    ("items/noise.json", {"explained": {"a": "{b}"}}, "explained: a number is quoted as"),
    ("manifest.json", {"begun": 5}, "begun must be a date and time, such as 2026-01-31T12:00:00+00:00, not 5"),
    ("manifest.json", {"begun": "then"}, "begun must be a date and time, such as"),
    ("manifest.json", {"machine": []}, "machine must be a JSON object, not []"),
    ("manifest.json", {"machine": {}}, "machine has no 'processor'"),
    ("manifest.json", {"settings": {"scale": "paper"}}, "settings.scale must be a JSON object, not 'paper'"),
    ("manifest.json", {"version": True}, "version must be 1, not True"),
    ("manifest.json", {"files": ETC}, f"files must be a list, not '{ETC}'"),
    ("manifest.json", {"files": [ETC]}, f"files[0] must be a file that slotfree writes to the directory, not '{ETC}'"),
]


@pytest.mark.parametrize(("name", "content", "expected"), WRONG)
def test_wrong_content_with_a_right_checksum_is_told_in_a_line(out, name, content, expected):
    changed(out, name, **content)
    for told in (slotfree("status", out), slotfree("run", STUDY, "noise", "--out", out, "--jobs", 1)):
        assert [line for line in told.stderr.splitlines() if str(out / name) in line and expected in line], told.stderr
        assert told.returncode == 2 or not name.startswith("manifest")


def test_settings_and_origin_that_are_missing_are_no_error(out):
    changed(out, "manifest.json", begun=None, machine=None, packages=None)
    assert slotfree("run", STUDY, "noise", "--out", out, "--jobs", 1).returncode == 0
    changed(out, "manifest.json", settings={})
    told = slotfree("status", out)
    assert (told.returncode, told.stderr) == (0, "")


def test_a_plan_of_many_runs_is_counted_at_once(out):
    plan = read_sealed(out / "plan.json")["experiments"]
    plan["noise"]["runs"] = 10**15
    changed(out, "plan.json", experiments=plan)
    assert "8 of 1,000,000,000,000,000 runs done" in slotfree("status", out).stdout


@pytest.mark.parametrize("kind", ["figures/noise.svg", "tables/noise.csv", "data/noise.safetensors", "report.html"])
def test_a_file_that_is_a_link_out_of_the_directory_is_neither_read_nor_written(tmp_path, out, whole, kind):
    mine = tmp_path / "mine"
    mine.write_bytes((out / kind).read_bytes())
    (out / kind).unlink()
    (out / kind).symlink_to(mine)
    told = slotfree("run", STUDY, "--out", out, "--jobs", 1)
    assert told.returncode == 2
    assert f"Error: {out / kind} is a link that leads out of its folder; remove it or choose another" in told.stderr
    assert mine.read_bytes() == (whole / kind).read_bytes()


def as_of_an_older_version(out):
    """Make a directory one of slotfree 0.7.0: of another version, and without checksums."""
    for path in out.rglob("*.json"):
        content = json.loads(path.read_text())
        if isinstance(content, dict):
            content.pop("checksum")
            if "settings" in content:
                content["settings"]["slotfree"] = "0.7.0"
            path.write_text(json.dumps(content))


def test_a_directory_of_an_older_version_is_not_damaged(out):
    plan = (out / "plan.json").read_bytes()
    as_of_an_older_version(out)
    told = slotfree("status", out)
    assert told.returncode == 2
    assert told.stderr == f"Error: {out} was made by slotfree 0.7.0; this version cannot read its plan\n"
    (out / "plan.json").write_bytes(plan)  # a version whose plan can be read, but not its items
    told = slotfree("status", out)
    assert told.returncode == 0
    assert f"made by slotfree 0.7.0, and not readable by this version: {out / 'items' / 'noise.json'}" in told.stderr
    assert "damaged" not in told.stderr


def test_links_that_are_left_alone_are_named(tmp_path, out):
    (out / "units").rename(tmp_path / "large-disk")
    (out / "units").symlink_to(tmp_path / "large-disk")
    told = slotfree("clean", out)
    assert told.returncode == 0
    assert told.stderr == f"left alone, as it is a link: {out / 'units'}\n"
    assert len(list((tmp_path / "large-disk" / "noise").iterdir())) == 8
