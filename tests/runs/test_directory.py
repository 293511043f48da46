"""A directory of results: whose it is, who writes to it, what may be removed."""

import json
import os

import numpy as np
import pytest

from slotfree.runs.directory import opened
from slotfree.runs.errors import DirectoryError
from slotfree.runs.store import Finished, Unit

SETTINGS = {"seed": 0, "scale": {"name": "paper", "runs": 3}}
MACHINE = {"processor": "abacus", "cores": 2, "memory_gb": None, "system": "Linux", "python": "3.11"}
ORIGIN = {"begun": "2026-01-01", "machine": MACHINE}


def filled(path):
    with opened(path, SETTINGS, ORIGIN) as directory:
        directory.write("figures/a.png", b"png")
        directory.write("claims.json", b"[]")
        directory.write("claims.json", b"[1]")
        directory.store.save(Unit("g", {"n": 1}), Finished({"x": np.ones(2)}, 0.1))
    return path


def test_the_manifest_comes_first_and_stays(tmp_path):
    path = tmp_path / "results"
    with opened(path, SETTINGS, ORIGIN):
        manifest = json.loads((path / "manifest.json").read_text())
        assert manifest["settings"] == SETTINGS
        assert manifest["machine"] == MACHINE
    content = (path / "manifest.json").read_bytes()
    with opened(path, SETTINGS, {"begun": "2026-02-02"}) as directory:
        assert directory.manifest["begun"] == "2026-01-01"
    assert (path / "manifest.json").read_bytes() == content


def test_other_settings_are_refused_and_nothing_changes(tmp_path):
    path = filled(tmp_path / "results")
    before = {p: p.read_bytes() for p in path.rglob("*") if p.is_file()}
    other = {"seed": 1, "scale": {"name": "quick", "runs": 1}}
    expected = r"holds results of other settings: scale paper instead of quick, seed 0 instead of 1; .* slotfree clean"
    with pytest.raises(DirectoryError, match=expected), opened(path, other, ORIGIN):
        pass
    assert {p: p.read_bytes() for p in path.rglob("*") if p.is_file()} == before


def test_directories_of_others_are_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    others = pytest.raises(DirectoryError, match=r"new or empty directory, .* holds 'thesis.tex'")
    with others, opened(tmp_path, SETTINGS, ORIGIN):
        pass
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]
    a_file = pytest.raises(DirectoryError, match=r"--out must be a directory, but .* is a file")
    with a_file, opened(tmp_path / "thesis.tex", SETTINGS, ORIGIN):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(DirectoryError, match="read-only"), opened(tmp_path, SETTINGS, ORIGIN):
        pass


def test_two_processes_do_not_write_to_one_directory(tmp_path):
    """Nor two threads, which the lock tells apart in the same way."""
    path = tmp_path / "results"
    with opened(path, {"seed": 0}, {}):
        refused = pytest.raises(DirectoryError, match="another slotfree process is writing to")
        with refused, opened(path, {"seed": 0}, {}):
            pass
    with opened(path, {"seed": 0}, {}):
        pass
