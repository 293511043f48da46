"""Contexts longer than units: recency with ideal slow weights (L = C = 64), and trained in situ (L = C = 16).

All conditions have about the same number of fast weights, n_h (m + n_i + n_out + 1) with m = f N connections to the key
and n_i = f_out D to the tokens of items: thinner units are more units. What was chosen — m and γ of each family, the
rates of training — was chosen with other seeds, before the runs that are shown.

With ideal slow weights one winner that replaces what it holds (ε = 1) answers for the newest of the items that met in
it. Item by item the winner is drawn at random, so the item a steps back is right with

    ½ + ½ (1 − 1/n_h)ᵃ,    on average    ½ + n_h/(2C) · P(n ≥ 1),    n ~ Bin(C, 1/n_h).

With ε → 0 it holds the mean of these items, and answers by vote: with n items of cases ±1 of sum S_n, (n + |S_n|)/2 of
them are answered rightly, whatever their age:

    ½ + n_h/(2C) · E|S_n|.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.rates import rates_for
from slotfree.attention.slot_free import SlotFreeEngine, SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights, off_diagonal
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings, by_lag
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.labelled import Labelled
from slotfree.tasks.base import n_item_tokens
from slotfree.tasks.case_sequence import CaseSequenceTask

KEY_DIM, LENGTH = 50, 10.0  # N, and |k|² of ideal keys
LONG, MANY_WEIGHTS = 64, 7850
SHORT, FEW_WEIGHTS = 16, 800
GAIN, SLOWER = 10.0, 0.5  # γ, and rates as a part of those of the rule, of all trainings: with more, keys overgrow


def condition(name: str, length: int, weights: int, seen: int, **options: Any) -> Condition:
    """As many units as there are fast weights for, if each sees so many components of the key; L = C = ``length``."""
    task, storage = CaseSequenceTask(length, length), Winners(fan_in=seen / KEY_DIM, **options)
    n_hidden = weights // storage.n_weights(1, KEY_DIM, n_item_tokens(task), task.n_outputs)
    return Condition(name, SlotFreeTransformer(key_dim=KEY_DIM, n_hidden=n_hidden, storage=storage), task)


def long(name: str, seen: int, k: int = 1, gain: float = 30.0, **options: Any) -> Condition:
    """A condition with ideal slow weights."""
    return condition(name, LONG, MANY_WEIGHTS, seen, k=k, projection_gain=gain, **options)


def short(name: str, seen: int, k: int = 1, **options: Any) -> Condition:
    """A condition that is trained."""
    made = condition(name, SHORT, FEW_WEIGHTS, seen, k=k, projection_gain=GAIN, **options)
    rates = {name: SLOWER * rate for name, rate in rates_for(made.model, made.task).items()}
    return replace(made, learning_rates=rates)


def units(condition: Condition) -> int:
    """n_h of a condition."""
    assert isinstance(condition.model, SlotFreeTransformer)
    return condition.model.units


ONE = long("one winner", KEY_DIM)
ONE_GRADED = long("one winner, ε = 0.1", KEY_DIM, rate=0.1)
THIN = long("thin", 30)
SHARED = long("shared mask", 20, masks="shared")
K2 = long("k = 2", 25, k=2)
K3 = long("k = 3", 16, k=3, gain=10.0)
FULL_ITEMS = (ONE, ONE_GRADED, THIN, SHARED, K2, K3)

WIDE_KEYS = long("thin items only", KEY_DIM, item_fan_out=0.25)
THIN_BOTH = long("thin, both", 16, gain=10.0, item_fan_out=16 / KEY_DIM)
THIN_WEAK = long("thin, γ = 3, both", 16, gain=3.0, item_fan_out=16 / KEY_DIM)
SHARED_BOTH = long("shared mask, both", 16, gain=10.0, item_fan_out=16 / KEY_DIM, masks="shared")
K2_BOTH = long("k = 2, both", 16, k=2, item_fan_out=16 / KEY_DIM)
K3_BOTH = long("k = 3, both", 12, k=3, item_fan_out=12 / KEY_DIM)
K3_WEAK = long("k = 3, γ = 3, both", 12, k=3, gain=3.0, item_fan_out=12 / KEY_DIM)
TOO_THIN = long("too thin", 8, item_fan_out=8 / KEY_DIM)
TOO_THIN_K3 = long("too thin, k = 3", 8, k=3, item_fan_out=8 / KEY_DIM)
THIN_ITEMS = (
    *(WIDE_KEYS, THIN_BOTH, THIN_WEAK, SHARED_BOTH, K2_BOTH),
    *(K3_BOTH, K3_WEAK, TOO_THIN, TOO_THIN_K3),
)

T_ONE = short("one winner", KEY_DIM)
T_GRADED = short("one winner, ε = 0.3", KEY_DIM, rate=0.3)
T_SMALLER = short("one winner, ε = 0.1", KEY_DIM, rate=0.1)
T_THIN = short("thin", 15)
T_SHARED = short("shared mask", 15, masks="shared")
T_THIN_GRADED = short("thin, ε = 0.3", 15, rate=0.3)
T_K2 = short("k = 2", 15, k=2)
T_K2_GRADED = short("k = 2, ε = 0.3", 15, k=2, rate=0.3)
T_K3 = short("k = 3", 15, k=3)
T_TOO_THIN = short("too thin", 10, item_fan_out=10 / KEY_DIM)
T_TOO_THIN_K3 = short("too thin, k = 3", 10, k=3, item_fan_out=10 / KEY_DIM)
BY_TOKEN = (
    *(T_ONE, T_GRADED, T_SMALLER, T_THIN, T_SHARED, T_THIN_GRADED),
    *(T_K2, T_K2_GRADED, T_K3, T_TOO_THIN, T_TOO_THIN_K3),
)
LETTER = short("one winner, ε = 0.3, by letter", KEY_DIM, rate=0.3, projections="letter")
REDRAWN = short("one winner, ε = 0.3, redrawn", KEY_DIM, rate=0.3, projections="redrawn")
R_ONE = short("one winner, redrawn", KEY_DIM, projections="redrawn")
R_SMALLER = short("one winner, ε = 0.1, redrawn", KEY_DIM, rate=0.1, projections="redrawn")
R_THIN = short("thin, redrawn", 15, projections="redrawn")
R_THIN_GRADED = short("thin, ε = 0.3, redrawn", 15, rate=0.3, projections="redrawn")
R_K2_GRADED = short("k = 2, ε = 0.3, redrawn", 15, k=2, rate=0.3, projections="redrawn")
OTHERS = (LETTER, REDRAWN, R_ONE, R_SMALLER, R_THIN, R_THIN_GRADED, R_K2_GRADED)


def newest(n_units: int, length: int) -> NDArray[np.float64]:
    """Accuracy by lag, (C,), if each unit answers for the newest item that it stored."""
    return np.asarray(0.5 + 0.5 * (1 - 1 / n_units) ** np.arange(length), np.float64)


def voted(n_units: int, length: int) -> float:
    """Accuracy, at every lag, if each unit answers by a vote of the items that it stored."""
    n = np.arange(length + 1)
    distance = np.array([stats.binom.expect(lambda ups, m=m: abs(2 * ups - m), (m, 0.5)) if m else 0.0 for m in n])
    return float(0.5 + n_units / (2 * length) * (stats.binom.pmf(n, length, 1 / n_units) * distance).sum())


def ideal(n_letters: int, key_dim: int, length: float, rng: np.random.Generator) -> Weights:
    """Slow weights by which letters are told apart, and nothing else: one key for both cases, which queries have too.

    Keys are random directions with |k|² = ``length``. Values are the case.
    """
    keys = rng.normal(size=(key_dim, n_letters))
    keys *= np.sqrt(length / (keys**2).sum(axis=0))
    none, case = np.zeros_like(keys), np.ones(n_letters)
    W_V = np.array([np.concatenate([case, 0 * case, 0 * case]), np.concatenate([0 * case, case, 0 * case])])
    wiring = np.asarray(rng.integers(0, 2**63))
    return Weights(np.hstack([none, none, keys]), np.hstack([keys, keys, none]), W_V, wiring)


def case_component(weights: Weights) -> float:
    """The share of |k|² by which keys tell the case in a direction that letters share.

    It is half of how much more alike keys of the same case are than keys of other cases, of different letters: for
    keys u_l ± e with u_l·u_m = 0, it is |e|²/|k|². 0 if there is no such direction; 1 if keys tell nothing else.
    """
    overlaps = weights.key_key
    L = overlaps.shape[-1] // 3
    lower, upper = slice(0, L), slice(L, 2 * L)
    same = (off_diagonal(overlaps[lower, lower]).mean() + off_diagonal(overlaps[upper, upper]).mean()) / 2
    other = off_diagonal(overlaps[lower, upper]).mean()
    return float((same - other) / (2 * np.diagonal(overlaps)[: 2 * L].mean()))


def other_case(weights: Weights) -> float:
    """Share of the letters' tokens whose value, their column of W_V, says the other case."""
    lower_minus_upper = weights.W_V[0] - weights.W_V[1]
    L = len(lower_minus_upper) // 3
    return float(np.concatenate([lower_minus_upper[:L] < 0, lower_minus_upper[L : 2 * L] > 0]).mean())


