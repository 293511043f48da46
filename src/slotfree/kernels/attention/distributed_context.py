"""A distributed context: fast weights in which k hidden units store each item, and each unit sees part of a key.

All that is done is done for units that hold something, and for tokens that have been shown: the cost does not grow with
the size of the layers. ``live[: count[LIVE]]`` are the units whose fast weights may be other than 0, in the order in
which they became so, and ``seen[: count[SEEN]]`` the tokens of the items that were stored.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uniform import fill_uniform, stream
from slotfree.kernels.arithmetic.winners import turn
from slotfree.kernels.compile import ZERO, inner, lean

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

LIVE, SEEN, STORED, ATTENDED, WRITTEN = 0, 1, 2, 3, 4  # what is counted
VALUES, ITEMS, KEYS, PROJECTIONS, TIES = 0, 1, 2, 3, 4  # what is drawn, each from a stream of its own
VANISHED = 1e-200  # what is left of a weight is 0 below this: processors are slow with the smallest numbers there are

Context = NamedTuple(
    "Context",
    [
        # connections, with n_h units of m key components each
        ("inputs", Integers),  # (n_h, m) the components of a key that a unit sees, ascending
        ("reaches", Array),  # (n_h, D) 1 where a unit is connected to a token of the items, else 0
        ("projected", Integers),  # (D, k) the units that a token drives directly, -1 for none
        # fast weights
        ("keys", Array),  # (n_h, m) W_HK of the connections
        ("values", Array),  # (n_h, n_outputs) W_VH, transposed
        ("items", Array),  # (n_h, D) W_IH, transposed
        ("g", Array),  # (n_h,) how much each unit has stored, from 0 to 1
        # what is not 0
        ("live", Integers),  # (n_h,)
        ("is_live", Flags),  # (n_h,)
        ("seen", Integers),  # (D,)
        ("is_seen", Flags),  # (D,)
        ("key", NDArray[np.uint64]),  # (1,) of ties and redrawn projections in this sequence
        ("count", Integers),  # (5,) of live units, seen tokens, stored items, attended units, and written ones
        ("when", Integers),  # (n_h,) the number of the item that a unit stored last, if age matters; 0 is never
        # room to work in
        ("near", Integers),  # (n_h,) units that may win
        ("is_near", Flags),  # (n_h,)
        ("winners", Integers),  # (k,)
        ("attended", Integers),  # (n_h,)
        ("v", Array),  # (n_outputs,) a value
        ("first_values", Array),  # (n_outputs, n_h) and (D, n_h) where fast weights begin at random, else (0, 0)
        ("first_items", Array),
        # numbers
        ("key_dim", int),  # N
        ("rate", float),  # ε
        ("beta", float),  # β
        ("gain", float),  # γ f, the drive by a projection; 0 without projections
        ("scales", bool),  # whether that is multiplied by |k|²
        ("by_age", bool),  # whether items go to the units that match, or else to those written longest ago
        ("match", float),  # γ f ε, the least match for |k|² = 1
        ("high", float),  # W_HK ~ U[0, high) at the start; 0 if all begins at 0
        ("fan_out", float),  # f_out
        ("normalises", bool),  # whether what is read is divided by Z = g·s
        ("by_winners", bool),  # whether only the k units with the largest drives are attended
        ("redraws", bool),  # whether projections are drawn anew for each sequence
    ],
)


@inner
def begin_context(context: Context, key: np.uint64) -> None:
    """Start anew under a key: nothing is stored, and all fast weights are 0, or random where they shall be.

    W_HK ~ U[0, high) of the connections; W_VH, W_IH ~ U[0, 1) only if there is room for them (``first_values``).
    """
    count = context.count
    context.key[0] = key
    for i in range(count[LIVE]):
        m = context.live[i]
        context.is_live[m] = False
        context.g[m] = 0.0
        for q in range(context.keys.shape[1]):
            context.keys[m, q] = 0.0
        for o in range(context.values.shape[1]):
            context.values[m, o] = 0.0
        for j in range(count[SEEN]):
            context.items[m, context.seen[j]] = 0.0
    for j in range(count[SEEN]):
        context.is_seen[context.seen[j]] = False
    for m in range(count[WRITTEN]):
        context.when[m] = 0
    count[LIVE], count[SEEN], count[STORED], count[ATTENDED], count[WRITTEN] = 0, 0, 0, 0, 0
    if context.high > 0:
        fill_uniform(stream(key, KEYS), context.high, context.keys)
    if context.first_values.size:
        fill_uniform(stream(key, VALUES), 1.0, context.first_values)
        fill_uniform(stream(key, ITEMS), 1.0, context.first_items)
        for m in range(len(context.values)):
            for o in range(context.values.shape[1]):
                context.values[m, o] = context.first_values[o, m]
            for d in range(context.items.shape[1]):
                context.items[m, d] = context.first_items[d, m] * context.reaches[m, d]
        for d in range(context.items.shape[1]):
            see(context, d)
    if context.first_values.size or not context.normalises:  # then every unit takes part in reading
        for m in range(len(context.values)):
            enliven(context, m)


@inner
def enliven(context: Context, m: int) -> None:
    """Note that fast weights of a unit may be other than 0."""
    if not context.is_live[m]:
        context.is_live[m] = True
        context.live[context.count[LIVE]] = m
        context.count[LIVE] += 1


@inner
def see(context: Context, token: int) -> None:
    """Note that a token was shown."""
    if not context.is_seen[token]:
        context.is_seen[token] = True
        context.seen[context.count[SEEN]] = token
        context.count[SEEN] += 1


@inner
def unit_drive(context: Context, m: int, k: Array) -> float:
    """(W_HK k)_m, over the components that the unit sees."""
    total = 0.0
    for q in range(context.inputs.shape[1]):
        total += context.keys[m, q] * k[context.inputs[m, q]]
    return total


@lean
def squared_length(k: Array) -> float:
    """|k|²."""
    total = 0.0
    for j in range(k.size):
        total += k[j] * k[j]
    return total


@lean
def beats(h: Array, a: int, b: int, tie: np.uint64) -> bool:
    """Whether unit a has the larger drive; of equal ones, the larger turn in this tie (see ``winners``)."""
    if h[a] == h[b]:
        return turn(tie, a) > turn(tie, b)
    return bool(h[a] > h[b])


@lean
def worst(h: Array, units: Integers, n: int, tie: np.uint64) -> int:
    """The place of the unit that every other of the first n beats."""
    place = 0
    for i in range(1, n):
        if beats(h, units[place], units[i], tie):
            place = i
    return place


@lean
def largest(h: Array, units: Integers, n: int, k: int, tie: np.uint64, out: Integers) -> int:
    """Write the k of the first n units with the largest drives to out, in no order; return how many there are.

    Those that are likely to win come first in ``units``: then hardly any other has to be compared with more than the
    last of those found.
    """
    found = min(n, k)
    for i in range(found):
        out[i] = units[i]
    if n <= k:
        return found
    last = worst(h, out, k, tie)
    for i in range(k, n):
        if beats(h, units[i], out[last], tie):
            out[last] = units[i]
            last = worst(h, out, k, tie)
    return found


@inner
def approach(context: Context, h: Array, m: int, n: int) -> int:
    """Let a unit that holds nothing be one of n that may win; return how many may."""
    if context.is_near[m]:
        return n
    context.is_near[m] = True
    context.near[n] = m
    h[m] = 0.0
    return n + 1


@inner
def drives(context: Context, k: Array, item: Integers, h: Array) -> int:
    """h = W_HK k + γ f P x, or γ f |k|² P x, of the units that may win; return how many these are.

    Units that hold nothing and that no token projects to have a drive of 0.
    """
    n = ZERO
    if context.high > 0:
        for m in range(h.size):
            h[m] = unit_drive(context, m, k)
            context.near[m] = m
        n = h.size
    if context.gain > 0:
        gain = context.gain * squared_length(k) if context.scales else context.gain
        for i in range(item.size):
            if context.redraws:
                project_anew(context, item[i])
            for a in range(context.projected.shape[1]):
                m = context.projected[item[i], a]
                if m >= 0:
                    if context.high == 0:
                        n = approach(context, h, m, n)
                    h[m] += gain
    if context.high == 0:
        for i in range(context.count[LIVE]):
            m = context.live[i]
            n = approach(context, h, m, n)
            h[m] += unit_drive(context, m, k)
    return n


@inner
def choose(context: Context, h: Array, n: int) -> None:
    """The k units with the largest drives win, out of the n that may; or out of all, if these do not suffice."""
    tie = stream(stream(context.key[0], TIES), context.count[STORED])
    k = context.winners.size
    found = largest(h, context.near, n, k, tie, context.winners)
    if n < h.size and (found < k or not h[context.winners[worst(h, context.winners, k, tie)]] > 0.0):
        for m in range(h.size):
            n = approach(context, h, m, n)
        largest(h, context.near, n, k, tie, context.winners)
    if context.high == 0:
        for i in range(n):
            context.is_near[context.near[i]] = False


@lean
def left_of(weight: float, kept: float) -> float:
    """What is left of a weight."""
    left = kept * weight
    return left if abs(left) > VANISHED else 0.0


@inner
def hold(context: Context, k: Array, item: Integers) -> None:
    """Store in the winners: W_HK += ε (k − W_HK), W_VH += ε (v − W_VH), W_IH += ε (x − W_IH), g += ε (1 − g).

    On the connections there are; the value is in ``v``. Written as (1 − ε) W + ε k, which with ε = 1 is k to the bit.
    """
    rate, kept = context.rate, 1.0 - context.rate
    for i in range(item.size):
        see(context, item[i])
    for a in range(context.winners.size):
        m = context.winners[a]
        enliven(context, m)
        for q in range(context.inputs.shape[1]):
            context.keys[m, q] = left_of(context.keys[m, q], kept) + rate * k[context.inputs[m, q]]
        for o in range(context.v.size):
            context.values[m, o] = left_of(context.values[m, o], kept) + rate * context.v[o]
        for j in range(context.count[SEEN]):
            d = context.seen[j]
            context.items[m, d] = left_of(context.items[m, d], kept)
        for i in range(item.size):
            context.items[m, item[i]] += rate * context.reaches[m, item[i]]
        context.g[m] = kept * context.g[m] + rate
    context.count[STORED] += 1


@inner
def attend(context: Context, q: Array, h: Array, s: Array) -> None:
    """s/Z with s = softmax(β W_HK q) over the units that hold something, and Z = g·s; or s, without normalisation.

    Units that hold nothing would enter s and Z by the same factor. ``attended`` are the units that are; s is 0 in all
    others, and in all if nothing was stored.
    """
    for m in range(s.size):
        s[m] = 0.0
    n = context.count[LIVE]
    for i in range(n):
        m = context.live[i]
        h[m] = unit_drive(context, m, q)
        context.attended[i] = m
    if context.by_winners and n > context.winners.size:
        n = largest(h, context.live, n, context.winners.size, np.uint64(0), context.attended)
    context.count[ATTENDED] = n
    if n == 0:
        return
    top = h[context.attended[0]]
    for i in range(1, n):
        top = max(top, h[context.attended[i]])
    total = 0.0
    for i in range(n):
        m = context.attended[i]
        s[m] = np.exp(context.beta * (h[m] - top))
        total += s[m] * context.g[m] if context.normalises else s[m]
    scale = 1.0 / total if total > 0.0 else 0.0
    for i in range(n):
        s[context.attended[i]] *= scale


@inner
def read_values(context: Context, s: Array, out: Array) -> None:
    """out = W_VH s, over the attended units."""
    for o in range(out.size):
        out[o] = 0.0
    for i in range(context.count[ATTENDED]):
        m = context.attended[i]
        weight = s[m]
        for o in range(out.size):
            out[o] += weight * context.values[m, o]


@inner
def read_items(context: Context, s: Array, x: Array) -> None:
    """x̃ = W_IH s / f_out, over the attended units."""
    for d in range(x.size):
        x[d] = 0.0
    for i in range(context.count[ATTENDED]):
        m = context.attended[i]
        weight = s[m] / context.fan_out
        for j in range(context.count[SEEN]):
            d = context.seen[j]
            x[d] += weight * context.items[m, d]


@inner
def add_key(context: Context, m: int, weight: float, delta: Array) -> None:
    """δ += c_m (W_HK)_m."""
    for q in range(context.inputs.shape[1]):
        delta[context.inputs[m, q]] += weight * context.keys[m, q]


@inner
def project_anew(context: Context, token: int) -> None:
    """Draw the units that a token drives in this sequence: the same for the same token."""
    draw_units(stream(stream(context.key[0], PROJECTIONS), token), len(context.inputs), context.projected[token])


@lean
def draw_units(key: np.uint64, n_units: int, out: Integers) -> None:
    """Draw different units at random under a key."""
    drawn = ZERO
    n = ZERO
    while drawn < out.size:
        unit = np.int64(stream(key, n) % np.uint64(n_units))
        n += 1
        fresh = True
        for i in range(drawn):
            fresh &= out[i] != unit
        if fresh:
            out[drawn] = unit
            drawn += 1
