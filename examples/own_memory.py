"""A study: a memory of your own beside the K-winner MHN.

It is a Hopfield network whose weights are bounded. A Hopfield network that stores too many patterns loses all of them
at once. If its weights cannot grow beyond a bound, it forgets old patterns instead (Parisi 1986). Does it forget as
gradually as a K-winner MHN (modern Hopfield network) with the same number of weights? Run this file with

    slotfree run own_memory.py --out own_memory

which takes about a minute, or a few seconds with --scale quick, and open own_memory/report.html.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from slotfree import KWinnerSettings, random_patterns
from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, EVERY_AGE, VERMILION, cue_title
from slotfree.study import Claim, Experiment, Item, Results, Retention, Study, above, at_least, curves, estimate

N_VISIBLE, K_VISIBLE = 200, 20
N_WEIGHTS = N_VISIBLE * (N_VISIBLE - 1) // 2  # symmetric, and no unit is connected to itself
CUES = (1.0, 0.5)


class BoundedHopfield:
    """A memory needs two methods: ``store`` takes patterns (T, n); ``retrieve`` takes cues and returns patterns (T, n).

    Storing a pattern x of density a adds (x_i − a)(x_j − a) to the weight between units i and j, which then stays
    between −bound and bound. Retrieval lets the k units with the largest input be active, five times over.
    """

    def __init__(self, bound: float) -> None:
        self.bound = bound
        self.density = K_VISIBLE / N_VISIBLE
        self.weights = np.zeros((N_VISIBLE, N_VISIBLE))

    def store(self, patterns: np.ndarray) -> None:
        for x in patterns - self.density:
            self.weights += np.outer(x, x)
            np.clip(self.weights, -self.bound, self.bound, out=self.weights)
        np.fill_diagonal(self.weights, 0)

    def retrieve(self, cues: np.ndarray) -> np.ndarray:
        active = cues
        for _ in range(5):
            inputs = (active - self.density) @ self.weights
            winners = np.argpartition(-inputs, K_VISIBLE - 1, axis=1)[:, :K_VISIBLE]
            active = np.zeros_like(cues)
            np.put_along_axis(active, winners, 1, axis=1)
        return active


def bounded_hopfield(seed: np.random.SeedSequence, bound: float) -> BoundedHopfield:
    """Every run builds a new memory from its seed; this one starts without weights and needs none."""
    return BoundedHopfield(bound)


# An experiment has a name, what one run does, and a number of runs. Retention is the paper's protocol: store a stream
# of patterns, then retrieve patterns of every age, and others that were never stored.
SIZES = {
    "source": partial(random_patterns, n_visible=N_VISIBLE, k_visible=K_VISIBLE),
    "cues": CUES,
    "n_stored": 600,
    "n_tested": 300,
}
FAN_IN = 0.1
SAME_SIZE = KWinnerSettings(N_VISIBLE, round(N_WEIGHTS / (FAN_IN * N_VISIBLE)), K_VISIBLE, 25, FAN_IN, 0.3)
BOUNDED = Experiment("bounded", Retention(partial(bounded_hopfield, bound=0.4), **SIZES), runs=100)
K_WINNER = Experiment("kwinner-same-size", Retention(SAME_SIZE, **SIZES), runs=100)
MODELS = ((BOUNDED, "bounded Hopfield network", BLUE), (K_WINNER, "K-winner MHN", VERMILION))


def draw(r: Results) -> Picture:
    """Accuracy (A) and d' (B) by age; r[BOUNDED] is the labelled dataset of all runs of an experiment."""
    picture = Picture(2, 2, sharey="row")
    for column, cue in enumerate(CUES):
        top, bottom = picture.axes[:, column]
        for experiment, label, colour in MODELS:
            row = {"model": experiment.name, "cue": cue}
            for kind, style in (("real", "-"), ("pseudo", ":")):
                runs = curves.accuracy(r[experiment], cue, kind)
                words = f"{label}, {'stored' if kind == 'real' else 'never stored'}"
                ages.by_age(picture, top, runs, colour, words, style=style, row={**row, "measure": kind})
            samples = curves.d_prime(r[experiment], cue)
            ages.by_age(picture, bottom, samples, colour, label, row={**row, "measure": "d_prime"})
        for axis in (top, bottom):
            ages.age_axis(axis, r[BOUNDED].sizes["age"])
        ages.d_prime_axis(bottom, label=column == 0)
        picture.panel(top, "A" if column == 0 else "", cue_title(cue))
        picture.panel(bottom, "B" if column == 0 else "")
    picture.axes[0, 0].set_ylabel("accuracy ρ")
    picture.legend_below(picture.axes[0, 0], 2, EVERY_AGE)
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What the figure shows, as statements that the data may contradict: an estimate with its interval, and limits."""
    newest = r[BOUNDED]["accuracy"].sel(cue=0.5, kind="real", age=1).values
    yield Claim(
        "newest",
        "The bounded network completes the newest pattern from half of it: accuracy, at least 0.99.",
        source="ours",
        estimate=estimate.mean(newest),
        limits=at_least(0.99),
    )
    for cue in CUES:
        bounded, k_winner = (curves.d_prime(r[e], cue) for e in (BOUNDED, K_WINNER))
        yield Claim(
            f"recent-{cue:.0%}",
            f"The bounded network retains the newest ten patterns better ({cue:.0%} cues): lead in d'.",
            source="ours",
            estimate=curves.lead(bounded, k_winner, (1, 10)),
            limits=above(0),
        )
        yield Claim(
            f"older-{cue:.0%}",
            f"The K-winner MHN retains older patterns better ({cue:.0%} cues): lead in d', mean over ages 100 to 300.",
            source="ours",
            estimate=curves.lead(k_winner, bounded, (100, 300)),
            limits=above(0),
        )


STUDY = Study(
    title="A Hopfield network with bounded weights, and the K-winner MHN",
    items=(
        Item(
            name="bounded",
            title="Two memories of the same size forget differently",
            text="With the same number of weights, the network with bounded weights recalls recent patterns almost "
            "without error and then forgets them all at once. The K-winner MHN is worse at recent patterns and retains "
            "traces of much older ones.",
            alt="Two rows of two panels, for 100% and for 50% cues, against memory age on a logarithmic axis: accuracy "
            "for stored and never stored patterns above, sensitivity d' below, for both memories.",
            experiments=(BOUNDED, K_WINNER),
            draw=draw,
            claims=claims,
        ),
    ),
)
