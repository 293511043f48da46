"""The prediction: its laws, each step against a small simulation, and the cases that are known exactly."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import slotfree as sf
from slotfree.forgetting import merit
from slotfree.forgetting.theory import k_winner
from slotfree.forgetting.theory.drive_distribution import WEIGHTS, mean_and_variance
from slotfree.forgetting.theory.k_winner import curve_by_theory, predicted_curves
from slotfree.forgetting.theory.limits import TheoryLimitError
from slotfree.forgetting.theory.one_winner import exact_baseline, exact_retention
from slotfree.forgetting.theory.retrieval_accuracy import Readout, beta_points
from slotfree.forgetting.theory.steady_state import steady_state
from slotfree.forgetting.theory.trace_decay import trace_decay
from slotfree.forgetting.theory.winner_correlation import winner_correlation
from slotfree.forgetting.theory.winners_at_test import Competition
from slotfree.forgetting.theory.wins_by_age import forgotten, just_stored, wins_by_age
from slotfree.kernels.theory.exponential_tilts import stretch

MAIN = {"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3}


def by_steps(network, cues, ages):
    """The accuracy (cue, age) and the baseline (cue) to which the steps lead, also outside the limits."""
    return predicted_curves(sf.KWinnerSettings(**network), cues, np.asarray(ages), anywhere=True)[:2]


@st.composite
def networks(draw):
    n_visible = draw(st.integers(100, 5000))
    n_hidden = draw(st.integers(20, 5000))
    return {
        "n_visible": n_visible,
        "k_visible": draw(st.integers(max(5, n_visible // 50), n_visible // 3)),
        "n_hidden": n_hidden,
        "k_hidden": draw(st.integers(1, n_hidden // 5)),
        "fan_in": draw(st.floats(30 / n_visible, 1)),
        "learning_rate": draw(st.floats(0.1, 1)),
    }


@settings(max_examples=12, deadline=None)
@given(networks(), st.floats(0.2, 1))
def test_laws(network, cue):
    ages = np.array([1, 2, 3, 10, 30, 100, 300, 1000, 10**4, 10**8])
    try:
        (accuracy,), (baseline,) = by_steps(network, (cue,), ages)
    except TheoryLimitError:
        reject()
    assert ((accuracy >= 0) & (accuracy <= 1)).all()
    assert (np.diff(accuracy) < 1e-9).all()
    assert baseline > network["k_visible"] / network["n_visible"] - 0.02
    assert accuracy[-1] == baseline, "what is forgotten is as if never stored"


# What was seen: the accuracy at age 5 changed by 0.08 with the other ages asked for.
DEPENDED = [
    {"n_visible": 1000, "k_visible": 20, "n_hidden": 500, "fan_in": 0.3, "learning_rate": 0.7, "k_hidden": 150},
    {"n_hidden": 100, "k_hidden": 50, "fan_in": 1, "learning_rate": 0.3},
    MAIN,
    {**MAIN, "learning_rate": 0.1, "n_hidden": 5000, "k_hidden": 3},
]


@pytest.mark.parametrize("network", DEPENDED, ids=str)
def test_a_prediction_depends_on_settings_cue_and_age_alone(network):
    alone, _ = by_steps(network, (1.0,), [5])
    for others in ([1000], [37, 5000], np.arange(1, 101), [10**6]):
        several, _ = by_steps(network, (0.7, 1.0), [5, *others])
        assert several[1, 0] == pytest.approx(alone[0, 0], abs=1e-12)


@pytest.mark.parametrize("network", DEPENDED, ids=str)
def test_curves_between_their_nodes(monkeypatch, network):
    """Ages between the nodes are interpolated; all of them computed give the same within 0.012."""
    ages = np.unique(np.geomspace(1, 3000, 200).round().astype(int))
    drawn, _ = by_steps(network, (1.0,), ages)
    monkeypatch.setattr(k_winner, "FIRST_NODES", 1)
    full, _ = by_steps(network, (1.0,), ages)
    assert np.abs(drawn - full).max() < 0.012


def test_forgotten_is_unseen():
    curve = sf.predict_retention(MAIN, ages=[1, 10**5, 10**6])
    assert (curve["raw_difference"].sel(age=[10**5, 10**6]) == 0).all()
    areas = [float(merit.area(sf.predict_retention(MAIN, 1.0, np.arange(1, last + 1)))[0]) for last in (10**4, 10**5)]
    assert areas[0] == pytest.approx(areas[1])
    assert areas[1] > 50


def test_what_is_returned():
    curve = sf.predict_retention(MAIN)
    assert curve["accuracy"].dims == ("cue", "age")
    assert curve["baseline"].dims == ("cue",)
    assert curve["cue"].values.tolist() == [1.0, 0.5]
    np.testing.assert_array_equal(curve["age"], np.arange(1, 1001))
    same = sf.predict_retention(sf.KWinnerSettings(**MAIN), cues=[0.5], ages=[7, 3])
    np.testing.assert_allclose(same["accuracy"][0], curve["accuracy"].sel(cue=0.5, age=[7, 3]), rtol=0, atol=1e-12)
    assert curve["expected_error"].dims == ("cue",)
    assert ((curve["expected_error"] > 0) & (curve["expected_error"] < 0.02)).all()


@pytest.mark.parametrize(("n_v", "k_v", "n_h"), [(1000, 100, 100), (500, 40, 30), (1000, 50, 400)])
@pytest.mark.parametrize("cue", [1.0, 0.5, 0.1])
def test_one_winner_is_the_exact_theory(n_v, k_v, n_h, cue):
    """The steps do not know of this case; grids and interpolation leave a few thousandths. A prediction is exact."""
    size = {"n_visible": n_v, "k_visible": k_v, "n_hidden": n_h}
    one_winner = {**size, "k_hidden": 1, "fan_in": 1, "learning_rate": 1}
    ages = np.arange(1, 1001)
    (accuracy,), (baseline,) = by_steps(one_winner, (cue,), ages)
    exact = exact_retention(ages, cue, **size)
    assert np.abs(accuracy - exact).max() < 0.0045
    assert np.abs(accuracy - exact).mean() < 0.003
    assert baseline == pytest.approx(exact_baseline(cue, **size), abs=0.0045)
    curve = sf.predict_retention(one_winner, cues=cue)
    np.testing.assert_array_equal(curve["accuracy"].values[0], exact)
    assert float(curve["expected_error"][0]) == 0


def test_the_limits_of_full_learning_and_full_connection_are_continuous():
    for near, limit in (
        ({"learning_rate": 0.9999}, {"learning_rate": 1}),
        ({"fan_in": 0.999, "n_hidden": 100, "k_hidden": 3}, {"fan_in": 1, "n_hidden": 100, "k_hidden": 3}),
        ({"fan_in": 0.999, "n_hidden": 100, "k_hidden": 1}, {"fan_in": 1, "n_hidden": 100, "k_hidden": 1}),
    ):
        ages = [1, 10, 100, 1000]
        a, b = (by_steps({**MAIN, **change}, (1.0, 0.5), ages)[0] for change in (near, limit))
        np.testing.assert_allclose(a, b, atol=0.01)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"learning_rate": 1.0},
        {"learning_rate": 0.1, "n_hidden": 5000, "fan_in": 0.02},
        {"n_hidden": 1000, "fan_in": 0.1, "k_hidden": 200},
        {"n_hidden": 200, "fan_in": 0.5, "k_hidden": 10},
        {"n_hidden": 100, "fan_in": 1.0, "k_hidden": 1},
    ],
    ids=str,
)
def test_what_is_imposed_changes_little(change):
    """Before it is kept from rising, no curve rises by more than 0.01; forgotten patterns are near the baseline."""
    memory = sf.KWinnerSettings(**{**MAIN, **change})
    state = steady_state(memory)
    trace, correlation = trace_decay(memory, state), winner_correlation(memory, state)
    since = wins_by_age(memory, state, trace).since
    for cue in (1.0, 0.5):
        competition = Competition(memory, state, trace, cue)
        readout = Readout(memory, state, correlation, competition.sizes, competition.strongest())
        curve = curve_by_theory(competition, readout, since, 0.0, np.zeros(len(since.old)))
        assert (curve.raw - np.minimum.accumulate(curve.raw)).max() < 0.01
        (gone,) = readout.visible(competition.stored(forgotten(competition.trace))).expected
        assert curve.baseline - gone == pytest.approx(curve.imposed)
        assert abs(curve.imposed) < 0.025


def test_the_paper_s_constants():
    """R.D. ~ C e^{−β(a−1)}: 0.336, 0.005 (full cues) and 0.363, 0.007 (half cues), β printed with three decimals."""
    curve = sf.predict_retention(MAIN, ages=np.arange(1, 201))["raw_difference"]
    for cue, C, beta in ((1.0, 0.336, 0.005), (0.5, 0.363, 0.007)):
        slope, intercept = np.polyfit(np.arange(200), np.log(curve.sel(cue=cue)), 1)
        assert np.exp(intercept) == pytest.approx(C, rel=0.05)
        assert -slope == pytest.approx(beta, abs=0.001)


SMALL = {"n_visible": 500, "k_visible": 50, "n_hidden": 500, "k_hidden": 20, "fan_in": 0.12, "learning_rate": 0.4}


class Simulated:
    """A network that has stored random patterns; who won with which."""

    def __init__(self, settings, n_stored, seed):
        self.memory = sf.KWinnerMHN(**settings, seed=seed)
        sizes = {name: settings[name] for name in ("n_visible", "k_visible")}
        self.patterns = sf.random_patterns(n_stored, **sizes, seed=seed)
        winners = self.memory.store(self.patterns, return_winners=True)
        self.won = np.zeros((n_stored, settings["n_hidden"]), bool)
        np.put_along_axis(self.won, winners.astype(np.int64), True, axis=1)
        self.weights, self.mask = self.memory.weights.astype(float), self.memory.mask
        self.fresh = sf.random_patterns(200, **sizes, seed=seed + 1000)


@pytest.fixture(scope="module")
def simulated():
    return [Simulated(SMALL, 1200, seed) for seed in range(3)]


@pytest.fixture(scope="module")
def predicted():
    memory = sf.KWinnerSettings(**SMALL)
    state = steady_state(memory)
    return memory, state, trace_decay(memory, state)


def test_step_1_the_steady_state(simulated, predicted):
    """Weights, strengths, and the inputs and drives of winners; 300,000 weights and 12,000 wins leave 1 % of noise."""
    _, state, _ = predicted
    weights = np.concatenate([run.weights[run.mask] for run in simulated])
    strength = np.concatenate([run.weights.sum(axis=1) for run in simulated])
    drives, inputs = [], []
    for run in simulated:
        codes = run.memory.hidden(run.fresh).astype(bool)
        drives.append((run.fresh @ run.weights.T)[codes])
        inputs.append((run.fresh @ run.mask.T.astype(int))[codes])
    density = state.units @ state.density
    assert density @ WEIGHTS == pytest.approx(weights.mean(), rel=0.02)
    assert density @ WEIGHTS**2 == pytest.approx((weights**2).mean(), rel=0.06)
    spread = np.sqrt(state.units @ state.strength**2 - (state.units @ state.strength) ** 2)
    assert spread == pytest.approx(strength.std(), rel=0.15)
    assert state.wins @ state.inputs == pytest.approx(np.concatenate(inputs).mean(), rel=0.03)
    won = (state.wins / state.win_rate) @ state.drive * state.chance
    assert won @ state.lattice.drives / won.sum() == pytest.approx(np.concatenate(drives).mean(), rel=0.03)
    assert state.units @ state.win_rate == pytest.approx(SMALL["k_hidden"] / SMALL["n_hidden"], rel=0.01)


def at_age(memory, state, trace, age):
    """The wins since a pattern was stored, at the age that is nearest."""
    wins = wins_by_age(memory, state, trace)
    nearest = np.abs(wins.ages - age).argmin()
    assert wins.ages[nearest] == pytest.approx(age, abs=1 + 0.05 * age)
    return wins.since.at(np.array([nearest]))


def test_step_2_the_decay_of_a_trace(simulated, predicted):
    """At age 41: how often its winners have won since, and the drive that it gives them, by that number."""
    memory, state, trace = predicted
    age = 41
    r, drive = [], []
    for run in simulated:
        for t in range(len(run.patterns) - age - 10, len(run.patterns) - age + 10):
            old = run.won[t]
            r.append(run.won[t + 1 :][:, old].sum(axis=0))
            drive.append(run.weights[old] @ run.patterns[t])
    r, drive = np.concatenate(r), np.concatenate(drive)
    since = at_age(memory, state, trace, age)
    for n in range(3):
        assert since.old[0, n] == pytest.approx((r == n).mean(), abs=0.06)
        mean = trace.drive_mean[n] + trace.drive_by_inputs[n] * (since.inputs[0, n] - trace.inputs)
        assert mean == pytest.approx(drive[r == n].mean(), rel=0.06)


@pytest.mark.parametrize("cue", [1.0, 0.5])
def test_step_3_the_return_of_the_winners(simulated, predicted, cue):
    memory, state, trace = predicted
    competition = Competition(memory, state, trace, cue)
    for age in (1, 31):
        returned = []
        for run in simulated:
            tested = np.arange(len(run.patterns) - age, len(run.patterns) - age - 15, -1)
            cues = sf.partial_cues(run.patterns[tested], cue, seed=age)
            returned.append((run.memory.hidden(cues).astype(bool) & run.won[tested]).sum(axis=1))
        share = np.mean(returned) / SMALL["k_hidden"]
        since = at_age(memory, state, trace, age + 7)
        assert competition.stored(since).returning[0] == pytest.approx(share, abs=0.06)


def test_step_3_drives_are_as_narrow_as_the_inputs_that_are_left(predicted):
    """Winners that differ less in b differ less in their drive, by (c dH/db)² per unit of variance; and b moves it."""
    memory, state, trace = predicted
    competition = Competition(memory, state, trace, 0.5)
    usual = just_stored(trace)
    slope = 0.5 * trace.drive_by_inputs[0]
    left = 0.2 * trace.inputs_variance
    fewer = replace(usual, inputs=usual.inputs - 1, inputs_variance=np.full_like(usual.inputs, left))
    drives = np.zeros((2, len(competition.lattice.drives)))
    for drive, since in zip(drives, (usual, fewer), strict=True):
        stretch(*competition._moved(since, since.old > 0), np.ones(1), drive[None])
    means, variances = mean_and_variance(drives, competition.lattice.drives)
    assert slope > 0
    assert means[0] - means[1] == pytest.approx(slope, rel=0.02)
    narrower = slope**2 * (trace.inputs_variance - left)
    assert narrower > 0.1 * variances[0], "enough to be seen"
    assert variances[0] - variances[1] == pytest.approx(narrower, abs=0.1 * narrower + competition.lattice.step**2)


def test_step_4_the_correlation_of_winners(simulated, predicted):
    """The correlation of two units' weights to the same visible unit: small, but it decides for large k_h."""
    memory, state, _ = predicted
    correlation = winner_correlation(memory, state)
    correlations = []
    for run in simulated:
        mean = run.weights[run.mask].mean()
        d = np.where(run.mask, run.weights - mean, 0.0)
        count = run.mask.sum(axis=0)
        together = (d.sum(axis=0) ** 2 - (d**2).sum(axis=0)).sum() / (count * (count - 1)).sum()
        correlations.append(together / run.weights[run.mask].var())
    assert correlation.any_two == pytest.approx(np.mean(correlations), rel=0.35)
    assert correlation.winners > correlation.any_two


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"learning_rate": 1.0},
        {"learning_rate": 0.15, "k_hidden": 40},
        {"fan_in": 1.0, "n_hidden": 60, "k_hidden": 1},
        {"fan_in": 0.4, "n_hidden": 150, "k_hidden": 8},
    ],
    ids=str,
)
def test_step_5_accuracy(change):
    """The whole prediction against the protocol; thirty runs and blocks of twenty ages leave a noise below 0.015."""
    network = {**SMALL, **change}
    n_stored = 400 + 10 * network["n_hidden"] // network["k_hidden"]
    measured = sf.retention(network, runs=30, n_stored=n_stored, n_tested=200, seed=5, jobs=1)["accuracy"].mean("run")
    accuracy, predicted_baseline = by_steps(network, (1.0, 0.5), np.arange(1, 201))
    error = accuracy - measured.sel(kind="real").values
    assert np.abs(error.reshape(2, 10, 20).mean(axis=2)).max() < 0.04
    assert np.abs(error.reshape(2, 10, 20).mean(axis=2)).mean() < 0.02
    baseline = measured.sel(kind="pseudo").mean("age").values
    np.testing.assert_allclose(predicted_baseline, baseline, atol=0.02)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ([0.5, -0.2, 0.1, 0.05], [0.5, 0.0]),  # a dip below the baseline
        ([0.5, 0.1, 0.3, 0.2], [0.5, 0.1]),  # a rise
    ],
)
def test_curves_stay_above_the_baseline_and_do_not_rise(monkeypatch, raw, expected):
    """From age 1 to the last node, at the end of which the pattern is forgotten."""

    def by_theory(competition, readout, since, shared_variance, together):
        nodes = np.linspace(0, len(since.old) - 1, len(raw)).astype(int)
        return k_winner.Curve(0.4, 0.0, nodes, np.array(raw), 0 * nodes, 0 * nodes, 0.0)

    monkeypatch.setattr(k_winner, "curve_by_theory", by_theory)
    memory = sf.KWinnerSettings(**SMALL)
    state = steady_state(memory)
    last = wins_by_age(memory, state, trace_decay(memory, state)).ages[-1]
    (accuracy,), _ = by_steps(SMALL, (1.0,), [1, last, 10**8])
    np.testing.assert_allclose(accuracy - 0.4, [*expected, 0.0], atol=1e-12)


def test_hippocampal_sizes():
    """Human CA3: 2.5 million cells with ten thousand connections each; no machine could build it."""
    n = 2_500_000
    human = {"n_visible": n, "k_visible": n // 100, "n_hidden": n, "k_hidden": n // 100, "fan_in": 1e4 / n}
    curve = sf.predict_retention(human, ages=[1, 100, 10_000])
    assert np.isfinite(curve["accuracy"]).all()
    assert (curve["raw_difference"].sel(age=1) > 0.1).all()
    with pytest.raises(ValueError, match="synapses"):
        sf.KWinnerSettings(**human)


def test_smallest_networks():
    one = {"n_visible": 10, "k_visible": 3, "n_hidden": 1, "k_hidden": 1, "fan_in": 1.0, "learning_rate": 1}
    for change in ({}, {"n_hidden": 5, "k_hidden": 5}, {"n_visible": 1, "k_visible": 1}, {"k_visible": 10}):
        accuracy, _ = by_steps({**one, **change}, (1.0, 0.5), [1, 5])
        assert ((accuracy >= 0) & (accuracy <= 1)).all()


@pytest.mark.parametrize(("mean", "rho"), [(0.15, 0.3), (0.3, 0.01), (0.25, 1 / 3), (0.6, 0.9)])
def test_beta_points_have_the_moments_of_the_beta_distribution(mean, rho):
    points, weights = beta_points(np.array(mean), rho, 4)
    n = 1 / rho - 1
    moment = 1.0
    for k in range(8):
        assert weights @ points**k == pytest.approx(moment)
        moment *= (mean * n + k) / (n + k)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"ages": [0]}, ValueError, "ages must be an integer from 1 .* not 0"),
        ({"ages": [1.5]}, TypeError, "ages must be an integer .* not 1.5"),
        ({"ages": []}, ValueError, "ages must be integers"),
        ({"ages": [[1]]}, ValueError, "ages must be integers"),
        ({"ages": "young"}, TypeError, "ages must be an integer"),
        ({"cues": [1.2]}, ValueError, r"cues must be a number in \(0, 1\], not 1.2"),
        ({"cues": [0.5, 0.5]}, ValueError, "cues must be different"),
        ({"memory_settings": {"seed": 1}}, TypeError, "memory_settings must be a mapping with keys out of n_visible"),
        ({"memory_settings": {"n_hidden": 0}}, ValueError, "n_hidden must be an integer"),
        ({"memory_settings": 3}, TypeError, "memory_settings must be a mapping"),
    ],
)
def test_wrong_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        sf.predict_retention(**{"memory_settings": MAIN, **arguments})


