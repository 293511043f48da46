"""Items at a scale that takes seconds, made once for all tests of this folder."""

import pytest
from tiny import TINY, reproduce

from slotfree.paper import items


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Everything, reproduced at the tiny scale: directory, claims, progress."""
    out = tmp_path_factory.mktemp("made")
    outcome, progress = reproduce([items.load(name) for name in items.NAMES], TINY, out)
    return out, outcome.claims, progress
