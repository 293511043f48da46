"""The modern Hopfield network, which retrieves by a softmax over stored patterns (SI, background)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.display.counts import counted_words
from slotfree.display.glance import of_share
from slotfree.display.html import Html
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Numbers, Saved, saved_bytes
from slotfree.kernels.arithmetic.winners import room_for, row_winners
from slotfree.memory.base import SavedMemory, arguments, keep

Reals: TypeAlias = NDArray[np.float64]

LARGEST = 1e100  # magnitude of a number: dot products of two patterns stay far from overflow
TOLERANCE = 1e-10  # a state rests when it moves by less than this, relative to the largest stored number
MOST_STEPS = 1000
ROOM, FEWEST_ROWS = 2**19, 64  # cues are processed in parts with at most ROOM scores, but at least FEWEST_ROWS cues


@dataclass(frozen=True)
class ModernHopfieldSettings:
    """The arguments of ``ModernHopfield``; by default patterns recall themselves, and slots are added as needed."""

    n_visible: int = 1000
    beta: float = 1.0
    capacity: int | None = None
    n_values: int | None = None
    k_visible: int | None = None

    def __post_init__(self) -> None:
        hard = isinstance(self.beta, float) and self.beta == np.inf
        keep(
            self,
            n_visible=checks.integer("n_visible", self.n_visible, 1, checks.MANY),
            beta=np.inf if hard else checks.positive("beta", self.beta),
        )
        for name in ("capacity", "n_values"):
            if getattr(self, name) is not None:
                keep(self, **{name: checks.integer(name, getattr(self, name), 1, checks.MANY)})
        if self.k_visible is not None:
            units = "n_visible" if self.n_values is None else "n_values"
            keep(self, k_visible=checks.integer("k_visible", self.k_visible, 1, self.n_recalled, units))

    @property
    def n_recalled(self) -> int:
        """Numbers in what is recalled."""
        return self.n_visible if self.n_values is None else self.n_values

    @property
    def n_weights(self) -> int | None:
        """Numbers that all slots hold; None if their number grows."""
        return None if self.capacity is None else self.capacity * (self.n_visible + (self.n_values or 0))

    def n_slots(self, n_stored: int) -> int:
        """Slots that are filled when n_stored patterns have been stored."""
        return n_stored if self.capacity is None else min(n_stored, self.capacity)


class Trajectory(NamedTuple):
    """States along a retrieval, from the cue on until they rest, (T, n_visible), and the energy of each, (T,)."""

    states: Reals
    energies: Reals


class ModernHopfield(SavedMemory[ModernHopfieldSettings]):
    """A memory with a slot for each pattern, read by attention (Ramsauer et al., 2021).

    Energy and update of a state ξ, with the stored patterns as the columns of X (SI, eqs. S1 and S2):

        E = −lse(β, Xᵀξ) + ½ ξᵀξ,    lse(β, s) = β⁻¹ log Σᵢ exp(β sᵢ)
        ξ ← X softmax(β Xᵀξ)

    No update raises the energy. If values are stored with the patterns, which then are keys, the last update reads
    them instead: V softmax(β Xᵀξ), which is attention with the query ξ.

    With ``k_visible`` patterns, values and cues are zeros and ones, and the k_visible largest numbers of each update
    (with values, of the last one) become its ones: the network can then be compared with the K-winner MHN. Of units
    that tie for the last places, those win for which a hash of the unit and of the cue is largest; units tie if they
    are equal in float32. The energy may then rise.

    Numbers are float64: β multiplies the rounding errors of dot products, and with float32 results would be wrong by
    percents when β is a few thousand. Many cues are retrieved by matrix products; the order of additions within them,
    and so the last bits of real numbers, may differ from those of one cue at a time, and between machines.

    Parameters
    ----------
    n_visible : N, numbers in a pattern, and in a cue.
    beta : β, the inverse temperature, above 0; ``inf`` is the hard maximum, and the mean of those that share it.
    capacity : slots; when all are taken, the oldest pattern is overwritten. None: one for each stored pattern.
    n_values : numbers in a value, if keys recall values; None: patterns recall themselves.
    k_visible : ones of every recalled pattern, if patterns are binary; None: patterns are real numbers.

    Examples
    --------
    >>> import numpy as np
    >>> import slotfree as sf
    >>> memory = sf.ModernHopfield(n_visible=3, beta=20)
    >>> memory.store([[1, 0, 0], [0, 1, 0]])
    >>> memory.retrieve([0.7, 0.2, 0.1]).round(3).tolist()
    [1.0, 0.0, 0.0]
    """

    _keys: Reals
    _values: Reals

    def __init__(
        self,
        n_visible: int = 1000,
        beta: float = 1.0,
        capacity: int | None = None,
        n_values: int | None = None,
        k_visible: int | None = None,
    ) -> None:
        super().__init__(n_visible, beta, capacity, n_values, k_visible, seed=0)  # nothing is drawn

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        self._keys = np.empty((0, s.n_visible))
        self._values = self._keys if s.n_values is None else np.empty((0, s.n_values))

    @classmethod
    def from_settings(cls, settings: ModernHopfieldSettings, seed: checks.Seed) -> Self:
        """Return a new network of binary patterns; it does not depend on the seed."""
        if settings.k_visible is None or settings.n_values is not None:
            raise ValueError("ModernHopfieldSettings must have k_visible, and no n_values, to recall binary patterns")
        return cls(**arguments(settings))

    def store(self, patterns: ArrayLike, values: ArrayLike | None = None) -> None:
        """Store one pattern, or many in their order, which is the same as one by one.

        Parameters
        ----------
        patterns : (n_visible,) or (T, n_visible), real numbers, or zeros and ones if ``k_visible`` is set.
        values : (n_values,) or (T, n_values), what each recalls; given if and only if ``n_values`` is set.
        """
        keys = self._rows("patterns", patterns, self.settings.n_visible)
        if (values is None) != (self.settings.n_values is None):
            asked = "not be given, as n_values is None" if self.settings.n_values is None else "be given with n_values"
            raise ValueError(f"values must {asked}")
        recalled = keys
        if values is not None:
            recalled = self._rows("values", values, self.settings.n_recalled)
            if np.ndim(values) != np.ndim(patterns) or len(recalled) != len(keys):
                shape = (*np.shape(patterns)[:-1], recalled.shape[1])
                raise ValueError(f"values must be one for each pattern, of the shape {shape}, not {np.shape(values)}")
        self._write(keys, recalled)

    def _write(self, keys: NDArray[Any], values: NDArray[Any]) -> None:
        """Write rows to the slots, the oldest ones when all are taken."""
        n_new = len(keys)
        n_slots = self.settings.n_slots(self.n_stored + n_new)
        if n_slots > len(self._keys):
            alone = self._values is self._keys
            room = min(max(n_slots, 2 * len(self._keys)), self.settings.capacity or checks.MANY)
            width = self._keys.shape[1] + (0 if alone else self._values.shape[1])
            check_fits(f"a ModernHopfield with slots for {room:,} patterns", 8 * room * width)
            self._keys = _longer(self._keys, room)
            self._values = self._keys if alone else _longer(self._values, room)
        kept = slice(max(0, n_new - n_slots), n_new)
        slots = (self.n_stored + np.arange(n_new)[kept]) % max(n_slots, 1)
        self._keys[slots] = keys[kept]
        if self._values is not self._keys:
            self._values[slots] = values[kept]
        self.n_stored += n_new

    def retrieve(self, cues: ArrayLike, steps: int | None = 1) -> NDArray[Any]:
        """Return what each cue recalls; the memory stays as it is.

        Parameters
        ----------
        cues : (n_visible,) or (T, n_visible), real numbers, or zeros and ones if ``k_visible`` is set.
        steps : updates. None: until a state moves by no more than 10⁻¹⁰ of the largest stored number, or for 1000.
            With values, all updates but the last are among the keys.

        Returns
        -------
        Array (n_visible,) or (T, n_visible), or n_values instead if it is set: float64, or uint8 with exactly
        k_visible ones per pattern.
        """
        rows = self._cues("cues", cues)
        steps = _steps(steps)
        n_recalled = self.settings.n_recalled
        out = np.zeros((len(rows), n_recalled), np.float64 if self.settings.k_visible is None else np.uint8)
        for part in self._parts(len(rows)):
            recalled = self._weights(self._settle(rows[part], steps)) @ self._filled(self._values)
            out[part] = self._ones(recalled, rows[part])
        return out.reshape((*np.shape(cues)[:-1], n_recalled))

    def weights(self, cues: ArrayLike) -> Reals:
        """Return softmax(β Xᵀξ), how much each cue attends to each stored pattern.

        Returns
        -------
        float64 array (M,) or (T, M); the M patterns are in the order of ``patterns``, and each row sums to 1.
        """
        rows = self._cues("cues", cues)
        order = self._oldest_first()
        out = np.empty((len(rows), len(order)))
        for part in self._parts(len(rows)):
            out[part] = self._weights(_real(rows[part]))[:, order]
        return out.reshape((*np.shape(cues)[:-1], len(order)))

    def energy(self, states: ArrayLike) -> Reals:
        """Return E of each state, () or (T,)."""
        rows = self._cues("states", states)
        out = np.empty(len(rows))
        for part in self._parts(len(rows)):
            out[part] = self._energy(_real(rows[part]))
        return out.reshape(np.shape(states)[:-1])

    def trajectory(self, cue: ArrayLike, steps: int | None = None) -> Trajectory:
        """Return the states from one cue (n_visible,) on, and their energies; steps as for ``retrieve``."""
        rows = self._cues("cue", cue)
        if np.ndim(cue) != 1:
            raise ValueError(f"cue must have the shape ({self.settings.n_visible},), not {np.shape(cue)}")
        steps = _steps(steps)
        rest = self._rest(steps)
        states = [_real(rows)]
        for _ in range(steps or MOST_STEPS):
            states.append(self._update(states[-1], rows))
            if np.abs(states[-1] - states[-2]).max() <= rest:
                break
        every = np.concatenate(states)
        return Trajectory(every, self._energy(every))

    @property
    def patterns(self) -> Reals:
        """The patterns in the slots, oldest first: a read-only copy, (M, n_visible)."""
        return self._copy(self._keys)

    @property
    def values(self) -> Reals:
        """What the patterns recall, oldest first: a read-only copy, (M, n_values); patterns recall themselves."""
        return self._copy(self._values)

    @property
    def nbytes(self) -> int:
        """Bytes that the slots take; up to twice what is stored if there is no capacity."""
        return self._keys.nbytes + (0 if self._values is self._keys else self._values.nbytes)

    @classmethod
    def saved(cls, settings: ModernHopfieldSettings, n_stored: int) -> list[Saved]:
        """The slots as they lie: the next pattern goes to slot n_stored modulo the capacity."""
        s, n_slots = settings, settings.n_slots(n_stored)
        widths = {"patterns": s.n_visible} if s.n_values is None else {"patterns": s.n_visible, "values": s.n_values}
        if s.k_visible is None:
            return [Numbers(name, (n_slots, width), -LARGEST, LARGEST) for name, width in widths.items()]
        return [Numbers(name, (n_slots, width), 0, 1, np.uint8) for name, width in widths.items()]

    @classmethod
    def peak_bytes(cls, settings: ModernHopfieldSettings, n_stored: int, *, loading: bool = False) -> int:
        """Its slots; while it is loaded, also those of the file if they are bytes. A new one has none."""
        described = cls.saved(settings, n_stored)
        return saved_bytes(described) * (1 if settings.k_visible is None else 9)

    def arrays(self) -> Arrays:
        """Return the filled slots: bytes if patterns are binary."""
        slots = {"patterns": self._keys, "values": self._values}
        return {
            each.name: self._filled(slots[each.name]).astype(each.dtype, copy=False)
            for each in self.saved(self.settings, self.n_stored)
        }

    def _restore(self, arrays: Arrays) -> None:
        self._keys = _real(arrays["patterns"])
        self._values = _real(arrays["values"]) if "values" in arrays else self._keys

    def _glance(self) -> Html | None:
        slots = self.settings.capacity
        return of_share(self.settings.n_slots(self.n_stored), slots, f"{slots:,} slots are filled") if slots else None

    def _summary(self) -> str:
        kept = self.settings.n_slots(self.n_stored)
        return f"{kept:,} of {counted_words(self.n_stored, 'patterns')} stored {'is' if kept == 1 else 'are'} kept"

    def _settle(self, cues: NDArray[Any], steps: int | None) -> Reals:
        """Make all updates but the last; states that rest are left alone."""
        state = _real(cues)
        if steps == 1:
            return state
        state = state.copy()
        rest = self._rest(steps)
        moving = np.arange(len(state))
        for _ in range((steps or MOST_STEPS) - 1):
            old = state[moving]
            state[moving] = self._update(old, cues[moving])
            moving = moving[np.abs(state[moving] - old).max(axis=1) > rest]
            if moving.size == 0:
                break
        return state

    def _rest(self, steps: int | None) -> float:
        """The most that a resting state moves: nothing if the number of steps is given."""
        return TOLERANCE * float(np.abs(self._filled(self._keys)).max()) if steps is None else 0.0

    def _update(self, state: Reals, cues: NDArray[Any]) -> Reals:
        """X softmax(β Xᵀξ), and its winners if patterns are binary and recall themselves."""
        new = self._weights(state) @ self._filled(self._keys)
        return new if self.settings.n_values is not None else _real(self._ones(new, cues))

    def _ones(self, recalled: Reals, cues: NDArray[Any]) -> NDArray[Any]:
        """The k_visible largest numbers of each row as ones, if patterns are binary."""
        if self.settings.k_visible is None:
            return recalled
        out = np.zeros(recalled.shape, np.uint8)
        room = room_for(max(recalled.shape[1], cues.shape[1]))
        row_winners(recalled, self.settings.k_visible, cues, out, room)
        return out

    def _weights(self, state: Reals) -> Reals:
        """softmax(β Xᵀξ); without its largest exponent, nothing overflows for any β."""
        weights: Reals = state @ self._filled(self._keys).T
        weights -= weights.max(axis=1, keepdims=True)
        self._exponential(weights)
        weights /= weights.sum(axis=1, keepdims=True)
        return weights

    def _energy(self, state: Reals) -> Reals:
        scores: Reals = state @ self._filled(self._keys).T
        largest = scores.max(axis=1, keepdims=True)
        scores -= largest
        self._exponential(scores)
        with np.errstate(over="ignore"):
            lse = largest[:, 0] + np.log(scores.sum(axis=1)) / self.settings.beta
        energy: Reals = 0.5 * np.einsum("ti,ti->t", state, state) - lse
        return energy

    def _exponential(self, scores: Reals) -> None:
        """exp(β s) in place, for s ≤ 0; at β = ∞, 1 where s = 0 and 0 elsewhere."""
        if self.settings.beta == np.inf:
            np.equal(scores, 0, out=scores)
            return
        with np.errstate(over="ignore", under="ignore"):
            scores *= self.settings.beta
            np.exp(scores, out=scores)

    def _cues(self, name: str, cues: ArrayLike) -> NDArray[Any]:
        if self.n_stored == 0:
            raise ValueError("memory is empty; call store() first")
        return self._rows(name, cues, self.settings.n_visible)

    def _rows(self, name: str, patterns: ArrayLike, width: int) -> NDArray[Any]:
        if self.settings.k_visible is None:
            return checks.real_rows(name, patterns, width, LARGEST)
        return checks.binary_rows(name, patterns, width)

    def _filled(self, slots: Reals) -> Reals:
        return slots[: self.settings.n_slots(self.n_stored)]

    def _oldest_first(self) -> NDArray[np.int64]:
        n_slots = self.settings.n_slots(self.n_stored)
        return (self.n_stored + np.arange(n_slots)) % max(n_slots, 1)

    def _copy(self, slots: Reals) -> Reals:
        rows = slots[self._oldest_first()]
        rows.flags.writeable = False
        return rows

    def _parts(self, n_rows: int) -> Iterator[slice]:
        """Parts of the cues whose scores fit the room."""
        step = max(FEWEST_ROWS, ROOM // max(self.settings.n_slots(self.n_stored), self.settings.n_visible))
        for first in range(0, n_rows, step):
            yield slice(first, min(first + step, n_rows))


def _real(rows: NDArray[Any]) -> Reals:
    return rows.astype(np.float64, copy=False)


def _longer(slots: Reals, n_slots: int) -> Reals:
    longer = np.empty((n_slots, slots.shape[1]))
    longer[: len(slots)] = slots
    return longer


def _steps(steps: object) -> int | None:
    return None if steps is None else checks.integer("steps", steps, 1)
