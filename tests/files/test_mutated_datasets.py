"""Mutated files of datasets: each is refused with a FormatError, or is a dataset that can be used and written."""

import numpy as np
import pytest
from mutated_files import mutants, quick_file
from test_dataset import DATA

from slotfree.files.dataset import read_dataset, write_dataset
from slotfree.files.errors import FormatError

COUNT = 10_000


@pytest.mark.long
def test_10_000_mutated_datasets():
    loaded = 0
    with quick_file() as path:
        write_dataset(path, DATA[["accuracy", "answer"]].isel(point=[0]), {"seed": "0"})
        others = [path.read_bytes()]
        write_dataset(path, DATA, {"seed": "0", "words of mine": "ε"})
        good = path.read_bytes()
        for mutant in mutants(good, np.random.default_rng(0), COUNT, [good, *others]):
            path.write_bytes(mutant)
            try:
                data = read_dataset(path)
            except FormatError:
                continue
            loaded += 1
            assert data.nbytes < 2**25 + 20 * len(mutant)
            if loaded % 10 == 0:
                write_dataset(path, data, {})
                assert read_dataset(path).identical(data)
    assert COUNT / 50 < loaded < COUNT / 2
