"""What is said of a machine."""

import platform
from pathlib import Path

import pytest

from slotfree.runs.machine import describe_machine

CPUINFO = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Abacus: 2\nprocessor\t: 1\nmodel name\t: Quipu\n"


@pytest.mark.parametrize(("text", "processor"), [(CPUINFO, "Abacus: 2"), ("processor\t: 0\n", platform.machine())])
def test_the_processor_is_named_as_the_system_names_it(monkeypatch, text, processor):
    monkeypatch.setattr(Path, "read_text", lambda path: text if path == Path("/proc/cpuinfo") else "")
    assert describe_machine()["processor"] == processor
