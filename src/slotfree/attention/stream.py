"""A trained model as a memory without a window: items are stored without end, and asked for at any time."""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.file import (
    read_all,
    read_parts,
    refuse_others,
    weight_arrays,
    weight_shapes,
    weights_in,
    write_file,
)
from slotfree.attention.lock import OwnLock
from slotfree.attention.prediction import answers, fast_key, finite
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.base import MOST_STORED, put
from slotfree.attention.weights import Weights, one_model, to_slow
from slotfree.available_memory import check_fits
from slotfree.display.counts import counted_words
from slotfree.display.glance import of_share
from slotfree.display.html import card
from slotfree.files.safetensors import ArrayFile
from slotfree.kernels.attention.slot_free import BY_STEP, Placement
from slotfree.kernels.attention.training import STREAM, Shown
from slotfree.tasks.base import Task, check_task
from slotfree.tasks.given_items import item_size, read_items, read_queries

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

FORMAT = "slotfree.Stream"
COPIES = 4  # of its largest arrays that a stream takes while it is loaded


class StreamWeights(NamedTuple):
    """The fast weights of a stream as the equations have them, copied.

    Attributes
    ----------
    W_HK, W_VH, W_IH : (n_h, N), (n_outputs, n_h) and (D, n_h); 0 where there is no connection.
    g : how much each unit has stored, from 0 to 1, (n_h,).
    """

    W_HK: Array
    W_VH: Array
    W_IH: Array
    g: Array


