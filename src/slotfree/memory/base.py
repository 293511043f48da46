"""What all memories share: what others ask of them, how patterns come in and go out, their files, and the list of all.

A new memory is one module: a frozen dataclass of settings, and a class that says how it begins, stores, retrieves, and
what of it is saved. Declaring the class adds it to the list; ``sf.retention`` then takes its settings.
"""

import copy
import os
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.display.counts import counted_words
from slotfree.display.html import Html, card
from slotfree.files.memory_file import read_arrays, read_settings, write_memory
from slotfree.files.options import told
from slotfree.files.safetensors import ArrayFile, Arrays
from slotfree.files.saved_arrays import Saved, copied, saved_bytes


class Memory(Protocol):
    """What the retention protocol asks of a memory."""

    def store(self, patterns: NDArray[np.uint8]) -> None:
        """Store the rows in order."""

    def retrieve(self, cues: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return what each row recalls."""


class Settings(Protocol):
    """A frozen dataclass with the arguments of a memory, except its seed."""

    @property
    def n_visible(self) -> int:
        """Units of the visible layer."""

    @property
    def k_visible(self) -> int:
        """Ones of every recalled pattern."""

    @property
    def n_weights(self) -> int | None:
        """Weights: numbers that learn independently of one another (see the glossary); None if their number grows."""


S = TypeVar("S")
B = TypeVar("B", bound=Settings)

_MEMORIES: "dict[type, type[SavedMemory[Any]]]" = {}  # by the class of their settings


class SavedMemory(ABC, Generic[S]):
    """A memory with settings that can be saved; ``class Mine(SavedMemory[MySettings])`` adds one to the list of all.

    It is built from the arguments of its settings and a seed.

    Attributes
    ----------
    settings : the frozen dataclass of the memory's arguments, except its seed; it cannot be exchanged for another.
    n_stored : how many patterns have been stored.
    """

    settings_class: ClassVar[type]
    format_name: ClassVar[str]
    version: ClassVar[str] = "1"  # of the file
    stream: ClassVar[str] = "memory"  # names its random stream: with the same seed, other streams are unrelated

    n_stored: int

    def __init_subclass__(cls) -> None:
        for base in cls.__dict__.get("__orig_bases__", ()):
            for argument in get_args(base):
                if isinstance(argument, type):
                    cls._declare(argument)

    @classmethod
    def _declare(cls, settings_class: type) -> None:
        cls.settings_class = settings_class
        cls.format_name = f"slotfree.{cls.__name__}"
        _MEMORIES[settings_class] = cls
        if cls.__init__ is SavedMemory.__init__:
            shown = signature(settings_class)
            seed = Parameter("seed", Parameter.KEYWORD_ONLY, annotation=checks.Seed)
            cls.__signature__ = shown.replace(  # type: ignore[attr-defined]
                parameters=[*shown.parameters.values(), seed], return_annotation=signature(cls).return_annotation
            )

    def __init__(self, *arguments: Any, seed: checks.Seed | None = None, **named: Any) -> None:
        if seed is None:
            kinds = "an integer, a numpy.random.SeedSequence or a numpy.random.Generator"
            raise TypeError(f"seed must be {kinds}, not None: {type(self).__name__}(..., seed=0)")
        self._settings: S = self.settings_class(*arguments, **named)
        self.n_stored = 0
        rng = checks.generator(seed, self.stream)
        check_fits(f"a {type(self).__name__} of these settings", self.peak_bytes(self._settings, 0))
        self._begin(rng)

    @classmethod
    def from_settings(cls, settings: S, seed: checks.Seed) -> Self:
        """Return a new memory of binary patterns that settings describe."""
        return cls(**arguments(settings), seed=seed)

    @classmethod
    def restored(cls, settings: S, n_stored: int, arrays: Arrays) -> Self:
        """Return the memory whose ``arrays()`` were these; it has copies of them.

        Everything is checked as in a file: types, shapes, and every number.
        """
        if not isinstance(settings, cls.settings_class):
            raise TypeError(f"settings must be {cls.settings_class.__name__}, not {checks.shown(settings)}")
        n_stored = checks.integer("n_stored", n_stored, 0, checks.MANY)
        return cls._made(settings, n_stored, copied(cls.saved(settings, n_stored), arrays))

    @classmethod
    def _made(cls, settings: S, n_stored: int, arrays: Arrays) -> Self:
        """Return the memory that was saved as such arrays, which have been checked; they become its own."""
        memory = cls.__new__(cls)
        memory._settings, memory.n_stored = settings, n_stored
        memory._restore(arrays)
        return memory

    @property
    def settings(self) -> S:
        """The frozen dataclass of the memory's arguments, except its seed."""
        return self._settings

    def copy(self) -> Self:
        """Return an independent copy, a snapshot: given the same patterns, both go on to the same bits.

        ``copy.deepcopy(memory)`` is the same without the check that the copy fits the machine.
        """
        check_fits(f"a copy of this {type(self).__name__}", self.peak_bytes(self.settings, self.n_stored))
        return copy.deepcopy(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a safetensors file, atomically: a crash leaves the old file or the new one."""
        write_memory(path, self.format_name, self.version, self.settings, self.n_stored, self.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a memory that ``save`` wrote; it continues exactly as the saved one would have.

        Nothing in the file is executed, and everything in it is checked.

        Raises
        ------
        FormatError : if the file is not a whole and valid memory of this class.
        MemoryError : if the memory needs more than the machine has available.
        """
        with ArrayFile(path) as file:
            settings, n_stored = read_settings(file, cls.format_name, cls.version, cls.settings_class)
            peak_bytes = cls.peak_bytes(settings, n_stored, loading=True)
            return cls._made(settings, n_stored, read_arrays(file, cls.saved(settings, n_stored), peak_bytes))

    @abstractmethod
    def store(self, patterns: ArrayLike) -> None:
        """Store one pattern (n_visible,), or many (T, n_visible) in their order."""

    @abstractmethod
    def retrieve(self, cues: ArrayLike) -> NDArray[Any]:
        """Return what each cue recalls; the memory stays as it is."""

    @abstractmethod
    def _begin(self, rng: np.random.Generator) -> None:
        """Make what a new memory has before it stores anything, out of ``self.settings``."""

    @classmethod
    @abstractmethod
    def saved(cls, settings: S, n_stored: int) -> list[Saved]:
        """Describe the arrays of a file: they follow from the settings and how many patterns were stored."""

    @classmethod
    def peak_bytes(cls, settings: S, n_stored: int, *, loading: bool = False) -> int:
        """Return how much of the machine's memory is taken at most while one is made, or loaded from a file.

        By default it is what its saved arrays take; a memory with others says here what it takes.
        """
        return saved_bytes(cls.saved(settings, n_stored))

    def arrays(self) -> Arrays:
        """Return the arrays to be saved, by name; by default the attributes of these names."""
        return {each.name: getattr(self, each.name) for each in self.saved(self.settings, self.n_stored)}

    def _restore(self, arrays: Arrays) -> None:
        """Take over arrays that were read from a file and are as described; by default as attributes."""
        vars(self).update(arrays)

    def __repr__(self) -> str:
        listed = ", ".join(
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in told(self.settings).items()
        )
        return f"{type(self).__name__}({listed}): {self._summary()}"

    def _repr_html_(self) -> str:
        """Return the settings and what the memory holds, as a notebook shows them."""
        return card(type(self).__name__, told(self.settings), note=self._summary(), picture=self._glance())

    def _glance(self) -> Html | None:
        """A small picture of what the memory holds, for notebooks, if there is one that takes no time."""
        return None

    @abstractmethod
    def _summary(self) -> str:
        """What the memory holds, in a few words."""


class BinaryMemory(SavedMemory[B]):
    """A memory of patterns of n_visible zeros and ones that recalls patterns with exactly k_visible ones.

    ``class Mine(BinaryMemory[MySettings])`` needs ``_begin``, ``_store``, ``_retrieve`` and ``saved``.
    """

    def store(self, patterns: ArrayLike) -> None:
        """Store one pattern (n_visible,), or many (T, n_visible) in their order, which is the same as one by one.

        Patterns may have any number of ones; what is recalled has k_visible.
        """
        rows = checks.binary_rows("patterns", patterns, self.settings.n_visible)
        self._store(rows)
        self.n_stored += len(rows)

    def retrieve(self, cues: ArrayLike, *, threads: int = 1) -> NDArray[np.uint8]:
        """Return what each cue recalls; the memory stays as it is.

        Parameters
        ----------
        cues : (n_visible,) or (T, n_visible) of zeros and ones, any number of ones.
        threads : the number of threads that share the cues; the result is the same for any number.

        Returns
        -------
        uint8 array of the same shape, with exactly k_visible ones per pattern.
        """
        n_visible = self.settings.n_visible
        rows = checks.binary_rows("cues", cues, n_visible)
        return self._retrieve_all(rows, checks.integer("threads", threads, 1)).reshape(np.shape(cues))

    @abstractmethod
    def _store(self, patterns: NDArray[np.uint8]) -> None:
        """Store the rows in order."""

    @abstractmethod
    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        """Write what each row recalls to out, which holds zeros; several threads may do so at once."""

    def _retrieve_all(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return what each row recalls; by default, threads share the rows."""
        return per_row(self._retrieve, cues, self.settings.n_visible, threads)

    def _summary(self) -> str:
        s = self.settings
        size = f"{s.n_synapses:,} synapses" if hasattr(s, "n_synapses") else f"{s.n_weights:,} weights"
        return f"{size}, {counted_words(self.n_stored, 'patterns')} stored"


def memories() -> dict[str, type[SavedMemory[Any]]]:
    """Return all memories, in the order of their names: those of this package and those declared elsewhere.

    Examples
    --------
    >>> "KWinnerMHN" in memories()
    True
    """
    room = import_module("slotfree.memory")
    for module in pkgutil.iter_modules(room.__path__, "slotfree.memory."):
        import_module(module.name)
    return {kind.__name__: kind for kind in sorted(_MEMORIES.values(), key=lambda kind: kind.__name__)}


def has_memory(settings: object) -> bool:
    """Return whether an object is the settings of some memory."""
    return type(settings) in _MEMORIES


def build(settings: Settings, seed: np.random.SeedSequence) -> Memory:
    """Return a new memory that its settings describe."""
    return _MEMORIES[type(settings)].from_settings(settings, seed)


def load_memory(path: str | os.PathLike[str]) -> SavedMemory[Any]:
    """Read a memory of any class from its file at ``path``; see ``SavedMemory.load``.

    Examples
    --------
    >>> import slotfree as sf
    >>> sf.KWinnerMHN(seed=0).save("memory.safetensors")
    >>> type(load_memory("memory.safetensors")).__name__
    'KWinnerMHN'
    """
    with ArrayFile(path) as file:
        found = file.metadata.get("format")
        kinds = {kind.format_name: kind for kind in memories().values()}
        if found not in kinds:
            file.refuse(f"its format is {checks.shown(found)}, not one of {', '.join(sorted(kinds))}")
    return kinds[found].load(path)


def arguments(settings: Any) -> dict[str, Any]:
    """Return the fields of a settings dataclass by name."""
    return {field.name: getattr(settings, field.name) for field in fields(settings)}


def keep(settings: object, **checked: object) -> None:
    """Set fields of a frozen dataclass to their checked values; for its ``__post_init__``."""
    for name, value in checked.items():
        object.__setattr__(settings, name, value)


def check_layers(settings: object, *layers: str) -> None:
    """Check the units of layers, n_…, and the winners among them, k_…, if settings have some; for ``__post_init__``."""
    for layer in layers:
        n_units = checks.integer(f"n_{layer}", getattr(settings, f"n_{layer}"), 1, checks.MANY)
        keep(settings, **{f"n_{layer}": n_units})
        if hasattr(settings, f"k_{layer}"):
            k_units = checks.integer(f"k_{layer}", getattr(settings, f"k_{layer}"), 1, n_units, f"n_{layer}")
            keep(settings, **{f"k_{layer}": k_units})


def check_fractions(settings: object, *names: str) -> None:
    """Check fields that must be in (0, 1]; for ``__post_init__``."""
    keep(settings, **{name: checks.fraction(name, getattr(settings, name)) for name in names})


def per_row(
    kernel: Callable[[NDArray[np.uint8], NDArray[np.uint8]], object], rows: NDArray[np.uint8], width: int, threads: int
) -> NDArray[np.uint8]:
    """Let a kernel fill one row of the given width, which holds zeros, for each row; threads share the rows."""
    threads = min(checks.integer("threads", threads, 1), len(rows)) or 1
    out = np.zeros((len(rows), width), np.uint8)
    if threads == 1:
        kernel(rows, out)
    else:
        parts = [slice(t * len(rows) // threads, (t + 1) * len(rows) // threads) for t in range(threads)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda part: kernel(rows[part], out[part]), parts))
    return out
