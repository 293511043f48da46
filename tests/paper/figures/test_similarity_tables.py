"""Tables S1 to S3: statistics by hand, and every judge with numbers that agree with the printed ones or do not."""

import numpy as np
import pytest
from trained import DESCRIBED, results

from slotfree.paper.figures import tableS1, tableS2, tableS3
from slotfree.paper.shared.similarity import (
    KEYS,
    MEAN_RANGE,
    RANGE_ERROR,
    TABLES,
    column,
    mean_of,
    measured,
    range_of_ten,
    rounding,
    statistics,
)
from slotfree.paper.shared.transformers import ALL, BASELINE, BETA_ONE, FIXED, FIXED_IP, PUBLISHED, QK
from slotfree.paper.text import si_b_training
from slotfree.study import Results, printed
from slotfree.study.scale import SCALES

MODULES = (tableS1, tableS2, tableS3)
OTHERS = (BASELINE, BETA_ONE)
RUNS = 20
EACH = pytest.mark.parametrize(("module", "table"), list(zip(MODULES, TABLES, strict=True)))


def standardized(rng, shape):
    """Normal numbers whose mean over runs is 0, and whose standard deviation is 1."""
    z = rng.normal(size=shape)
    return (z - z.mean(axis=0)) / z.std(axis=0, ddof=1)


def made_up(table, *, of_means=0.05, within=1.0, shift=0.0, others=0.5):
    """Results with statistics of 20 runs of each model.

    Parameters
    ----------
    of_means : the range of the means of ten runs as a multiple of the printed range.
    within : the range within a run as a multiple of the printed one.
    shift : of the means, up for different letters, down for equal ones.
    others : the same of the baseline with β = 1; of that with exact gradients, the other way round.
    """
    rng, r = np.random.default_rng(0), Results({}, SCALES["paper"], 0)
    for transformer in ALL:
        on, on_range, off, off_range = table.rows.get(transformer, table.rows[PUBLISHED])
        by = {BASELINE: -others, BETA_ONE: others}.get(transformer, shift)
        z = standardized(rng, (RUNS, 4))
        middle = np.array([on - by, within * on_range, off + by, within * off_range])
        spread = np.array([of_means * on_range, 0.2 * on_range, of_means * off_range, 0.2 * off_range])
        found = middle + z * spread / np.array([MEAN_RANGE, 1, MEAN_RANGE, 1])
        r._found[measured.__wrapped__, (table, transformer)] = found
    return r


def verdicts(module, table, **world):
    """The verdicts of the judges of sentences, and of our own claims."""
    r = made_up(table, **world)
    judges = {judge for s in si_b_training.SENTENCES for judge in s.judges if judge.item == table.name}
    said, ours = ({j.name.partition(".")[2]: j.claim(r).verdict for j in js} for js in (judges, module.ITEM.claims))
    return said, ours


@EACH
def test_ranges_of_the_means_of_runs(module, table):
    """The world that the text describes."""
    said, ours = verdicts(module, table, of_means=1, within=3)
    assert set(said.values()) == {"confirmed"}
    assert ours.pop("ranges-within-runs") == "contradicted"
    assert set(ours.values()) == {"confirmed"}


@EACH
def test_ranges_within_runs(module, table):
    """The world that we found."""
    said, ours = verdicts(module, table)
    assert said.pop("ranges-of-run-means") == "contradicted"
    assert set(said.values()) == set(ours.values()) == {"confirmed"}
    assert len([name for name in said if "-mean-" in name]) == 2 * (len(ALL) - len(OTHERS))


@EACH
def test_other_means(module, table):
    """Entries of different letters are larger than those of equal ones."""
    said, ours = verdicts(module, table, shift=8, others=0)
    assert {verdict for name, verdict in said.items() if "range" not in name} == {"contradicted"}
    assert {verdict for name, verdict in ours.items() if "range" not in name} == {"inconclusive"}


def test_of_a_hundred_tables_that_agree_one_has_a_contradicted_mean():
    """14 numbers each, rounded as printed; more than 6 of 150 tables happen once in 2,000 times."""
    rng, spread = np.random.default_rng(0), np.sqrt(RUNS / 10)
    wrong = 0
    for _ in range(150):
        found = []
        for _ in range(14):
            r = Results({}, SCALES["paper"], 0)
            r._found[column.__wrapped__, (KEYS, QK, "on-mean")] = 5 + rng.normal(size=RUNS)
            theirs = round(5 + rng.normal(size=10).mean(), 2)
            judge = printed("a.b", mean_of(KEYS, QK, "on-mean"), theirs, "x", rounding=0.005, spread=float(spread))
            found.append(judge.claim(r).verdict)
        wrong += "contradicted" in found
    assert wrong <= 6


def test_the_range_of_ten_normal_values():
    ranges = np.ptp(np.random.default_rng(0).normal(size=(200_000, 10)), axis=1)
    assert ranges.mean() == pytest.approx(MEAN_RANGE, abs=0.01)
    assert ranges.std() / ranges.mean() == pytest.approx(RANGE_ERROR, abs=0.005)
    values = np.random.default_rng(1).normal(size=(400, RUNS))
    assert np.mean([range_of_ten(v).low < MEAN_RANGE < range_of_ten(v).high for v in values]) > 0.96


def test_rounding_of_three_digits():
    assert [rounding(x) for x in (3.34, 0.323, -1.11, 0.00806)] == pytest.approx([0.005, 0.0005, 0.005, 0.000005])


def test_statistics_by_hand():
    block = np.array([[[1.0, -2.0], [-4.0, 3.0]]])
    np.testing.assert_allclose(statistics(block), [[2.0, 2.0, -3.0, 2.0]])


def test_tables_measure_their_own_block():
    r = results([QK], DESCRIBED, runs=2)
    data = r.data["qk"].isel(snapshot=-1)
    keys = np.einsum("rni,rnj->rij", data["W_K"].values, data["W_K"].values)
    queries = np.einsum("rni,rnj->rij", data["W_Q"].values, data["W_K"].values)
    for table, block in zip(TABLES, (keys[:, 4:8, :4], queries[:, 8:, :4], queries[:, 8:, 4:8]), strict=True):
        np.testing.assert_allclose(measured(table, QK)(r), statistics(block))


def test_only_the_published_baseline_has_a_printed_row():
    assert [t for t in ALL if t not in KEYS.rows] == list(OTHERS)
    assert KEYS.rows[FIXED] != KEYS.rows[FIXED_IP]
