"""A pytest plugin that runs the tests listed in the file that ``MUTANTS_CHOSEN`` names, in that order.

Failing examples of property tests are not made smaller: that a test fails is enough.
"""

import json
import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    settings.register_profile("mutants", settings.default, phases=[Phase.explicit, Phase.generate])
    settings.load_profile("mutants")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: i for i, name in enumerate(json.loads(Path(os.environ["MUTANTS_CHOSEN"]).read_text()))}
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])
