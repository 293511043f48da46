"""Why does the MHN model with input projections fall back? The paper leaves it open; this item measures it."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.attention.diagnosis import Diagnosis, diagnose
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import plan_training
from slotfree.attention.weights import NAMES, Weights
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.experiments import described
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.scale import Scale
from slotfree.paper.training_measures import median_difference, median_interval
from slotfree.paper.training_runs import SHOWN, TASK, seconds_per_sequence
from slotfree.paper.transformers import MHN_IP, QK_IP
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays

MEASURES = tuple(field.name for field in fields(Diagnosis))
PEAK = 500  # iteration about which the accuracy of the MHN model is highest


@dataclass(frozen=True)
class DiagnosisRun:
    """Training with a diagnosis at chosen moments, as a function of its seed.

    From ``frozen_from`` on, W_K stays as it is.
    """

    model: SlotFreeTransformer
    moments: tuple[int, ...]
    frozen_from: int | None = None

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Train; return what each diagnosis found, (measure, moment)."""
        stop = self.moments[-1] if self.frozen_from is None else self.frozen_from
        first = tuple(n for n in self.moments if n <= stop)
        found = self.part(seed_for(seed, "first"), None, stop, first, NAMES)
        weights = found[-1]
        if self.frozen_from is not None:
            second = tuple(n - stop for n in self.moments if n > stop)
            found += self.part(seed_for(seed, "second"), weights, second[-1], second, ("W_Q", "W_V"))
        diagnoses = [
            diagnose(self.model, weights, TASK, seed=seed_for(seed, "diagnosis", n))
            for n, weights in zip(self.moments, found, strict=True)
        ]
        return {"diagnosis": np.array([astuple(d) for d in diagnoses]).T}

    def part(
        self,
        seed: np.random.SeedSequence,
        start: Weights | None,
        iterations: int,
        snapshots: tuple[int, ...],
        learn: tuple[str, ...],
    ) -> list[Weights]:
        """Train for a while; return the weights at the snapshots."""
        plan = plan_training(self.model, TASK, iterations, learn=learn, snapshots=snapshots)
        results = plan(seed, start)
        every = Weights(*(results[name] for name in NAMES))
        return [every[plan.kept.index(n)] for n in snapshots]


