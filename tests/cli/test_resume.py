"""The program itself, killed, interrupted and started again: what it writes is the same to the byte."""

import os
import signal
import subprocess
import time
from functools import partial

from program import SLOTFREE, STUDY, slotfree

WORK = ["run", STUDY, "--jobs", "1"]
SLOW = {"NOISE_SECONDS": "0.3"}


def results(out):
    """What is written, but for how long it took."""
    kinds = ("figures", "tables", "data")
    files = [path for kind in kinds for path in (out / kind).glob("*")] + [out / "claims.json"]
    return {path.relative_to(out): path.read_bytes() for path in files}


def units(out):
    return {path: path.stat().st_mtime_ns for path in (out / "units").glob("*/*.safetensors")}


def stopped(out, how, count):
    """Start the program, and send it a signal when some units are finished; return its exit code and its words."""
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # shells let what runs in the background ignore it
    program = subprocess.Popen(
        [*SLOTFREE, *WORK, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | SLOW,
        preexec_fn=heard,
    )
    with program:
        for _ in range(4000):
            if len(units(out)) >= count or program.poll() is not None:
                break
            time.sleep(0.05)
        program.send_signal(how)
        _, errors = program.communicate(timeout=60)
    return program.returncode, errors


def test_a_killed_or_interrupted_program_goes_on_where_it_stopped(tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert slotfree(*WORK, "--out", whole).returncode == 0
    code, _ = stopped(broken, signal.SIGKILL, 1)
    assert code == -signal.SIGKILL
    assert (broken / "manifest.json").exists(), "the manifest is written first"
    code, errors = stopped(broken, signal.SIGINT, 3)
    assert code == 130
    assert "Interrupted. Finished runs are kept; rerun the command to resume." in errors
    assert "Traceback" not in errors
    kept = units(broken)
    assert 3 <= len(kept) < 8
    again = slotfree(*WORK, "--out", broken, environment=SLOW)
    assert again.returncode == 0, again.stderr
    assert f"{8 - len(kept) + 2} runs and figures to be done, on 1 core" in again.stderr
    assert results(broken) == results(whole)
    assert {path: units(broken)[path] for path in kept} == kept, "a finished unit was written again"
