"""Connections and their weights in files: arrays with a row for each unit, checked before and after they are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.checks import shown
from slotfree.files.safetensors import ArrayFile
from slotfree.kernels.synapses import first_bad_row, index_type


@dataclass(frozen=True)
class Rows:
    """What an array must be: connections to so many inputs, or, if n_inputs is None, weights from 0 to largest."""

    name: str
    n_units: int
    n_connections: int
    n_inputs: int | None = None
    largest: float = 1.0

    def check_shape(self, file: ArrayFile) -> None:
        """Refuse a file in which the array has another type or shape."""
        dtype = np.float32 if self.n_inputs is None else index_type(self.n_inputs)
        shape = (self.n_units, self.n_connections)
        if file.dtypes[self.name] != dtype:
            file.refuse(f"{self.name} is {file.dtypes[self.name]}, not {np.dtype(dtype)}")
        if file.shapes[self.name] != shape:
            file.refuse(f"{self.name} has the shape {file.shapes[self.name]}; its settings ask for {shape}")

    def check_numbers(self, file: ArrayFile, rows: NDArray[Any], first_unit: int = 0) -> None:
        """Refuse a file in which rows of the array, of which the first belongs to first_unit, hold wrong numbers."""
        if self.n_inputs is not None:
            bad = first_bad_row(rows, self.n_inputs)
            if bad >= 0:
                file.refuse(
                    f"the {self.name} of hidden unit {first_unit + bad} are not ascending visible units "
                    f"below {self.n_inputs}"
                )
        elif not (rows.min() >= 0 and rows.max() <= self.largest):  # NaN fails both
            file.refuse(f"{self.name} are not all from 0 to {self.largest:g}")


def read_rows(file: ArrayFile, expected: Sequence[Rows]) -> list[NDArray[Any]]:
    """Read all arrays of a file, or raise FormatError before anything large is allocated.

    Numbers are checked in pieces first; what is then read as a whole is checked again, as a file may change meanwhile.
    """
    names = sorted(rows.name for rows in expected)
    if sorted(file.shapes) != names:
        file.refuse(f"its arrays are {shown(sorted(file.shapes))}, not {names}")
    for rows in expected:
        rows.check_shape(file)
    for rows in expected:
        first_unit = 0
        for piece in file.pieces(rows.name):
            rows.check_numbers(file, piece, first_unit)
            first_unit += len(piece)
    arrays = []
    for rows in expected:
        arrays.append(file.read(rows.name))
        rows.check_numbers(file, arrays[-1])
    return arrays
