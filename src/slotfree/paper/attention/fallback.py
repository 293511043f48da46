"""Why does the MHN model with input projections fall back? The paper leaves it open; this item measures it."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace

import numpy as np
import xarray as xr
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
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, below, within
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.scale import Scale

MEASURES = tuple(field.name for field in fields(Diagnosis))
PEAK = 500  # iteration about which the accuracy of the MHN model is highest
FALLEN = 1000  # iteration by which it has fallen


@dataclass(frozen=True)
class DiagnosedTraining:
    """Training with a diagnosis at chosen moments.

    Attributes
    ----------
    frozen_from : the iteration from which on W_K stays as it is, if there is one.
    """

    model: SlotFreeTransformer
    iterations: int = 5000
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

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, measure, iteration)."""
        values = np.array([result["diagnosis"] for result in results])
        data = xr.Dataset({"diagnosis": (("run", "measure", "iteration"), values)})
        return data.assign_coords(measure=list(MEASURES), iteration=list(self.moments))

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
    ("other_case_overlap", "mean dot product", "Keys of different letters, other case"),
    ("key_norm", "mean length", "Length of keys"),
    ("cosine", "cosine", "Update of $W_K$ against the exact gradient"),
)


def draw(r: Results) -> Picture:
    """Draw what happens along training in the MHN model, in two variants of it, and in the QK model."""
    picture = Picture(2, 3, width=12.5, height=3.1, sharex=True)
    axes = picture.axes
    for axis, letter, (measure, label, title) in zip(axes.flat, "ABCDEF", PANELS, strict=True):
        draw_measure(axis, r, measure)
        axis.set_ylabel(label)
        picture.panel(axis, letter, title)
        axis.axvline(peak_of(r), color=GREY, lw=0.7, ls=":")
    axes[0, 0].set(ylim=(0.45, 1.09), yticks=(0.5, 0.6, 0.7, 0.8, 0.9, 1))
    for axis, solved in ((axes[0, 0], 1), (axes[0, 1], 0)):
        place = (end_of(r), solved)
        axis.annotate("the other three", place, (0, 5), textcoords="offset points", ha="right", va="bottom", fontsize=7)
    axes[0, 2].axhline(1, color=GREY, lw=0.7)
    axes[0, 2].text(end_of(r), 0.9, "strength of a projection", ha="right", va="top", fontsize=7)
    axes[1, 2].axhline(0, color=GREY, lw=0.7)
    for axis in axes[1]:
        axis.set_xlabel("training iteration")
    runs = r[PLAIN].sizes["run"]
    picture.legend_below(axes[0, 0], 4, f"median of {runs} runs, bands: quartiles; dotted: iteration {peak_of(r)}")
    for experiment in LABELS:
        for measure in MEASURES:
            data = r[experiment]["diagnosis"].sel(measure=measure)
            low, median, high = np.quantile(data.values, [0.25, 0.5, 0.75], axis=0)
            columns = {"iteration": data["iteration"].values, "median": median}
            columns |= {"first_quartile": low, "third_quartile": high}
            picture.record_columns(columns, experiment=experiment.name, measure=measure)
    return picture


def draw_measure(axis: Axes, r: Results, measure: str) -> None:
    """Draw one measure of all four experiments."""
    for experiment, (label, colour, style, width) in LABELS.items():
        data = r[experiment]["diagnosis"].sel(measure=measure)
        if measure == "cosine" and experiment is FROZEN:
            data = data.sel(iteration=slice(0, peak_of(r)))
        low, median, high = np.quantile(data.values, [0.25, 0.5, 0.75], axis=0)
        axis.fill_between(data["iteration"].values, low, high, color=colour, alpha=0.15, lw=0)
        axis.plot(data["iteration"].values, median, style, color=colour, lw=width, zorder=3 - 0.1 * width, label=label)


def end_of(r: Results) -> int:
    """The last iteration."""
    return int(r[PLAIN]["iteration"].values[-1])


