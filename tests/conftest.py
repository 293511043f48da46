"""Property tests are deterministic, and matrix products keep to the thread of their test."""

import os

from hypothesis import settings

settings.register_profile("slotfree", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("slotfree")

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported
