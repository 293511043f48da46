"""The memory bench and its signatures, on made-up results whose numbers are known."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from recorded import check, described
from study.madeup import PAPER, Fading, faded, verdicts

from slotfree.beyond import MEMORIES, bench, people
from slotfree.beyond.shared.compared import signatures
from slotfree.beyond.shared.compared.images import POOL, ImageCodes
from slotfree.beyond.shared.compared.signatures import Signatures
from slotfree.beyond.shared.compared.tuned import AROUND, GRIDS, MODELS, WEIGHTS, search
from slotfree.forgetting.lists import LISTS
from slotfree.study.results import Results

AGES = np.arange(1, 1001)


def made_up(curve, *, spread=1.0, left=0.5, gain=0.0, runs=4, weak=0.3, noise=0.02, seed=0):
    """What a memory with this R.D. by age gives: normal familiarities, a share left of A–B, a gain by spacing."""
    rng = np.random.default_rng(seed)
    run = Signatures(people.EXPERIMENTS["kwinner"].run.memory)
    results = []
    for _ in range(runs):
        pairs = np.array([[0.6] * 5, [0.1] * 5, [0.1] * 5]) + 1e-3 * rng.standard_normal((3, 5))
        pairs[0, 1:] = 0.1 + left * 0.5
        listed = np.full((3, 3, 20), np.nan)
        for i, strengths in enumerate(LISTS.values()):
            for j, strength in enumerate(("weak", "strong", "new")):
                if strength in (*strengths, "new"):
                    mean = {"weak": weak if i == 2 else 0.4, "strong": 0.6, "new": 0.0}[strength]
                    listed[i, j] = 0.2 + mean + noise * rng.standard_normal(20)
        results.append(
            {
                "accuracy": np.stack([0.2 + curve, np.full(1000, 0.2)]) + 1e-4 * rng.standard_normal((2, 1000)),
                "familiarity": np.stack([1.2 + spread * rng.standard_normal(1000), rng.standard_normal(1000)]),
                "pairs": pairs,
                "listed": listed,
                "felt": listed,
                "spaced": np.array([0.5, 0.5 + gain]) + 1e-3 * rng.standard_normal(2),
            }
        )
    return run.label(results)


def test_settings_limits_and_seeds_are_as_recorded():
    check(Path(__file__).with_name("memories.json"), described(MEMORIES))


def test_the_time_span_of_known_curves():
    """An exponential goes from 58 % to 21 % in 2.9 times the time, a power of time in far more."""
    exponential = made_up(0.5 * 0.99 ** (AGES - 1))
    expected = (1 + np.log(0.211) / np.log(0.99)) / (1 + np.log(0.582) / np.log(0.99))
    assert signatures.time_span(exponential) == pytest.approx(expected, rel=0.05)
    power = made_up(0.5 * AGES**-0.4)
    assert signatures.time_span(power) == pytest.approx((0.582 / 0.211) ** 2.5, rel=0.2)
    assert signatures.time_span(made_up(0.5 + 0 * AGES)) != signatures.time_span(made_up(0.5 + 0 * AGES))  # NaN


def test_the_parts_of_known_curves():
    lags = AGES - 1.0
    three = made_up(0.3 * np.exp(-lags / 2.3) + 0.2 * np.exp(-lags / 56) + 0.1)
    assert signatures.third_part(three) == pytest.approx(1 / 6, abs=0.03)
    assert signatures.third_part(made_up(0.5 * np.exp(-lags / 28))) < 0.01


def test_slopes_pairs_and_spacing():
    data = made_up(0.5 * 0.99**AGES, spread=1.4, left=0.4, gain=0.1)
    assert signatures.slope(data) == pytest.approx(1 / 1.4, abs=0.1)
    assert signatures.first_list_left(data) == pytest.approx(0.4, abs=0.01)
    np.testing.assert_allclose(signatures.pairs_left(data), [1, 0.4, 0.4, 0.4, 0.4], atol=0.01)
    assert abs(signatures.spacing_effect(data).value - 0.1) < 0.005
    for of in ("recall", "recognition"):
        found = signatures.strength_effect(made_up(0.5 * 0.99**AGES, noise=0.002), of)
        assert found.low < found.value < found.high
    assert abs(signatures.strength_effect(data, "recall").value - (0.6 / 0.3) / (0.6 / 0.4)) < 0.05


def letters(data):
    results = Results({e.name: data for e in people.EXPERIMENTS.values()}, PAPER, 0)
    return results, verdicts(judge.claim(results) for judge in people.CLAIMS)


def test_claims_about_people_can_hold_and_fail():
    lags = AGES - 1.0
    three = 0.3 * np.exp(-lags / 1.15) + 0.2 * np.exp(-lags / 28) + 0.1
    like, as_people = letters(made_up(three, spread=1.35, left=0.52, gain=0.1, runs=16))
    held = {name.partition("-")[2] for name, verdict in as_people.items() if verdict == "c"}
    assert {"first-list", "recall-strength", "spacing", "third-part"} <= held
    assert as_people["binary-slope"] != "x"
    assert as_people["kwinner-recognition-strength"] != "c"
    _, unlike = letters(made_up(0.5 * 0.9**lags, spread=0.6, left=0.05, gain=-0.1, weak=0.5))
    assert unlike.pop("spans") == "c"
    assert not {name: verdict for name, verdict in unlike.items() if verdict == "c"}
    picture = people.draw(like)
    assert len(picture.tables["-signatures"]) == len(MODELS) * len(people.SIGNATURES)
    assert [people.shown(value) for value in (np.nan, np.inf, 1e-9, 0.5213)] == ["–", "∞", "0", "0.52"]


def bench_of(fading, recognises):
    data = {}
    for i, ((name, _), experiment) in enumerate(bench.EXPERIMENTS.items()):
        found = faded(experiment, lambda *_, n=name: fading.get(n, fading[""]), runs=4, n_ages=1000, seed=i)
        data[experiment.name] = found.assign_coords(cue=found["cue"].astype(str))
    for name, experiment in bench.RECOGNITION.items():
        values = np.random.default_rng(len(name)).standard_normal((4, 2, 1000))
        values[:, 0] += 2.0 if name == recognises else 1.0
        at = {"kind": ["real", "pseudo"], "age": AGES}
        data[experiment.name] = xr.Dataset({"familiarity": (("run", "kind", "age"), values)}, at)
    return Results(data, PAPER, 0)


def test_claims_of_the_bench_can_hold_and_fail():
    same = {"similar", *bench.CODES}  # made up alike for all patterns and cues
    as_found = {"": Fading(0.3, 0.01), "slots": Fading(0.9, 0.005), "tuned": Fading(0.6, 0.001)}
    as_found |= {"complex": Fading(0.5, 0.001), "reservoir": Fading(0.1, 0.0), "binary": Fading(0.2)}
    as_found |= dict.fromkeys(bench.FULL, Fading(0.0, 0.0))
    results = bench_of(as_found, "tuned")
    found = verdicts(judge.claim(results) for judge in bench.CLAIMS)
    assert {name for name, verdict in found.items() if verdict != "c"} <= same
    other = {"": Fading(0.5, 0.001), "tuned": Fading(0.2, 0.05), "slots": Fading(0.15, 0.0)}
    other |= {"reservoir": Fading(0.05, 0.0), "binary": Fading(0.0, 0.0)}
    results = bench_of(other, "slots")
    found = verdicts(judge.claim(results) for judge in bench.CLAIMS)
    assert "c" not in {verdict for name, verdict in found.items() if name not in ("newest", *same)}


def test_all_have_the_same_number_of_weights():
    for model in MODELS:
        assert abs(model.settings.n_weights - WEIGHTS) <= 0.06 * WEIGHTS, model.name
        assert model.settings.n_bits > 0 < model.settings.n_touched
    for name, around in AROUND.items():
        own = next(model.settings for model in MODELS if model.name == name)
        for one in (*GRIDS[name](), *around(own)):
            assert abs(one.n_weights - WEIGHTS) <= 0.02 * WEIGHTS, one


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("complex", {"n_variables": 5, "fan_in": 0.025, "k_hidden": 7, "learning_rate": 0.5, "coupling": 0.008}),
        ("complex", {"n_variables": 3, "fan_in": 1.0, "k_hidden": 1, "learning_rate": 0.04, "coupling": 0.4}),
        ("btsp", {"fan_in": 0.025, "plateau": 0.0002, "k_hidden": 4}),
        ("binary", {"potentiation": 0.06, "depression": 0.5}),
        ("sqhn", {"novelty": 0.05}),
        ("minerva", {"encoding": 0.3}),
    ],
)
def test_the_search_leaves_its_grid(name, best):
    """It climbs to a best setting that lies beyond an edge of the grid, in steps of √2, or of 1."""

    def merit(one):
        return 100 * np.exp(-sum(abs(np.log(getattr(one, key) / value)) for key, value in best.items()))

    found = search(name, merit)
    assert [value for value, _ in found] == sorted((value for value, _ in found), reverse=True)
    for key, value in best.items():
        assert abs(np.log(getattr(found[0][1], key) / value)) < np.log(2) / 2 + 1e-6, key


def test_a_search_among_bad_memories_ends():
    assert search("btsp", lambda _: -1.0)[0][0] == -1.0


def test_no_time_span_of_people_within_reach():
    """The largest that 1000 ages can show: 58 % are left of the newest alone, and more than 21 % up to age 999."""
    curve = np.where(AGES == 1, 0.9, 0.9 * 0.5) * (AGES < 1000)
    assert signatures.time_span(made_up(curve)) == 500 < people.BY_NAME["time-span"].limits.low


@pytest.mark.parametrize("kind", ["digits", "patches"])
def test_codes_of_images(kind):
    codes = ImageCodes(kind)(500, seed=np.random.SeedSequence(0))
    assert codes.shape == (500, 1000)
    assert (codes.sum(axis=1) == 100).all()
    assert len(np.unique(codes, axis=0)) == 500
    every = ImageCodes(kind)(POOL, seed=np.random.SeedSequence(1))
    assert len(every) == POOL
    alike = (every[:300] @ every[:300].T.astype(float))[np.triu_indices(300, 1)] / 100
    assert np.quantile(alike, 0.98) > 0.3, "some are much alike"
