"""Key → value recall: what is claimed. The sentences are hypotheses, written before the runs that judge them.

But for ``rates-lasting`` and ``rates-four-lasting``: 300 steps, it turned out, are too few to see what such rates do.

Accuracies at the end are means over the last fifth of training; 0 in a run that diverged.
"""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.beyond.contextC4.experiments import FACTORS, FEWER, FIXED, HARDER, LONGER, PAPER, RATES, RULES, VALUES
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, below, ours, within
from slotfree.study.results import Results
from slotfree.study.trainings import ended, learnt_at

Values = NDArray[np.float64]

LEARNT = 0.99
BROKEN = 0.9
SAME = 0.01


def at_end(data: xr.Dataset, condition: str) -> Values:
    """The accuracy of each run at the end of training; 0 where it diverged."""
    found: Values = ended(data).sel(condition=condition).fillna(0.0).values
    return found


def answered(data: xr.Dataset, condition: str, shown: str) -> Values:
    """The share of right answers in the test of each run, for keys that were shown so often."""
    counts = data.sel(condition=condition, shown=shown)
    found: Values = (counts["right"] / counts["asked"]).values
    return found


def steps(data: xr.Dataset, condition: str) -> Values:
    """Steps to 0.99 of each run."""
    found: Values = learnt_at(data, LEARNT).sel(condition=condition).values
    return found


def claims(r: Results) -> Iterator[Claim]:
    """Whether the rule is general, what is in a key, what projections give away, what breaks, and what is too hard."""
    yield from claims_of_rules(r[RULES], r[VALUES])
    yield from claims_of_fixed(r[RULES], r[FIXED])
    yield from claims_of_keys(r[RULES])
    yield from claims_of_projections(r[RULES], r[FEWER])
    yield from claims_of_breaks(r[FEWER], r[RATES], r[PAPER])
    yield from claims_of_longer(r[LONGER])
    yield from claims_of_harder(r[HARDER])


def claims_of_rules(rules: xr.Dataset, values: xr.Dataset) -> Iterator[Claim]:
    """The key rules against exact gradients."""
    local = at_end(rules, "query-key, letter")
    yield ours(
        "learnt",
        "The query-key rule learns to recall one of 64 values by one of 64 keys, 16 pairs in a context stored by three "
        "winners, projections by letter: accuracy at the end.",
        estimate.mean(local),
        at_least(LEARNT),
    )
    yield ours(
        "values-256",
        "It learns with 256 values too: accuracy at the end.",
        estimate.mean(at_end(values, "query-key, letter")),
        at_least(LEARNT),
    )
    yield ours(
        "exact-slower",
        "With rates by the same rule, exact gradients through slots take longer: steps to 0.99, less those of the "
        "query-key rule.",
        estimate.median_difference(steps(rules, "exact, rates × 1"), steps(rules, "query-key, letter")),
        above(0),
    )
    yield ours(
        "exact-as-fast",
        "This is a matter of rates: with ten times as large ones exact gradients take at most 25 steps more.",
        estimate.median_difference(steps(rules, "exact, rates × 10"), steps(rules, "query-key, letter")),
        at_most(25),
    )
    yield ours(
        "storage-costs",
        "Without slots something is lost: accuracy at the end of exact gradients (rates × 4) less that of the "
        "query-key rule.",
        estimate.mean(at_end(rules, "exact, rates × 4") - local),
        above(0),
    )
    for other in ("mhn", "fixed"):
        for projections in ("letter", "token"):
            rival = at_end(rules, f"{other}, {projections}")
            yield ours(
                f"{other}-{projections}",
                f"The query-key rule ends higher than {'the MHN rule' if other == 'mhn' else 'fixed keys'}, "
                f"projections by {projections}, each with its own rates: difference of accuracies after 400 steps.",
                estimate.mean(at_end(rules, f"query-key, {projections}") - rival),
                above(0),
            )


def claims_of_fixed(rules: xr.Dataset, fixed: xr.Dataset) -> Iterator[Claim]:
    """Whether keys that learn end higher because W_Q and W_V learn faster in the models that have them."""
    for projections in ("letter", "token"):
        rival = at_end(fixed, f"fixed, {projections}, rates × 5")
        yield ours(
            f"same-rates-{projections}",
            "The query-key rule ends higher than fixed keys whose W_Q and W_V learn as fast, projections by "
            f"{projections}: difference of accuracies after 400 steps.",
            estimate.mean(at_end(rules, f"query-key, {projections}") - rival),
            above(0),
        )


def claims_of_keys(rules: xr.Dataset) -> Iterator[Claim]:
    """What the key of an item tells of its value."""
    models = {
        "query-key": ("query-key, letter", "The query-key rule"),
        "mhn": ("mhn, letter", "The MHN rule"),
        "exact": ("exact, rates × 4", "Descent along exact gradients (rates × 4)"),
    }
    for name, (condition, subject) in models.items():
        part = rules["value_part"].sel(condition=condition)
        yield ours(
            f"pure-{name}",
            f"{subject} learns that a value does not belong into a key: columns of W_K of values are less than half as "
            "long as those of keys at the end; they begin equal.",
            estimate.mean(part.isel(measured=-1).values),
            below(0.5),
        )


