"""Compiling: the first use prints that it compiles, later ones find kernels on disk, and so they do after a warm-up."""

import os
import subprocess
import sys
from collections import Counter
from concurrent import futures

import pytest
from click.testing import CliRunner

from slotfree import warm
from slotfree.cli.main import cli
from slotfree.first_use import LINE

DRAW = """
import slotfree as sf
sf.partial_cues(sf.random_patterns(2, n_visible=9, k_visible=3, seed=0), 0.5, seed=0)
"""
WARM = """
if __name__ == "__main__":
    from slotfree.warm import compile_all
    assert compile_all(["patterns"]) == {}
"""


def stderr_of(code, cache):
    (cache / "code.py").write_text(code)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache / "kernels")}
    command = [sys.executable, str(cache / "code.py")]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stderr


def kernels_in(cache):
    return Counter(path.name for path in cache.rglob("*.nb[ic]"))


def test_the_first_use_prints_a_line_and_a_warm_up_leaves_nothing_to_compile(tmp_path):
    assert stderr_of(DRAW, tmp_path) == f"{LINE}\n"
    assert stderr_of(DRAW, tmp_path) == ""
    some = kernels_in(tmp_path)
    assert LINE not in stderr_of(WARM, tmp_path)
    compiled = kernels_in(tmp_path)
    assert some < compiled
    tree = "import slotfree as sf\nsf.tree_patterns(3, n_nodes=9, n_visible=20, k_visible=5, n_flips=1, seed=0)"
    assert stderr_of(DRAW + tree, tmp_path) == ""
    assert kernels_in(tmp_path) == compiled


def test_kernels_of_others_are_not_ours_to_report(tmp_path):
    theirs = "import numba, slotfree.kernels.compile; numba.njit(lambda x: x + 1)(1)"
    assert stderr_of(theirs, tmp_path) == ""


def test_a_closed_stderr_stops_nothing(tmp_path):
    assert stderr_of(f"import sys; sys.stderr = None\n{DRAW}", tmp_path) == ""


@pytest.mark.parametrize("name", warm.USES)
def test_every_use_works(name):
    assert warm.use(name) == ""


def test_a_failure_is_reported(monkeypatch):
    def broken():
        raise ValueError("no such memory")

    monkeypatch.setitem(warm.USES, "broken", broken)
    assert warm.use("broken") == "ValueError: no such memory"
    with monkeypatch.context() as patch:  # in threads of this process, for speed
        patch.setattr(futures, "ProcessPoolExecutor", lambda jobs, *_, **__: futures.ThreadPoolExecutor(jobs))
        assert warm.compile_all(["broken"]) == {"broken": "ValueError: no such memory"}
    monkeypatch.setattr(warm, "compile_all", lambda: {"broken": warm.use("broken")})
    result = CliRunner().invoke(cli, ["warm"])
    assert (result.exit_code, result.stderr) == (1, "failed: broken: ValueError: no such memory\n")
    monkeypatch.setattr(warm, "compile_all", dict)
    result = CliRunner().invoke(cli, ["warm"])
    assert result.exit_code == 0
    assert result.stderr.startswith("all kernels are compiled; it took 0 s")
