"""The neighbours of a memory in its parameter-matched family, and the limits within which the best one is searched."""

from itertools import product

from slotfree.forgetting.family import MOST_ACTIVE, family
from slotfree.forgetting.theory.limits import LEAST_INPUTS, LEAST_LEARNING_RATE
from slotfree.memory.kwinner import KWinnerSettings


def least_fan_in(k_visible: int) -> float:
    """Return the least f that is searched, with which a hidden unit has about two active inputs: f k_v = 2."""
    return min(LEAST_INPUTS / k_visible, 1.0)


def limits_of(settings: KWinnerSettings) -> list[str]:
    """Return which settings lie on a limit of the search, and which limit that is."""
    f, k_h, eps = settings.fan_in, settings.k_hidden, settings.learning_rate
    limits = (
        (f <= least_fan_in(settings.k_visible), f"fan_in = {f:g} is the least for which the theory is made"),
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
        {f, min(f * step, 1.0), max(f / step, least_fan_in(one.k_visible))},
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
