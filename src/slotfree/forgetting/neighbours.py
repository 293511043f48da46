"""The neighbours of a memory in its parameter-matched family."""

from itertools import product

from slotfree.forgetting.family import family
from slotfree.forgetting.search_limits import least_fan_in
from slotfree.forgetting.theory.limits import LEAST_LEARNING_RATE
from slotfree.memory.kwinner import KWinnerSettings


def neighbours(
    one: KWinnerSettings, weights: int, step: float, *, cue: float, fine: bool = False
) -> dict[KWinnerSettings, int]:
    """Return the members within the limits that differ by a step, and in how many of f, k_h and ε they differ.

    Parameters
    ----------
    one : a member of the family.
    weights : the number of weights of all members.
    step : the ratio by which a setting is larger or smaller; less where a limit is nearer.
    cue : the cue level, on which the least f depends.
    fine : whether k_h may also differ by 1.
    """
    f, k_h, eps, n_v = one.fan_in, one.k_hidden, one.learning_rate, one.n_visible
    least_f = least_fan_in(one.k_visible, cue)
    winners = {k_h, round(k_h * step), round(k_h / step), *((k_h - 1, k_h + 1) if fine else ())} - {0}
    choices = product(
        {f, *(_connections(changed, n_v) for changed in (min(f * step, 1.0), max(f / step, least_f)))},
        winners,
        {eps, *(float(f"{changed:.4g}") for changed in (min(eps * step, 1.0), max(eps / step, LEAST_LEARNING_RATE)))},
    )
    found: dict[KWinnerSettings, int] = {}
    for choice in sorted(choices):
        only = {"fan_ins": choice[:1], "winners": choice[1:2], "learning_rates": choice[2:]}
        changes = sum(a != b for a, b in zip(choice, (f, k_h, eps), strict=True))
        if changes:
            members = family(weights, n_visible=n_v, k_visible=one.k_visible, **only)
            found |= dict.fromkeys(members, changes)
    return found


def _connections(fan_in: float, n_visible: int) -> float:
    """Return the fan-in of a unit with an integer number of connections, so that no two members are the same."""
    return round(fan_in * n_visible) / n_visible
