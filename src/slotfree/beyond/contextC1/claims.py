"""What is learnt, how fast, and why."""

from collections.abc import Iterator

import numpy as np
import xarray as xr

from slotfree.beyond.contextC1 import experiments as e
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, below, ours
from slotfree.study.estimate import Estimate, Values
from slotfree.study.results import Results
from slotfree.study.trainings import ended, learnt_at

LEARNT = 0.99


def claims(r: Results) -> Iterator[Claim]:
    """All that the item says."""
    yield from claims_of_parts(r[e.CONTROLS])
    yield from claims_of_grid(r[e.GRID])
    yield from claims_of_storing(r[e.STORED])
    yield from claims_of_variants(r[e.VARIED])


def end_of(data: xr.Dataset, name: str) -> Values:
    """Accuracy at the end, (run,); NaN where training diverged."""
    values: Values = ended(data.sel(condition=[name])).values[:, 0]
    return values


def steps_of(data: xr.Dataset, name: str) -> Values:
    """Steps to 0.99, (run,)."""
    values: Values = learnt_at(data.sel(condition=[name])).values[:, 0]
    return values


def share_learnt(data: xr.Dataset, name: str) -> Estimate:
    """Share of runs that reach 0.99."""
    reached = np.isfinite(steps_of(data, name))
    return estimate.share(int(reached.sum()), len(reached))


def claims_of_parts(data: xr.Dataset) -> Iterator[Claim]:
    """Zero start and Z, each and together; and thin units."""
    faster = "Steps to 0.99, difference of medians."
    for name, sentence, slow, fast in (
        (
            "zero-faster",
            "With projections, a start at zero alone makes the paper's model learn faster.",
            e.PUBLISHED,
            e.ZERO,
        ),
        ("Z-faster", "With a start at zero, Z makes it learn faster still.", e.ZERO, e.BOTH),
        (
            "thin-faster",
            "Thin units without projections learn faster than the paper's model with them.",
            e.PUBLISHED,
            e.THIN,
        ),
        ("thin-faster-than-both", "And faster than one winner with projections, zero start and Z.", e.BOTH, e.THIN),
    ):
        found = estimate.median_difference(steps_of(data, slow), steps_of(data, fast))
        yield ours(name, f"{sentence} {faster}", found, above(0))
    for name, condition, rates in (
        ("Z-alone", e.ONLY_Z, "the paper's rates"),
        ("Z-alone-slower", e.SLOWER, "a tenth of the paper's rates"),
    ):
        yield ours(
            name,
            f"Z alone, with random initial values and items, does not learn in {e.STEPS} steps at {rates}: units that "
            "stored nothing are read but not counted. Share of runs that reach 0.99, below one half.",
            share_learnt(data, condition),
            below(0.5),
        )
    lost = np.isnan(end_of(data, e.ONLY_Z))
    yield ours(
        "Z-alone-diverges",
        "Z alone diverges at the paper's rates, more often than not: share of runs.",
        estimate.share(int(lost.sum()), len(lost)),
        above(0.5),
    )
    published = data.isel(iteration=slice(int((data["iteration"] < e.STEPS).sum())))
    yield ours(
        "bare-better",
        "Without projections, zero start and Z help one winner that sees whole keys: accuracy at the end of "
        f"{e.STEPS} steps, difference from the paper's model.",
        estimate.mean(end_of(data, e.BARE_BOTH) - end_of(published, e.BARE)),
        above(0),
    )
    yield ours(
        "bare-fails",
        f"But they are not enough: its accuracy at the end of {e.STEPS} steps stays below 0.99.",
        estimate.mean(end_of(data, e.BARE_BOTH)),
        below(LEARNT),
    )


