"""The program and a Dask scheduler that is not there, is none, has no workers, or is killed: a line, and no hang."""

import importlib
import os
import socket
import subprocess
import threading
import time
from contextlib import contextmanager

import pytest
from loopback import Loopback
from program import SLOTFREE, STUDY, slotfree

from slotfree.drawing.picture import Picture

pytest.importorskip("distributed")

SECONDS = 15
COMMANDS = [["run", STUDY], ["reproduce", "fig4"], ["sweep", "memory"]]


@pytest.fixture(scope="module", autouse=True)
def imported():
    """All modules are imported before times are measured."""
    importlib.import_module("slotfree.report.page")


@contextmanager
def server(reply):
    """Something that listens on loopback and replies, or says nothing, and is not Dask: its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        kept = []

        def serve():
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                kept.append(connection)
                if reply:
                    connection.sendall(reply)
                    connection.close()

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        for connection in kept:
            connection.close()


def refused(address, out, command=("run", STUDY)):
    """What is told in a line, soon, with nothing written."""
    begun = time.monotonic()
    told = slotfree(*command, "--out", out, "--scheduler", address)
    assert time.monotonic() - begun < SECONDS
    assert told.stderr.count("\n") == 1, told.stderr
    assert told.stdout == ""
    assert not out.exists()
    return told


@pytest.mark.parametrize("reply", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_what_is_not_dask(tmp_path, reply):
    with server(reply) as port:
        told = refused(f"tcp://127.0.0.1:{port}", tmp_path / "out")
    assert told.returncode == 1
    assert f"there is no Dask scheduler at tcp://127.0.0.1:{port}: what is there does not answer" in told.stderr
    assert "start one with: dask scheduler" in told.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_nobody_there(tmp_path, command):
    with server(b"") as port:
        pass
    told = refused(f"127.0.0.1:{port}", tmp_path / "out", command)
    assert told.returncode == 1
    assert f"there is no Dask scheduler at 127.0.0.1:{port}: Connection refused" in told.stderr


def test_a_name_that_no_host_can_have(tmp_path):
    told = refused(f"tcp://{'a' * 70}:8786", tmp_path / "out")
    assert told.returncode == 1
    assert "there is no Dask scheduler at tcp://aaa" in told.stderr


def test_certificates_are_missing(tmp_path):
    with server(b"") as port:
        told = refused(f"tls://127.0.0.1:{port}", tmp_path / "out")
    assert told.returncode == 1
    assert "tls needs certificates" in told.stderr


@pytest.mark.parametrize(
    "address", ["", "tcp://127.0.0.1", "tcp://127.0.0.1:port", "foo://127.0.0.1:8786", "tcp://127.0.0.1:0", "8786"]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_address(tmp_path, command, address):
    told = slotfree(*command, "--out", tmp_path / "out", "--scheduler", address)
    assert told.returncode == 2
    assert told.stderr == f"Error: --scheduler must be an address such as tcp://127.0.0.1:8786, not {address!r}\n"
    assert not (tmp_path / "out").exists()


def test_a_worker_is_no_scheduler_and_a_killed_scheduler_loses_nothing(tmp_path):
    """No workers at first: that is shown; then one comes, and some units later the scheduler is killed."""
    found, out = Loopback(tmp_path, NOISE_SECONDS="0.5"), tmp_path / "out"
    first = found.worker()
    told = refused(found.joined(first), tmp_path / "other")
    assert (told.returncode, "what is there is a worker of Dask" in told.stderr) == (1, True)
    first.kill()
    first.wait()
    command = [*SLOTFREE, "run", STUDY, "--out", str(out), "--scheduler", found.address]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    program = subprocess.Popen(command, env=os.environ | {"COLUMNS": "80"}, **pipes)
    try:
        lines = [program.stderr.readline(), program.stderr.readline()]
        assert lines[0].endswith("to be done, on a cluster\n"), lines
        assert lines[1].startswith(f"waiting for workers at {found.address} …"), lines
        found.worker()
        while len(list(out.glob("units/*/*.safetensors"))) < 2:
            assert program.poll() is None
            time.sleep(0.05)
        found.scheduler.kill()
        killed = time.monotonic()
        _, errors = program.communicate(timeout=60)
        assert time.monotonic() - killed < SECONDS
    finally:
        program.kill()
        found.close()
    assert program.returncode == 1
    *progress, last = errors.splitlines()
    assert all("of 10, " in line for line in progress), errors
    assert last.startswith(f"Error: lost the Dask scheduler at {found.address}; what is finished is kept")
    again = slotfree("run", STUDY, "--out", out)
    assert again.returncode == 0
    assert "10 runs and figures to be done" not in again.stderr, "what was finished is not done again"


BESIDE = "import numpy as np\ndef drawn(seed): return np.random.default_rng(seed).normal(size=5)"
OWN = """
from dataclasses import dataclass
import beside
from slotfree.drawing.picture import Picture
from slotfree.study import Experiment, Item, Study

@dataclass(frozen=True)
class Run:
    count: int

    def __call__(self, seed):
        return {"x": beside.drawn(seed)[: self.count]}

ITEM = Item(name="a", title="A", text="B.", alt="C.", experiments=(Experiment("noise", Run(3), 5),),
            draw=lambda r: Picture(), claims=lambda r: ())
STUDY = Study("Own", (ITEM,))
"""


def test_a_study_of_one_s_own_gives_the_same_bytes(tmp_path, monkeypatch):
    """Its code, and that of a module beside it, which workers do not have, is sent to them."""
    monkeypatch.setattr(Picture, "files", lambda self: iter([("svg", b"<svg></svg>")]))
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "beside.py").write_text(BESIDE)
    found = Loopback(tmp_path)
    try:
        found.joined(found.worker())
        for out, *more in (["here"], ["there", "--scheduler", found.address]):
            told = slotfree("run", "own.py", "--out", out, *more, cwd=tmp_path)
            assert told.returncode == 0, told.stderr
    finally:
        found.close()
    assert "on a cluster" in told.stderr
    here, there = (tmp_path / out / "data" / "noise.safetensors" for out in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()
