"""Why does the MHN model with input projections fall back? The paper leaves it open; this item measures it."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.diagnosis import Diagnosis, diagnose
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import plan_training
from slotfree.attention.weights import NAMES, Weights
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREY, ORANGE
from slotfree.files.safetensors import Arrays
from slotfree.paper.shared.transformers import FEW, MHN_IP, QK_IP, SHOWN, TASK
from slotfree.runs.seeds import seed_for
from slotfree.study import Experiment, Item, Results, Scale, measure, more
from slotfree.study.labelled import Labelled

MEASURES = tuple(field.name for field in fields(Diagnosis))
PEAK = 500  # iteration about which the accuracy of the MHN model is highest
FALLEN = 1000  # iteration by which it has fallen
END = 5000


@dataclass(frozen=True)
class DiagnosedTraining(Labelled):
    """Training with a diagnosis at chosen moments.

    Attributes
    ----------
    frozen_from : the iteration from which on W_K stays as it is, if there is one.
    """

    dims: ClassVar = {"diagnosis": ("measure", "iteration")}
    numbered: ClassVar = False

    model: SlotFreeTransformer
    iterations: int = END
    frozen_from: int | None = None

    @property
    def peak(self) -> int:
        """Where accuracy is highest, or the middle of a short training."""
        return min(PEAK, self.iterations // 2)

    @property
    def moments(self) -> tuple[int, ...]:
        """When to diagnose: often at first, the peak and the end among them."""
        n = self.iterations
        return tuple(sorted({*range(0, min(n, 1000), 50), *range(1000, n, 200), self.peak, n}))

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Train; return what each diagnosis found, (measure, moment)."""
        stop = self.moments[-1] if self.frozen_from is None else self.frozen_from
        first = tuple(n for n in self.moments if n <= stop)
        found = self._train(seed_for(seed, "first"), None, first, NAMES)
        if self.frozen_from is not None:
            second = tuple(n - stop for n in self.moments if n > stop)
            found += self._train(seed_for(seed, "second"), found[-1], second, ("W_Q", "W_V"))
        diagnoses = [
            diagnose(self.model, weights, TASK, seed=seed_for(seed, "diagnosis", n))
            for n, weights in zip(self.moments, found, strict=True)
        ]
        return {"diagnosis": np.array([astuple(d) for d in diagnoses]).T}

    def _train(
        self, seed: np.random.SeedSequence, start: Weights | None, snapshots: tuple[int, ...], learn: tuple[str, ...]
    ) -> list[Weights]:
        """Train up to the last of the snapshots; return the weights at all of them."""
        plan = plan_training(self.model, TASK, snapshots[-1], learn=learn, snapshots=snapshots)
        results = plan(seed, start)
        every = Weights(*(results[name] for name in NAMES))
        return [every[plan.kept.index(n)] for n in snapshots]

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """What is measured, and when."""
        return {"measure": list(MEASURES), "iteration": list(self.moments)}

    def at(self, scale: Scale) -> "DiagnosedTraining":
        """The same with fewer iterations."""
        short = replace(self, iterations=scale.limit("iterations", self.iterations))
        return short if self.frozen_from is None else replace(short, frozen_from=short.peak)


MHN_MODEL = SlotFreeTransformer("mhn", True)
PLAIN = Experiment("fallback-mhn", DiagnosedTraining(MHN_MODEL), SHOWN, few=FEW)
FROZEN = Experiment("fallback-frozen", DiagnosedTraining(MHN_MODEL, frozen_from=PEAK), SHOWN, few=FEW)
PERFECT = Experiment("fallback-perfect", DiagnosedTraining(replace(MHN_MODEL, storage="perfect")), SHOWN, few=FEW)
ALIGNED = Experiment("fallback-qk", DiagnosedTraining(SlotFreeTransformer("query-key", True)), SHOWN, few=FEW)
# Label, colour, style and width. Three of them solve the task: where they lie upon each other, wide lines, which are
# drawn first, are seen beside and between the dashes of narrow ones.
LABELS = {
    PLAIN: ("MHN, i.p.", MHN_IP.colour, "-", 1.5),
    FROZEN: ("… $W_K$ frozen at the peak", BLUE, "--", 1.1),
    PERFECT: ("… every item in a unit of its own", ORANGE, "-.", 2.2),
    ALIGNED: ("QK, i.p.", QK_IP.colour, "-", 3.6),
}
PANELS = (
    ("accuracy", "accuracy", "Accuracy"),
    ("asked_lost", "share of sequences", "The queried item was overwritten"),
    ("same_case_overlap", "mean dot product", "Keys of different letters, same case"),
)