def claims_of_grid(data: xr.Dataset) -> Iterator[Claim]:
    """Which distributed contexts are learnt."""
    for name, place, f_min, f_max, which in (
        ("learnt-with", e.WITH, 0.1, 1.0, "f = 0.1, 0.3 and 1"),
        ("learnt-without", e.WITHOUT, 0.1, 0.3, "f = 0.1 and 0.3"),
        ("two-components-with", e.WITH, 0.04, 0.04, "f = 0.04, two components of a key"),
        ("two-components-without", e.WITHOUT, 0.04, 0.04, "f = 0.04, two components of a key"),
    ):
        cells = [c for c in e.CELLS if c[3] == place and f_min <= c[1] <= f_max and c[2] >= 160]
        yield ours(
            name,
            f"{place.capitalize()} projections a distributed context is learnt with all K, {which}, and 160 units or "
            f"more: accuracy after 400 steps, the smallest of {len(cells)} means, at least 0.99.",
            estimate.smallest_of(estimate.mean(end_of(data, e.cell(*c))) for c in cells),
            at_least(LEARNT),
        )
    whole = [c for c in e.CELLS if c[3] == e.WITHOUT and c[1] == 1]
    yield ours(
        "whole-fails",
        "Without projections units that see whole keys, f = 1, are not enough, however many win: accuracy after 400 "
        f"steps, the largest of {len(whole)} means, below 0.99.",
        estimate.largest_of(estimate.mean(end_of(data, e.cell(*c))) for c in whole),
        below(LEARNT),
    )
    differences = [gain(data, (1, f, n), (1, 1.0, n)) for f in (0.1, 0.3) for n in (40, 160)]
    yield ours(
        "thin-helps",
        "It is thin units that make projections unnecessary: with one winner, f = 0.1 or 0.3 ends higher than f = 1 "
        "(40 or 160 units). The smallest difference.",
        estimate.smallest_of(differences),
        above(0),
    )
    several = [gain(data, (k, 1.0, n), (1, 1.0, n)) for k, n in ((3, 40), (10, 40), (3, 160))]
    yield ours(
        "winners-do-not",
        "And not several winners: with f = 1, without projections, 3 or 10 of them end lower than one. The largest "
        "difference.",
        estimate.largest_of(several),
        below(0),
    )
    crowded = [c for c in e.CELLS if c[0] == 30 and c[2] == 40]
    yield ours(
        "crowded",
        "More winners than there is room for are not learnt: K = 30 out of 40 units, 4 items. Accuracy after 400 "
        "steps, the larger of two means, below 0.9.",
        estimate.largest_of(estimate.mean(end_of(data, e.cell(*c))) for c in crowded),
        below(0.9),
    )
    fewer = [end_of(data, e.cell(3, f, 40, e.WITH)) - end_of(data, e.cell(1, f, 40, e.WITH)) for f in e.FS]
    yield ours(
        "several-projections",
        "What several winners are good for: with projections to random units, and 40 of these, two letters may share "
        "one, but hardly three of three. Accuracy of 3 winners less that of one, mean over f.",
        estimate.mean(np.mean(fewer, axis=0)),
        above(0),
    )


def gain(data: xr.Dataset, one: tuple[int, float, int], other: tuple[int, float, int]) -> Estimate:
    """How much higher one cell ends than another, without projections; runs are paired."""
    return estimate.mean(end_of(data, e.cell(*one, e.WITHOUT)) - end_of(data, e.cell(*other, e.WITHOUT)))


def claims_of_storing(data: xr.Dataset) -> Iterator[Claim]:
    """Why units that see whole keys need projections: where items are stored."""
    taken = data["storage"].sel(measure="taken")

    def fewer(name: str, than: str, moment: int) -> Estimate:
        at = taken.sel(moment=moment)
        return estimate.mean((at.sel(case=than) - at.sel(case=name)).values)

    last = int(data["moment"].values[-1])
    yield ours(
        "thin-free",
        "Before training, an item is stored in a unit that holds another more often if units see whole keys: share of "
        "winners, f = 1 less f = 0.1 (one winner, 40 units, no projections).",
        fewer(e.PART, e.WHOLE, 0),
        above(0),
    )
    yield ours(
        "sums",
        "The reason is what initial weights have in common. As W_HK ~ U[0, 0.5), a key whose components add up to less "
        "than 0 drives every free unit that sees all of it below 0, so that a used unit wins. Share of winners that "
        "are used before training, f = 1, keys with a sum below 0 less others.",
        by_sign(data, e.WHOLE),
        above(0),
    )
    yield ours(
        "sums-thin",
        "Thin units see other parts of the key, and some of these add up to more than 0: the same difference is "
        "smaller with f = 0.1. f = 1 less f = 0.1.",
        difference_by_sign(data),
        above(0),
    )
    yield ours(
        "centred-start",
        "If all keys and queries add up to 0, fewer items are stored in used units before training, with f = 1 too.",
        fewer(e.CENTRED, e.WHOLE, 0),
        above(0),
    )
    for name, sentence, case in (
        ("centred-learns", "And the task is learnt better", e.CENTRED),
        ("thin-learns", "So it is with thin units, f = 0.1", e.PART),
    ):
        lead = data["accuracy"].sel(case=case) - data["accuracy"].sel(case=e.WHOLE)
        yield ours(
            name,
            f"{sentence}: accuracy at step {last}, difference from f = 1.",
            estimate.mean(lead.isel(moment=-1).values),
            above(0),
        )
    yield ours(
        "masks",
        "That each unit has a part of its own matters: if all thin units see the same part, more items are stored in "
        "used units before training.",
        fewer(e.PART, e.SHARED, 0),
        above(0),
    )
    missing = 1 - data["accuracy"].sel(case=e.WHOLE).isel(moment=-1).values
    gone = data["storage"].sel(measure="gone", case=e.WHOLE).isel(moment=-1).values
    yield ours(
        "overwritten",
        f"What is not answered at step {last} with f = 1 is largely what was overwritten, and is then guessed: half of "
        "the share of queried items that no unit holds, divided by the share of errors.",
        estimate.bootstrap(lambda ratio: ratio / 2, np.stack([gone, missing], axis=1), of=ratio_of_means),
        above(0.5),
    )


