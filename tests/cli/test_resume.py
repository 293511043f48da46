"""The program itself, killed and started again: what it writes is the same to the byte."""

import signal
import subprocess
import sys
import time

SLOTFREE = [sys.executable, "-m", "slotfree"]
WORK = ["reproduce", "figS9", "figS4", "--scale", "quick", "--jobs", "1"]


def results(out):
    """What is written, but for how long it took."""
    kinds = ("figures", "tables", "data")
    files = [path for kind in kinds for path in (out / kind).glob("*")] + [out / "claims.json"]
    return {path.relative_to(out): path.read_bytes() for path in files}


def units(out):
    return {path: path.stat().st_mtime_ns for path in (out / "units").glob("*/*.safetensors")}


def test_a_killed_program_goes_on_where_it_stopped(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    done = subprocess.run([*SLOTFREE, *WORK, "--out", str(whole)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    for count in (1, 2):
        program = subprocess.Popen([*SLOTFREE, *WORK, "--out", str(killed)], stderr=subprocess.DEVNULL)
        for _ in range(600):
            if len(units(killed)) >= count or program.poll() is not None:
                break
            time.sleep(0.05)
        program.send_signal(signal.SIGKILL)
        program.wait()
    kept = units(killed)
    assert kept
    assert (killed / "manifest.json").exists(), "the manifest is written first"
    again = subprocess.run([*SLOTFREE, *WORK, "--out", str(killed)], capture_output=True, text=True, check=False)
    assert again.returncode == done.returncode, again.stderr
    assert results(killed) == results(whole)
    assert {path: units(killed)[path] for path in kept} == kept, "a finished unit was written again"


def test_a_damaged_unit_is_told_and_done_again(tmp_path):
    out = tmp_path / "out"
    subprocess.run([*SLOTFREE, *WORK, "--out", str(out)], capture_output=True, check=False)
    before = results(out)
    unit = min(units(out))
    content = bytearray(unit.read_bytes())
    content[-5] ^= 4
    unit.write_bytes(content)
    again = subprocess.run([*SLOTFREE, *WORK, "--out", str(out)], capture_output=True, text=True, check=False)
    assert "damaged, and done again" in again.stderr
    assert unit.name in again.stderr
    assert results(out) == before
