"""Mutated files of units: each is damaged, and done again, or gives arrays as its header describes them."""

import numpy as np
import pytest
from mutated_files import mutants, quick_file

from slotfree.runs.store import Finished, Store, Unit

COUNT = 700  # for each way to write a checksum
ARRAYS = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([1, 2], np.int64), "empty": np.zeros((0, 2))}


@pytest.mark.parametrize("words", [(), ("seconds",), None])
def test_mutated_units(words):
    unit = Unit("group", {"n": 1, "seed": 0})
    with quick_file() as path:
        store = Store(path.parent)
        place = store.path(unit)
        store.save(unit, Finished(ARRAYS, 1.25))
        good = place.read_bytes()
        noticed = 0
        for mutant in mutants(good, np.random.default_rng(0), COUNT, [good], words=words):
            place.write_bytes(mutant)
            finished = store.load(unit)
            if finished is None:
                noticed += 1
                assert not place.exists()
            else:
                assert isinstance(finished.seconds, float)
                assert sum(array.nbytes for array in finished.arrays.values()) <= len(mutant)
        assert len(store.damaged) == noticed > COUNT / 2
