"""The neighbours of a memory in its parameter-matched family, and the limits within which the best one is searched."""

from itertools import product

from slotfree.forgetting.family import FAN_INS, MOST_ACTIVE, family
from slotfree.forgetting.theory.limits import LEAST_LEARNING_RATE
from slotfree.memory.kwinner import KWinnerSettings

LEAST_FAN_IN = min(FAN_INS)


def limits_of(settings: KWinnerSettings) -> list[str]:
    """Return which settings lie on a limit of the search, and which limit that is."""
    f, k_h, eps = settings.fan_in, settings.k_hidden, settings.learning_rate
    limits = (
        (f <= LEAST_FAN_IN, f"fan_in = {f:g} is the least that is searched"),
        (f == 1, "fan_in = 1 is the most there is"),
        (k_h == 1, "k_hidden = 1 is the least there is"),
        (
            k_h + 1 > MOST_ACTIVE * settings.n_hidden,
            f"k_hidden = {k_h} is the most that is searched, {MOST_ACTIVE:.0%} of the hidden units",
        ),
        (eps <= LEAST_LEARNING_RATE, f"learning_rate = {eps:g} is the least for which the theory is made"),
        (eps == 1, "learning_rate = 1 is the most there is"),
    )
    return [words for reached, words in limits if reached]


def neighbours(one: KWinnerSettings, weights: int, step: float, *, fine: bool = False) -> dict[KWinnerSettings, int]:
    """Return the members within the limits that differ by a step, and in how many of f, k_h and ε they differ.

    Parameters
    ----------
    one : a member of the family.
    weights : the number of weights of all members.
    step : the ratio by which a setting is larger or smaller; less where a limit is nearer.
    fine : whether k_h may also differ by 1.
    """
    f, k_h, eps = one.fan_in, one.k_hidden, one.learning_rate
    winners = {k_h, round(k_h * step), round(k_h / step), *((k_h - 1, k_h + 1) if fine else ())} - {0}
    choices = product(
        {f, min(f * step, 1.0), max(f / step, LEAST_FAN_IN)},
        winners,
        {eps, min(eps * step, 1.0), max(eps / step, LEAST_LEARNING_RATE)},
    )
    found: dict[KWinnerSettings, int] = {}
    for choice in sorted(choices):
        only = {"fan_ins": choice[:1], "winners": choice[1:2], "learning_rates": choice[2:]}
        changes = sum(a != b for a, b in zip(choice, (f, k_h, eps), strict=True))
        if changes:
            members = family(weights, n_visible=one.n_visible, k_visible=one.k_visible, **only)
            found |= dict.fromkeys(members, changes)
    return found
