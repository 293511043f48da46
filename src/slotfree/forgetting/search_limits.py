"""The limits within which the best memory is searched: those of the theory, and those of what there can be."""

from slotfree.forgetting.family import MOST_ACTIVE
from slotfree.forgetting.theory.limits import LEAST_INPUTS, LEAST_LEARNING_RATE
from slotfree.memory.kwinner import KWinnerSettings


def least_fan_in(k_visible: int) -> float:
    """Return the least f that is searched, with which a hidden unit has about two active inputs: f k_v = 2."""
    return min(LEAST_INPUTS / k_visible, 1.0)


def limits_of(settings: KWinnerSettings) -> list[str]:
    """Return which settings lie on a limit of the search, and which limit that is."""
    f, k_h, eps = settings.fan_in, settings.k_hidden, settings.learning_rate
    least_f = least_fan_in(settings.k_visible)
    limits = (
        (f <= least_f < 1, f"fan_in = {f:g} is the least for which the theory is made"),
        (f == 1 > least_f, "fan_in = 1 is the most there is"),
        (k_h == 1, "k_hidden = 1 is the least there is"),
        (
            k_h + 1 > MOST_ACTIVE * settings.n_hidden,
            f"k_hidden = {k_h} is the most that is searched, {MOST_ACTIVE:.0%} of the hidden units",
        ),
        (eps <= LEAST_LEARNING_RATE, f"learning_rate = {eps:g} is the least for which the theory is made"),
        (eps == 1, "learning_rate = 1 is the most there is"),
    )
    return [words for reached, words in limits if reached]
