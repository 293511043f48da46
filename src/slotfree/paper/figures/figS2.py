"""Figure S2: the K-winner MHN with twice the fan-in (f = 0.1, n_h = 1000)."""

from slotfree.drawing.picture import Picture
from slotfree.paper.shared.fading import ONE, TESTED, Ages, K, Runs, d_prime, draw_by_cue
from slotfree.paper.shared.memories import ONE_WINNER, WIDE, on_random
from slotfree.study import Item, Results, curves, measure, more

W = on_random(WIDE)


def draw(r: Results) -> Picture:
    """Draw accuracy (A), R.D. (B) and d' (C) for both cues."""
    pair = ((WIDE, W), (ONE_WINNER, ONE))
    return draw_by_cue(r, pair, ("accuracy", "raw_difference", "d_prime"), height=2.6, names=2)


@measure
def advantage(r: Results, cue: float, ages: Ages) -> Runs:
    """Lead over the 1-winner MHN in d', mean over ages, in each sample of runs."""
    return d_prime(W, cue, ages)(r) - d_prime(ONE, cue, ages)(r)


@measure
def blocks_above(r: Results, cue: float) -> int:
    """Blocks of ages in which R.D. is reliably above the 1-winner's, {cue:.0%} cues.

    Of all ages, at a joint level of 1 %.
    """
    leads = curves.block_leads(curves.raw_difference(r[W], cue), curves.raw_difference(r[ONE], cue), (1, TESTED))
    return sum(lead.low > 0 for lead in leads)


ITEM = Item(
    name="figS2",
    number="Figure S2",
    title="A K-winner memory with a wider fan-in",
    text="Here each hidden unit sees a tenth of the input instead of a twentieth, and there are half as many units: "
    "new memories are recalled better, but they fade faster. The lead in d' over the 1-winner MHN is confined to "
    "memories of middle age, so fan-in trades the quality of new memories against the life of old ones.",
    alt="Three rows of two panels, for 100% and for 50% cues, against memory age: accuracy, raw difference, and "
    "sensitivity d' of the K-winner MHN with fan-in 0.1 and of the 1-winner MHN, and, dashed, what theory predicts.",
    experiments=(W, ONE, K),
    draw=draw,
    claims=(
        more("figS2.still-leads", advantage(1.0, (300, 447)), 0, "lead in d', mean over ages 300 to 447, 100% cues"),
    ),
)
