"""Cues as the protocols take them: levels, kinds by name and level, or functions.

A *cue* is the level c of a partial cue, such as 0.5; a name and a number, such as ("noisy", 0.3), which stands for a
function of ``slotfree.patterns.cues``; or a function ``cue(patterns, seed=...)`` that returns an array of cues. A level
is its own label in results; other cues have a string, such as "noisy 0.3", and so have levels beside them: "0.5".
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.patterns.cues import KINDS, partial_cues

Cue: TypeAlias = float | tuple[str, float] | Callable[..., NDArray[np.uint8]]
Rows: TypeAlias = NDArray[np.uint8]


def checked_cues(cues: Cue | Iterable[Cue]) -> tuple[Cue, ...]:
    """Return cues, given as one or many, as a tuple; those of the kind "partial" are levels."""
    one = isinstance(cues, float | int | str) or callable(cues) or _is_named(cues)
    every: tuple[Any, ...] = (cues,) if one else tuple(cues)  # type: ignore[arg-type]
    found = tuple(_checked(cue) for cue in every)
    if not found or len({label_of(cue) for cue in found}) < len(found):
        raise ValueError(f"cues must be different cue levels, at least one, not {checks.shown(cues)}")
    return found


def checked_cue(cue: Cue) -> Cue:
    """Return one cue, checked."""
    if isinstance(cue, Iterable) and not isinstance(cue, str) and not _is_named(cue):
        raise TypeError(f"cue must be one cue, not {checks.shown(cue)}")
    return _checked(cue)


def checked_levels(cues: float | Iterable[float], theory: type[ValueError] = ValueError) -> tuple[float, ...]:
    """Return cue levels, given as one or many, as a tuple; raise an error if a cue is of another kind.

    Parameters
    ----------
    theory : the error for cues of other kinds, which no theory covers.
    """
    found = checked_cues(cues)
    levels = tuple(cue for cue in found if isinstance(cue, float))
    if len(levels) < len(found):
        other = next(label_of(cue) for cue in found if not isinstance(cue, float))
        raise theory(f"cues must be levels of partial cues, in (0, 1], not {other!r}; sf.retention simulates any cue")
    return levels


def label_of(cue: Cue) -> float | str:
    """Return what results call a cue: a level, or a string."""
    if isinstance(cue, float):
        return cue
    if isinstance(cue, tuple):
        return f"{cue[0]} {cue[1]:g}"
    if isinstance(cue, partial):
        given = [*cue.args, *(f"{name}={value}" for name, value in cue.keywords.items())]
        return f"{label_of(cue.func)}({', '.join(map(str, given))})"
    return str(getattr(cue, "__name__", type(cue).__name__))


def labels_of(cues: Iterable[Cue]) -> list[float] | list[str]:
    """Return the labels of cues as a coordinate: levels as they are; beside other cues all are strings, as in "0.5"."""
    labels = [label_of(cue) for cue in cues]
    levels = [label for label in labels if isinstance(label, float)]
    return levels if len(levels) == len(labels) else [str(label) for label in labels]


def weakest(cues: tuple[Cue, ...]) -> Cue:
    """Return the smallest level, or the first cue if there is none."""
    return min((cue for cue in cues if isinstance(cue, float)), default=cues[0])


def presented(patterns: Rows, cue: Cue, seed: np.random.SeedSequence) -> Rows:
    """Return new cues for patterns; whole ones are copies, for which nothing is drawn."""
    if cue == 1:
        return patterns.copy()
    if isinstance(cue, float):
        cues = partial_cues(patterns, cue, seed=seed)
        if not cues.any(axis=1).all():
            ones = patterns.sum(axis=1, dtype=np.uint32).min()
            raise ValueError(
                f"cues must be at least {0.5 / ones:.2g} to leave a pattern of {ones} ones any, not {cue:g}"
            )
        return cues
    if isinstance(cue, tuple):
        return KINDS[cue[0]](patterns, cue[1], seed=seed)
    return _made_by(cue, patterns, seed)


def _made_by(cue: Callable[..., Any], patterns: Rows, seed: np.random.SeedSequence) -> Rows:
    """Return what a user's function makes of patterns, checked."""
    name = f"what the cue {label_of(cue)!r} returns"
    cues = checks.binary_rows(name, cue(patterns.copy(), seed=seed), patterns.shape[1])
    if cues.shape != patterns.shape:
        raise ValueError(f"{name} must have the shape of the patterns, {patterns.shape}, not {cues.shape}")
    if not cues.any(axis=1).all():
        raise ValueError(f"{name} must leave each pattern some ones, and leaves {int((~cues.any(axis=1)).sum())} none")
    return cues


def _is_named(cue: object) -> bool:
    return isinstance(cue, tuple) and len(cue) == 2 and isinstance(cue[0], str)


def _checked(cue: Any) -> Cue:
    if _is_named(cue):
        checks.one_of("the kind of a cue", cue[0], tuple(KINDS))
        level = checks.fraction(f"the level of the cue {cue[0]!r}", cue[1], zero_allowed=cue[0] != "partial")
        return level if cue[0] == "partial" else (cue[0], level)
    if callable(cue):
        return cue  # type: ignore[no-any-return]
    if isinstance(cue, str | tuple | list):
        raise TypeError(
            f"cues must be levels in (0, 1], names with a number such as ('noisy', 0.3), or functions, "
            f"not {checks.shown(cue)}"
        )
    return checks.fraction("cues", cue)
