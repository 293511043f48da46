"""How good the theory of recency is, and where that of part one is good enough."""

from collections.abc import Iterator, Sequence

import numpy as np

from slotfree.beyond.contextC5.compared import BY_PART_ONE, LIMIT, TOGETHER, Compared, compared
from slotfree.beyond.contextC5.experiments import ONE_WINNER
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_most
from slotfree.study.results import Results


def claims(r: Results) -> Iterator[Claim]:
    """How good the theory is where projections choose, where keys do, and held out; and part one's."""
    by_keys = "keys choose the winners"
    for name, words, groups in (
        ("projections", "Where projections choose the winners", BY_PART_ONE),
        ("held-out", "The same for settings held out", ("held out",)),
        ("keys", "Where keys choose them, and units see 12 components or more", (by_keys,)),
        ("keys-held-out", "The same for settings held out, with 11 components or more", ("held out, keys choose",)),
    ):
        yield from claims_on_errors(name, words, compared(r, *groups))
    yield claim_too_thin(r)
    yield from claims_on_part_one(compared(r, *BY_PART_ONE))


def claims_on_errors(name: str, words: str, part: Sequence[Compared]) -> Iterator[Claim]:
    """Claims on the mean |error| of the worst setting, and on the largest error of neighbouring lags."""
    worst = max(part, key=lambda one: one.error(one.setting.predicted()).value)
    yield Claim(
        f"{name}-error",
        f"{words}, the theory of recency predicts accuracy by lag: mean absolute error of the worst of {len(part)} "
        f"settings, at most {LIMIT} (chance alone would give {worst.chance:.4f}).",
        estimate=estimate.largest_of(one.error(one.setting.predicted()) for one in part),
        limits=at_most(LIMIT),
    )
    values, errors = np.hstack([one.together() for one in part])
    yield Claim(
        f"{name}-lags",
        f"{words}, it does so at every lag: largest error of all settings and of every {TOGETHER} neighbouring lags, "
        f"{len(values)} numbers judged together, at most {LIMIT}.",
        estimate=estimate.chosen_largest(values, errors),
        limits=at_most(LIMIT),
    )


def claim_too_thin(r: Results) -> Claim:
    """Where the theory fails."""
    early = [
        (one.simulated - one.setting.predicted())[:, :TOGETHER].mean(axis=1)
        for one in compared(r, "keys choose, thin units")
    ]
    return Claim(
        "keys-thin",
        "Where keys choose the winners and units see ten components or fewer, the theory fails: it is too low for the "
        f"{TOGETHER} newest items, by more than {LIMIT}. The smallest of {len(early)} settings.",
        estimate=estimate.smallest_of(estimate.mean(each) for each in early),
        limits=above(LIMIT),
    )


def claims_on_part_one(part: Sequence[Compared]) -> Iterator[Claim]:
    """Claims on the theory of part one, for a memory of the same n_h, k, f and ε."""
    plain = [one for one in part if one.setting in ONE_WINNER]
    other = [one for one in part if one.setting not in ONE_WINNER]
    yield Claim(
        "part-one-plain",
        "For one winner with f = 1 and ε = 1, part one's theory of the memory with the same n_h, rescaled to chance, "
        f"has the curve too: mean absolute error, at most {LIMIT} (chance alone would give {plain[0].chance:.4f}).",
        estimate=plain[0].error(plain[0].setting.retained()),
        limits=at_most(LIMIT),
    )
    yield Claim(
        "part-one-one-winner",
        f"For one winner with f = 1 it has the curve whatever ε is: mean absolute error of the worst of {len(plain)} "
        f"learning rates, at most {LIMIT}.",
        estimate=estimate.largest_of(one.error(one.setting.retained()) for one in plain),
        limits=at_most(LIMIT),
    )
    yield Claim(
        "part-one-otherwise",
        f"For f < 1 or k > 1 it has not the curve: mean absolute error of the best of {len(other)} settings, above "
        f"{LIMIT}.",
        estimate=estimate.smallest_of(one.error(one.setting.retained()) for one in other),
        limits=above(LIMIT),
    )
