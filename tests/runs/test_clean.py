"""Cleaning removes what slotfree wrote and nothing else, whatever links, manifests and killed processes left there."""

import os
import shutil

import numpy as np
import pytest

from slotfree.files import atomic
from slotfree.runs.clean import clean
from slotfree.runs.directory import opened
from slotfree.runs.errors import DirectoryError
from slotfree.runs.manifest import read_manifest, write_manifest
from slotfree.runs.store import Finished, Unit

LEFTOVER = ".slotfree-0123456789abcdef-0123456789abcdef.tmp"
UNIT = Unit("g", {"n": 1})


def fill(path):
    with opened(path, {"seed": 0}, {"begun": "2026-01-01"}) as directory:
        directory.write("figures/a.png", b"png")
        directory.write("claims.json", b"[]")
        directory.store.save(UNIT, Finished({"x": np.ones(2)}, 0.1))
    return path


def name_also(path, *names):
    """Have a manifest name other files as well."""
    manifest = read_manifest(path)
    write_manifest(path, {**manifest, "files": [*manifest["files"], *names]})


def listed(path):
    return sorted(str(p.relative_to(path)) for p in path.rglob("*"))


def test_what_slotfree_wrote_goes_and_nothing_else(tmp_path):
    path = fill(tmp_path / "results")
    assert read_manifest(path)["files"] == ["claims.json", "figures/a.png"]
    (path / "figures" / "mine.png").write_bytes(b"mine")
    (path / "notes.txt").write_text("mine")
    (path / "units" / "g" / "kept.safetensors").write_bytes(b"mine")
    (path / "empty").mkdir()
    clean(path)
    files = ["figures/mine.png", "notes.txt", "units/g/kept.safetensors"]
    assert listed(path) == sorted([*files, "empty", "figures", "units", "units/g"])


def test_the_directory_goes_if_nothing_is_left(tmp_path):
    path = fill(tmp_path / "results")
    assert clean(path).removed > 3
    assert not path.exists()
    assert tmp_path.exists()


def test_what_is_not_ours_is_not_touched(tmp_path):
    (tmp_path / "a").write_text("mine")
    for path in (tmp_path, tmp_path / "nowhere", tmp_path / "a"):
        with pytest.raises(DirectoryError, match="nothing was removed"):
            clean(path)
    assert listed(tmp_path) == ["a"]
    assert read_manifest(tmp_path / "nowhere") is None


def test_a_manifest_of_others_is_not_touched_and_no_lock_is_left_beside_it(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "a web extension"}')
    with pytest.raises(DirectoryError, match="is not a manifest of slotfree"):
        clean(tmp_path)
    with pytest.raises(DirectoryError, match="is not a manifest of slotfree"), opened(tmp_path, {}, {}):
        pass
    assert listed(tmp_path) == ["manifest.json"]


def test_refused_settings_leave_no_lock(tmp_path):
    path = fill(tmp_path / "results")
    (path / ".slotfree-lock").unlink()
    with pytest.raises(DirectoryError, match="other settings"), opened(path, {"seed": 1}, {}):
        pass
    assert not (path / ".slotfree-lock").exists()


@pytest.mark.parametrize("name", ["mine.txt", "figures/mine.txt", "../mine.png", "figures/../../mine.png", "/mine.png"])
def test_a_manifest_cannot_name_what_slotfree_does_not_write(tmp_path, name):
    """Nor lead outside."""
    path = fill(tmp_path / "results")
    mine = tmp_path / "mine.png" if "mine.png" in name else path / name
    mine.write_text("mine")
    name_also(path, str(mine) if name == "/mine.png" else name)
    before = listed(tmp_path)
    with pytest.raises(DirectoryError, match=r"files\[2\] must be a file that slotfree writes to the directory, not"):
        clean(path)
    assert listed(tmp_path) == before
    assert mine.read_text() == "mine"


def test_what_clean_would_not_remove_is_not_written(tmp_path):
    with opened(tmp_path, {}, {}) as directory, pytest.raises(ValueError, match=r"slotfree writes .*, not 'notes.txt'"):
        directory.write("notes.txt", b"")


@pytest.fixture
def elsewhere(tmp_path):
    """A folder of the user's, with a thesis, and with a file that has the name of a unit."""
    folder = tmp_path / "elsewhere"
    (folder / "g").mkdir(parents=True)
    for name in ("thesis.txt", "a.png", "a.csv", f"g/{UNIT.name}.safetensors", LEFTOVER):
        (folder / name).write_text("mine")
    return folder