def agreement(weights: Weights, projected: NDArray[np.int64]) -> float:
    """How far the tokens that drive the same unit have values of the same sign, beyond what their cases have in common.

    The mean over units of |mean sign|, of W_V less of the case itself. Units that one letter drives are left out: both
    of its cases must differ there.

    Parameters
    ----------
    projected : the units that each of the letters' tokens drives, (2L, k).
    """
    L = len(projected) // 2
    signs, cases = np.sign(weights.W_V[0] - weights.W_V[1])[: 2 * L], np.repeat([1, -1], L)
    found = []
    for unit in np.unique(projected):
        tokens = np.flatnonzero((projected == unit).any(axis=1))
        if len(np.unique(tokens % L)) > 1:
            found.append(abs(signs[tokens].mean()) - abs(cases[tokens].mean()))
    return float(np.mean(found)) if found else np.nan


def one_key_for_both(weights: Weights) -> Weights:
    """The same weights, but that both cases of a letter have the mean of their keys: keys cannot tell the case."""
    W_K = weights.W_K.copy()
    L = W_K.shape[1] // 3
    W_K[:, :L] = W_K[:, L : 2 * L] = (W_K[:, :L] + W_K[:, L : 2 * L]) / 2
    return Weights(weights.W_Q, W_K, weights.W_V, weights.wiring)