def claims_of_projections(rules: xr.Dataset, few: xr.Dataset) -> Iterator[Claim]:
    """Projections that could give the answer away, and those that cannot."""
    token = at_end(rules, "query-key, token")
    yield ours(
        "letter",
        "Projections need not tell the value: by letter, accuracy at the end is no lower than by token. Difference.",
        estimate.mean(at_end(rules, "query-key, letter") - token),
        at_least(0),
    )
    yield ours(
        "redrawn",
        f"Projections that are redrawn for each sequence change accuracy at the end by at most {SAME}. Difference from "
        "those that stay.",
        estimate.mean(at_end(rules, "query-key, redrawn") - token),
        within(-SAME, SAME),
    )
    yield ours(
        "none",
        f"Without projections recall of 64 keys breaks: accuracy at the end is below {LEARNT}.",
        estimate.mean(at_end(rules, "query-key, none")),
        below(LEARNT),
        "without projections, the paper's model ends at 0.90 on its own task",
    )
    three = at_end(few, "β × 1")
    for projections in ("own", "letter", "token"):
        yield ours(
            f"one-{projections}",
            f"One winner that sees all of a key ends lower than three that see 0.4 of it, with as many units (16 keys; "
            f"projections: {projections}). Difference.",
            estimate.mean(three - at_end(few, f"one winner, {projections}")),
            above(0),
        )
    yield ours(
        "rule-alone",
        "With a slot for each item the query-key rule makes no errors that storage does not make: accuracy at the end "
        "(16 keys, after 300 steps).",
        estimate.mean(at_end(few, "query-key, slots")),
        at_least(0.999),
    )


def claims_of_breaks(few: xr.Dataset, rates: xr.Dataset, paper: xr.Dataset) -> Iterator[Claim]:
    """Wrong rates, wrong β, and the paper's storage."""
    wrong = {
        "rates-tenth": ("rates × 0.1", "A tenth of the rates of the rule is too slow"),
        "rates-four": ("rates × 4", "Four times the rates of the rule are too many"),
        "rates-ten": ("rates × 10", "Ten times the rates of the rule are too many"),
        "rates-paper": ("the paper's rates", "The paper's rates, for four letters, are too slow"),
    }
    for name, (condition, sentence) in wrong.items():
        yield ours(
            name,
            f"{sentence} for 64 keys: accuracy at the end, after 300 steps, is below {BROKEN}.",
            estimate.mean(at_end(rates, condition)),
            below(BROKEN),
        )
    yield ours(
        "rates-few",
        f"For 16 keys ten times the rates of the rule are too many as well: accuracy at the end is below {BROKEN}.",
        estimate.mean(at_end(few, "rates × 10")),
        below(BROKEN),
    )
    right = at_end(few, "β × 1")
    lost = [estimate.mean(right - at_end(few, f"β × {factor:g}")) for factor in FACTORS if factor != 1]
    yield ours(
        "beta",
        f"A β that is wrong by a factor of up to 4 costs more than {SAME} of accuracy at the end, after 400 "
        "steps (16 keys). The largest loss.",
        estimate.largest_of(lost),
        above(SAME),
    )
    yield ours(
        "paper",
        f"The paper's storage, with rates by the rule for it, does not learn 16 keys and 64 values in 500 steps: "
        f"accuracy at the end is below {BROKEN}.",
        estimate.mean(at_end(paper, "the paper's storage")),
        below(BROKEN),
    )


def claims_of_longer(longer: xr.Dataset) -> Iterator[Claim]:
    """Whether rates can be kept for 800 steps."""
    yield ours(
        "rates-lasting",
        "The rates of the rule can be kept: accuracy at the end of 800 steps, 64 keys.",
        estimate.mean(at_end(longer, "rates × 1")),
        at_least(LEARNT),
    )
    yield ours(
        "rates-four-lasting",
        f"Four times as large ones cannot: accuracy at the end of 800 steps is below {BROKEN}.",
        estimate.mean(at_end(longer, "rates × 4")),
        below(BROKEN),
    )


def claims_of_harder(data: xr.Dataset) -> Iterator[Claim]:
    """Several queries, keys that come back, keys that are absent."""
    yield ours(
        "queries",
        "Four queries after each context are learnt as well: accuracy at the end, 16 keys.",
        estimate.mean(at_end(data, "4 queries, query-key, letter")),
        at_least(LEARNT),
    )
    latest = answered(data, "repeats, query-key, letter", "again")
    slots = answered(data, "repeats, exact, rates × 4", "again")
    yield ours(
        "repeats",
        "A key that comes back with another value is overwritten: the latest value is recalled (projections by "
        "letter).",
        estimate.mean(latest),
        at_least(0.98),
    )
    yield ours(
        "repeats-slots",
        "Slots without positions hold both values and can only guess: the latest is recalled in at most half of the "
        "cases.",
        estimate.mean(slots),
        at_most(0.5),
    )
    order = [answered(data, f"repeats, {rule}, token", "again") for rule in ("query-key", "mhn", "fixed")]
    yield ours(
        "repeats-rules",
        "The purer the keys, the better the latest value replaces the one before, projections by token: query-key, "
        "MHN, fixed keys, in order. The smaller step.",
        estimate.smallest_of([estimate.mean(order[0] - order[1]), estimate.mean(order[1] - order[2])]),
        above(0),
    )
    none, known = (answered(data, "absent, query-key, letter", shown) for shown in ("absent", "once"))
    yield ours(
        "absent",
        'A query for a key that is not in the context is answered "none".',
        estimate.mean(none),
        at_least(BROKEN),
    )
    yield ours(
        "absent-known",
        'Keys that are in the context are recalled where "none" is an answer.',
        estimate.mean(known),
        at_least(LEARNT),
    )
    yield ours(
        "absent-exact",
        'Exact gradients through slots (rates × 4) learn to answer "none".',
        estimate.mean(answered(data, "absent, exact, rates × 4", "absent")),
        at_least(BROKEN),
    )
