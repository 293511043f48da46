"""Do input projections keep items apart in storage? How often a later item of a context overwrites an earlier one."""

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.diagnosis import diagnose
from slotfree.attention.measures import ending
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.paper.shared.transformers import PAIRS, PERFECT, QK_IP, SHOWN, TASK, Transformer, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, of_paper
from slotfree.study.results import Results
from slotfree.study.training import weights_at

SLOT_FREE = (*(without for without, _ in PAIRS), *(with_ for _, with_ in PAIRS))


def overwritten(r: Results, transformer: Transformer) -> NDArray[np.float64]:
    """Share of context items that a later item overwrites after training, in 512 new sequences of each run, (run,)."""
    if not isinstance(transformer.model, SlotFreeTransformer):
        raise TypeError(f"{transformer.name} does not store items in fast weights")
    data = r[training(transformer)]
    weights = weights_at(data)
    shares = [diagnose(transformer.model, weights[run], TASK, seed=run).lost for run in range(data.sizes["run"])]
    return np.array(shares)


def claim_failures(shares: NDArray[np.float64], r: Results) -> Claim:
    """The claim that the QK model with projections fails for no other reason."""
    failed = ending(r[training(QK_IP)]["accuracy"]) < PERFECT
    return Claim(
        "qk-ip-fails-by-overwriting",
        "QK with input projections falls short of 100% in the runs in which keys of different letters become so alike "
        f"that items are overwritten, and in no other ({failed.sum()} of {len(failed)}): share of runs of which this "
        "is true.",
        estimate=estimate.exact((failed == (shares > 0)).mean()),
        limits=at_least(1),
    )


def draw_overwritten(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the share of items that are overwritten after training, a dot for each run."""
    jitter = np.random.default_rng(0)
    for place, transformer in enumerate(SLOT_FREE):
        shares = r.once(overwritten, transformer)
        panels.dots(axis, place, shares, transformer.colour, jitter, shown=SHOWN)
        columns = {"run": np.arange(len(shares)), "items_overwritten": shares}
        picture.record_columns(columns, table="-overwritten", model=transformer.name)
    panels.name_places(axis, [transformer.label for transformer in SLOT_FREE])
    axis.set(ylabel="share of context items", ylim=(-0.02, None))


def claims_overwriting(r: Results) -> Iterator[Claim]:
    """What the paper says of projections: that they keep items from being overwritten, which happens without them."""
    shares = {transformer: r.once(overwritten, transformer) for transformer in SLOT_FREE}
    yield claim_failures(shares[QK_IP], r)
    for without, with_ in PAIRS:
        yield of_paper(
            f"overwritten-{without.name}",
            "Without input projections storage “may, on occasion, replace an existing key and value with those of a "
            f"new item”: share of context items that a later one overwrites after training, {without.label}.",
            paper="on occasion",
            estimate=estimate.mean(shares[without]),
            limits=above(0),
        )
        yield of_paper(
            f"fewer-overwritten-{without.name}",
            "Input projections “help in allocating distinct hidden neurons to represent distinct context items”: share "
            f"of items overwritten after training in {without.label} minus that in {with_.label}, mean of all runs.",
            paper="distinct neurons",
            estimate=estimate.difference(shares[without], shares[with_]),
            limits=above(0),
        )
        overwriting = shares[with_] > 0
        yield of_paper(
            f"kept-{with_.name}",
            "The addition of input projections “successfully allows new memories to be encoded in the MHN module "
            f"without overwriting existing ones” ({with_.label}): share of runs in which no item is overwritten after "
            f"training (some are in {overwriting.sum()} of {len(overwriting)} runs; {shares[with_].mean():.1%} of the "
            f"items in the mean, {shares[with_].max():.1%} in the worst run).",
            paper="without overwriting",
            estimate=estimate.share(int((~overwriting).sum()), len(overwriting)),
            limits=above(0.5),
        )