def test_tied_weights_have_the_same_steady_state_and_random_winners_another():
    curve = sf.predict_retention({**MAIN, "tied": True}, ages=[1, 10])
    assert curve.equals(sf.predict_retention(MAIN, ages=[1, 10]))
    with pytest.raises(TheoryLimitError, match=r"storing must be 'best', not 'random': .* use sf\.retention"):
        sf.predict_retention({**MAIN, "storing": "random"})


def test_a_cue_must_have_a_one():
    with pytest.raises(ValueError, match=r"cues=0\.01 leaves no active bits \(k_visible=40\); use ≥ 0\.013"):
        sf.predict_retention({"k_visible": 40}, cues=0.01)


def test_a_steady_state_that_does_not_settle_is_refused(monkeypatch):
    monkeypatch.setattr("slotfree.forgetting.theory.steady_state.MOST_ROUNDS", 2)
    with pytest.raises(TheoryLimitError, match="but it gives a steady state that does not settle"):
        sf.predict_retention(MAIN, ages=[1])


@pytest.mark.parametrize("cue", [0.2, 0.5])
@pytest.mark.parametrize("inputs", [50.0, 6.0])
def test_step_3_a_cue_keeps_some_of_the_inputs(predicted, cue, inputs):
    """Against drawing c k_v of k_v ones: exact where all weights are equal (f = 1), and skewed where inputs are few."""
    memory, state, trace = predicted
    k_v, rng = memory.k_visible, np.random.default_rng(1)
    on = np.zeros_like(trace.on)
    on[:, -1] = 1.0
    drive = np.full(len(on), inputs)
    nothing = np.zeros(len(on))
    sure = replace(trace, on=on, inputs=inputs, drive_mean=drive, drive_slope=nothing, drive_noise=nothing)
    competition = Competition(memory, state, sure, cue)
    drawn = rng.hypergeometric(int(inputs), k_v - int(inputs), competition.ones, 200_000)
    mean, variance = mean_and_variance(competition.old_drive[:1], competition.lattice.drives)
    assert mean[0] == pytest.approx(drawn.mean(), abs=2 * competition.lattice.step)
    blur = 2 * competition.lattice.step
    assert np.sqrt(variance[0]) == pytest.approx(drawn.std(), abs=blur)
    below = competition.old_drive[0][competition.lattice.drives < 0.5].sum()
    assert below == pytest.approx((drawn == 0).mean(), abs=0.05)
