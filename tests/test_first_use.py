"""The first use tells that kernels are being compiled; later ones find them on disk."""

import os
import subprocess
import sys

from slotfree.first_use import LINE

DRAW = """
import slotfree as sf
sf.random_patterns(2, n_visible=9, k_visible=3, seed=0)
sf.partial_cues([[1, 1]], 0.5, seed=0)
"""


def stderr_of(code, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stderr


def test_it_is_told_in_one_line_and_only_the_first_time(tmp_path):
    assert stderr_of(DRAW, tmp_path) == f"{LINE}\n"
    assert stderr_of(DRAW, tmp_path) == ""


def test_kernels_of_others_are_not_ours_to_tell_about(tmp_path):
    theirs = "import numba, slotfree.kernels.compile; numba.njit(lambda x: x + 1)(1)"
    assert stderr_of(theirs, tmp_path) == ""


def test_a_closed_stderr_stops_nothing(tmp_path):
    assert stderr_of(f"import sys; sys.stderr = None\n{DRAW}", tmp_path) == ""
