"""The program: within this process, which is fast, or in one of its own."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from slotfree.cli.main import main

SLOTFREE = [sys.executable, "-m", "slotfree"]
STUDY = str(Path(__file__).parent / "noise_study.py")


def slotfree(*arguments, environment=(), cwd=".", encoding="utf-8", stdout=None, stderr=None):
    """Run slotfree here; return its exit code and what it printed, on streams of an encoding, or on other streams."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, newline="\n") for _ in range(2))
    with (
        mock.patch.object(sys, "argv", ["slotfree", *map(str, arguments)]),
        mock.patch.dict(os.environ, {"COLUMNS": "80", **dict(environment)}),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(stdout or out),
        contextlib.redirect_stderr(stderr or err),
    ):
        try:
            main()
            code = 0
        except SystemExit as left:
            code = left.code or 0
    return SimpleNamespace(returncode=code, stdout=text_of(out), stderr=text_of(err))


def text_of(stream):
    """What was written to a stream."""
    stream.flush()
    return stream.buffer.getvalue().decode(stream.encoding)


def process(*arguments, environment=(), **options):
    """Run slotfree in a process of its own."""
    variables = os.environ | {"COLUMNS": "80"} | dict(environment)
    command = [*SLOTFREE, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=300, check=False, **options)
