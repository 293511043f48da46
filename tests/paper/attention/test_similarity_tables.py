"""Tables S1 to S3: their statistics by hand, and every claim with rows that agree with the printed ones or do not."""

import numpy as np
import pytest
from trained import DESCRIBED, results

from slotfree.paper.attention import tableS1, tableS2, tableS3
from slotfree.paper.attention.tableS1 import TRANSFORMERS, Table, distance, limit_of_chance, statistics
from slotfree.paper.transformers import BASELINE, BETA_ONE, FIXED, FIXED_IP, QK
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

MODULES = (tableS1, tableS2, tableS3)
OTHERS = (BASELINE, BETA_ONE)
NOISE = 0.01
SHIFT = np.array([0, 0, 1, 0])  # entries of different letters are larger


def made_up(table, shifts, noise=NOISE):
    """Statistics of 20 runs about the printed ones: (run, column), by model."""
    rng = np.random.default_rng(0)
    return {t: np.array(table.rows[t.row]) + shifts(t) + rng.normal(0, noise, (20, 4)) for t in TRANSFORMERS}


@pytest.fixture
def verdicts(monkeypatch):
    def judge(module, shifts, noise=NOISE):
        found = made_up(module.TABLE, shifts, noise)
        monkeypatch.setattr(Table, "measured", lambda table, transformer, r: found[transformer])
        claims = module.ITEM.claims(Results({}, SCALES["paper"], 0))
        return {claim.name: claim.verdict for claim in claims}

    return judge


@pytest.mark.parametrize("module", MODULES)
def test_rows_as_printed(module, verdicts):
    found = verdicts(module, lambda t: 0.5 * SHIFT if t in OTHERS else 0 * SHIFT)
    assert found == dict.fromkeys(found, "confirmed")


@pytest.mark.parametrize("module", MODULES)
def test_rows_other_than_printed(module, verdicts):
    found = verdicts(module, lambda t: 0 * SHIFT if t in OTHERS else 10 * SHIFT)
    assert found == dict.fromkeys(found, "contradicted")


def test_a_row_just_beyond_chance_is_left_open(verdicts):
    error = NOISE * np.sqrt(1 / 20 + 1 / 10)
    for distance_ in (3.5, 6.0):
        found = verdicts(tableS1, lambda t, d=distance_: d * error * SHIFT + np.array([0, 0, 0.005, 0]))
        assert found["not-baseline"] == "inconclusive"


def test_a_small_and_uncertain_structure_of_fixed_keys_is_left_open(verdicts):
    found = verdicts(tableS1, lambda t: 0.2 * SHIFT, noise=0.1)
    assert found["none-fixed"] == found["none-fixed-ip"] == "inconclusive"


def test_distances_in_standard_errors():
    row = (3.34, 0.323, -1.11, 0.693)
    runs = np.array(row) + np.array([-0.1, 0.1] * 10)[:, None]
    assert distance(runs, row) == 0
    error = runs[:, 0].std(ddof=1) * np.sqrt(1 / 20 + 1 / 10)
    assert distance(runs + np.array([0.005 + 2 * error, 0, 0, 0]), row) == pytest.approx(2)
    assert distance(runs + np.array([0, 0.0005 + 3 * error, 0, 0]), row) == pytest.approx(3)


def test_the_limit_of_chance_is_exceeded_once_in_1000_times():
    rng = np.random.default_rng(0)
    repeats = 20_000
    ours, printed = rng.normal(size=(repeats, 20, 4)), rng.normal(size=(repeats, 10, 4)).mean(axis=1)
    scores = np.abs(ours.mean(axis=1) - printed) / (ours.std(axis=1, ddof=1) * np.sqrt(1 / 20 + 1 / 10))
    beyond = int((scores.max(axis=1) > limit_of_chance(20)).sum())
    assert 5 <= beyond <= 37  # 20 are expected; fewer or more happen less than once in 1,000 times


def test_statistics_by_hand():
    block = np.array([[[1.0, -2.0], [-4.0, 3.0]]])
    np.testing.assert_allclose(statistics(block), [[2.0, 2.0, -3.0, 2.0]])


def test_tables_measure_their_own_block():
    r = results([QK], DESCRIBED, runs=2)
    data = r.data["qk"].isel(snapshot=-1)
    keys = np.einsum("rni,rnj->rij", data["W_K"].values, data["W_K"].values)
    queries = np.einsum("rni,rnj->rij", data["W_Q"].values, data["W_K"].values)
    for module, block in zip(MODULES, (keys[:, 4:8, :4], queries[:, 8:, :4], queries[:, 8:, 4:8]), strict=True):
        np.testing.assert_allclose(module.TABLE.measured(QK, r), statistics(block))


def test_only_the_published_baseline_has_a_printed_row():
    assert [t for t in TRANSFORMERS if tableS1.TABLE.printed(t) is None] == list(OTHERS)
    assert tableS1.TABLE.printed(FIXED) != tableS1.TABLE.printed(FIXED_IP)
