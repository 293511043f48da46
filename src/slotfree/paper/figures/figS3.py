"""Figure S3: graded updates in the 1-winner MHN, and slower ones in the K-winner MHN."""

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import EVERY_AGE, THEORY, cue_title
from slotfree.paper.shared.fading import ONE, K, draw_theory
from slotfree.paper.shared.memories import GRADED, K_WINNER, ONE_WINNER, SLOW, on_random
from slotfree.study import Estimate, Item, Results, curves, measure

CUE = 1.0
S, G = on_random(SLOW, cues=(CUE,)), on_random(GRADED, cues=(CUE,))


def draw(r: Results) -> Picture:
    """Draw the accuracy of both 1-winner MHNs (A) and d' of four models (B), 100% cues."""
    picture = Picture(1, 2, height=3.4)
    left, right = picture.axes[0]
    pair = [(model, r[e]["accuracy"].sel(cue=CUE, drop=True)) for model, e in ((ONE_WINNER, ONE), (GRADED, G))]
    ages.accuracies(picture, left, pair, row={"measure": "accuracy", "model": "", "kind": ""})
    for model, experiment in ((K_WINNER, K), (SLOW, S), (GRADED, G), (ONE_WINNER, ONE)):
        label = f"{model.label}, ε = 0.3" if model is K_WINNER else model.label
        row = {"measure": "d_prime", "model": model.name, "kind": ""}
        samples = curves.d_prime(r[experiment], CUE)
        ages.by_age(picture, right, samples, model.colour, label, row=row)
        draw_theory(picture, right, model, CUE, samples["age"].values, samples.attrs["runs_per_sample"])
    for axis, letter in ((left, "A"), (right, "B")):
        picture.panel(axis, letter, cue_title(CUE))
        ages.age_axis(axis, r[K].sizes["age"])
    ages.accuracy_axis(left)
    ages.d_prime_axis(right)
    picture.legend_below(right, 4, f"A, dotted: never stored; B, {THEORY}; {EVERY_AGE}")
    return picture


@measure
def overtaken_at(r: Results) -> Estimate:
    """Age from which the graded MHN has a higher d' than the K-winner MHN with ε = 0.3, for good."""
    return curves.crossing(curves.d_prime(r[G], CUE), curves.d_prime(r[K], CUE), 100, seed=r.seed)


@measure
def slow_behind_until(r: Results) -> int:
    """The oldest age up to which d' of the K-winner MHN with ε = 0.2 is reliably below the graded MHN's; 0 if none."""
    every = (1, r[S].sizes["age"])
    leads = curves.block_leads(curves.d_prime(r[S], CUE), curves.d_prime(r[G], CUE), every)
    return max((last for (_, last), lead in zip(curves.blocks(*every), leads, strict=True) if lead.high < 0), default=0)


ITEM = Item(
    name="figS3",
    number="Figure S3",
    title="Graded and slower updates",
    text="A 1-winner MHN that moves its weights only 30% of the way to each pattern recalls new patterns worse and old "
    "ones better, and at ages of several hundred its d' passes that of the K-winner MHN. A K-winner MHN that is slowed "
    "down as well is ahead of it again for all but the newest memories, so it is not slow learning alone that makes "
    "memories last.",
    alt="Two panels against memory age, for 100% cues. A: accuracy of the 1-winner MHN with learning rates 1 and 0.3, "
    "for patterns stored and never stored. B: sensitivity d' of the K-winner MHN with learning rates 0.3 and 0.2, the "
    "graded MHN, and the 1-winner MHN, each with what theory predicts, dashed.",
    experiments=(K, S, G, ONE),
    draw=draw,
)
