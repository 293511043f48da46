"""A pytest plugin: it records what each test calls, or runs the tests of a list, in that order.

It records into the directory that ``MUTANTS_RECORD`` names, a JSON file for each process: for each test, how long it
takes and which functions it calls. Compiled kernels are not seen at work; recorded are the names that tests mention.
It runs the tests listed in the file that ``MUTANTS_CHOSEN`` names. Failing examples of property tests are not made
smaller: that a test fails is enough.
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
from hypothesis import Phase, settings

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

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        kept = {name: entry for name, entry in self.tests.items() if name not in self.failed}
        file = self.directory / f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.json"
        file.write_text(json.dumps({"tests": kept, "failed": self.failed}))


def _described(called: set[CodeType]) -> dict[str, list[str]]:
    functions, names = set(), set()
    for code in called:
        _, inside, module = code.co_filename.rpartition("/src/slotfree/")
        if inside:
            dotted = module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            functions.add(f"{dotted}:{PARTS.sub('', code.co_qualname).removesuffix('<module>')}")
        elif "/tests/" in code.co_filename:
            names |= set(code.co_names)
    return {"functions": sorted(functions), "names": sorted(names)}


class Chooser:
    """Runs the tests of a list, in its order."""

    def __init__(self, file: Path) -> None:
        self.order = {name: place for place, name in enumerate(json.loads(file.read_text()))}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.order]
        items[:] = sorted(chosen, key=lambda item: self.order[item.nodeid])


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if "MUTANTS_RECORD" in os.environ:
        config.pluginmanager.register(Recorder(Path(os.environ["MUTANTS_RECORD"])))
    if "MUTANTS_CHOSEN" in os.environ:
        settings.register_profile("mutants", settings.default, phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")
        config.pluginmanager.register(Chooser(Path(os.environ["MUTANTS_CHOSEN"])))
