"""Cues: patterns with some of their ones missing, moved, hidden, or among others (paper, "Pattern completion")."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.kernels.arithmetic.sampling import keep_ones

Rows: TypeAlias = NDArray[np.uint8]
Counts: TypeAlias = NDArray[np.int64]


def partial_cues(patterns: ArrayLike, fraction: float, *, seed: checks.Seed) -> NDArray[np.uint8]:
    """Keep a random fraction c of each pattern's ones; the other bits are zero.

    Parameters
    ----------
    patterns : one pattern (n_visible,) or many (T, n_visible), of zeros and ones; cues have the same shape.
    fraction : c, from 0 to 1. c times the number of ones is rounded to an integer, halves upwards.
    seed : an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> int(partial_cues([1, 1, 1, 1, 0, 0], 0.5, seed=0).sum())
    2
    """
    rows = checks.binary_rows("patterns", patterns)
    fraction = checks.fraction("fraction", fraction, zero_allowed=True)
    cues = np.zeros_like(rows)
    keep_ones(checks.generator(seed, "cues"), rows, fraction, np.empty(rows.shape[1] + 1, np.uint32), cues)
    return cues.reshape(np.shape(patterns))


def noisy_cues(patterns: ArrayLike, share: float, *, seed: checks.Seed) -> NDArray[np.uint8]:
    """Move a random share of each pattern's ones to random places that were zero: a cue has as many ones as before.

    Parameters
    ----------
    patterns : one pattern (n_visible,) or many (T, n_visible), of zeros and ones; cues have the same shape.
    share : of the ones that are moved, from 0 to 1; times their number it is rounded, halves upwards. A one must stay.
    seed : an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> pattern = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> cue = noisy_cues(pattern, 0.25, seed=0)
    >>> int(cue.sum()), int((cue & pattern).sum())
    (4, 3)
    """
    rows, moved, rng = _to_change(patterns, share, seed)
    off = _drawn(rng, rows == 1, moved)
    on = _among_zeros(rng, rows, moved)
    return (rows ^ off ^ on).reshape(np.shape(patterns))


def occluded_cues(patterns: ArrayLike, share: float, *, seed: checks.Seed) -> NDArray[np.uint8]:
    """Hide a contiguous part of each pattern: a share of its ones, those next to each other in the order of units.

    The part begins at a random one. Of an image whose rows follow each other, a strip is hidden. It holds exactly this
    share of the ones, so that these cues can be compared with partial ones of the level 1 − share.

    Parameters
    ----------
    patterns : one pattern (n_visible,) or many (T, n_visible), of zeros and ones; cues have the same shape.
    share : of the ones that are hidden, from 0 to 1; times their number it is rounded, halves upwards. A one must stay.
    seed : an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> occluded_cues([1, 1, 0, 1, 1, 0, 1, 1], 0.5, seed=0).tolist()
    [1, 1, 0, 0, 0, 0, 0, 1]
    """
    rows, hidden, rng = _to_change(patterns, share, seed)
    ones = rows.sum(axis=1, dtype=np.int64)
    first = rng.integers(0, ones - hidden + 1)[:, None]
    place = np.cumsum(rows, axis=1, dtype=np.int64) - 1  # of each one among the ones of its pattern
    seen = (place < first) | (place >= first + hidden[:, None])
    cues: Rows = (rows & seen).reshape(np.shape(patterns))
    return cues


def cluttered_cues(patterns: ArrayLike, share: float, *, seed: checks.Seed) -> NDArray[np.uint8]:
    """Add distractors: ones at random places that were zero. All ones of the pattern stay.

    Parameters
    ----------
    patterns : one pattern (n_visible,) or many (T, n_visible), of zeros and ones; cues have the same shape.
    share : distractors per one, from 0 to 1; times the number of ones it is rounded, halves upwards.
    seed : an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> int(cluttered_cues([1, 1, 1, 1, 0, 0, 0, 0], 0.5, seed=0).sum())
    6
    """
    rows, added, rng = _to_change(patterns, share, seed, all_stay=True)
    return (rows | _among_zeros(rng, rows, added)).reshape(np.shape(patterns))


def blended_cues(
    patterns: ArrayLike, share: float, *, others: ArrayLike | None = None, seed: checks.Seed
) -> NDArray[np.uint8]:
    """Blend two patterns: a share of the pattern's ones is replaced by as many random ones of another pattern.

    Parameters
    ----------
    patterns : the patterns, (T, n_visible), of zeros and ones.
    share : of the ones that come from the other pattern, from 0 to 1; rounded as above. A one of the pattern must stay.
    others : the patterns that are blended in, one for each, of the same shape. By default each pattern is blended with
        another one of ``patterns``, which then are at least two.
    seed : an integer, a SeedSequence or a Generator.

    Returns
    -------
    uint8 array of the same shape. Where both patterns have a one, a cue has fewer ones.

    Examples
    --------
    >>> blended_cues([[1, 1, 0, 0], [0, 0, 1, 1]], 0.5, seed=0).sum(axis=1).tolist()
    [2, 2]
    """
    rows, replaced, rng = _to_change(patterns, share, seed)
    if others is None:
        if len(rows) < 2:
            raise ValueError(f"patterns must be at least 2 to be blended with each other, not {len(rows)}")
        partners = np.roll(rows, rng.integers(1, len(rows)), axis=0)
    else:
        partners = checks.binary_rows("others", others, rows.shape[1])
        if len(partners) != len(rows):
            raise ValueError(f"others must be one for each pattern, {len(rows)}, not {len(partners)}")
    _check_room(partners.sum(axis=1, dtype=np.int64), replaced, "ones of its partner")
    kept = _drawn(rng, rows == 1, rows.sum(axis=1, dtype=np.int64) - replaced)
    return (kept | _drawn(rng, partners == 1, replaced)).reshape(np.shape(patterns))


# Kinds of cues by name, each a function of patterns, a number and a seed; "partial" is the paper's.
KINDS: dict[str, Callable[..., Rows]] = {
    "partial": partial_cues,
    "noisy": noisy_cues,
    "occluded": occluded_cues,
    "cluttered": cluttered_cues,
    "blended": blended_cues,
}


def _to_change(
    patterns: ArrayLike, share: object, seed: checks.Seed, *, all_stay: bool = False
) -> tuple[Rows, Counts, np.random.Generator]:
    """Return patterns as rows, the number that the share of each pattern's ones is, and a generator."""
    rows = checks.binary_rows("patterns", patterns)
    share = checks.fraction("share", share, zero_allowed=True)
    ones = rows.sum(axis=1, dtype=np.int64)
    changed = np.floor(share * ones + 0.5).astype(np.int64)
    left = ones if all_stay else ones - changed
    if len(rows) and not left.all():
        few = int(ones[left == 0].min())
        right = f"use < {1 - 0.5 / few:.3g}" if few else "a pattern needs at least one"
        raise ValueError(f"share={share:g} leaves nothing of a pattern with {few} active bits; {right}")
    return rows, changed, checks.generator(seed, "cues")


def _among_zeros(rng: np.random.Generator, rows: Rows, counts: Counts) -> Rows:
    """Draw numbers of places in each row among its zeros."""
    _check_room(rows.shape[1] - rows.sum(axis=1, dtype=np.int64), counts, "zeros of its own")
    return _drawn(rng, rows == 0, counts)


def _check_room(there: Counts, counts: Counts, what: str) -> None:
    if (there < counts).any():
        i = int(np.flatnonzero(there < counts)[0])
        raise ValueError(f"share must be smaller: patterns[{i}] would need {counts[i]} {what}, and has {there[i]}")


def _drawn(rng: np.random.Generator, where: NDArray[Any], counts: Counts) -> Rows:
    """Draw numbers of random places in each row, among those where it is true."""
    keys = np.where(where, rng.random(where.shape), np.inf)
    last = np.take_along_axis(np.sort(keys, axis=1), np.maximum(counts - 1, 0)[:, None], axis=1)
    return ((keys <= last) & (counts > 0)[:, None]).astype(np.uint8)
