"""Every claim of theorem 2 can be confirmed, contradicted, and, where it has sampling error, left open."""

from importlib import import_module

import numpy as np
import pytest

from slotfree.attention import theory
from slotfree.paper.attention.theorem2 import ITEM
from slotfree.paper.attention.theorem2.experiments import (
    BELOW,
    BEYOND,
    BUILT,
    EXPERIMENTS,
    GRID,
    LIMIT,
    MAIN,
    PERFECT,
    SIZES,
    STEPS,
    TRANSFORMER,
    UNUSED,
    UNUSED_AT_LIMIT,
    training_of,
)
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

module = import_module("slotfree.paper.attention.theorem2.claims")  # its package names the function so

RUNS = 6
DIVERGES = {STEPS[eta].name for eta in BEYOND} | {UNUSED_AT_LIMIT.name}


def as_in_theory(experiment, last=None, spread=None):
    """Data of an experiment in which W_V descends as theory has it, and ends as far away as noise would leave it.

    spread : by which the distance from the limit at the end of each run is multiplied.
    """
    training = training_of(experiment)
    task, rng = training.task, np.random.default_rng(0)
    L, C = task.n_letters, task.context_length
    steps = training.measured if last is None else [0, last]
    values = np.full((RUNS, len(training.models), len(steps), 2, task.n_tokens), 0.5)
    limits = np.empty((RUNS, len(training.models), 2, 2 * L))
    noise = theory.noise_floor(L, C, training.step, 256, np.array(steps))
    for run in range(RUNS):
        start, random = rng.uniform(0, 0.1, (2, 2 * L)), rng.normal(size=(2, 2 * L))
        path = theory.descend(start, C, training.step, steps[-1])[steps]
        far = noise * (1 if spread is None else spread[run])
        for m, model in enumerate(training.models):
            limits[run, m] = theory.slot_free_limit(L, C, 2 * L)[0][:, : 2 * L] if model == BUILT else task.case_code
            letters = path if model != BUILT else np.linspace(start, limits[run, m], len(steps))
            if model != BUILT and training.key_dim is not None:  # keys of finite size lead elsewhere
                offset = 1.5 * training.key_dim**-0.5 * random[::-1] / np.linalg.norm(random)
                letters, limits[run, m] = np.concatenate([letters[:1], letters[1:] + offset]), task.case_code + offset
            values[run, m, :, :, : 2 * L] = letters + far[:, None, None] * random / np.linalg.norm(random)
            if experiment.name in DIVERGES:
                values[run, m, 1:] = np.nan
    return training_labels(training, values, limits, steps)


def training_labels(training, values, limits, steps):
    data = training.label(
        [{"W_V": v[:, [0] * len(training.measured)], "limit": x} for v, x in zip(values, limits, strict=True)]
    )
    data = data.isel(step=slice(len(steps))).assign_coords(step=steps)
    data["W_V"].values[:] = values
    return data


@pytest.fixture(scope="module")
def sound():
    return {e.name: as_in_theory(e) for e in EXPERIMENTS}


def verdicts(data):
    return {claim.name: claim.verdict for claim in ITEM.claims(Results(data, SCALES["paper"], 0))}


def distances(slope, noise):
    """Distances (N, draw) that grow by a power of N."""
    scatter = np.random.default_rng(0).normal(0, noise, (len(module.KEY_DIMS), 20))
    return np.array(module.KEY_DIMS, float)[:, None] ** slope * np.exp(scatter)


@pytest.fixture(autouse=True)
def _as_computed(monkeypatch):
    """What takes seconds to compute follows its law."""
    monkeypatch.setattr(module, "large_batch_distances", lambda seed: distances(-0.5, 0.1))


def far_off(data, model, by=10.0):
    """The same data with W_V far from where it should end."""
    far = data.copy(deep=True)
    letters = far["W_V"].values[:, far["model"].values.tolist().index(model), -1]
    letters += by * np.random.default_rng(1).normal(size=letters.shape)
    return far


def test_values_as_in_theory_confirm_everything(sound):
    found = verdicts(sound)
    assert set(found.values()) == {"confirmed"}
    assert len(found) == 29


def steps_far(data):
    return {**data, **{STEPS[eta].name: far_off(data[STEPS[eta].name], TRANSFORMER) for eta in BELOW}}


def grid_far(data):
    return {**data, **{e.name: far_off(data[e.name], TRANSFORMER) for e in GRID.values()}}


def converged(data):
    """Where training should diverge, it ends near the case code."""
    near = {e.name: as_in_theory(e) for e in (*(STEPS[eta] for eta in BEYOND), UNUSED_AT_LIMIT)}
    for one in near.values():
        one["W_V"].values[:] = 0.4
    return {**data, **near}


