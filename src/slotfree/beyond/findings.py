"""What did not go as we had thought, and a reader may want to know."""

from slotfree.beyond import contextC3, contextC4, contextC5, theoryK1
from slotfree.study.finding import Finding
from slotfree.study.item import Item
from slotfree.study.judge import Judge


def judges(item: Item, *claims: str) -> tuple[Judge, ...]:
    """Claims of an item, by their names within it."""
    by_name = {judge.name: judge for judge in item.claims}  # type: ignore[union-attr]
    return tuple(by_name[f"{item.name}.{claim}"] for claim in claims)


FINDINGS = (
    Finding(
        "several-winners",
        "In a context that outgrows its units, several winners harm: three instead of one cost {contextC3.three-harm} "
        "of accuracy in a stream, ten another {contextC3.ten-harm}.",
        "Each item then takes more of the units that there are. Two winners pay with about two units for each item (a "
        "gain of {contextC2.both-k2}) and not with 50 units for 64 items (a loss of {contextC2.second-harms}). Graded "
        "updates, which help a context that is written once, cost {contextC3.graded-harms} where things change.",
        judges(contextC3.ITEM, "three-harm", "ten-harm", "graded-harms"),
    ),
    Finding(
        "absent-keys",
        "That a key was not shown is hardly learnt by models that read by attention: {contextC4.absent-missed} of such "
        'queries are answered "none" by the query-key rule, {contextC4.absent-exact-missed} by exact gradients.',
        "Attention sums to 1, so that some mixture of items is always read, and the readout is linear: the output for "
        '"none" is nearly the same at all times, and loses where one item has too large a share of the mixture.',
        judges(contextC4.ITEM, "absent-missed", "absent-exact-missed"),
    ),
    Finding(
        "values-in-keys",
        "The query-key rule learns that a value does not belong into a key, and the MHN rule does not: columns of W_K "
        "of values keep {contextC4.pure-query-key} and {contextC4.mhn-keeps-values} of the length of those of keys.",
        "Exact gradients do as the query-key rule does, {contextC4.pure-exact}. With projections by token the MHN rule "
        "ends {contextC4.mhn-token} lower.",
        judges(contextC4.ITEM, "mhn-keeps-values", "pure-query-key", "pure-exact"),
    ),
    Finding(
        "theories-miss",
        "Both theories are right on average, and not everywhere: the mean error of accuracy is {theoryK1.grid-error} "
        "over a grid of memories, and {theoryK1.held-out-worst} for the worst memory held out.",
        "It is large for small fan-ins with ε = 1, and where half of the units win. The theory of recency holds where "
        "projections choose the winners (mean error at most {contextC5.projections-error}); where keys do, several "
        "winners that see the whole key are won again together, and it is off by {contextC5.keys-missed}.",
        (*judges(theoryK1.ITEM, "grid-error", "held-out-worst"), *judges(contextC5.ITEM, "keys-missed")),
    ),
)
