"""Property tests are deterministic."""

from hypothesis import settings

settings.register_profile("slotfree", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("slotfree")
