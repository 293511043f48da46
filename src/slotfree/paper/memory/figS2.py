"""Figure S2: the K-winner MHN with twice the fan-in (f = 0.1, n_h = 1000)."""

from collections.abc import Iterator

from slotfree.drawing.picture import Picture
from slotfree.forgetting.fits import exponential_fit
from slotfree.forgetting.protocol import CUES
from slotfree.paper.memory.fig4 import ONE, K, draw_by_cue
from slotfree.paper.shared.memories import ONE_WINNER, WIDE, on_random
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, below, of_paper, within
from slotfree.study.item import Item
from slotfree.study.results import Results

W = on_random(WIDE)
EVERY = (1, 1000)
MIDDLE, OLD, VERY_OLD = (20, 250), (300, 1000), (450, 550)  # “∼ 500” is 450 to 550


def draw(r: Results) -> Picture:
    """Draw accuracy (A), R.D. (B) and d' (C) for both cues."""
    pair = ((WIDE, W), (ONE_WINNER, ONE))
    return draw_by_cue(r, pair, ("accuracy", "raw_difference", "d_prime"), height=2.6, names=2)


def claims(r: Results) -> Iterator[Claim]:
    """What text and SI say of the wider fan-in."""
    for cue in CUES:
        yield from claims_on_accuracy(r, cue)
        yield from claims_on_difference(r, cue)
        yield from claims_on_sensitivity(r, cue)


def claims_on_accuracy(r: Results, cue: float) -> Iterator[Claim]:
    """Accuracy at first, and for patterns never stored."""
    level = f"{cue:.0%}"
    accuracy = {e.name: r[e]["accuracy"].sel(cue=cue) for e in (W, K)}
    newest = {name: runs.sel(kind="real", age=1).values for name, runs in accuracy.items()}
    unseen = {name: runs.sel(kind="pseudo").mean("age").values for name, runs in accuracy.items()}
    yield of_paper(
        f"initial-{level}",
        f"f = 0.1 gives a “higher (and, in fact, near-perfect) initial retrieval accuracy” ({level} cues), "
        f"{newest[W.name].mean():.3f} against {newest[K.name].mean():.3f}: by how much.",
        paper="higher, near-perfect",
        estimate=estimate.difference(newest[W.name], newest[K.name]),
        limits=above(0),
    )
    yield Claim(
        f"near-perfect-{level}",
        f"“Near-perfect” is not perfect, as the 1-winner MHN is: initial accuracy with f = 0.1 ({level} cues).",
        paper="near-perfect",
        estimate=estimate.mean(newest[W.name]),
        limits=below(1),
    )
    yield of_paper(
        f"baseline-{level}",
        f"f = 0.1 is “also lowering the retrieval baseline” ({level} cues), {unseen[W.name].mean():.3f} against "
        f"{unseen[K.name].mean():.3f}: by how much.",
        paper="lower",
        estimate=estimate.difference(unseen[K.name], unseen[W.name]),
        limits=above(0),
    )


def claims_on_difference(r: Results, cue: float) -> Iterator[Claim]:
    """R.D. at first, next to the 1-winner's, and its decay."""
    level = f"{cue:.0%}"
    wide, one, narrow = (curves.raw_difference(r[e], cue) for e in (W, ONE, K))
    yield of_paper(
        f"initial-rd-{level}",
        f"f = 0.1 gives “a larger initial raw difference” ({level} cues): by how much, age 1.",
        paper="larger",
        estimate=curves.lead(wide, narrow, (1, 1)),
        limits=above(0),
    )
    leads = curves.block_leads(wide, one, EVERY)
    yield of_paper(
        f"below-one-winner-{level}",
        f"The R.D. curves of f = 0.1 “consistently remain below those of the original MHN” ({level} cues): blocks of "
        f"ages, out of {len(leads)} from {EVERY[0]} to {EVERY[1]}, in which R.D. is above, at a joint level of 1%; it "
        f"is reliably below in {sum(e.high < 0 for e in leads)}.",
        paper=0.0,
        estimate=estimate.exact(sum(e.low > 0 for e in leads)),
        limits=within(0, 0),
    )
    fits = [exponential_fit(r[e], cue, seed=r.seed) for e in (W, K)]
    yield of_paper(
        f"faster-{level}",
        f"“The raw decay rate … is now larger than that of the K-winner MHN with f = 0.05” ({level} cues), "
        f"{fits[0].beta:.4f} against {fits[1].beta:.4f}: difference of β.",
        paper="larger",
        estimate=curves.faster(*fits),
        limits=above(0),
    )


