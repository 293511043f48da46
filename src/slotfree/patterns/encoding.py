"""Real arrays, such as images, embeddings and time series, as sparse binary patterns, and back approximately."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import owens_t
from scipy.stats import norm

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.kernels.arithmetic.winners import room_for, row_winners

METHODS = ("projection", "rank")

Reals: TypeAlias = NDArray[np.float64]


def encode(
    array: ArrayLike, n_visible: int, k_visible: int, *, method: str = "projection", seed: checks.Seed
) -> NDArray[np.uint8]:
    """Turn each item of an array into a pattern with exactly k_visible ones.

    - "projection": the k_v largest of P x become ones, where P (n_v × features) holds independent normal numbers. What
      codes keep is the angle between items: two items of cosine ρ share a fraction of their ones that is expected
      to be P(Y₂ > t | Y₁ > t), of normal numbers of correlation ρ of which a share k_v/n_v is above t
      (``kept_similarity``). Unrelated items are as unlike as random patterns.
    - "rank": the k_v largest numbers of an item become ones. Each number has a unit, so n_visible is their count, and
      codes of images can be looked at.

    The code of an item depends on the item and the seed alone, not on the others. Lengths are lost; what all items
    have in common makes all codes alike, so subtract a mean first if that is not meant. Equal numbers tie, and a hash
    of units and item decides.

    Parameters
    ----------
    array : one item (features,), or many (T, ...), whose further dimensions are flattened; finite real numbers.
    n_visible, k_visible : bits and ones of each pattern.
    method : "projection" or "rank".
    seed : of the projection; an integer, a SeedSequence or a Generator. Ranks need none.

    Returns
    -------
    uint8 array (n_visible,) or (T, n_visible).

    Examples
    --------
    >>> import numpy as np
    >>> codes = encode(np.eye(3), 1000, 100, seed=0)
    >>> codes.sum(axis=1).tolist()
    [100, 100, 100]
    >>> encode([0.1, 0.9, 0.5, 0.7], 4, 2, method="rank", seed=0).tolist()
    [0, 1, 0, 1]
    """
    n_visible = checks.integer("n_visible", n_visible, 1, checks.MANY)
    k_visible = checks.integer("k_visible", k_visible, 1, n_visible, "n_visible")
    checks.one_of("method", method, METHODS)
    values, one = _items(array)
    if method == "rank":
        if values.shape[1] != n_visible:
            raise ValueError(f"n_visible must be the numbers of an item, {values.shape[1]}, to rank, not {n_visible}")
        drives = values
    else:
        largest = np.abs(values).max(axis=1, keepdims=True)
        if not largest.all():
            raise ValueError(f"array must hold items that are not all 0, unlike item {int(largest.argmin())}")
        values = np.ldexp(values, 1 - np.frexp(largest)[1])  # a power of 2: squares of it neither overflow nor vanish
        length = np.linalg.norm(values, axis=1, keepdims=True)
        drives = (values / length) @ _projection(values.shape[1], n_visible, seed)
    codes = np.zeros((len(values), n_visible), np.uint8)
    told_apart = np.ascontiguousarray(values != 0).astype(np.uint8)
    row_winners(np.ascontiguousarray(drives), k_visible, told_apart, codes, room_for(max(n_visible, values.shape[1])))
    return codes[0] if one else codes


def decode(codes: ArrayLike, n_features: int, *, method: str = "projection", seed: checks.Seed) -> NDArray[np.float64]:
    """Return approximately what was encoded, for display: (n_features,) or (T, n_features).

    - "projection": Pᵀ z / (n_v φ(t)), with φ the density of the normal distribution at the threshold t. Its expectation
      is x/‖x‖, the item's direction; the noise falls with n_v: the cosine with x is expected to be about
      1/√(1 + k_v (features − 1)/(n_v φ(t))²).
    - "rank": the code itself.

    Parameters
    ----------
    codes : patterns that ``encode`` made, or that a memory recalled.
    n_features : numbers in an item.
    method, seed : those of ``encode``; the seed must be an integer or a SeedSequence, as a Generator has moved on.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([3.0, 4.0, 0.0])
    >>> decode(encode(x, 1000, 100, seed=0), 3, seed=0).round(1).tolist()
    [0.7, 0.7, -0.0]
    """
    checks.one_of("method", method, METHODS)
    n_features = checks.integer("n_features", n_features, 1, checks.MANY)
    rows = checks.binary_rows("codes", codes)
    shape = (*np.shape(codes)[:-1], n_features)
    if method == "rank":
        if rows.shape[1] != n_features:
            raise ValueError(f"n_features must be the bits of a code, {rows.shape[1]}, for ranks, not {n_features}")
        return rows.astype(np.float64).reshape(shape)
    if isinstance(seed, np.random.Generator):
        raise TypeError("seed must be the integer or SeedSequence that encode had, not a Generator, which has moved on")
    n_visible, share = rows.shape[1], rows.mean(axis=1, keepdims=True)
    scale = n_visible * norm.pdf(norm.isf(np.clip(share, 0.5 / n_visible, 1 - 0.5 / n_visible)))
    found: Reals = rows @ _projection(n_features, n_visible, seed).T / scale
    return found.reshape(shape)


def kept_similarity(cosine: ArrayLike, n_visible: int, k_visible: int) -> NDArray[np.float64]:
    """Return the expected share of their ones that the projected codes of two items have in common.

    With s = k_v/n_v, t the threshold that a share s of normal numbers exceeds, ρ the cosine and T Owen's function:

        1 − 2 T(t, √((1 − ρ)/(1 + ρ))) / s

    It rises from 0 (ρ = −1) over s (ρ = 0) to 1 (ρ = 1).

    Examples
    --------
    >>> kept_similarity([0, 0.5, 1], 1000, 100).round(2).tolist()
    [0.1, 0.32, 1.0]
    """
    n_visible = checks.integer("n_visible", n_visible, 1, checks.MANY)
    s = checks.integer("k_visible", k_visible, 1, n_visible, "n_visible") / n_visible
    rho = np.asarray(cosine, np.float64)
    if not (np.abs(rho) <= 1).all():
        raise ValueError(f"cosine must be in [-1, 1], not {checks.shown(cosine)}")
    with np.errstate(divide="ignore"):
        kept: Reals = 1 - 2 * owens_t(norm.isf(s), np.sqrt((1 - rho) / (1 + rho))) / s
    return kept


def _items(array: ArrayLike) -> tuple[Reals, bool]:
    """Return items as rows, and whether there was only one."""
    values: NDArray[Any] = checks.unmasked("array", array)
    if values.ndim == 0 or values.dtype.kind not in "buif" or values.size == 0:
        found = f"of the shape {values.shape} and type {values.dtype}"
        raise ValueError(f"array must be one item (features,) or many (T, ...) of real numbers, not {found}")
    rows = values.reshape(1 if values.ndim == 1 else len(values), -1).astype(np.float64)
    if not np.isfinite(rows).all():
        item = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise ValueError(f"array must hold finite numbers, unlike item {item}")
    return rows, values.ndim == 1


def _projection(n_features: int, n_visible: int, seed: checks.Seed) -> Reals:
    """Return Pᵀ, (features, n_visible)."""
    check_fits(f"a projection of {n_features:,} numbers to {n_visible:,} units", 8 * n_features * n_visible)
    return checks.generator(seed, "projection").standard_normal((n_features, n_visible))