@dataclass(frozen=True)
class DiagnosisRuns:
    """Many such runs of one model."""

    name: str
    model: SlotFreeTransformer
    frozen: bool = False

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return min(SHOWN, scale.training_runs)

    def peak(self, scale: Scale) -> int:
        """When W_K is frozen: at the peak, or in the middle of a short training."""
        return min(PEAK, scale.iterations // 2)

    def moments(self, scale: Scale) -> tuple[int, ...]:
        """When to diagnose: often at first, the peak and the end among them."""
        n, peak = scale.iterations, self.peak(scale)
        return tuple(sorted({*range(0, min(n, 1000), 50), *range(1000, n, 200), peak, n}))

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        return {"protocol": "diagnosis", **described(self.plan(scale))}

    def plan(self, scale: Scale) -> DiagnosisRun:
        """Return the function of a seed that performs one run."""
        return DiagnosisRun(self.model, self.moments(scale), self.peak(scale) if self.frozen else None)

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        values = np.array([result["diagnosis"] for result in results])
        data = xr.Dataset({"diagnosis": (("run", "measure", "iteration"), values)})
        return data.assign_coords(measure=list(MEASURES), iteration=list(self.moments(scale)))

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core."""
        sequences = 64 * scale.iterations + 1500 * len(self.moments(scale))
        return self.count(scale) * sequences * seconds_per_sequence(self.model, TASK)


def slot_free(model: object) -> SlotFreeTransformer:
    """Return a model that is known to be slot-free."""
    if not isinstance(model, SlotFreeTransformer):
        raise TypeError(f"model must be a SlotFreeTransformer, not {model!r}")
    return model


PLAIN = DiagnosisRuns("fallback-mhn", slot_free(MHN_IP.model))
FROZEN = DiagnosisRuns("fallback-frozen", slot_free(MHN_IP.model), frozen=True)
PERFECT = DiagnosisRuns("fallback-perfect", replace(slot_free(MHN_IP.model), storage="perfect"))
ALIGNED = DiagnosisRuns("fallback-qk", slot_free(QK_IP.model))
EXPERIMENTS = (PLAIN, FROZEN, PERFECT, ALIGNED)
LABELS = {
    PLAIN.name: ("MHN, i.p.", MHN_IP.colour, "-"),
    FROZEN.name: ("… $W_K$ frozen at the peak", "#7CCBA2", "--"),
    PERFECT.name: ("… every item in a unit of its own", "#E69F00", "-."),
    ALIGNED.name: ("QK, i.p.", QK_IP.colour, "-"),
}
PANELS = (
    ("accuracy", "accuracy", "Accuracy"),
    ("asked_lost", "share of sequences", "The queried item was overwritten"),
    ("same_case_overlap", "mean dot product", "Keys of different letters, same case"),
    ("other_case_overlap", "mean dot product", "Keys of different letters, other case"),
    ("key_norm", "mean length", "Length of keys"),
    ("cosine", "cosine", "Update of $W_K$ against the exact gradient"),
)


def make(context: Context) -> Output:
    """Draw what happens along training in the MHN model, in two variants of it, and in the QK model."""
    peak = PLAIN.peak(context.scale)
    figure, axes = drawing.new_figure(2, 3, context.scale, width=12.5, height=3.1, sharex=True)
    for axis, letter, (measure, words, title) in zip(axes.flat, "ABCDEF", PANELS, strict=True):
        draw(axis, context, measure)
        axis.set_ylabel(words)
        drawing.panel(axis, letter, title)
        axis.axvline(peak, color="#999999", lw=0.7, ls=":")
    axes[0, 0].set_ylim(0.45, 1.03)
    axes[0, 2].axhline(1, color="#999999", lw=0.7)
    axes[0, 2].text(context.scale.iterations, 0.9, "strength of a projection", ha="right", va="top", fontsize=7)
    axes[1, 2].axhline(0, color="#999999", lw=0.7)
    for axis in axes[1]:
        axis.set_xlabel("training iteration")
    note = f"median of {PLAIN.count(context.scale)} runs, bands: quartiles; dotted: iteration {peak}"
    drawing.legend_below(figure, axes[0, 0], 4, note)
    rows: list[list[object]] = []
    for experiment in EXPERIMENTS:
        data = context.results[experiment.name]["diagnosis"]
        for measure in MEASURES:
            for iteration in data["iteration"].values.tolist():
                values = data.sel(measure=measure, iteration=iteration).values
                low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
                rows.append([experiment.name, measure, iteration, *(round(float(v), 6) for v in (median, low, high))])
    header = ["experiment", "measure", "iteration", "median", "first_quartile", "third_quartile"]
    return Output(figure, judge(context), {"fallback": (header, rows)})


def draw(axis: Axes, context: Context, measure: str) -> None:
    """Draw one measure of all four experiments."""
    for experiment in EXPERIMENTS:
        data = context.results[experiment.name]["diagnosis"].sel(measure=measure)
        label, colour, style = LABELS[experiment.name]
        if measure == "cosine" and experiment is FROZEN:
            data = data.sel(iteration=slice(0, experiment.peak(context.scale)))
        low, median, high = np.quantile(data.values, [0.25, 0.5, 0.75], axis=0)
        axis.fill_between(data["iteration"].values, low, high, color=colour, alpha=0.15, lw=0)
        axis.plot(data["iteration"].values, median, style, color=colour, lw=1.5, label=label)


def judge(context: Context) -> Claims:
    """Judge the explanation: the key rule aligns keys of the same case; they overwrite each other; accuracy falls."""
    claims = context.claims("fallback")
    judge_collisions(claims, context)
    judge_interventions(claims, context)
    judge_keys(claims, context)
    return claims


def measured(context: Context, experiment: DiagnosisRuns, measure: str, iteration: int) -> np.ndarray:
    """What all runs of an experiment gave at one moment."""
    values: np.ndarray = context.results[experiment.name]["diagnosis"].sel(measure=measure, iteration=iteration).values
    return values


def after_the_fall(context: Context) -> int:
    """An iteration by which accuracy has fallen."""
    return min(1000, context.scale.iterations)


def judge_collisions(claims: Claims, context: Context) -> None:
    """Judge that items are overwritten after the peak, and not before."""
    peak, low = PLAIN.peak(context.scale), after_the_fall(context)
    claims.within(
        "no-collisions-at-peak",
        "Not in the paper: at the peak storage is still sound: median share of sequences whose queried item was "
        "overwritten, at most 0.02.",
        paper="not said",
        measured=float(np.median(measured(context, PLAIN, "asked_lost", peak))),
        low=0.0,
        high=0.02,
    )
    lost, interval = median_interval(measured(context, PLAIN, "asked_lost", low), context.seed)
    claims.add(
        "collisions-after",
        f"Not in the paper: at iteration {low} queried items are overwritten in at least a tenth of the sequences: "
        "share (median, 99%).",
        paper="not said",
        measured=lost,
        interval=interval,
        holds=interval[0] >= 0.1,
    )


def judge_interventions(claims: Claims, context: Context) -> None:
    """Judge that the fall is absent if nothing can be overwritten, or if keys stay as they are at the peak."""
    end = context.scale.iterations
    for variant, name, words in (
        (PERFECT, "perfect-storage", "every item is stored by a unit of its own"),
        (FROZEN, "frozen-keys", "W_K no longer learns after the peak"),
    ):
        gain, interval = median_difference(
            measured(context, variant, "accuracy", end), measured(context, PLAIN, "accuracy", end), context.seed
        )
        claims.positive(
            f"{name}-better",
            f"Not in the paper: the fall is absent if {words}: accuracy at the end minus that of the plain model "
            "(99%).",
            paper="not said",
            measured=gain,
            interval=interval,
        )
        claims.within(
            f"{name}-perfect",
            f"… and then the task is solved: median accuracy at the end, at least 0.99 ({name}).",
            paper="not said",
            measured=float(np.median(measured(context, variant, "accuracy", end))),
            low=0.99,
            high=1.0,
        )


def judge_keys(claims: Claims, context: Context) -> None:
    """Judge what the key rules do to keys, and how the MHN rule lies to the gradient."""
    peak, low = PLAIN.peak(context.scale), after_the_fall(context)
    plain, aligned = (context.results[e.name]["diagnosis"] for e in (PLAIN, ALIGNED))
    claims.within(
        "same-case-aligned",
        "Not in the paper: the MHN rule aligns keys of different letters of the same case: median of their mean dot "
        f"product at iteration {low}, above 0.5 (1 is the strength of a projection).",
        paper="not said",
        measured=float(np.median(measured(context, PLAIN, "same_case_overlap", low))),
        low=0.5,
        high=np.inf,
    )
    claims.within(
        "qk-keeps-apart",
        "Not in the paper: the QK rule does not: the largest such median along training, below 0.5.",
        paper="not said",
        measured=float(aligned.sel(measure="same_case_overlap").median("run").max()),
        low=-np.inf,
        high=0.5,
    )
    later = plain.sel(measure="cosine", iteration=slice(peak, None)).mean("iteration").values
    cosine, interval = median_interval(later, context.seed)
    claims.add(
        "rule-is-not-the-gradient",
        "Not in the paper: after the peak the MHN update of W_K is nearly at right angles to the exact gradient of the "
        "loss: mean cosine of each run (median, 99%), within 0.2 of 0.",
        paper="not said",
        measured=cosine,
        interval=interval,
        holds=interval[0] >= -0.2 and interval[1] <= 0.2,
    )


ITEM = Item(
    "fallback",
    "Why the MHN model with input projections falls back: collisions, overlap of keys, direction of the key rule",
    EXPERIMENTS,
    make,
    seconds=4,
)
