"""What is said of contexts longer than units: by a formula, and by what training finds."""

from collections.abc import Iterator

import xarray as xr

from slotfree.beyond.contextC2 import experiments as e
from slotfree.beyond.contextC2.experiments import FORMULA, IDEAL, LONG, SHORT, TRAINED, overall, units
from slotfree.beyond.contextC2.measures import newest, voted
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_most, below, ours, within
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results
from slotfree.study.trainings import Condition

CLOSE = 0.01  # a formula that is right to two digits is this close
CEILING = voted(units(e.T_ONE), SHORT)  # a vote in each unit, with slow weights that tell letters, and nothing of units


def claims(r: Results) -> Iterator[Claim]:
    """All claims: with ideal slow weights, then trained."""
    yield from formula_claims(r[FORMULA])
    yield from gain_claims(r[IDEAL], "ideal", (e.ONE, e.THIN, e.K2, e.K3), "thin keys, all of the items")
    yield from gain_claims(r[IDEAL], "both", (e.ONE, e.THIN_BOTH, e.K2_BOTH, e.K3_BOTH), "thin keys and items")
    yield from mask_claims(r)
    yield from thin_claims(r[IDEAL], r[TRAINED])
    yield from trained_claims(r[TRAINED])
    yield from wiring_claims(r[TRAINED])


def accuracy(data: xr.Dataset, each: Condition) -> Estimate:
    """Mean accuracy over all lags."""
    return estimate.mean(overall(data, each).values)


def gained(data: xr.Dataset, more: Condition, less: Condition) -> Estimate:
    """Accuracy of one condition less that of another in the same runs."""
    return estimate.mean((overall(data, more) - overall(data, less)).values)


def formula_claims(data: xr.Dataset) -> Iterator[Claim]:
    """Why ε < 1 helps one winner with ideal slow weights."""
    n = units(e.ONE)
    law = float(newest(n, LONG).mean())
    vote = voted(n, LONG)
    for name, each, value, what in (
        ("newest", e.ONE, law, "the newest of the items that met in it, ½ + n_h/(2C) P(n ≥ 1)"),
        ("vote", e.ONE_GRADED, vote, "a vote of the items that met in it, ½ + n_h/(2C) E|S_n|"),
    ):
        found = overall(data, each) - value
        yield ours(
            f"formula-{name}",
            f"With ideal slow weights, {each.name}, a unit answers for {what} = {value:.3f}: accuracy less that, at "
            f"most {CLOSE:g} off.",
            estimate.mean(found.values),
            within(-CLOSE, CLOSE),
        )
    yield ours(
        "graded",
        "With ideal slow weights, graded updates help one winner: accuracy with ε = 0.1 less that with ε = 1; the "
        f"formulas say {vote - law:.3f}.",
        gained(data, e.ONE_GRADED, e.ONE),
        above(0),
    )


def gain_claims(data: xr.Dataset, name: str, four: tuple[Condition, ...], what: str) -> Iterator[Claim]:
    """Whether most of the gain is thinner units, and whether K > 1 adds to them."""
    one, thin, *several = four
    yield ours(
        f"{name}-thin",
        f"At equal fast weights, ideal slow weights, {what}: thin units are better than one winner.",
        gained(data, thin, one),
        above(0),
    )
    for each in several:
        k = each.name[:5]
        yield ours(
            f"{name}-{k.replace(' = ', '')}",
            f"At equal fast weights, ideal slow weights, {what}: {k} is better than thin units with one winner, each "
            "as thin as is best for it.",
            gained(data, each, thin),
            above(0),
        )
        most = 2 * overall(data, thin) - overall(data, one) - overall(data, each)
        yield ours(
            f"{name}-most-{k.replace(' = ', '')}",
            f"Most of the gain over one winner is thinner units (ideal slow weights, {what}): gain by thin units less "
            f"what {k} adds to it.",
            estimate.mean(most.values),
            above(0),
        )


def mask_claims(r: Results) -> Iterator[Claim]:
    """Whether it matters that each unit sees a part of the key of its own."""
    for name, data, own, shared, what in (
        ("ideal", r[IDEAL], e.THIN, e.SHARED, "ideal slow weights, thin keys"),
        ("both", r[IDEAL], e.THIN_BOTH, e.SHARED_BOTH, "ideal slow weights, thin keys and items"),
        ("trained", r[TRAINED], e.T_THIN, e.T_SHARED, "trained"),
    ):
        yield ours(
            f"masks-{name}",
            f"Units that each see a part of the key of their own are better than units that share one, a smaller key "
            f"({what}).",
            gained(data, own, shared),
            above(0),
        )