def rewired(weights: Weights) -> Weights:
    """The same slow weights, but that projections and connections of units are drawn anew."""
    return Weights(weights.W_Q, weights.W_K, weights.W_V, np.asarray((weights.drawn_by + 1) % 2**63))


MEASURES = ("one_key", "rewired", "case_component", "other_case", "agreement")


@dataclass(frozen=True)
class Recency(Labelled):
    """Test conditions with ideal slow weights, by lag; keys, sequences and wiring follow from the seed.

    Attributes
    ----------
    tested : sequences for each condition.
    length : |k|².
    """

    conditions: tuple[Condition, ...]
    tested: int
    length: float = LENGTH
    dims: ClassVar = dict.fromkeys(("right", "asked"), ("condition", "lag"))
    limits: ClassVar = {"tested": "n_tested"}

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``right`` and ``asked``, (condition, lag)."""
        found = []
        for each in self.conditions:
            L = each.task.context_length
            weights = ideal(L, each.model.key_dim, self.length, np.random.default_rng(seed_for(seed, "weights")))
            found.append(by_lag(each, weights, self.tested, L, seed_for(seed, "test")))
        right, asked = np.swapaxes(found, 0, 1)
        return {"right": right, "asked": asked}

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Conditions by name, and lags."""
        lags = max(each.task.context_length for each in self.conditions)
        return {"condition": [each.name for each in self.conditions], "lag": np.arange(lags)}


@dataclass(frozen=True)
class InSitu(Trainings):
    """Train conditions from the same seed, test them by lag, and look at what they learnt.

    ``one_key``, ``rewired``: accuracy if both cases of a letter get the same key, and if units are wired anew.
    ``case_component``: of keys. ``other_case``: share of values that say the other case.
    ``agreement``: of the values of tokens that drive a unit. NaN if training diverges.
    """

    measures: ClassVar[tuple[str, ...]] = MEASURES
    dims: ClassVar = {**Trainings.dims, **dict.fromkeys(MEASURES, ("condition",))}

    def measure(self, condition: Condition, weights: Weights, test: np.random.SeedSequence) -> Sequence[float]:
        """Return all five."""
        changed = []
        for other in (one_key_for_both(weights), rewired(weights)):
            right, asked = by_lag(condition, other, self.tested, self.lags, test)
            changed.append(float(right.sum() / asked.sum()))
        agree = agreement(weights, projected(condition, weights))
        return (*changed, case_component(weights), other_case(weights), agree)


def projected(each: Condition, weights: Weights) -> NDArray[np.int64]:
    """The units that tokens of items drive, (2L, k); of redrawn projections, in no sequence in particular."""
    engine = each.model.engine(each.task, 0, weights.drawn_by)
    assert isinstance(engine, SlotFreeEngine)
    return np.asarray(engine.fast.projected[: n_item_tokens(each.task)])


IDEAL = Experiment("context-recency", Recency((*FULL_ITEMS, *THIN_ITEMS), 1000), 20, few=2)
TRAINED = Experiment("context-in-situ", InSitu((*BY_TOKEN, *OTHERS), 1500, tested=2000), 10, few=2)
FORMULA = Experiment("context-formula", Recency((ONE, ONE_GRADED), 300), 200, few=2)  # wirings differ most
EXPERIMENTS = (IDEAL, FORMULA, TRAINED)