def peak_of(r: Results) -> int:
    """The iteration of the peak, or the middle of a short training."""
    return min(PEAK, end_of(r) // 2)


def measured(r: Results, experiment: Experiment, measure: str, iteration: int) -> NDArray[np.float64]:
    """What all runs of an experiment gave at one moment."""
    values: NDArray[np.float64] = r[experiment]["diagnosis"].sel(measure=measure, iteration=iteration).values
    return values


def claims(r: Results) -> Iterator[Claim]:
    """The explanation: the key rule aligns keys of the same case; they overwrite each other; accuracy falls."""
    yield from claims_of_collisions(r)
    yield from claims_of_interventions(r)
    yield from claims_of_keys(r)


def claims_of_collisions(r: Results) -> Iterator[Claim]:
    """Items are overwritten after the peak, and not before."""
    yield Claim(
        "no-collisions-at-peak",
        "At the peak storage is still sound: median share of sequences whose queried item was overwritten, at most "
        "0.02.",
        estimate=estimate.median(measured(r, PLAIN, "asked_lost", peak_of(r)), seed=r.seed),
        limits=at_most(0.02),
    )
    fallen = min(FALLEN, end_of(r))
    yield Claim(
        "collisions-after",
        f"At iteration {fallen} queried items are overwritten in at least a tenth of the sequences: median share.",
        estimate=estimate.median(measured(r, PLAIN, "asked_lost", fallen), seed=r.seed),
        limits=at_least(0.1),
    )


def claims_of_interventions(r: Results) -> Iterator[Claim]:
    """The fall is absent if nothing can be overwritten, or if keys stay as they are at the peak."""
    plain = measured(r, PLAIN, "accuracy", end_of(r))
    tension = "“A tension between training W_K and the pair of weights (W_Q, W_V)” makes accuracy fall: it does not"
    for variant, name, condition, words in (
        (PERFECT, "perfect-storage", "every item is stored by a unit of its own", "The fall is absent"),
        (FROZEN, "frozen-keys", "W_K no longer learns after the peak", tension),
    ):
        ends = measured(r, variant, "accuracy", end_of(r))
        is_said = words == tension
        yield Claim(
            f"{name}-better",
            f"{words} if {condition}: median accuracy at the end minus that of the plain model.",
            source="paper" if is_said else "ours",
            paper="a tension" if is_said else "",
            estimate=estimate.median_difference(ends, plain, seed=r.seed),
            limits=above(0),
        )
        yield Claim(
            f"{name}-perfect",
            f"If {condition}, the task is solved: median accuracy at the end, at least 0.99.",
            estimate=estimate.median(ends, seed=r.seed),
            limits=at_least(0.99),
        )


def claims_of_keys(r: Results) -> Iterator[Claim]:
    """What the key rules do to keys, and how the MHN rule relates to the gradient."""
    fallen = min(FALLEN, end_of(r))
    yield Claim(
        "same-case-aligned",
        "The MHN rule aligns keys of different letters of the same case: median of their mean dot product at iteration "
        f"{fallen}, above 0.5 (1 is the strength of a projection).",
        estimate=estimate.median(measured(r, PLAIN, "same_case_overlap", fallen), seed=r.seed),
        limits=above(0.5),
    )
    overlap = r[ALIGNED]["diagnosis"].sel(measure="same_case_overlap")
    highest = int(overlap["iteration"].values[overlap.median("run").values.argmax()])
    yield Claim(
        "qk-keeps-apart",
        "The QK rule does not align keys of different letters of the same case: median of their mean dot product "
        "where it is largest along training, below 0.5.",
        estimate=estimate.median(overlap.sel(iteration=highest).values, seed=r.seed),
        limits=below(0.5),
    )
    later = r[PLAIN]["diagnosis"].sel(measure="cosine", iteration=slice(peak_of(r), None)).mean("iteration").values
    yield Claim(
        "rule-is-not-the-gradient",
        "After the peak the MHN update of W_K is nearly at right angles to the exact gradient of the loss: median over "
        "runs of the mean cosine, within 0.2 of 0.",
        estimate=estimate.median(later, seed=r.seed),
        limits=within(-0.2, 0.2),
    )


ITEM = Item(
    name="fallback",
    number="Open question",
    title="Why the MHN model falls back",
    text="After its peak the MHN model with input projections makes the keys of letters that share a case alike, until "
    "items overwrite each other in storage and accuracy drops. Giving every item a unit of its own, or freezing the "
    "keys at the peak, prevents it, so the cause is storage and not attention.",
    alt="Six panels along training for the MHN model, the same with keys frozen at the peak, the same with perfect "
    "storage, and the QK model: accuracy, share of sequences whose queried item was overwritten, overlap of keys of "
    "the same and of the other case, length of keys, and cosine between the key update and the exact gradient.",
    experiments=tuple(LABELS),
    draw=draw,
    claims=claims,
)
