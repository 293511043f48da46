"""Mutated files of every memory: each is refused with a FormatError, or is a memory that works."""

import numpy as np
import pytest
from every_memory import EVERY, kind_of, patterns, small
from mutated_files import laid, mutants, quick_file

import slotfree as sf
from slotfree.files.saved_arrays import saved_bytes

COUNT = 14_000  # for each memory; with datasets and units there are 100,000


def good_file(memory, path):
    memory.store(patterns(5))
    memory.save(path)
    return path.read_bytes()


def refitted(kind):
    """Data that follow from changed settings, if these are possible: nothing in the file contradicts anything."""

    def refit(header, data, rng):
        try:
            found = header["__metadata__"]
            described = kind.saved(kind.settings_class(**found["settings"]), int(found["n_stored"]))
            if not 0 <= saved_bytes(described) <= 20_000 or int(found["n_stored"]) < 0:
                return header, data
        except (KeyError, TypeError, ValueError, OverflowError):
            return header, data
        return laid(header, {each.name: fitting(each, rng) for each in described})

    return refit


def fitting(each, rng):
    if hasattr(each, "n_inputs"):
        first = np.arange(each.shape[1])
        rows = np.arange(each.shape[0])[:, None]
        return (first + (0 if each.from_itself else first >= rows)).astype(each.dtype)
    high = min(each.high, 1e6)
    return rng.uniform(max(each.low, -high), high, each.shape).round(int(rng.integers(3))).astype(each.dtype)


def check_that_it_works(memory):
    settings = memory.settings
    assert type(settings)(**vars(settings)) == settings
    arrays = memory.arrays()
    for each in memory.saved(settings, memory.n_stored):
        assert arrays[each.name].shape == each.shape
        assert each.fault(arrays[each.name], 0) is None
    ones = np.ones(settings.n_visible)
    if getattr(settings, "n_values", None) is None:
        memory.store(ones)
    else:
        memory.store(ones, np.ones(settings.n_values))
    if getattr(settings, "steps", 1) <= 1000:
        recalled = memory.retrieve(ones)
        assert np.isfinite(recalled).all()
        assert settings.k_visible is None or recalled.sum() == settings.k_visible


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_14_000_mutated_files(name):
    kind = kind_of(name)
    loaded = 0
    with quick_file() as path:
        good = good_file(small(name), path)
        others = [good_file(small(other, 1), path) for other in EVERY]
        for mutant in mutants(good, np.random.default_rng(0), COUNT, others, refitted(kind)):
            path.write_bytes(mutant)
            try:
                memory = kind.load(path)
            except sf.FormatError:
                continue
            loaded += 1
            check_that_it_works(memory)
    assert COUNT / 50 < loaded < COUNT / 2, "some mutations leave a valid file; most must not"
