"""A pytest plugin that records, for each test, how long it takes and which functions of the package it calls.

Compiled kernels are not seen at work; recorded are the names that the called functions mention, kernels among them.
The record is a JSON file for each process, in the directory that ``MUTANTS_RECORD`` names.
"""

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

PARTS = re.compile(r"<locals>\.|\.?<(lambda|listcomp|setcomp|dictcomp|genexpr)>.*")


class Recorder:
    """Notes the code that runs in each test."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.tests: dict[str, dict[str, object]] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        called: set[CodeType] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            called.add(frame.f_code)

        begin = time.process_time()
        threading.settrace(note)  # of calls alone: a profile would be told of C functions as well
        sys.settrace(note)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.tests[item.nodeid] = {"seconds": round(time.process_time() - begin, 3), **_described(called)}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "browser" not in item.fixturenames]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        name = os.environ.get("PYTEST_XDIST_WORKER", "main")
        if self.tests:
            text = json.dumps({"tests": self.tests, "failed": self.failed})
            (self.directory / f"{name}.json").write_text(text)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(Path(os.environ["MUTANTS_RECORD"])))


def _described(called: set[CodeType]) -> dict[str, list[str]]:
    functions, names = set(), set()
    for code in called:
        _, inside, module = code.co_filename.rpartition("/src/slotfree/")
        if inside:
            dotted = module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            functions.add(f"{dotted}:{PARTS.sub('', code.co_qualname).removesuffix('<module>')}")
        if inside or "/tests/" in code.co_filename:
            names |= set(code.co_names)
    return {"functions": sorted(functions), "names": sorted(names)}
