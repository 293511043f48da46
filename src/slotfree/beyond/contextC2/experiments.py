"""Contexts longer than units: recency with ideal slow weights (L = C = 64), and trained in situ (L = C = 16).

All conditions have about the same number of fast weights, n_h (m + n_i + n_out + 1) with m = f N connections to the key
and n_i = f_out D to the tokens of items: thinner units are more units. What was chosen — m and γ of each family, the
rates of training — was chosen with other seeds, before the runs that are shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.rates import rates_for
from slotfree.attention.slot_free import SlotFreeEngine, SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.beyond.contextC2.measures import agreement, case_component, ideal, one_key_for_both, other_case, rewired
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.scale import Scale
from slotfree.study.trainings import Condition, Trainings, by_lag
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


MEASURES = ("one_key", "rewired", "case_component", "other_case", "agreement")


@dataclass(frozen=True)
class Recency:
    """Test conditions with ideal slow weights, by lag; keys, sequences and wiring follow from the seed.

    Attributes
    ----------
    tested : sequences for each condition.
    length : |k|².
    """

    conditions: tuple[Condition, ...]
    tested: int
    length: float = LENGTH

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``right`` and ``asked``, (condition, lag)."""
        found = []
        for each in self.conditions:
            L = each.task.context_length
            weights = ideal(L, each.model.key_dim, self.length, np.random.default_rng(seed_for(seed, "weights")))
            found.append(by_lag(each, weights, self.tested, L, seed_for(seed, "test")))
        right, asked = np.swapaxes(found, 0, 1)
        return {"right": right, "asked": asked}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, condition, lag)."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        data = {name: (("run", "condition", "lag"), array) for name, array in arrays.items()}
        names, lags = [each.name for each in self.conditions], np.arange(arrays["right"].shape[-1])
        return xr.Dataset(data, {"run": np.arange(len(results)), "condition": names, "lag": lags})

    def at(self, scale: Scale) -> "Recency":
        """The same with fewer sequences."""
        return replace(self, tested=scale.limit("n_tested", self.tested))


@dataclass(frozen=True)
class InSitu(Trainings):
    """Train conditions from the same seed, test them by lag, and look at what they learnt.

    ``one_key``, ``rewired``: accuracy if both cases of a letter get the same key, and if units are wired anew.
    ``case_component``: of keys. ``other_case``: share of values that say the other case.
    ``agreement``: of the values of tokens that drive a unit. NaN if training diverges.
    """

    measures: ClassVar[tuple[str, ...]] = MEASURES

    def measure(self, condition: Condition, weights: Weights, test: np.random.SeedSequence) -> Sequence[float]:
        """Return all five."""
        changed = []
        for other in (one_key_for_both(weights), rewired(weights)):
            right, asked = by_lag(condition, other, self.tested, self.lags, test)
            changed.append(float(right.sum() / asked.sum()))
        agree = agreement(weights, projected(condition, weights))
        return (*changed, case_component(weights), other_case(weights), agree)

    def at(self, scale: Scale) -> "InSitu":
        """The same with fewer steps and sequences."""
        steps, tested = scale.limit("iterations", self.iterations), scale.limit("n_tested", self.tested)
        return replace(self, iterations=steps, tested=tested)


def projected(each: Condition, weights: Weights) -> NDArray[np.int64]:
    """The units that tokens of items drive, (2L, k); of redrawn projections, in no sequence in particular."""
    engine = each.model.engine(each.task, 0, weights.drawn_by)
    assert isinstance(engine, SlotFreeEngine)
    units: NDArray[np.int64] = engine.fast.projected[: n_item_tokens(each.task)]
    return units


IDEAL = Experiment("context-recency", Recency((*FULL_ITEMS, *THIN_ITEMS), 1000), 20, few=2)
TRAINED = Experiment("context-in-situ", InSitu((*BY_TOKEN, *OTHERS), 1500, tested=2000), 10, few=2)
FORMULA = Experiment(
    "context-formula", Recency((ONE, ONE_GRADED), 300), 200, few=2
)  # wirings differ more than sequences
EXPERIMENTS = (IDEAL, FORMULA, TRAINED)


def overall(data: xr.Dataset, each: Condition) -> xr.DataArray:
    """Accuracy over all lags, (run,)."""
    one = data.sel(condition=each.name)
    return one["right"].sum("lag") / one["asked"].sum("lag")
