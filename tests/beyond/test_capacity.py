import numpy as np
import pytest
import xarray as xr
from study.madeup import PAPER, around, check_table, verdicts

from slotfree.beyond import capacity
from slotfree.beyond.capacity import BETAS, DIMENSIONS, EXPERIMENT, MAPPED_NUMBERS, NUMBERS, RESTED, Recall
from slotfree.study.results import Results


def made_up(law, lost, rests, width=0.0, runs=8):
    """Shares from a law of size and number; for each β the same at all numbers; and more at rest by some number."""
    rng = np.random.default_rng(0)
    numbers = np.array(NUMBERS, float)
    cues = np.minimum(numbers, capacity.CUES).astype(int)
    shares = np.array([law(n, numbers) for n in DIMENSIONS])
    more = around(rests, width, runs=runs)
    found = [
        {
            "by_size": rng.binomial(cues, shares) / cues,
            "by_beta": np.array([[lost(beta)] * len(MAPPED_NUMBERS) for beta in BETAS]),
            "at_rest": np.array([[lost(beta) + more[i]] * len(MAPPED_NUMBERS) for beta in RESTED]),
        }
        for i in range(runs)
    ]
    return Results({EXPERIMENT.name: EXPERIMENT.run.label(found)}, PAPER, 0)


def times_five(dimension, numbers):
    """A law by which eight more numbers multiply capacity by 5, up to 100 patterns for each of 40 numbers."""
    most = 4000 / 5 ** ((40 - dimension) / 8)
    return -np.expm1((numbers - 1) * np.log1p(-capacity.ALLOWED) / (most - 1))


def linear(dimension, numbers):
    return 1 - np.exp(-numbers / (10 * dimension))


def as_found():
    return made_up(capacity.exact_share, lambda beta: float(beta < 0.4), 0.5, 0.1)


def test_claims():
    made = (
        as_found(),
        made_up(linear, lambda beta: float(beta > 0.4), -0.5, 0.1),
        made_up(times_five, lambda beta: 0.9 if beta < 0.4 else 0.02, 0.0, 0.1),
    )
    check_table(
        [verdicts(capacity.claims(r)) for r in made],
        {
            "exponential-*": "cxi",
            "beyond-classical": "cxi",
            "law": "cxx",
            "blends": "cxi",
            "sharp": "cxi",
            "one-step-better": "cxi",
        },
        only={"law": "cx"},
    )


def test_the_figure_and_its_tables():
    tables = capacity.draw(as_found()).tables
    assert {name: list(rows[0]) for name, rows in tables.items()} == {
        "": ["n_visible", "beta", "steps", "stored", "share_not_recalled", "standard_error"],
        "-sizes": ["n_visible", "capacity", "low", "high", "law"],
    }
    curves = {(row["n_visible"], row["beta"], row["steps"]) for row in tables[""]}
    assert len(curves) == len(DIMENSIONS) + len(BETAS) + len(RESTED)
    assert len(tables[""]) == len(DIMENSIONS) * len(NUMBERS) + (len(BETAS) + len(RESTED)) * len(MAPPED_NUMBERS)


def test_few_patterns_are_recalled_and_too_many_are_not():
    run = Recall((8, 16), (2, 512), 16, (2, 64), (0.05, 2.0), (2.0,), cues=(20, 20, 10))
    data = run.label([run(np.random.SeedSequence(0))])
    few, many = data["by_size"].isel(run=0).transpose("number", "dimension").values
    assert (few < many).all()
    assert many[0] > many[1]  # longer patterns are easier to tell apart
    blended, sharp = data["by_beta"].isel(run=0).sel(mapped_number=64).values
    assert blended > sharp


def test_nothing_lost_is_no_estimate_of_capacity():
    nothing = xr.DataArray(np.zeros((3, len(NUMBERS))), {"number": list(NUMBERS)}, ("run", "number"))
    assert (capacity.capacities(nothing, 0) == np.inf).all()


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_capacity_is_read_off_the_law(dimension):
    numbers = np.array(NUMBERS)
    share = capacity.exact_share(dimension, numbers.astype(float))
    runs = xr.DataArray([share, share], {"number": numbers}, ("run", "number"))
    np.testing.assert_allclose(capacity.capacities(runs, 0), capacity.exact_capacity(dimension), rtol=1e-9)
    np.testing.assert_allclose(
        capacity.exact_share(dimension, np.array([capacity.exact_capacity(dimension)])), capacity.ALLOWED
    )


def test_the_law_by_counting():
    """All patterns of 8 numbers: those that are at least as near to a cue with a flipped sign, but the right one."""
    patterns = (np.arange(256)[:, None] >> np.arange(8)) % 2
    cue = np.array([1, 0, 0, 0, 0, 0, 0, 0])
    near = ((patterns == cue).sum(axis=1) >= 7).sum() - 1
    assert capacity.chance(8) == pytest.approx(near / 256)
