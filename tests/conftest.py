"""What all tests share: deterministic properties, one thread for matrix products, a browser, markers and an order."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("slotfree", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("slotfree")

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported

# Files that take longest come first, so that no worker is left alone with one of them at the end.
LONGEST = ("test_everything.py", "docs/test_site.py")


def pytest_collection_modifyitems(items):
    tests = Path(__file__).parent
    first = {tests / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(item.path, len(LONGEST)))
    for item in items:
        for marker in {"browser", "site"}.intersection(item.fixturenames):
            item.add_marker(marker)
        if hasattr(item.module, "Loopback"):
            item.add_marker("cluster")
        if item.path.is_relative_to(tests / "packaging"):
            item.add_marker("package")


@pytest.fixture(scope="module")
def browser():
    from browser import chromium

    with chromium() as started:
        yield started