def short(data):
    return {**data, **{e.name: as_in_theory(e, last=5) for e in STEPS.values()}}


def reversed_case(data):
    built = data[UNUSED.name].copy(deep=True)
    built["W_V"].values[:, :, -1] = built["W_V"].values[:, :, -1, ::-1]
    return {**data, UNUSED.name: built}


CONTRADICTED = {
    "main": (
        lambda data: {**data, MAIN.name: far_off(data[MAIN.name], TRANSFORMER)},
        ["case-code-transformer", "same", "large-N", "noise", "aligned", "anti-aligned", "bound-training"],
    ),
    "perfect": (lambda data: {**data, MAIN.name: far_off(data[MAIN.name], PERFECT)}, ["case-code-perfect", "same"]),
    "steps": (steps_far, ["training-at-limit", "training-between"]),
    "short": (short, ["descent-at-limit", "descent-between"]),
    "converged": (converged, ["beyond", "built-step"]),
    "grid": (grid_far, ["grid", "grid-noise"]),
    "built": (reversed_case, ["built-case", "built-contrast"]),
}


@pytest.mark.parametrize("case", CONTRADICTED)
def test_data_that_contradict(sound, case):
    spoil, names = CONTRADICTED[case]
    found = verdicts(spoil(sound))
    assert {name: found[name] for name in names} == dict.fromkeys(names, "contradicted")


def test_runs_that_scatter_leave_it_open(sound):
    spread = np.array([0.1, 0.1, 0.2, 5.0, 5.0, 5.0])
    chosen = (*SIZES.values(), *STEPS.values(), *GRID.values())
    scattered = {e.name: as_in_theory(e, spread=spread) for e in chosen}
    built = sound[UNUSED.name].copy(deep=True)
    built["W_V"].values[:3, :, -1] = 0.5
    scattered[UNUSED.name] = built
    found = verdicts({**sound, **scattered})
    for name in ("large-N", "noise", "training-at-limit", "training-between", "grid-noise", "built-contrast"):
        assert found[name] == "inconclusive", name


@pytest.mark.parametrize(("slope", "noise", "verdict"), [(-1, 0.1, "contradicted"), (-0.5, 2.0, "inconclusive")])
def test_the_exponent_of_N(sound, monkeypatch, slope, noise, verdict):
    monkeypatch.setattr(module, "large_batch_distances", lambda seed: distances(slope, noise))
    assert verdicts(sound)["root-N"] == verdict


WRONG = {
    "matrix_A": (lambda L, C: -np.eye(2 * L), "claims_of_matrix", ["positive-definite", "singular", "eigenvalues"]),
    "eigenvalues": (lambda L, C: np.zeros(2 * L), "claims_of_matrix", ["eigenvalues"]),
    "hessian_extremes": (lambda L, C: (1.0, 100.0), "claims_of_matrix", ["lipschitz"]),
    "effective_gradient": (lambda W, C: np.ones_like(W), "claims_of_gradient", ["effective-gradient"]),
    "distance_bound": (
        lambda W, C, eta, T: np.full(len(T), 1e-6),
        "claims_of_bounds",
        ["bound-descent", "bound-training"],
    ),
    "loss_bound": (lambda W, C, eta, T: np.full(len(T), 1e-9), "claims_of_bounds", ["bound-loss"]),
    "slot_free_limit": (lambda L, C, n: (None, np.eye(2) / LIMIT), "claims_of_built", ["built-step-limit"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_theory_that_is_wrong_is_contradicted(sound, monkeypatch, name):
    instead, part, names = WRONG[name]
    monkeypatch.setattr(theory, name, instead)
    arguments = [Results(sound, SCALES["paper"], 0)] if part in ("claims_of_bounds", "claims_of_built") else []
    with np.errstate(all="ignore"):
        found = {claim.name: claim.verdict for claim in getattr(module, part)(*arguments)}
    assert {name: found[name] for name in names} == dict.fromkeys(names, "contradicted")


def test_printed_eigenvalues_of_the_schur_complement_can_be_wrong(monkeypatch):
    assert module.schur_error(5, 3) < 1e-12
    monkeypatch.setattr(theory, "matrix_A", lambda L, C: np.eye(2 * L) * 2)
    assert module.schur_error(5, 3) > 0.1


def test_differences_between_letters_stay_where_C_is_L(sound, monkeypatch):
    assert verdicts(sound)["C-equals-L"] == "confirmed"
    true = theory.descend
    monkeypatch.setattr(theory, "descend", lambda W, C, eta, T: true(W, C, eta, T) + (0.1 if C == 4 else 0.0))
    assert verdicts(sound)["C-equals-L"] == "contradicted"