def claims_on_sensitivity(r: Results, cue: float) -> Iterator[Claim]:
    """Where the wider fan-in leads in d'."""
    level = f"{cue:.0%}"
    wide, one, narrow = (curves.d_prime(r[e], cue) for e in (W, ONE, K))
    yield of_paper(
        f"middle-{level}",
        f"f = 0.1 has an advantage in d' over the 1-winner MHN for “ages ∼ {MIDDLE[0]} – {MIDDLE[1]}” ({level} cues): "
        "smallest lead of blocks of these ages.",
        paper="advantage",
        estimate=estimate.smallest_of(curves.block_leads(wide, one, MIDDLE)),
        limits=above(0),
    )
    leads = curves.block_leads(wide, one, OLD)
    clearest, (first, last) = max(zip(leads, curves.blocks(*OLD), strict=True), key=lambda found: found[0].low)
    yield of_paper(
        f"old-{level}",
        f"f = 0.1 “no longer maintains a d' … advantage for very old memories (i.e. ages ≥ {OLD[0]})” ({level} cues): "
        f"blocks of ages {OLD[0]} to {OLD[1]} in which it leads in d', at a joint level of 1%. The clearest lead is "
        f"{clearest.value:.3f} ({clearest.low:.3f} to {clearest.high:.3f}), at ages {first} to {last}.",
        paper="no advantage",
        estimate=estimate.exact(sum(e.low > 0 for e in leads)),
        limits=within(0, 0),
    )
    middle, later = (curves.over_ages(wide, ages) - curves.over_ages(one, ages) for ages in (MIDDLE, VERY_OLD))
    yield of_paper(
        f"very-old-{level}",
        "f = 0.1 “no longer has a prominent advantage for especially old memories (e.g. of age ∼ 500)” "
        f"({level} cues): its lead in d' at ages {VERY_OLD[0]} to {VERY_OLD[1]} is {later.mean():.3f}; how much "
        f"smaller that is than the one at ages {MIDDLE[0]} to {MIDDLE[1]}.",
        paper="not prominent",
        estimate=estimate.difference(middle, later),
        limits=above(0),
    )
    yield of_paper(
        f"trade-off-{level}",
        f"f = 0.1 is “compromising somewhat on longer-timescale retention” ({level} cues): lead of f = 0.05 in d', "
        f"ages {OLD[0]} to {OLD[1]}.",
        paper="compromising",
        estimate=curves.lead(narrow, wide, OLD),
        limits=above(0),
    )


ITEM = Item(
    name="figS2",
    number="Figure S2",
    title="A K-winner memory with a wider fan-in",
    text="Here each hidden unit sees a tenth of the input instead of a twentieth, and there are half as many units: "
    "new memories are recalled better, but they fade faster. The lead in d' over the 1-winner MHN is confined to "
    "memories of middle age, so fan-in trades the quality of new memories against the life of old ones.",
    alt="Three rows of two panels, for 100% and for 50% cues, against memory age: accuracy, raw difference, and "
    "sensitivity d' of the K-winner MHN with fan-in 0.1 and of the 1-winner MHN.",
    experiments=(W, ONE, K),
    draw=draw,
    claims=claims,
)
