"""What asks for PyTorch. The folder of its tests has its name, and would be imported in its place."""

import pytest

from slotfree import rooms


def skip_without_pytorch():
    """Skip what asks for PyTorch."""
    if not rooms.is_installed("torch"):
        pytest.skip("PyTorch is not installed", allow_module_level=True)
