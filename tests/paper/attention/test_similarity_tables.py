"""Tables S1 to S3: statistics by hand, and every claim with numbers that agree with the printed ones or do not."""

import numpy as np
import pytest
from trained import DESCRIBED, results

from slotfree.paper.attention import tableS1, tableS2, tableS3
from slotfree.paper.shared.similarity import MEAN_RANGE, TRANSFORMERS, Table, range_of_ten, statistics
from slotfree.paper.shared.similarity_claims import RANGE_ERROR, chance_of_range, claim_mean, claim_range, rounding
from slotfree.paper.shared.transformers import BASELINE, BETA_ONE, FIXED, FIXED_IP, QK
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

MODULES = (tableS1, tableS2, tableS3)
OTHERS = (BASELINE, BETA_ONE)
RUNS = 20


def standardized(rng, shape):
    """Normal numbers whose mean over runs is 0, and whose standard deviation is 1."""
    z = rng.normal(size=shape)
    return (z - z.mean(axis=0)) / z.std(axis=0, ddof=1)


def made_up(table, *, of_means=0.05, within=1.0, shift=0.0, others=0.5):
    """Statistics of 20 runs, (run, column), by model.

    Parameters
    ----------
    of_means : the range of the means of ten runs as a multiple of the printed range.
    within : the range within a run as a multiple of the printed one.
    shift : of the means, up for different letters, down for equal ones.
    others : the same of the baseline with β = 1; of that with exact gradients, the other way round.
    """
    rng = np.random.default_rng(0)
    found = {}
    for transformer in TRANSFORMERS:
        on, on_range, off, off_range = table.rows[transformer.row]
        by = {BASELINE: -others, BETA_ONE: others}.get(transformer, shift)
        z = standardized(rng, (RUNS, 4))
        middle = np.array([on - by, within * on_range, off + by, within * off_range])
        spread = np.array([of_means * on_range, 0.2 * on_range, of_means * off_range, 0.2 * off_range])
        found[transformer] = middle + z * spread / np.array([MEAN_RANGE, 1, MEAN_RANGE, 1])
    return found


@pytest.fixture
def verdicts(monkeypatch):
    def judge(module, **world):
        found = made_up(module.TABLE, **world)
        monkeypatch.setattr(Table, "measured", lambda table, transformer, r: found[transformer])
        claims = list(module.ITEM.claims(Results({}, SCALES["paper"], 0)))
        return {source: {c.name: c.verdict for c in claims if c.source == source} for source in ("paper", "ours")}

    return judge


def of(found, part):
    return {verdict for name, verdict in found.items() if part in name}


@pytest.mark.parametrize("module", MODULES)
def test_ranges_of_the_means_of_runs(module, verdicts):
    """The world that the text describes."""
    found = verdicts(module, of_means=1, within=3)
    assert set(found["paper"].values()) == {"confirmed"}
    assert of(found["ours"], "within") == {"contradicted"}
    assert of(found["ours"], "not-") == {"confirmed"}


@pytest.mark.parametrize("module", MODULES)
def test_ranges_within_runs(module, verdicts):
    """The world that we found."""
    found = verdicts(module)
    assert of(found["paper"], "range") == {"contradicted"}
    assert {v for name, v in found["paper"].items() if "range" not in name} == {"confirmed"}
    assert set(found["ours"].values()) == {"confirmed"}


@pytest.mark.parametrize("module", MODULES)
def test_other_means(module, verdicts):
    """Entries of different letters are larger than those of equal ones."""
    found = verdicts(module, shift=8, others=0)
    assert {v for name, v in found["paper"].items() if "range" not in name} == {"contradicted"}
    assert of(found["ours"], "not-") == {"inconclusive"}


def test_one_claim_for_each_printed_number(verdicts):
    names = set(verdicts(tableS1)["paper"])
    for transformer in TRANSFORMERS:
        expected = set() if transformer in OTHERS else {"on-mean", "on-range", "off-mean", "off-range"}
        kinds = ("on-mean", "on-range", "off-mean", "off-range")
        assert {kind for kind in kinds if f"{kind}-{transformer.name}" in names} == expected


def test_of_a_hundred_tables_that_agree_one_has_a_contradicted_number():
    """28 numbers each, rounded as printed; more than 6 of 150 tables happen once in 2,000 times."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(150):
        ours, theirs = 5 + rng.normal(size=(14, RUNS)), 5 + rng.normal(size=(14, 10))
        verdicts = []
        for x, y in zip(ours, theirs, strict=True):
            verdicts.append(claim_mean("mean", "", "paper", round(y.mean(), 2), x).verdict)
            verdicts.append(claim_range("range", "", round(np.ptp(y), 2), x).verdict)
        wrong += "contradicted" in verdicts
    assert wrong <= 6


def test_numbers_far_off_are_found():
    rng = np.random.default_rng(1)
    values = 5 + rng.normal(size=RUNS)
    assert claim_mean("mean", "", "paper", 7.2, values).verdict == "contradicted"
    assert claim_range("range", "", 0.4, values).verdict == "contradicted"
    assert claim_range("range", "", 12.0, values).verdict == "contradicted"


def test_the_range_of_ten_drawn_values():
    ordered = np.sort(np.random.default_rng(0).exponential(size=30))
    drawn = np.ptp(np.random.default_rng(1).choice(ordered, (100_000, 10)), axis=1)
    for largest in (0.0, 0.5, 1.0, 2.0, 9.0):
        assert chance_of_range(ordered, largest) == pytest.approx((drawn <= largest + 1e-12).mean(), abs=0.006)


def test_a_range_that_many_of_our_runs_have_is_not_contradicted():
    """Most means are alike, and a few far away: ten often are without any of these."""
    means = np.concatenate([np.linspace(-0.1, 0.1, 90), np.full(10, -9.0)])
    assert claim_range("range", "", 0.19, means).verdict == "confirmed"
    assert claim_range("range", "", 9.1, means).verdict == "confirmed"
    assert claim_range("range", "", 0.01, means).verdict == "contradicted"
    assert claim_range("range", "", 30.0, means).verdict == "contradicted"


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
    for module, block in zip(MODULES, (keys[:, 4:8, :4], queries[:, 8:, :4], queries[:, 8:, 4:8]), strict=True):
        np.testing.assert_allclose(module.TABLE.measured(QK, r), statistics(block))


def test_only_the_published_baseline_has_a_printed_row():
    assert [t for t in TRANSFORMERS if tableS1.TABLE.printed(t) is None] == list(OTHERS)
    assert tableS1.TABLE.printed(FIXED) != tableS1.TABLE.printed(FIXED_IP)
