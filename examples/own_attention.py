"""A study: whether more hidden units help attention to learn.

The slot-free transformer keeps the tokens of its context in the weights of a layer of hidden units, and needs at least
two of them for each letter of its task. Here it is trained, by the query-key rule, with that number, and with more. Run
this file with

    slotfree run own_attention.py --out own_attention

which takes about a minute, or a few seconds with --scale quick, and open own_attention/report.html.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

import slotfree as sf
from slotfree.attention.measures import ending, learnt_at
from slotfree.drawing import training
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import PALETTE
from slotfree.study import Claim, Experiment, Item, Results, Study, Training, above, at_least, estimate

TASK = sf.CaseSequenceTask(n_letters=4, context_length=4)
N_HIDDEN = (8, 16, 32)


def trained(n_hidden: int) -> Experiment:
    """Ten trainings of a model; each run has weights and sequences of its own."""
    model = sf.SlotFreeTransformer(key_rule="query-key", input_projections=True, n_hidden=n_hidden)
    return Experiment(f"query-key-{n_hidden}", Training(model, TASK, iterations=3000), runs=10, few=3)


MODELS = {n_hidden: trained(n_hidden) for n_hidden in N_HIDDEN}


def draw(r: Results) -> Picture:
    """Accuracy along training (A), and at its end (B)."""
    picture = Picture(1, 2, sharey=True)
    along, end = picture.axes[0]
    jitter = np.random.default_rng(r.seed)
    for place, (n_hidden, experiment) in enumerate(MODELS.items()):
        accuracy, colour = r[experiment]["accuracy"], PALETTE[place]
        training.along_training(picture, along, accuracy, colour, f"{n_hidden}", row={"n_hidden": n_hidden})
        training.dots(end, place, ending(accuracy), colour, jitter)
    training.name_places(end, [str(n) for n in N_HIDDEN])
    along.set_ylabel("accuracy")
    along.legend(title="hidden units")
    end.set_xlabel("hidden units")
    picture.panel(along, "A", "along training")
    picture.panel(end, "B", "last fifth of training")
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What the figure shows, as statements that the data may contradict: an estimate with its interval, and limits."""
    fewest = MODELS[min(N_HIDDEN)]
    yield Claim(
        "few",
        f"{min(N_HIDDEN)} hidden units are enough: accuracy at the end of training, at least 0.95.",
        source="ours",
        estimate=estimate.mean(ending(r[fewest]["accuracy"])),
        limits=at_least(0.95),
    )
    for few, many in pairwise(N_HIDDEN):
        sooner, later = (learnt_at(r[MODELS[n]]["accuracy"]) for n in (few, many))
        yield Claim(
            f"later-{many}",
            f"With {many} hidden units the task is learnt later than with {few}: by how many iterations, median.",
            source="ours",
            estimate=estimate.median_difference(later, sooner),
            limits=above(0),
        )


STUDY = Study(
    title="Do more hidden units help slot-free attention to learn?",
    items=(
        Item(
            name="hidden-units",
            title="Learning with few and with many hidden units",
            text="Two hidden units for each letter are enough to learn the task. More of them do not help: the more "
            "there are, the later it is learnt.",
            alt="Two panels: accuracy along training for three numbers of hidden units, and the accuracy of every run "
            "at the end of training, with medians.",
            experiments=tuple(MODELS.values()),
            draw=draw,
            claims=claims,
        ),
    ),
)
