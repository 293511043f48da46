"""Property tests are deterministic, matrix products keep to the thread of their test, and a browser serves a file."""

import os

import pytest
from hypothesis import settings

settings.register_profile("slotfree", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("slotfree")

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported


@pytest.fixture(scope="module")
def browser():
    from browser import chromium

    with chromium() as started:
        yield started