class Stream:
    """Fast weights that live on: each item is stored as in a context, and nothing is ever reset.

    The slow weights stay as they are. The size of a stream does not depend on how much was stored in it. Before
    anything is stored, outputs are what is in the initial fast weights: 0 with ``Winners``, and so the first output is
    the answer, and random numbers with the paper's storage. Threads that share a stream take turns.

    Parameters
    ----------
    model : a ``SlotFreeTransformer``. With storage "perfect", item t needs unit t, and there is no stream.
    weights : of one model, such as ``result.weights[0]``.
    task : what tells tokens and outputs apart. Whether it resets fast weights plays no part.
    seed : of the fast weights before the first item.

    Attributes
    ----------
    model, weights, task : as given.
    n_stored : how many items have been stored.

    Examples
    --------
    >>> import slotfree as sf
    >>> model, task = sf.SlotFreeTransformer(), sf.CaseSequenceTask()
    >>> result = sf.train(model, task, runs=1, iterations=400, seed=0)
    >>> stream = sf.Stream(model, result.weights[0], task)
    >>> stream.store("bADcBa")
    >>> int(stream.answer("d")), stream.n_stored   # uppercase
    (1, 6)
    """

    def __init__(self, model: SlotFreeTransformer, weights: Weights, task: Task, *, seed: checks.Seed = 0) -> None:
        check_task(task)
        self._set(model, weights, task, fast_key(checks.generator(seed, "fast weights")))
        self._engine.start(0)

    def _set(self, model: SlotFreeTransformer, weights: Weights, task: Task, key: int) -> None:
        """Everything but what is stored."""
        self.model, self.task, self.n_stored, self._key = model, task, 0, key
        self.weights = one_model(weights, model, task)
        self._engine = engine = model.engine(task, key, weights.drawn_by)
        if isinstance(engine.setup, Placement) and engine.setup.unit == BY_STEP:
            raise ValueError(
                f"storage must find units by their drives, not {model.storage!r}: there, item t needs unit t, and a "
                "stream has no last item"
            )
        self._slow = to_slow(self.weights)
        self._item_size, self._g, self._lock = item_size(task), np.zeros(model.units), OwnLock()

    def __repr__(self) -> str:
        return f"Stream({self.model}, {self.task}): {counted_words(self.n_stored, 'items')} stored"

    def _repr_html_(self) -> str:
        """Return the model, the task and how much is stored, as a notebook shows them."""
        with self._lock:
            used = int(np.count_nonzero(self._g))
        glance = of_share(used, self.model.units, f"the hidden units hold something: {used:,}")
        rows = {"model": self.model, "task": self.task}
        return card("Stream", rows, note=f"{counted_words(self.n_stored, 'items')} stored", picture=glance)

    def store(self, items: Any) -> None:
        """Store one item or many, in their order, which is the same as one by one.

        Parameters
        ----------
        items : by names, "bADc" for four letters, "a3c1" or ["a3", "c1"] for two pairs; or by numbers of tokens, (n,),
            or (n, T) for items with T tokens each. Any number of them.
        """
        tokens = read_items(self.task, items, self._item_size)
        self._play(tokens, np.empty(0, np.int64), np.empty(0, np.int64))

    def outputs(self, queries: Any) -> Array:
        """Return what is reported for one query, (n_outputs,), or for many, (n, n_outputs); nothing is changed.

        Parameters
        ----------
        queries : by names, "d" or ["d", "a"], or by numbers of tokens, () or (n,).
        """
        tokens = read_queries(self.task, queries)
        no_items = np.empty((0, self._item_size), np.int64)
        out = self._play(no_items, tokens.reshape(-1), np.full(tokens.size, -1))
        return finite(out).reshape(*tokens.shape, self.task.n_outputs)

    def answer(self, queries: Any) -> Any:
        """Return the number of the largest output for one query, or for many, (n,); of equal ones the first.

        Nothing is changed. See ``outputs``; ``task.output_names`` has names for the numbers.
        """
        found = answers(self.outputs(queries))
        return found if found.ndim else int(found)

    def play(self, items: Any, queries: Any, after: Any) -> Integers:
        """Store items, and ask meanwhile: query n when item ``after[n]`` of these has just been stored.

        This is ``store`` and ``answer`` in turn, and quick. Return the number of the largest output for each, (n,).

        Parameters
        ----------
        items, queries : as above, (n,) queries.
        after : for each query the number of an item, from 0 on, in ascending order, (n,).
        """
        tokens, asked = read_items(self.task, items, self._item_size), np.atleast_1d(read_queries(self.task, queries))
        when = np.ascontiguousarray(checks.unmasked("after", after))
        when = when if when.size else when.astype(np.int64)
        fine = when.dtype.kind in "iu" and when.shape == asked.shape and (np.diff(when.astype(np.int64)) >= 0).all()
        if not fine or (when.size and not 0 <= when[0] <= when[-1] < len(tokens)):
            raise ValueError(
                f"after must hold {asked.size} integers from 0 to {len(tokens) - 1}, ascending, "
                f"not {checks.shown(after)}"
            )
        return answers(finite(self._play(tokens, asked, when.astype(np.int64))))

    def _play(self, items: Integers, queries: Integers, after: Integers) -> Array:
        """Store items, (n_items, T), ask each query after an item, −1 before the first, and return all outputs."""
        with self._lock:
            shown = Shown(items, self.n_stored, MOST_STORED, STREAM)
            units, out = self._engine.play(self._slow, shown, queries, after)
            if units.size:
                self._g = self._engine.storage.strength(self._engine.fast, self._g, units)
                self.n_stored += units.size
        return out

    @property
    def fast_weights(self) -> StreamWeights:
        """The fast weights as they are now, copied."""
        with self._lock:
            return StreamWeights(*self._engine.copy(), self._g.copy())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all of it to a safetensors file, atomically: a crash leaves the old file or the new one."""
        with self._lock:
            fast = {f"fast.{name}": part for name, part in self._engine.storage.kept(self._engine.fast).items()}
            arrays = {**weight_arrays(self.weights), "g": self._g, **fast}
            words = {"key": str(self._key), "n_stored": str(self.n_stored)}
            write_file(path, FORMAT, self.model, self.task, words, arrays)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, task: Task | None = None, model: SlotFreeTransformer | None = None
    ) -> Self:
        """Read a stream that ``save`` wrote; it goes on exactly as the saved one would have.

        Nothing in the file is executed, and everything in it is checked.

        Parameters
        ----------
        task, model : needed if they, or a key rule or storage, are your own: they must be those that were saved.

        Raises
        ------
        FormatError : if the file is not a whole and valid stream.
        ValueError : if a task or a model is needed, or is not the one that was saved.
        MemoryError : if the stream needs more than the machine has available.
        """
        with ArrayFile(path) as file:
            made, shown = read_parts(file, FORMAT, {"key", "n_stored"}, model, task)
            if not isinstance(made, SlotFreeTransformer):
                file.refuse("its model has no stream")
            key, n_stored = _count(file, "key", 2**64), _count(file, "n_stored", MOST_STORED)
            fast = [name for name in file.shapes if name.startswith("fast.")]
            shapes = weight_shapes(file, made, shown) | {"g": (made.units,)}
            refuse_others(file, shapes | {name: file.shapes[name] for name in fast})
            needed = made.units * (made.key_dim + shown.n_outputs + shown.n_tokens)
            check_fits(f"the stream in {checks.shown(str(path))}", 8 * COPIES * needed)
            arrays = read_all(file)
            stream = cls.__new__(cls)
            try:
                weights = weights_in(arrays, arrays.get("wiring"))
                stream._set(made, weights, shown, key)
                stream._restore(arrays["g"], {name.removeprefix("fast."): arrays[name] for name in fast}, n_stored)
            except (TypeError, ValueError) as error:
                file.refuse(str(error))
            return stream

    def _restore(self, g: Array, fast: Mapping[str, NDArray[Any]], n_stored: int) -> None:
        """Make the stream what it was; ValueError if it cannot have been."""
        storage = self._engine.storage
        names = sorted(storage.kept(self._engine.fast))
        if sorted(fast) != names:
            raise ValueError(f"its fast weights are {checks.shown(sorted(fast))}, not {names}")
        storage.restore(self._engine.fast, fast)
        put("g", self._g, g)
        if (storage.strength(self._engine.fast, g, np.empty(0, np.int64)) != g).any() or g.min() < 0:
            raise ValueError("g is not that of its fast weights")
        self.n_stored = n_stored


def _count(file: ArrayFile, name: str, limit: int) -> int:
    """An integer out of the metadata, from 0 to below a limit."""
    word = file.metadata[name]
    fine = word.isascii() and word.isdigit() and len(word) <= 20 and str(int(word)) == word
    if not fine or int(word) >= limit:
        file.refuse(f"its {name} is {checks.shown(word)}, not an integer from 0 to {limit - 1}")
    return int(word)