def draw(r: Results) -> Picture:
    """Draw what happens along training in the MHN model, in two variants of it, and in the QK model."""
    picture = Picture(1, 3, width=12.5, height=3.3)
    axes = picture.axes[0]
    for axis, letter, (what, label, title) in zip(axes, "ABC", PANELS, strict=True):
        for experiment in LABELS:
            draw_runs(picture, axis, r, experiment, what)
        axis.set(xlabel="training iteration", ylabel=label)
        axis.axvline(peak_of(r), color=GREY, lw=0.7, ls=":")
        picture.panel(axis, letter, title)
    axes[0].set(ylim=(0.45, 1.09), yticks=(0.5, 0.6, 0.7, 0.8, 0.9, 1))
    for axis, solved in ((axes[0], 1), (axes[1], 0)):
        place = (end_of(r), solved)
        axis.annotate("the other three", place, (0, 5), textcoords="offset points", ha="right", va="bottom", fontsize=7)
    axes[2].axhline(1, color=GREY, lw=0.7)
    axes[2].text(end_of(r), 0.9, "strength of a projection", ha="right", va="top", fontsize=7)
    runs = r[PLAIN].sizes["run"]
    picture.legend_below(axes[0], 4, f"median of {runs} runs, bands: quartiles; dotted: iteration {peak_of(r)}")
    return picture


def draw_runs(picture: Picture, axis: Axes, r: Results, experiment: Experiment, what: str) -> None:
    """Draw and record one measure of one experiment."""
    label, colour, style, width = LABELS[experiment]
    data = r[experiment]["diagnosis"].sel(measure=what)
    at_iteration = data["iteration"].values
    low, median, high = np.quantile(data.values, [0.25, 0.5, 0.75], axis=0)
    axis.fill_between(at_iteration, low, high, color=colour, alpha=0.15, lw=0)
    axis.plot(at_iteration, median, style, color=colour, lw=width, zorder=3 - 0.1 * width, label=label)
    columns = {"iteration": at_iteration, "median": median, "first_quartile": low, "third_quartile": high}
    picture.record_columns(columns, experiment=experiment.name, measure=what)


def end_of(r: Results) -> int:
    """The last iteration."""
    return int(r[PLAIN]["iteration"].values[-1])


def peak_of(r: Results) -> int:
    """The iteration of the peak, or the middle of a short training."""
    return min(PEAK, end_of(r) // 2)


@measure
def at(r: Results, experiment: Experiment, what: str, iteration: int) -> NDArray[np.float64]:
    """What each run of an experiment gave at an iteration, such as PEAK or END; they are earlier in short trainings."""
    moment = peak_of(r) if iteration == PEAK else min(iteration, end_of(r))
    return np.asarray(r[experiment]["diagnosis"].sel(measure=what, iteration=moment).values)


COLLISIONS = more(
    "fallback.collisions-after",
    at(PLAIN, "asked_lost", FALLEN),
    at(PLAIN, "asked_lost", PEAK),
    f"median share of sequences whose queried item is overwritten, MHN, i.p., iteration {FALLEN} against {PEAK}",
    median=True,
)
SAME_CASE = more(
    "fallback.same-case-aligned",
    at(PLAIN, "same_case_overlap", FALLEN),
    at(ALIGNED, "same_case_overlap", FALLEN),
    f"median dot product of keys of different letters of one case at iteration {FALLEN}, MHN, i.p. against QK, i.p.",
    median=True,
)
OWN_UNITS = more(
    "fallback.perfect-storage-better",
    at(PERFECT, "accuracy", END),
    at(PLAIN, "accuracy", END),
    "median accuracy at the end, MHN, i.p., every item in a unit of its own against the model of the paper",
    median=True,
)

ITEM = Item(
    name="fallback",
    number="Open question",
    title="Why the MHN model falls back",
    text="After its peak the MHN model with input projections makes the keys of letters that share a case alike, until "
    "items overwrite each other in storage and accuracy drops. Giving every item a unit of its own, or freezing the "
    "keys at the peak, prevents it, so the cause is storage and not attention.",
    alt="Three panels along training for the MHN model, the same with keys frozen at the peak, the same with perfect "
    "storage, and the QK model: accuracy, share of sequences whose queried item was overwritten, and overlap of keys "
    "of the same case.",
    experiments=tuple(LABELS),
    draw=draw,
    claims=(COLLISIONS, SAME_CASE, OWN_UNITS),
)
