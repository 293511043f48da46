"""Contexts that are simulated with ideal slow weights, and both theories of them."""

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.beyond.contextC5.recency.predict import predict_recency
from slotfree.beyond.shared.train_side_by_side import Condition, by_lag
from slotfree.checks import Seed
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study.experiment import Experiment
from slotfree.study.labelled import Labelled
from slotfree.study.scale import Scale
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.sequences import Sequences

Floats = NDArray[np.float64]

CHOSEN = 60.0  # γ with which projections choose the winners
VISIBLE = (52, 26)  # units of the memory of part one: as many as components of a key and of a value; half are active
RUNS = 40


@dataclass(frozen=True)
class Setting:
    """A distributed context, for keys of N components and length |k|; the context holds every letter once."""

    n_hidden: int
    k: int
    m: int
    rate: float = 1.0
    gain: float = CHOSEN
    key_dim: int = 50
    length: int = 64
    key_length: float = 10**0.5

    @property
    def name(self) -> str:
        """What it is, in a line."""
        n, k, m, rate, gain = self.n_hidden, self.k, self.m, self.rate, self.gain
        other = (
            f", N {self.key_dim}, C {self.length}, |k| {self.key_length:.1f}"
            if (self.key_dim, self.length) != (50, 64)
            else ""
        )
        return f"$n_h$ {n}, k {k}, m {m}, ε {rate:g}{f', γ {gain:g}' if gain < CHOSEN else ''}{other}"

    @property
    def storage(self) -> Winners:
        """How items are stored."""
        return Winners(self.k, self.m / self.key_dim, rate=self.rate, projection_gain=self.gain, item_fan_out=1e-3)

    def condition(self) -> Condition:
        """The model and its task."""
        model = SlotFreeTransformer("fixed", key_dim=self.key_dim, n_hidden=self.n_hidden, storage=self.storage)
        return Condition(self.name, model, EveryLetterAsked(self.length, self.length))

    def ideal(self, seed: np.random.SeedSequence) -> Weights:
        """Slow weights that solve the task: W_Q and W_K the random key of each letter, W_V the case code."""
        rng = np.random.default_rng(seed)
        keys = rng.standard_normal((self.key_dim, self.length))
        keys *= self.key_length / np.linalg.norm(keys, axis=0)
        none, wiring = np.zeros_like(keys), np.int64(rng.integers(2**31))
        values = np.hstack([CaseSequenceTask(self.length, self.length).case_code, np.zeros((2, self.length))])
        return Weights(np.hstack([none, none, keys]), np.hstack([keys, keys, none]), values, np.asarray(wiring))

    @cache  # noqa: B019 a figure and its claims need the same predictions
    def predicted(self) -> Floats:
        """Accuracy (lag) by the theory of recency."""
        curve = predict_recency(self.n_hidden, self.key_dim, self.storage, self.length, key_length=self.key_length)
        return np.asarray(curve.values, np.float64)

    @cache  # noqa: B019
    def retained(self) -> Floats:
        """Accuracy (lag) by part one's theory: 1/2 for a pattern that is as if never stored, 1 for a perfect one."""
        n_visible, k_visible = VISIBLE
        fan_in, ages = self.m / self.key_dim, np.arange(1, self.length + 1)
        memory = KWinnerSettings(n_visible, self.n_hidden, k_visible, self.k, fan_in, self.rate)
        accuracy, baseline, _ = predicted_curves(memory, (1.0,), ages, anywhere=True)
        return np.asarray(0.5 + 0.5 * (accuracy[0] - baseline[0]) / (1 - baseline[0]), np.float64)


@dataclass(frozen=True)
class EveryLetterAsked(CaseSequenceTask):
    """The Case Sequence Task, with a query for each item of the context."""

    @property
    def n_queries(self) -> int:
        """As many as items."""
        return self.context_length

    def batch(self, size: int, *, seed: Seed) -> Sequences:
        """Draw sequences uniformly at random."""
        context, L = super().batch(size, seed=seed).context, self.n_letters
        return Sequences(context, context % L + 2 * L, context // L)


@dataclass(frozen=True)
class Recency(Labelled):
    """Test each setting with ideal slow weights on new sequences; keys and connections are drawn for each run."""

    settings: tuple[Setting, ...]
    tested: int = 120
    dims: ClassVar = dict.fromkeys(("right", "asked"), ("setting", "lag"))
    numbered: ClassVar = False

    @property
    def lags(self) -> int:
        """Of the longest context."""
        return max(setting.length for setting in self.settings)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``right`` and ``asked``, (setting, lag)."""
        found = [
            by_lag(one.condition(), one.ideal(seed_for(seed, "ideal")), self.tested, self.lags, seed_for(seed, "test"))
            for one in self.settings
        ]
        right, asked = np.swapaxes(found, 0, 1)
        return {"right": right, "asked": asked}

    def at(self, scale: Scale) -> "Recency":
        """The same with fewer sequences."""
        return self if scale.is_full else replace(self, tested=min(self.tested, 30))


ONE_WINNER = tuple(Setting(43, 1, 50, rate) for rate in (1.0, 0.5, 0.3, 0.1))
DISTRIBUTED = (
    Setting(151, 1, 12),
    Setting(99, 1, 20),
    Setting(99, 2, 20),
    Setting(151, 3, 12),
    Setting(151, 3, 12, 0.3),
    Setting(207, 5, 8),
)
BY_KEYS = (
    Setting(43, 1, 50, gain=1),
    Setting(43, 1, 50, gain=3),
    Setting(99, 1, 20, gain=3),
    Setting(151, 3, 12, gain=3),
)
TOO_THIN = (Setting(284, 1, 5, gain=3), Setting(175, 2, 10, gain=3), Setting(207, 3, 8, gain=3))
# Drawn at random when the theory was complete, and never used to build it: k, m/N, ε, γ, n_h, N, C and |k|, with at
# least 11 components for each unit. First those where projections choose the winners, then those where keys do.
HELD_OUT = (
    Setting(303, 4, 100, 0.19, CHOSEN, 100, 48, 3.8),
    Setting(236, 4, 60, 1.0, CHOSEN, 100, 64, 3.3),
    Setting(140, 2, 30, 0.65, CHOSEN, 50, 48, 3.3),
    Setting(114, 2, 12, 1.0, CHOSEN, 30, 48, 2.7),
    Setting(138, 2, 30, 0.2, CHOSEN, 50, 48, 4.1),
    Setting(163, 1, 30, 1.0, CHOSEN, 50, 96, 3.6),
    Setting(232, 4, 40, 0.33, CHOSEN, 100, 48, 3.3),
    Setting(79, 4, 30, 0.27, CHOSEN, 30, 48, 3.8),
)
HELD_OUT_BY_KEYS = (
    Setting(96, 3, 100, 1.0, 3.8, 100, 64, 3.3),
    Setting(92, 2, 11, 0.23, 2.0, 30, 48, 3.0),
    Setting(75, 4, 30, 1.0, 1.7, 30, 32, 4.0),
    Setting(41, 1, 30, 0.29, 6.5, 50, 64, 3.8),
)
GROUPS = {
    "one winner": ONE_WINNER,
    "thin units, several winners": DISTRIBUTED,
    "keys choose the winners": BY_KEYS,
    "keys choose, thin units": TOO_THIN,
    "held out": HELD_OUT,
    "held out, keys choose": HELD_OUT_BY_KEYS,
}
RECENCY = Experiment("recency", Recency(tuple(one for group in GROUPS.values() for one in group)), RUNS, few=2)
