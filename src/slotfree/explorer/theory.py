"""The theory's curves in the explorer: ``predict_retention`` at every stop of its sliders, in a table of bytes.

``python -m slotfree.explorer.theory`` computes the table, in some minutes, and writes ``data/theory.bin``.

The file is compressed (zlib). Inside are the number of ages and the ages, 16 bits each, least byte first. Then come
planes of bytes: the baselines of all curves, and for each age all accuracies. A value is in units of 1/250, stored as
its difference from the plane before, modulo 256; a curve that is not there has the baseline 255 and differences of 0.
Curves are in the order of the grid, the cue changing fastest. Between the ages, lines are straight.
"""

import contextlib
import math
import sys
import zlib
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from slotfree.explorer.assemble import ROOM
from slotfree.files.atomic import write_atomically
from slotfree.forgetting.theory.k_winner import predict_retention
from slotfree.forgetting.theory.limits import TheoryLimitError

N_VISIBLE, K_VISIBLE = 1000, 100
GRID: Mapping[str, tuple[float, ...]] = {
    "n_hidden": (100, 200, 500, 1000, 2000, 4000),
    "k_hidden": (1, 2, 5, 10, 20, 50, 100, 200),
    "fan_in": (0.02, 0.05, 0.1, 0.2, 0.5, 1),
    "learning_rate": (0.1, 0.2, 0.3, 0.5, 0.7, 1),
    "cue": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
}
OLDEST = 4000
# So many that a straight line between two (in log age, after rounding to 1/250) is within 0.008 of every curve.
AGES: NDArray[np.int64] = np.unique(np.rint(np.geomspace(1, OLDEST, 96)).astype(np.int64))
STEPS, NO_CURVE = 250, 255
FILE = ROOM / "data" / "theory.bin"


def memories() -> Iterator[dict[str, float]]:
    """Return the settings of all memories of the grid, in order, with those that cannot be."""
    names = [name for name in GRID if name != "cue"]
    for values in product(*(GRID[name] for name in names)):
        yield {"n_visible": N_VISIBLE, "k_visible": K_VISIBLE, **dict(zip(names, values, strict=True))}


def predicted(settings: Mapping[str, float]) -> NDArray[np.uint8]:
    """Return the table's values for a memory, (cue, baseline and ages); all are 255 where there is no curve.

    There is none if more units would have to win than there are, and where the theory refuses to predict. If it refuses
    a cue, it refuses lower ones too.
    """
    values = np.full((len(GRID["cue"]), 1 + len(AGES)), NO_CURVE, np.uint8)
    if settings["k_hidden"] <= settings["n_hidden"]:
        with contextlib.suppress(TheoryLimitError):
            for c in reversed(range(len(values))):
                curve = predict_retention(settings, (GRID["cue"][c],), AGES)
                exact = np.append(curve["baseline"], curve["accuracy"])
                values[c] = np.rint(STEPS * exact).astype(np.uint8)
    return values


def encoded(values: NDArray[np.uint8]) -> bytes:
    """Return the file that holds a table, (curve, baseline and ages)."""
    differences = np.diff(values, axis=1, prepend=np.uint8(0))
    numbers = np.array([len(AGES), *AGES], "<u2")
    return zlib.compress(numbers.tobytes() + differences.T.tobytes(), 9)


def main() -> None:
    """Compute the table and write it."""
    if not FILE.parent.is_dir():
        sys.exit(
            f"the table belongs to the sources of the explorer, in a checkout of slotfree: {FILE.parent} is not there"
        )
    total = math.prod(len(stops) for name, stops in GRID.items() if name != "cue")
    table = []
    for settings in memories():
        table.append(predicted(settings))
        if len(table) % 100 == 0:
            print(f"{len(table)} of {total} memories", file=sys.stderr, flush=True)
    content = encoded(np.concatenate(table))
    write_atomically(FILE, lambda file: file.write(content))
    print(f"{FILE}: {len(content)} bytes")


if __name__ == "__main__":
    main()
