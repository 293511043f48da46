"""Tensors of PyTorch as arguments, and results of the same kind; PyTorch itself is not imported."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray


def is_tensor(value: object) -> bool:
    """Whether a value is a tensor of PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def as_array(name: str, value: Any) -> Any:
    """Return a tensor as an array, of 32 bits if it has fewer; anything else as it is.

    A tensor that needs gradients is refused, as none would come back.
    """
    if not is_tensor(value):
        return value
    if value.requires_grad:
        raise ValueError(f"{name} must not require gradients, as none pass through this memory: use {name}.detach()")
    if value.is_floating_point() and value.element_size() < 4:
        value = value.float()
    return value.cpu().numpy()


def like(value: Any, result: NDArray[np.floating[Any]]) -> Any:
    """Return a result as a tensor on the device of an argument, and of its type, if that is a tensor of floats."""
    if not is_tensor(value):
        return result
    tensor = sys.modules["torch"].from_numpy(result)
    return tensor.to(value.device, value.dtype if value.is_floating_point() else None)
