"""A distributed context: k units store each item, and each of them sees part of its key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.storages.address import (
    ADDRESSES,
    BY_TOKEN,
    OF_TOKENS,
    PARTS_OF_KEYS,
    WHOLE_KEYS,
    Address,
    least_match,
    units_of_tokens,
)
from slotfree.attention.storages.base import MOST_STORED, Matrix, WeightArrays, put, put_listed
from slotfree.display.html import card, settings
from slotfree.kernels.arithmetic.sampling import draw_subsets
from slotfree.kernels.attention import distributed_steps as distributed
from slotfree.kernels.attention import key_rules as kernels_of_rules
from slotfree.kernels.attention.distributed_context import ATTENDED, LIVE, SEEN, STORED, WRITTEN, Context
from slotfree.kernels.attention.training import Steps
from slotfree.kernels.attention.transformer import Sizes
from slotfree.tasks.base import Task, n_item_tokens, query_of

KeyRules: TypeAlias = Mapping[Callable[..., None], Callable[..., None]]

KEPT = ("keys", "values", "items", "g", "key")  # of a context, in a file
ROUNDING = 1e-9  # by which g may exceed 1
LEAST_RATE = 1e-6
HIGHEST_KEY = 0.5  # W_HK ~ U[0, 0.5) at the start, without projections


@dataclass(frozen=True)
class Winners:
    """Item t is stored by the k units with the largest drives, h = W_HK k_t + γ f P x_t, or at another address.

    Each unit sees a random part f of the components of keys, and a part f_out of the tokens of items. In the k units,
    W_HK += ε (k_t − W_HK), W_VH += ε (v_t − W_VH), W_IH += ε (x_t − W_IH) and g += ε (1 − g), on the connections there
    are, all from 0. P, the input projections, sends each token to k random units; without them, W_HK ~ U[0, 0.5) at
    the start. At a query q, s = softmax(β W_HK q), Z = g·s, x̃ = W_IH s/(f_out Z), ŷ = W_V x̃ and ŷ_val = W_VH s/Z.

    Ties: of equal drives, the winner is drawn by a number that follows from the sequence, the item's place in it and
    the unit, the same in training, ``predict``, ``stream`` and ``inspect``; with address "oldest" it is the first unit.
    Units with equal drives at a query are attended equally; where only "winners" are read, a number that follows from
    the unit alone decides.

    Parameters
    ----------
    k : winners.
    fan_in : f, rounded so that each unit has an integer of components, at least one.
    item_fan_out : f_out, the same for tokens that can be in a context.
    rate : ε.
    normalise : whether what is read is divided by Z, how much was stored by the units that are attended.
    projection_gain : γ, the strength of projections. None scales with the key: a token has the drive f |k|², that of an
        equal key which is stored already. A number does not: the drive is γ f, and keys that grow as they learn choose
        the units then. For address "oldest" it is how well an item must match, see there.
    beta : β; None is 1/(f ε), or what ``KeyValueMemory`` says.
    reading : whether "all" units are attended, or only the "winners" of the query: the k with the largest drives of
        those that have stored something.
    masks : whether each unit has a random part of the key of its "own", or all have a "shared" one: then it is a
        smaller key. A control.
    start : "zero", or "random", as the paper has it: W_VH, W_IH ~ U[0, 1). A control.
    address : which units store an item. None is "token" with input projections, and "start" without them.

        - "token": each token drives k random units.
        - "own": it drives k units that no other token does, as in the paper, which takes k units for each.
        - "letter": tokens that the same query asks for drive the same k units, and those that no query asks for drive
          none; so units say nothing of the answer.
        - "redrawn": as "token", but drawn anew for each sequence; a stream has one, and so nothing is redrawn in it.
        - "start": W_HK ~ U[0, 0.5) before the first item, and nothing is projected.
        - "oldest": match or oldest. An item goes to the k units with the largest h = W_HK k_t, if their mean is above
          γ f ε |k_t|² by more than rounding, and else to the k units that were written longest ago, first those that
          never were. Of equal ones, the first unit. Only units that were written can match; nothing is projected, and
          all begins at 0. γ defaults to ½ (1 + min(0.9, √(2 ln(n_h/k)/(f N)))): half-way between chance and an equal
          key.

    Examples
    --------
    >>> import slotfree as sf
    >>> model = sf.SlotFreeTransformer("query-key", n_hidden=50, storage=sf.Winners(k=3, fan_in=0.1))
    >>> model.fan_in, model.is_wired
    (0.1, True)
    >>> oldest = sf.Winners(k=1, fan_in=1.0, address="oldest")
    >>> memory = sf.KeyValueMemory(key_dim=2, value_dim=1, n_hidden=2, storage=oldest, seed=0)
    >>> memory.store([[1, 0], [0, 1], [-1, 0]], [[1], [2], [3]])  # the last takes the unit of the first
    >>> memory.keys.tolist()
    [[-1.0, 0.0], [0.0, 1.0]]
    """

    name: ClassVar[str] = "winners"
    is_wired: ClassVar[bool] = True
    kernels: ClassVar[Steps] = Steps(
        distributed.start_distributed,
        distributed.present_distributed,
        distributed.answer_distributed,
        distributed.learn_distributed,
    )
    key_rules: ClassVar[KeyRules] = {
        kernels_of_rules.mhn: distributed.mhn_distributed,
        kernels_of_rules.query_key: distributed.query_key_distributed,
    }

    k: int = 3
    fan_in: float = 0.1
    item_fan_out: float = 1.0
    rate: float = 1.0
    normalise: bool = True
    projection_gain: float | None = None
    beta: float | None = None
    reading: Literal["all", "winners"] = "all"
    masks: Literal["own", "shared"] = "own"
    start: Literal["zero", "random"] = "zero"
    address: Address | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checks.integer("k", self.k, 1, checks.MANY))
        for name in ("fan_in", "item_fan_out", "rate"):
            object.__setattr__(self, name, checks.fraction(name, getattr(self, name)))
        if self.rate < LEAST_RATE:
            raise ValueError(f"rate must be at least {LEAST_RATE:g}, not {self.rate:g}: less is lost in rounding")
        object.__setattr__(self, "normalise", checks.yes_or_no("normalise", self.normalise))
        for name in ("projection_gain", "beta"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, checks.positive(name, getattr(self, name)))
        checks.one_of("reading", self.reading, ("all", "winners"))
        checks.one_of("masks", self.masks, ("own", "shared"))
        checks.one_of("start", self.start, ("zero", "random"))
        if self.address is not None:
            checks.one_of("address", self.address, ADDRESSES)

    def _repr_html_(self) -> str:
        """Return the settings, as a notebook shows them."""
        return card("Winners", settings(self), note=f"stores an item in {self.k} hidden units")

    def holds_only_items(self, n_hidden: int, task: Task) -> bool:
        """If all begins at 0, and what is read is divided by what was stored."""
        return self.normalise and self.start == "zero"

    def check(self, n_hidden: int, input_projections: bool, task: Task) -> None:
        """Raise an error if there are too few hidden units."""
        self.check_units(n_hidden)
        if self.address == "key":
            raise ValueError("address='key' requires a KeyValueMemory; items of a context have tokens")
        if self.address in BY_TOKEN and not input_projections:
            raise ValueError(f"address={self.address!r} requires input_projections=True")
        tokens = n_item_tokens(task)
        if self.address == "own" and n_hidden < self.k * tokens:
            raise ValueError(
                f"n_hidden must be at least {self.k * tokens} where each of {tokens} tokens has k = {self.k} units of "
                f"its own, not {n_hidden}"
            )
        if self.address == "letter":
            query_of(task)

    def check_units(self, n_hidden: int) -> None:
        """Raise an error if there are fewer hidden units than winners."""
        if n_hidden < self.k:
            raise ValueError(f"n_hidden must be at least k = {self.k}, the number of winners, not {n_hidden}")

    def n_weights(self, n_hidden: int, key_dim: int, n_item_tokens: int, n_outputs: int) -> int:
        """The number of fast weights: of W_HK, W_IH, W_VH and g."""
        connections = part_of(self.fan_in, key_dim) + part_of(self.item_fan_out, n_item_tokens)
        return n_hidden * (connections + n_outputs + 1)

    def fast_weights(self, sizes: Sizes, task: Task, input_projections: bool, wiring: int) -> Context:
        """Return room for the fast weights of one sequence, and the connections."""
        address = self.address or ("token" if input_projections else "start")
        projected = units_of_tokens(address, task, sizes.n_tokens, sizes.n_units, self.k, wiring)
        return self.context(sizes, n_item_tokens(task), address, projected, wiring)

    def context(
        self, sizes: Sizes, n_item_tokens: int, address: str, projected: NDArray[np.int64], wiring: int
    ) -> Context:
        """Return room for fast weights; ``projected``, (D, k), are the units that tokens drive, −1 for none."""
        n, N, D, n_outputs = sizes
        rng = np.random.default_rng(wiring)
        seen = part_of(self.fan_in, N)
        inputs = np.empty((1 if self.masks == "shared" else n, seen), np.uint32)
        draw_subsets(rng, np.arange(N, dtype=np.uint32), inputs)
        reached = np.empty((n, part_of(self.item_fan_out, n_item_tokens)), np.uint32)
        draw_subsets(rng, np.arange(n_item_tokens, dtype=np.uint32), reached)
        reaches = np.zeros((n, D))
        reaches[:, n_item_tokens:] = 1.0  # of tokens that only ask: they matter only if fast weights begin at random
        np.put_along_axis(reaches, reached.astype(np.int64), 1.0, axis=1)
        f = seen / N
        first = (n_outputs, D) if self.start == "random" else (0, 0)
        return Context(
            inputs=np.ascontiguousarray(np.broadcast_to(np.sort(inputs, axis=1), (n, seen)), np.int64),
            reaches=reaches,
            projected=projected,
            keys=np.zeros((n, seen)),
            values=np.zeros((n, n_outputs)),
            items=np.zeros((n, D)),
            g=np.zeros(n),
            live=np.zeros(n, np.int64),
            is_live=np.zeros(n, np.bool_),
            seen=np.zeros(D, np.int64),
            is_seen=np.zeros(D, np.bool_),
            key=np.zeros(1, np.uint64),
            count=np.zeros(5, np.int64),
            when=np.zeros(n, np.int64),
            near=np.zeros(n, np.int64),
            is_near=np.zeros(n, np.bool_),
            winners=np.zeros(self.k, np.int64),
            attended=np.zeros(n, np.int64),
            v=np.zeros(n_outputs),
            first_values=np.zeros((first[0], n if first[0] else 0)),
            first_items=np.zeros((first[1], n if first[0] else 0)),
            key_dim=N,
            rate=self.rate,
            beta=1 / (f * self.rate) if self.beta is None else self.beta,
            gain=self.gain(address, n, seen) * f if address in (*BY_TOKEN, "key") else 0.0,
            scales=self.projection_gain is None,
            by_age=address == "oldest",
            match=self.gain(address, n, seen) * f * self.rate,
            high=HIGHEST_KEY if address == "start" else 0.0,
            fan_out=reached.shape[1] / n_item_tokens if n_item_tokens else 1.0,
            normalises=self.normalise,
            by_winners=self.reading == "winners",
            redraws=address == "redrawn",
        )

    def gain(self, address: str, n_units: int, n_seen: int) -> float:
        """γ, for units that see some components of a key."""
        if self.projection_gain is not None:
            return self.projection_gain
        if address == "oldest":
            return least_match(n_units, self.k, n_seen)
        if address == "key":
            return WHOLE_KEYS if self.fan_in == 1 else PARTS_OF_KEYS
        return OF_TOKENS

    def setup(self, key: int, input_projections: bool) -> np.uint64:
        """Initial fast weights, ties and redrawn projections come from the key."""
        return np.uint64(key)

    def stored(self, fast: Context) -> WeightArrays:
        """Return copies of the fast weights, with 0 where there is no connection."""
        W_HK = np.zeros((len(fast.g), fast.key_dim))
        np.put_along_axis(W_HK, fast.inputs, fast.keys, axis=1)
        return WeightArrays(W_HK, fast.values.T.copy(), fast.items.T.copy())

    def winners(self, fast: Context, unit: int) -> NDArray[np.int64]:
        """The units that stored the last item, (k,)."""
        return fast.winners.copy()

    def strength(self, fast: Context, before: Matrix, winners: NDArray[np.int64]) -> Matrix:
        """g."""
        return fast.g.copy()

    def kept(self, fast: Context) -> dict[str, NDArray[Any]]:
        """W_HK of the connections, W_VH, W_IH, g, the units and tokens that are not 0, and what ties are drawn by."""
        arrays = {name: getattr(fast, name) for name in (*KEPT, *(["when"] if fast.by_age else []))}
        lists = {"live": fast.live[: fast.count[LIVE]], "seen": fast.seen[: fast.count[SEEN]]}
        return arrays | lists | {"stored": fast.count[STORED : STORED + 1]}

    def restore(self, fast: Context, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Make fast weights what was kept."""
        for name in KEPT:
            put(name, getattr(fast, name), arrays[name])
        put("stored", fast.count[STORED : STORED + 1], arrays["stored"])
        for name, place, flags in (("live", LIVE, fast.is_live), ("seen", SEEN, fast.is_seen)):
            fast.count[place] = put_listed(name, getattr(fast, name), arrays[name])
            flags[:] = False
            flags[arrays[name]] = True
        idle = ~fast.is_live
        unused = [fast.values[idle], fast.items[idle], fast.g[idle], fast.items[:, ~fast.is_seen]]
        if any(part.any() for part in unused) or (fast.high == 0 and fast.keys[idle].any()):
            raise ValueError("live or seen lacks units or tokens whose weights are not 0")
        if not 0 <= fast.count[STORED] < MOST_STORED or fast.g.min() < 0 or fast.g.max() > 1 + ROUNDING:
            raise ValueError(f"g must be from 0 to 1, and stored from 0 to below {MOST_STORED}")

        if fast.by_age:
            put_ages(fast, arrays["when"])

    def attention(self, fast: Context, q: Matrix, s: Matrix) -> Matrix:
        """The softmax over all units, or over those that win at the query."""
        h = fast.beta * (fast.keys * q[fast.inputs]).sum(axis=1)
        if fast.by_winners:
            others = np.ones(len(h), bool)
            others[fast.attended[: fast.count[ATTENDED]]] = False
            h[others] = -np.inf
        raised = np.exp(h - h.max())
        found: Matrix = raised / raised.sum()
        return found


def put_ages(fast: Context, when: NDArray[Any]) -> None:
    """Make the ages of units what was kept; ValueError if they cannot be, for the number of items that were stored."""
    put("when", fast.when, when)
    written = int(np.count_nonzero(when))
    held = (fast.g > 0) == (when > 0)
    if not (held.all() and when[:written].all() and 0 <= when.min() <= when.max() <= fast.count[STORED]):
        raise ValueError(
            f"when must be numbers of items from 1 to {fast.count[STORED]} in the first units, those that hold "
            "something, and 0 in the others"
        )
    fast.count[WRITTEN] = written


def part_of(fraction: float, whole: int) -> int:
    """A fraction of a number of connections, at least one; halves round up."""
    return min(max(int(np.floor(fraction * whole + 0.5)), 1), whole)
