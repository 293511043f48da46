"""Slot-free transformers: the context lives in the fast weights of a hetero-associative MHN (paper, section 3.3)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.engine import Engine
from slotfree.attention.key_rules import KEY_RULES, KeyRule, key_rule
from slotfree.attention.prediction import Transformer, fast_key, only_query
from slotfree.attention.registry import name_if_known
from slotfree.attention.storages.base import Storage, WeightArrays, rule_kernels
from slotfree.attention.storages.connections import Connections, connections_of
from slotfree.attention.storages.named import STORAGES, storage
from slotfree.attention.storages.winners import Winners, part_of
from slotfree.attention.weights import NAMES, Weights, one_model, sizes_of, to_slow
from slotfree.display.html import card, settings
from slotfree.kernels.attention.transformer import SlowWeights
from slotfree.tasks.base import Task
from slotfree.tasks.given_sequences import one_sequence

if TYPE_CHECKING:
    from slotfree.attention.stream import Stream


@dataclass(frozen=True)
class SlotFreeTrace:
    """What happens in one sequence.

    Attributes
    ----------
    winners : the hidden unit that stored each item, (C,), or the k units, (C, k). One winner that occurs twice has lost
        its first item.
    W_HK, W_VH, W_IH : the fast weights before the context and after each item, (C + 1, n_h, N),
        (C + 1, n_outputs, n_h) and (C + 1, D, n_h).
    g : how much each unit has stored, from 0 to 1, before the context and after each item, (C + 1, n_h).
    attention : s, of all hidden units, used or not, (n_h,).
    reinstated : x̃ = W_IH s, divided by f_out g·s where the storage says so, (D,).
    output : ŷ = W_V x̃, which is trained, (n_outputs,).
    stored_output : ŷ_val = W_VH s, divided by g·s where the storage says so, which is reported, (n_outputs,).
    """

    winners: NDArray[np.int64]
    W_HK: NDArray[np.float64]
    W_VH: NDArray[np.float64]
    W_IH: NDArray[np.float64]
    g: NDArray[np.float64]
    attention: NDArray[np.float64]
    reinstated: NDArray[np.float64]
    output: NDArray[np.float64]
    stored_output: NDArray[np.float64]


@dataclass(frozen=True)
class SlotFreeTransformer(Transformer):
    """A transformer whose context is stored, item by item, in fast weights, and that learns by local rules.

    For each item the unit with the largest drive, a = σ(W_HK k_t [+ W_HI x_t]), replaces its weights by k_t, v_t and
    x_t. At the query, a_q = softmax(W_HK q), x̃ = W_IH a_q, ŷ = W_V x̃. Gradients pass through the fast weights within
    the query step only (SI B.2, B.4). Other storages store an item in other units, or in several.

    Parameters
    ----------
    key_rule : how W_K learns. "fixed": it does not. "mhn": by ŷ_K = W_VH softmax(W_HK W_K x̃) against the target.
        "query-key": by the delta rule (W_K x̃ − q) x̃ᵀ. Or a ``KeyRule`` of your own.
    input_projections : whether each token of an item also drives a hidden unit of its own while the context is stored.
    key_dim : N, the size of keys and queries.
    n_hidden : n_h; None is the paper's, 10 with fixed keys and 16 else. Input projections need one unit for each token
        that items are made of: two for each letter.
    storage : how items are stored: "winner", as above, or "perfect", where item t is stored by unit t whatever the
        drives are; or an object, such as ``sf.Winners(k=3, fan_in=0.1)``, where several units store each item, or any
        other of ``slotfree.attention.storages``.

    Examples
    --------
    >>> import slotfree as sf
    >>> task = sf.CaseSequenceTask()
    >>> model = sf.SlotFreeTransformer(key_rule="query-key", key_dim=50, n_hidden=16)
    >>> result = sf.train(model, task, runs=2, iterations=100, seed=0)
    >>> inside = model.inspect(result.weights[0], task, context="bADc", query="d")
    >>> inside.winners.shape, inside.attention.shape
    ((4,), (16,))
    """

    key_rule: Literal["fixed", "mhn", "query-key"] | KeyRule = "query-key"
    input_projections: bool = True
    key_dim: int = 50
    n_hidden: int | None = None
    storage: Literal["winner", "perfect"] | Storage = "winner"

    def __post_init__(self) -> None:
        object.__setattr__(self, "key_rule", name_if_known(key_rule(self.key_rule), KEY_RULES))
        object.__setattr__(self, "storage", name_if_known(storage(self.storage), STORAGES))
        if not isinstance(self.input_projections, bool):
            raise TypeError(f"input_projections must be True or False, not {checks.shown(self.input_projections)}")
        object.__setattr__(self, "key_dim", checks.integer("key_dim", self.key_dim, 1, checks.MANY))
        rule_kernels(self.context_storage, self.rule)
        n_hidden = self.rule.n_hidden if self.n_hidden is None else self.n_hidden
        object.__setattr__(self, "n_hidden", checks.integer("n_hidden", n_hidden, 1, checks.MANY))

    @property
    def rule(self) -> KeyRule:
        """The key rule as an object, however it was given."""
        return key_rule(self.key_rule)

    @property
    def context_storage(self) -> Storage:
        """The storage as an object, however it was given."""
        return storage(self.storage)

    @property
    def rates(self) -> dict[str, float]:
        """The learning rates of the paper, for its task, or of a key rule of your own; see ``attention.rates``."""
        return dict(zip(NAMES, self.rule.rates, strict=True))

    @property
    def learned(self) -> tuple[str, ...]:
        """The names of the weights that can learn."""
        return NAMES if self.rule.learns else ("W_Q", "W_V")

    @property
    def initial_spread(self) -> float:
        """Standard deviation of the entries of W_Q and W_K before training, 1/√N."""
        return float(self.key_dim**-0.5)

    @property
    def units(self) -> int:
        """n_h as a number, whether it was given or not."""
        return int(self.n_hidden or 0)

    def check(self, task: Task) -> None:
        """Raise an error if the hidden layer is too small for a task."""
        self.context_storage.check(self.units, self.input_projections, task)

    @property
    def fan_in(self) -> float:
        """The part of a key that each hidden unit sees, an integer of its components."""
        return part_of(self.context_storage.fan_in, self.key_dim) / self.key_dim

    def holds_only_items(self, task: Task) -> bool:
        """Whether what is reinstated is made of items of the context alone."""
        return self.context_storage.holds_only_items(self.units, task)

    @property
    def is_wired(self) -> bool:
        """Whether connections of the fast weights are drawn at random."""
        return self.context_storage.is_wired

    def engine(self, task: Task, key: int, wiring: int = 0) -> "SlotFreeEngine":
        """Return what computes batches of a task; fast weights are drawn under the key, connections under wiring."""
        self.check(task)
        return SlotFreeEngine(self, task, key, wiring)

    def connections(self, weights: Weights, task: Task) -> Connections:
        """Return the connections that were drawn for one model with ``Winners``: masks and projections.

        Examples
        --------
        >>> import slotfree as sf
        >>> model = sf.SlotFreeTransformer(n_hidden=40, storage=sf.Winners(k=3, fan_in=0.1))
        >>> result = sf.train(model, sf.CaseSequenceTask(), runs=1, iterations=2, seed=0)
        >>> wires = model.connections(result.weights[0], result.task)
        >>> wires.keys.shape, wires.keys.sum(axis=1).max(), wires.projected.shape
        ((40, 50), np.int64(5), (12, 3))
        """
        if not isinstance(self.context_storage, Winners):
            raise ValueError(f"storage must be Winners, whose connections are drawn, not {self.storage!r}")
        return connections_of(self.engine(task, 0, one_model(weights, self, task).drawn_by).fast)

    def inspect(
        self, weights: Weights, task: Task, context: Any, query: Any, *, seed: checks.Seed = 0
    ) -> SlotFreeTrace:
        """Run one sequence step by step, given by names such as "bADc" and "d", and return what can be seen inside.

        A task without names takes numbers of tokens. The seed draws the fast weights that are there before the context.
        """
        slow = to_slow(one_model(weights, self, task))
        sequence = one_sequence(task, context, query)
        asked = only_query(sequence)
        key = fast_key(checks.generator(seed, "fast weights"))
        engine = self.engine(task, key, weights.drawn_by)
        fast_weights, strengths = [engine.start(0)], [np.zeros(self.units)]
        winners = []
        for step, item in enumerate(sequence.items[0]):
            winners.append(engine.present(slow, item, step))
            fast_weights.append(engine.copy())
            strengths.append(engine.storage.strength(engine.fast, strengths[-1], winners[-1]))
        activity = engine.answer(slow, asked)
        attention = engine.storage.attention(engine.fast, slow.Q[asked], activity.s)
        W_HK, W_VH, W_IH = (np.array(parts) for parts in zip(*fast_weights, strict=True))
        g, outcome = np.array(strengths), (part.copy() for part in (activity.x, activity.y_hat, activity.y_val))
        return SlotFreeTrace(np.array(winners), W_HK, W_VH, W_IH, g, attention, *outcome)

    def stream(self, weights: Weights, task: Task, *, seed: checks.Seed = 0) -> "Stream":
        """Return a memory without a window, with the weights of one model: items can be stored in it without end.

        The seed draws the fast weights that are there before the first item.
        """
        from slotfree.attention.stream import Stream

        return Stream(self, weights, task, seed=seed)

    def _repr_html_(self) -> str:
        """Return the settings, as a notebook shows them."""
        note = f"learns {', '.join(self.learned)}; each hidden unit sees {100 * self.fan_in:.3g} % of a key"
        return card("SlotFreeTransformer", settings(self), note=note)


class SlotFreeEngine(Engine):
    """What computes batches of one task, with the storage that holds the context."""

    def __init__(self, model: SlotFreeTransformer, task: Task, key: int, wiring: int = 0) -> None:
        self.storage = storage = model.context_storage
        sizes = sizes_of(model.units, model.key_dim, task)
        fast = storage.fast_weights(sizes, task, model.input_projections, wiring)
        setup = storage.setup(key, model.input_projections)
        super().__init__(sizes, storage.kernels, *rule_kernels(storage, model.rule), fast, setup)

    def start(self, number: int) -> WeightArrays:
        """Draw the fast weights of the sequence with this number; return copies of them."""
        self.steps.start(self.fast, self.setup, number)
        return self.copy()

    def present(self, slow: SlowWeights, item: NDArray[np.int64], step: int) -> NDArray[np.int64]:
        """Store one item, given by its tokens, (T,); return the unit that did, or the units."""
        unit = self.steps.present(slow, self.fast, self.activity, item, step, self.setup)
        return self.storage.winners(self.fast, unit)

    def copy(self) -> WeightArrays:
        """The fast weights as they are now, W_HK, W_VH and W_IH."""
        return self.storage.stored(self.fast)