@pytest.mark.parametrize("link", ["units", "units/g", "figures", "tables"])
def test_nothing_behind_a_link_is_removed(tmp_path, elsewhere, link):
    path = fill(tmp_path / "results")
    target = elsewhere / "g" if link == "units/g" else elsewhere
    if (path / link).exists():
        shutil.rmtree(path / link)
    (path / link).symlink_to(target)
    name_also(path, "tables/a.csv")
    before = listed(elsewhere)
    cleaned = clean(path)
    assert listed(elsewhere) == before
    assert cleaned.links == [path / link]
    assert [name for name in listed(path) if name != "units"] == [link] * (link != "units")


def test_a_file_that_is_a_link_stays_with_what_it_leads_to(tmp_path, elsewhere):
    path = fill(tmp_path / "results")
    (path / "claims.json").unlink()
    (path / "claims.json").symlink_to(elsewhere / "thesis.txt")
    assert clean(path).links == [path / "claims.json"]
    assert listed(path) == ["claims.json"]
    assert (elsewhere / "thesis.txt").read_text() == "mine"


def test_a_directory_named_by_a_link_is_cleaned(tmp_path):
    fill(tmp_path / "large-disk")
    (tmp_path / "results").symlink_to(tmp_path / "large-disk")
    clean(tmp_path / "results")
    assert listed(tmp_path) == ["large-disk", "results"]


def test_results_are_written_through_links_of_the_user(tmp_path, elsewhere):
    path = tmp_path / "results"
    fill(path)
    shutil.rmtree(path / "units")
    (path / "units").symlink_to(elsewhere)
    fill(path)
    with opened(path, {"seed": 0}, {}) as directory:
        assert directory.store.load(UNIT) is not None
    assert (elsewhere / "g" / f"{UNIT.name}.safetensors").is_file()
    assert (elsewhere / LEFTOVER).exists(), "what lies behind a link is not tidied"


@pytest.mark.parametrize("name", [".slotfree-lock", "manifest.json"])
def test_a_lock_or_a_manifest_that_is_a_link_is_not_followed(tmp_path, elsewhere, name):
    path = fill(tmp_path / "results")
    (path / name).replace(elsewhere / name)
    before = (elsewhere / name).read_bytes()
    (path / name).symlink_to(elsewhere / name)
    with pytest.raises((OSError, DirectoryError), match=r"symbolic link|is a link that leads out of its folder"):
        fill(path)
    assert (elsewhere / name).read_bytes() == before


@pytest.mark.parametrize("more", [(), (".slotfree-lock",)])
def test_a_directory_of_leftovers_alone_can_be_cleaned_and_used(tmp_path, more):
    path = tmp_path / "results"
    for work in (clean, fill):
        path.mkdir()
        for name in (LEFTOVER, *more):
            (path / name).write_text("")
        os.utime(path / LEFTOVER, (0, 0))
        work(path)
        if work is clean:
            assert not path.exists()
    assert not (path / LEFTOVER).exists()
    assert read_manifest(path) is not None


def test_leftovers_are_no_sign_that_a_directory_is_ours(tmp_path):
    (tmp_path / LEFTOVER).write_text("x")
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DirectoryError, match="nothing was removed"):
        clean(tmp_path)
    with pytest.raises(DirectoryError, match=r"holds 'thesis.txt'"):
        fill(tmp_path)
    assert listed(tmp_path) == [LEFTOVER, "thesis.txt"]


def test_leftovers_go_when_a_directory_is_opened_but_not_those_in_use(tmp_path):
    path = fill(tmp_path / "results")
    left = [path / folder / LEFTOVER for folder in (".", "units", "units/g", "figures")]
    for file in left:
        file.write_text("x")
    with left[1].open("rb") as used:
        atomic.fcntl.flock(used, atomic.fcntl.LOCK_EX)
        fill(path)
        assert [file for file in left if file.exists()] == [left[1]]
    fill(path)
    assert not left[1].exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = fill(tmp_path / "results")
    for name in (LEFTOVER, "figures/pipe.png"):
        os.mkfifo(path / name)
    name_also(path, "figures/pipe.png")
    fill(path)
    clean(path)
    assert not path.exists()