def by_sign(data: xr.Dataset, case: str) -> Estimate:
    """Share of winners that are used, of keys with a sum below 0 less others (bootstrap over runs)."""
    return estimate.bootstrap(lambda share: share, counts(data, case), of=sign_difference)


def difference_by_sign(data: xr.Dataset) -> Estimate:
    """The same, f = 1 less f = 0.1; runs are paired."""
    both = np.concatenate([counts(data, e.WHOLE), counts(data, e.PART)], axis=1)
    return estimate.bootstrap(
        lambda share: share, both, of=lambda rows: sign_difference(rows[..., :4]) - sign_difference(rows[..., 4:])
    )


def counts(data: xr.Dataset, case: str) -> Values:
    """Used winners and all, of keys with a sum below 0, then of others, (run, 4)."""
    found = data[["taken_in_bin", "in_bin"]].sel(case=case)
    parts = [found.isel(sum=sign.values).sum("sum") for sign in (data["sum"] < 0, data["sum"] > 0)]
    return np.stack([part[name].values for part in parts for name in ("taken_in_bin", "in_bin")], axis=1)


def sign_difference(rows: Values) -> Values:
    """Difference of shares, (resamples, run, 4) to (resamples,)."""
    below_0, all_below, others, all_others = np.moveaxis(rows.sum(axis=1), -1, 0)
    found: Values = below_0 / all_below - others / all_others
    return found


def ratio_of_means(rows: Values) -> Values:
    """(resamples, run, 2) to (resamples,)."""
    first, second = np.moveaxis(rows.mean(axis=1), -1, 0)
    found: Values = first / second
    return found


def claims_of_variants(data: xr.Dataset) -> Iterator[Claim]:
    """Key rules, and what helps or does not."""

    def lead(name: str, than: str, place: str) -> Estimate:
        return estimate.mean(end_of(data, e.variant(name, place)) - end_of(data, e.variant(than, place)))

    for rule in ("QK", "MHN"):
        yield ours(
            f"rule-{rule}",
            f"The {rule} rule learns the distributed context (3 winners out of 50 units, f = 0.1): accuracy after 600 "
            "steps, with or without projections, the lower of two means, at least 0.99.",
            estimate.smallest_of(estimate.mean(end_of(data, e.variant(rule, place))) for place in e.PLACES),
            at_least(LEARNT),
        )
    yield ours(
        "rule-fixed",
        "With fixed keys it takes longer: steps to 0.99, difference of medians from the QK rule, the smaller of those "
        "with and without projections.",
        estimate.smallest_of(
            estimate.median_difference(
                steps_of(data, e.variant("fixed keys", place)), steps_of(data, e.variant("QK", place))
            )
            for place in e.PLACES
        ),
        above(0),
    )
    for name, sentence, better, worse in (
        ("Z-helps", "Z helps a distributed context", "QK", "no Z"),
        (
            "all-read",
            "Reading from winners only does not help: from all units accuracy is higher",
            "QK",
            "read by winners",
        ),
        ("fan-out-half", "Items stored on half of the connections hurt, f_out = 0.5 against 1", "QK", "f_out = 0.5"),
        ("fan-out-quarter", "A quarter of the connections hurts more than half", "f_out = 0.5", "f_out = 0.25"),
        (
            "fan-out-more",
            "More winners repair it: f_out = 0.5 with K = 10 out of 160 units against 3 of 50",
            e.MORE,
            "f_out = 0.5",
        ),
    ):
        for place in e.PLACES:
            yield ours(
                f"{name}-{place}",
                f"{sentence} ({place} projections): accuracy after 600 steps, difference.",
                lead(better, worse, place),
                above(0),
            )
    yield ours(
        "graded",
        "A rate of ε = 0.3 in place of 1 is learnt too: accuracy after 600 steps, the lower of two means, at least "
        "0.99.",
        estimate.smallest_of(estimate.mean(end_of(data, e.variant("ε = 0.3", place))) for place in e.PLACES),
        at_least(LEARNT),
    )