def thin_claims(data: xr.Dataset, trained: xr.Dataset) -> Iterator[Claim]:
    """Whether K > 1 repairs units that are too thin."""
    seen = 8
    yield ours(
        "too-thin",
        f"Units can be too thin: with {seen} of 50 components of the key one winner is worse than with 16, though "
        "there are twice as many units.",
        gained(data, e.TOO_THIN, e.THIN_BOTH),
        below(0),
    )
    yield ours(
        "thin-keys",
        "Thin keys add to thin items (ideal slow weights, one winner): 16 of 50 components and of items as few, less "
        "all components and a quarter of the items.",
        gained(data, e.THIN_BOTH, e.WIDE_KEYS),
        above(0),
    )
    for name, runs, one, three, what in (
        ("repaired", data, e.TOO_THIN, e.TOO_THIN_K3, f"ideal slow weights, {seen}"),
        ("repaired-trained", trained, e.T_TOO_THIN, e.T_TOO_THIN_K3, "trained, 10"),
    ):
        yield ours(
            name,
            f"K > 1 repairs units that are too thin ({what} of 50 components, and of items as few): k = 3 less k = 1.",
            gained(runs, three, one),
            above(0),
        )
    for name, weak in (("thin", e.THIN_WEAK), ("k3", e.K3_WEAK)):
        yield ours(
            f"weak-{name}",
            f"Projections must be stronger than keys that are alike: {weak.name.removesuffix(', both')}, which is less "
            "than |k|² = 10, is worse than one winner.",
            gained(data, weak, e.ONE),
            below(0),
        )


def trained_claims(data: xr.Dataset) -> Iterator[Claim]:
    """What helps in situ, with projections by token, which stay, and with projections that are redrawn."""
    for name, one, graded, thin, both, several, what in (
        ("trained", e.T_ONE, e.T_GRADED, e.T_THIN, e.T_THIN_GRADED, e.T_K2_GRADED, "projections that stay"),
        ("redrawn", e.R_ONE, e.REDRAWN, e.R_THIN, e.R_THIN_GRADED, e.R_K2_GRADED, "projections that are redrawn"),
    ):
        yield ours(
            f"{name}-graded",
            f"Trained, {what}: graded updates help one winner, ε = 0.3 less ε = 1.",
            gained(data, graded, one),
            above(0),
        )
        yield ours(f"{name}-thin", f"Trained, {what}: thin units help, ε = 1.", gained(data, thin, one), above(0))
        yield ours(
            f"{name}-k2",
            f"Trained, {what}: k = 2 is better than k = 1, both with thin units and ε = 0.3.",
            gained(data, several, both),
            above(0),
        )
        most = 2 * overall(data, both) - overall(data, one) - overall(data, several)
        yield ours(
            f"{name}-most",
            f"Trained, {what}: most of the gain of k = 2, ε = 0.3 over one winner is that of thin units with graded "
            "updates: their gain less what k = 2 adds.",
            estimate.mean(most.values),
            above(0),
        )
    for name, k2, k1 in (("trained-k2-sharp", e.T_K2, e.T_THIN), ("trained-k3-sharp", e.T_K3, e.T_THIN)):
        yield ours(
            name,
            f"Trained, ε = 1: {k2.name} is better than k = 1 with units as thin.",
            gained(data, k2, k1),
            above(0),
        )


def wiring_claims(data: xr.Dataset) -> Iterator[Claim]:
    """Why training reaches more than a vote in each unit: what keys, values and wiring have to do with it."""
    n = units(e.T_GRADED)
    trained = data.sel(condition=e.T_GRADED.name)
    yield ours(
        "beyond-vote",
        f"Trained with ε = 0.3, one winner does more than a vote in each of {n} units can, {CEILING:.3f}: accuracy.",
        accuracy(data, e.T_GRADED),
        above(CEILING),
    )
    for name, each in (("token", e.T_GRADED), ("letter", e.LETTER)):
        yield ours(
            f"case-component-{name}",
            "Because trained keys have a part that tells the case, the same for all letters, so that items of the same "
            f"case share units (projections by {name}): its share of |k|².",
            estimate.mean(data["case_component"].sel(condition=each.name).values),
            above(0),
        )
    yield ours(
        "redrawn-vote",
        "Because units stay what they are: where projections are redrawn for each sequence, training does no more than "
        f"a vote, {CEILING:.3f} (ε = 0.3 and 0.1): the larger accuracy.",
        estimate.largest_of([accuracy(data, e.REDRAWN), accuracy(data, e.R_SMALLER)]),
        at_most(CEILING + CLOSE),
    )
    yield ours(
        "letter-beyond",
        "Not because projections give the case away: by letter, they say nothing of it, and training does more than a "
        "vote too: accuracy.",
        accuracy(data, e.LETTER),
        above(CEILING),
    )
    yield ours(
        "rewired",
        "The same slow weights with units wired anew do no more than a vote: accuracy.",
        estimate.mean(trained["rewired"].values),
        at_most(CEILING),
    )
    yield ours(
        "one-key",
        "With the same key for both cases of a letter they do no more than a vote: the case is held by keys. Accuracy.",
        estimate.mean(trained["one_key"].values),
        at_most(CEILING),
    )
    for name, each in (("token", e.T_GRADED), ("letter", e.LETTER)):
        yield ours(
            f"agreement-{name}",
            f"Tokens that drive the same unit have values that agree (projections by {name}): mean |mean sign| of the "
            "values of a unit's tokens, less that of their cases.",
            estimate.mean(data["agreement"].sel(condition=each.name).values),
            above(0),
        )
        both = data["other_case"].sel(condition=[each.name, e.REDRAWN.name])
        yield ours(
            f"values-{name}",
            f"Values become answers of units, not of items (projections by {name}): share of tokens whose value says "
            "the other case, less that with redrawn projections.",
            estimate.mean((both[:, 0] - both[:, 1]).values),
            above(0),
        )
