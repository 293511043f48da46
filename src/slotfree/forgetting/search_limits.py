"""The limits within which the best memory is searched: those of the theory, and those of what there can be."""

from slotfree.forgetting.family import MOST_ACTIVE
from slotfree.forgetting.theory.limits import LEAST_INPUTS, LEAST_INPUTS_STORED, least_learning_rate
from slotfree.memory.kwinner import KWinnerSettings


def least_fan_in(k_visible: int, cue: float) -> float:
    """Return the least f that theory covers at a cue: f c k_v ≥ 2 and f k_v ≥ 4."""
    return min(max(LEAST_INPUTS / cue, LEAST_INPUTS_STORED) / k_visible, 1.0)


def limits_of(settings: KWinnerSettings, cue: float) -> list[str]:
    """Return which settings lie on a limit of the search at a cue, and which limit that is."""
    f, k_h, eps = settings.fan_in, settings.k_hidden, settings.learning_rate
    least_f = least_fan_in(settings.k_visible, cue)
    slowest = least_learning_rate(f)
    limits = (
        (f < least_f + 1 / settings.n_visible <= 1, f"fan_in = {f:g} is the least that theory covers at this cue"),
        (f == 1, "fan_in = 1 is the most there is"),
        (k_h == 1, "k_hidden = 1 is the least there is"),
        (
            k_h + 1 > MOST_ACTIVE * settings.n_hidden,
            f"k_hidden = {k_h} is the most that is searched, {MOST_ACTIVE:.0%} of the hidden units",
        ),
        (eps <= slowest, f"learning_rate = {eps:g} is the least that theory covers"),
        (eps == 1, "learning_rate = 1 is the most there is"),
    )
    return [words for reached, words in limits if reached]
