"""Whether PyTorch is installed. The folder of its tests has its name, and would be imported in its place."""

from importlib.util import find_spec

import pytest


def has_pytorch():
    """Whether there is a package, and not a folder alone."""
    found = find_spec("torch")
    return found is not None and found.origin is not None


def skip_without_pytorch():
    """Skip what asks for PyTorch."""
    if not has_pytorch():
        pytest.skip("PyTorch is not installed", allow_module_level=True)
