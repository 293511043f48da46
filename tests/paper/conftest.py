"""Items at a scale that takes seconds, made once for all tests of this folder."""

import pytest
from tiny import TINY, Silent

from slotfree.paper import items
from slotfree.paper.reproduce import reproduce


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Everything, reproduced at the tiny scale: directory, claims, progress."""
    out = tmp_path_factory.mktemp("made")
    progress = Silent()
    claims = reproduce([items.load(name) for name in items.NAMES], TINY, out=out, seed=0, jobs=2, progress=progress)
    return out, claims, progress
