"""All steps together: accuracy by lag of a context that ``Winners`` stores, without simulation."""

import numpy as np
import xarray as xr

from slotfree import checks
from slotfree.attention.storages.winners import Winners, part_of
from slotfree.beyond.contextC5.recency.others import others
from slotfree.beyond.contextC5.recency.parts import STEP, Complex, Parts
from slotfree.beyond.contextC5.recency.wins import Floats, Store, wins

MOST_WINS = 8.0  # C k/n_h
RARE = 1e-5
MOST_EXPONENT = 50.0  # beyond it attention is on one unit anyway, and sums take minutes and gigabytes


def predict_recency(
    n_hidden: int, key_dim: int, storage: Winners, context_length: int, *, key_length: float
) -> xr.DataArray:
    """Predict how often the value of an item is recalled, by how many items came after it.

    The answer is one of two values, each as likely, and is right if D > 0, with d_u by how much W_VH of unit u is
    larger for the right value than for the wrong one:

        D = Σ_u exp(β w_u·q) d_u,    P(D > 0) = 1/2 + (1/π) ∫ Im E exp(iτD) d ln τ

    E exp(iτD) is the product of those of the item's k units and of all others, taken as independent. Nothing is fitted.
    It holds where input projections choose the winners. Where keys do (a small projection gain) it is less exact, as it
    leaves out two things. Units that lose have smaller drives than the winners, so they disturb the newest items less;
    this matters where units see few components. And k > 1 units that see most of a key are won again together.

    Parameters
    ----------
    n_hidden, key_dim : n_h and N.
    storage : with input projections to random units, its units' own masks, and reading from all of them.
    context_length : C, items with different keys, stored one after the other in an empty context.
    key_length : |k|, of keys of random directions; a query is the key of its item.

    Returns
    -------
    Expected accuracy (lag), from 0, the newest, to C − 1.

    Examples
    --------
    >>> import slotfree as sf
    >>> curve = predict_recency(40, 50, sf.Winners(1, 1.0, projection_gain=60), 64, key_length=4.0)
    >>> bool(curve[0] > 0.99), round(float(curve.sel(lag=20)), 2)  # 1/2 + (1 − 1/40)^20 / 2
    (True, 0.8)
    """
    store = as_store(n_hidden, key_dim, storage, context_length, key_length)
    won = wins(store)
    parts = Parts(store, won)
    accuracy = 0.5 + (of_item(parts) * others(parts)).imag.sum(axis=1) * STEP / np.pi
    lags = np.arange(store.C)
    return xr.DataArray(np.clip(accuracy, 0.0, 1.0), {"lag": lags}, ("lag",), "accuracy")


def of_item(parts: Parts) -> Complex:
    """E exp(iτ Σ X) over the k units of the item asked for, (lag, y): a mixture over their wins, to the power of k."""
    own = parts.wins.own
    shown = np.argwhere(own.max(axis=0) > RARE).tolist()
    chances: Floats = np.array([own[:, e, r] for e, r in shown]).T
    each = np.array([parts.own(e, r) for e, r in shown])
    mixture = chances / chances.sum(axis=1, keepdims=True) @ each
    return np.asarray(mixture**parts.store.k)


def as_store(n_hidden: int, key_dim: int, storage: Winners, context_length: int, key_length: float) -> Store:
    """The letters of the equations, checked."""
    n = checks.integer("n_hidden", n_hidden, 1, checks.MANY)
    N = checks.integer("key_dim", key_dim, 1, checks.MANY)
    C = checks.integer("context_length", context_length, 1, checks.MANY)
    length = checks.positive("key_length", key_length)
    if not isinstance(storage, Winners):
        raise TypeError(f"storage must be Winners, not {checks.shown(storage)}")
    storage.check_units(n)
    for name, right in (("reading", "all"), ("masks", "own"), ("start", "zero")):
        if getattr(storage, name) != right:
            raise ValueError(f"storage.{name} must be {right!r} for this theory, not {getattr(storage, name)!r}")
    if storage.projections == "own":
        raise ValueError("storage.projections must be to random units for this theory, not to each token's 'own'")
    if C * storage.k / n > MOST_WINS:
        raise ValueError(
            f"n_hidden must be at least {int(np.ceil(C * storage.k / MOST_WINS))} for this theory, so that units win "
            f"at most {MOST_WINS:g} times on average, C k/n_h, not {n}"
        )
    m = part_of(storage.fan_in, N)
    f = m / N
    beta = 1 / (f * storage.rate) if storage.beta is None else storage.beta
    b = beta * f * storage.rate
    if b * length**2 > MOST_EXPONENT:
        raise ValueError(
            f"key_length must be at most {(MOST_EXPONENT / b) ** 0.5:.3g} for this theory, so that a stored key meets "
            f"its query with an exponent β f ε |k|² of at most {MOST_EXPONENT:g}, not {length:g}"
        )
    return Store(n, storage.k, m, N, C, storage.rate, storage.projection_gain, b, length**2)
