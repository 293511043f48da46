"""What files of this room have in common: a model, its task, and arrays that must fit them.

They are safetensors files. Their metadata are ``format``, ``version``, ``model`` and ``task`` (JSON), what else a
format has, and ``checksum``. Nothing in a file is executed, and everything in it is checked.
"""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.description import model_of, model_words, task_of, task_words
from slotfree.attention.models import Model
from slotfree.attention.weights import NAMES, Weights
from slotfree.checks import shown
from slotfree.files.checksum import KEY, refuse_changes, with_checksum
from slotfree.files.safetensors import ArrayFile, Arrays, write_arrays
from slotfree.tasks.base import Task, check_task

VERSION = "1"
Shapes = Mapping[str, tuple[int, ...]]


def write_file(
    path: str | os.PathLike[str], format_name: str, model: Model, task: Task, words: Mapping[str, str], arrays: Arrays
) -> None:
    """Write a model, its task, further words and arrays, atomically."""
    described = {"format": format_name, "version": VERSION, "model": model_words(model), "task": task_words(task)}
    metadata = described | dict(words)
    write_arrays(path, arrays, with_checksum(arrays, metadata))


def read_parts(
    file: ArrayFile, format_name: str, keys: set[str], model: Model | None, task: Task | None
) -> tuple[Model, Task]:
    """Return the model and the task of a file, which has ``keys`` besides; FormatError if it is not of this format.

    Those that are given must be the ones that were saved, ValueError if they are not, or if one is needed.
    """
    if model is not None and not isinstance(model, Model):
        raise TypeError(f"model must be a BaselineTransformer or a SlotFreeTransformer, not {shown(model)}")
    if task is not None:
        check_task(task)
    found = file.metadata
    if found.get("format") != format_name:
        file.refuse(f"its format is {shown(found.get('format'))}, not {format_name!r}")
    if found.get("version") != VERSION:
        file.refuse(f"its version is {shown(found.get('version'))}; this slotfree reads version {VERSION!r}")
    if found.keys() != {"format", "version", "model", "task", KEY} | keys:
        file.refuse(f"its metadata has the keys {shown(sorted(found))}")
    try:
        return model_of(found["model"], model), task_of(found["task"], task)
    except LookupError as error:
        raise ValueError(error.args[0]) from None
    except (TypeError, ValueError, RecursionError) as error:
        file.refuse(f"its model or its task is wrong: {shown(str(error))}")


def weight_shapes(file: ArrayFile, model: Model, task: Task, *front: int) -> dict[str, tuple[int, ...]]:
    """The shapes of W_Q, W_K and W_V in a file, and of wiring if it is there."""
    keys = (*front, model.key_dim, task.n_tokens)
    shapes = {"W_Q": keys, "W_K": keys, "W_V": (*front, task.n_outputs, task.n_tokens)}
    return shapes | ({"wiring": front} if "wiring" in file.shapes else {})


def weight_arrays(weights: Weights) -> dict[str, NDArray[Any]]:
    """Weights as arrays of a file."""
    arrays: dict[str, NDArray[Any]] = {name: getattr(weights, name) for name in NAMES}
    return arrays if weights.wiring is None else {**arrays, "wiring": weights.wiring}


def weights_in(arrays: Arrays, wiring: NDArray[np.int64] | None) -> Weights:
    """Weights out of the arrays of a file; ValueError if they are not finite, or wiring is below 0."""
    return Weights(arrays["W_Q"], arrays["W_K"], arrays["W_V"], wiring)


def refuse_others(file: ArrayFile, expected: Shapes) -> None:
    """Raise FormatError if a file has other arrays than those expected, or of other shapes."""
    if sorted(file.shapes) != sorted(expected):
        file.refuse(f"its arrays are {shown(sorted(file.shapes))}, not {sorted(expected)}")
    for name, shape in expected.items():
        if file.shapes[name] != shape:
            file.refuse(f"{name} has the shape {file.shapes[name]}; its model and its task ask for {shape}")


def read_all(file: ArrayFile) -> dict[str, NDArray[Any]]:
    """Read all arrays, which are those that were written; FormatError if they were changed."""
    arrays = {name: file.read(name) for name in file.shapes}
    refuse_changes(file, arrays)
    return arrays
