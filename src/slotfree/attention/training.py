"""Training: plain gradient descent on new batches, in many independent runs (paper, SI B.2.5)."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.falls import warn_of_falls
from slotfree.attention.models import Model
from slotfree.attention.prediction import fast_key
from slotfree.attention.rates import rates_for
from slotfree.attention.result import TrainingResult, kept_weights
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.weights import NAMES, Weights, from_slow, one_model, to_slow
from slotfree.display.progress import counted
from slotfree.files.attributes import attributes
from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.training import Scores
from slotfree.runs.executor import run_units
from slotfree.runs.seeds import seed_for
from slotfree.tasks.base import Task, check_task, draw, n_queries, reset

Reduction: TypeAlias = Literal["sum", "mean"]

REDUCTIONS = ("sum", "mean")
BLOCK = 200  # batches drawn at a time
# A loss of so many times the first, or 1, is divergence. In the paper's trainings it never exceeds 1.2 times the first;
# with rates 20 times as large it may reach some hundreds, and what is above 10⁶ was not seen to learn afterwards.
DIVERGED = 1e6


def train(
    model: Model,
    task: Task,
    *,
    runs: int = 10,
    iterations: int = 5000,
    batch_size: int = 64,
    reduction: Reduction = "sum",
    learning_rates: float | Mapping[str, float] | None = None,
    learn: Iterable[str] = NAMES,
    snapshots: Iterable[int] = (),
    start: Weights | None = None,
    seed: int | np.random.SeedSequence,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> TrainingResult:
    """Train a model on a task, in independent runs.

    Each step draws a new batch, measures accuracy and loss, and takes W_Z ← W_Z − η_Z ∂L/∂W_Z with
    L = Σ_b |ŷ_b − y_b|², the sum over the batch; where a task asks A queries after each context, of the mean over them.

    Parameters
    ----------
    model : a ``BaselineTransformer`` or a ``SlotFreeTransformer``.
    task : a ``CaseSequenceTask``, or any other object that follows ``slotfree.tasks.base.Task``.
    runs : the number of runs, each with weights, batches and fast weights of its own.
    iterations, batch_size : steps, and sequences in each.
    reduction : "sum", or "mean" for L = (1/B) Σ_b |ŷ_b − y_b|², the mean over the batch: steps are then B times as
        small. The text has both; its learning rates are those of the sum.
    learning_rates : η for all weights, or by name ("W_Q", "W_K", "W_V"); those not named are the paper's for the model
        on its task of four letters and batches of up to 64, or follow a rule (``slotfree.attention.rates``).
    learn : the names of the weights that learn; the others keep their initial values.
    snapshots : numbers of steps after which to keep the weights; 0 are the initial ones.
    start : weights to start from, of one model for all runs or of one for each run; None draws them as the paper does.
        Where they have no wiring, and the model needs one, it is drawn for each run.
    seed : of everything. Results are the same bits for any number of workers.
    jobs : threads, by default one for each core.
    executor : where to run instead, any ``concurrent.futures.Executor``; all runs are handed to it at once, or two per
        job if ``jobs`` is given.
    progress : whether to show how many runs are done: on stderr, or below the cell of a notebook.

    Warns
    -----
    UserWarning : if a run forgets what it had learnt: its accuracy ends far below what it was.

    Raises
    ------
    FloatingPointError : if training diverges: a loss is not finite, or more than 10⁶ times the first one and 10⁶ times
        1, the loss of outputs that are all 0. The message names the run, the iteration, the loss and the rates.

    Examples
    --------
    >>> import slotfree as sf
    >>> model, task = sf.SlotFreeTransformer(key_rule="query-key"), sf.CaseSequenceTask()
    >>> result = sf.train(model, task, runs=2, iterations=600, seed=0)
    >>> bool((result.accuracy[:, -50:].mean(axis=1) > 0.9).all())
    True
    """
    runs = checks.integer("runs", runs, 1, checks.MANY)
    if jobs is not None:
        jobs = checks.integer("jobs", jobs, 1)
    progress = checks.yes_or_no("progress", progress)
    plan = plan_training(model, task, iterations, batch_size, learning_rates, learn, snapshots, reduction)
    starts = _starts(start, runs, plan)
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(checks.integer("seed", seed, 0))
    units = ((run, partial(plan, seed_for(root, "train", run), starts[run], run)) for run in range(runs))
    done = dict(counted(run_units(units, jobs, executor), runs, "runs", progress=progress))
    arrays = {name: np.array([done[run][name] for run in range(runs)]) for name in done[0]}
    warn_of_falls(model, arrays["accuracy"])
    kept = {n: kept_weights(arrays, i) for i, n in enumerate(plan.kept)}
    final = kept_weights(arrays, -1)
    shown = {n: kept[n] for n in plan.snapshots}
    made = attributes("train", plan.arguments | {"start": start, "runs": runs}, root)
    return TrainingResult(model, task, arrays["accuracy"], arrays["loss"], final, shown, made)


class DivergedError(FloatingPointError):
    """Training diverged: ``iteration`` is the first step at which that was seen; fewer steps do not diverge."""

    def __init__(self, message: str, iteration: int) -> None:
        super().__init__(message, iteration)
        self.iteration = iteration

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class TrainingPlan:
    """One run as a function of its seed: it can be sent to any worker."""

    model: Model
    task: Task
    iterations: int
    batch_size: int
    rates: tuple[float, float, float]
    snapshots: tuple[int, ...]
    reduction: Reduction = "sum"

    @property
    def kept(self) -> tuple[int, ...]:
        """Steps after which weights are kept: the snapshots and the end."""
        return tuple(sorted({*self.snapshots, self.iterations}))

    @property
    def arguments(self) -> dict[str, object]:
        """What it was planned from."""
        rates = dict(zip(NAMES, self.rates, strict=True))
        batches = {"iterations": self.iterations, "batch_size": self.batch_size, "reduction": self.reduction}
        return {"model": self.model, "task": self.task, **batches, "learning_rates": rates, "snapshots": self.kept}

    def __call__(
        self, seed: np.random.SeedSequence, start: Weights | None = None, run: int | None = None
    ) -> dict[str, NDArray[Any]]:
        """Train once; return accuracy and loss, (iterations,), and weights, (kept, …)."""
        drawn = initial_weights(self.model, self.task, seed=seed_for(seed, "weights"))
        first = drawn if start is None else start
        if first.wiring is None:
            first = replace(first, wiring=drawn.wiring)
        slow = to_slow(first)
        rng = np.random.default_rng(seed_for(seed, "sequences"))
        key = fast_key(np.random.default_rng(seed_for(seed, "fast weights")))
        engine = self.model.engine(self.task, key, first.drawn_by)
        rates = np.array(self.rates) / n_queries(self.task) / (self.batch_size if self.reduction == "mean" else 1)
        scores = Scores(np.empty(self.iterations), np.empty(self.iterations))
        kept = [from_slow(slow)] if 0 in self.kept else []
        for begin, end, block in self._blocks(rng):
            part = Scores(*(values[begin:end] for values in scores))
            done = engine.train(slow, block, rates, part)
            limit = DIVERGED * max(scores.loss[0], 1.0)
            lost = np.flatnonzero(~(part.loss[: done + 1] < limit))  # NaN is not below
            if len(lost):
                raise self._diverged(begin + int(lost[0]), run, f"the loss is {part.loss[lost[0]]:.3g}")
            if not all(np.isfinite(W).all() for W in slow):
                raise self._diverged(end - 1, run, "weights are no longer finite")
            if end in self.kept:
                kept.append(from_slow(slow))
        weights = {name: np.array([getattr(w, name) for w in kept]) for name in NAMES}
        wiring = {} if first.wiring is None else {"wiring": first.wiring}
        return {**scores._asdict(), **weights, **wiring}

    def _blocks(self, rng: np.random.Generator) -> Iterator[tuple[int, int, SequenceArrays]]:
        """The batches of the steps from begin to end, up to where weights are kept.

        Many are drawn at a time, and always the same number: what is kept changes nothing.
        """
        for first in range(0, self.iterations, BLOCK):
            last = min(first + BLOCK, self.iterations)
            drawn = draw(self.task, (last - first) * self.batch_size, rng).batches(self.batch_size)
            for begin, end in pairwise(sorted({first, last, *(n for n in self.kept if first < n < last)})):
                part = slice(begin - first, end - first)
                arrays = (drawn.context[part], drawn.query[part], drawn.target[part])
                yield begin, end, SequenceArrays(*arrays, begin * self.batch_size, reset(self.task))

    def _diverged(self, iteration: int, run: int | None, what: str) -> "DivergedError":
        rates = ", ".join(f"{rate:g} for {name}" for name, rate in zip(NAMES, self.rates, strict=True))
        where = "" if run is None else f" of run {run}"
        added = "averaged" if self.reduction == "mean" else "summed"
        return DivergedError(
            f"training diverged at iteration {iteration}{where}: {what} with the learning rates {rates}, and gradients "
            f"{added} over {self.batch_size} sequences; lower learning_rates",
            iteration,
        )


def plan_training(
    model: Model,
    task: Task,
    iterations: int = 5000,
    batch_size: int = 64,
    learning_rates: float | Mapping[str, float] | None = None,
    learn: Iterable[str] = NAMES,
    snapshots: Iterable[int] = (),
    reduction: Reduction = "sum",
) -> TrainingPlan:
    """Check the arguments of ``train`` and return what one run does."""
    if not isinstance(model, BaselineTransformer | SlotFreeTransformer):
        raise TypeError(f"model must be a BaselineTransformer or a SlotFreeTransformer, not {checks.shown(model)}")
    check_task(task)
    model.check(task)
    iterations = checks.integer("iterations", iterations, 1, checks.MANY)
    batch_size = checks.integer("batch_size", batch_size, 1, checks.MANY)
    checks.one_of("reduction", reduction, REDUCTIONS)
    if not isinstance(snapshots, Iterable):
        raise TypeError(f"snapshots must hold numbers of steps, not {checks.shown(snapshots)}")
    kept = tuple(sorted({checks.integer("snapshots", n, 0, iterations, "iterations") for n in snapshots}))
    summed = batch_size if reduction == "sum" else 1
    rates = _rates(model, task, learning_rates, _names("learn", learn), summed)
    return TrainingPlan(model, task, iterations, batch_size, rates, kept, reduction)


def initial_weights(model: Model, task: Task, *, seed: checks.Seed) -> Weights:
    """Draw weights as before training: W_Q, W_K normal, W_V uniform in [0, 0.1); and a number for connections."""
    rng = checks.generator(seed, "weights")
    shape = (model.key_dim, task.n_tokens)
    W_Q, W_K = rng.normal(0, model.initial_spread, (2, *shape))
    W_V = rng.uniform(0, 0.1, (task.n_outputs, task.n_tokens))
    return Weights(W_Q, W_K, W_V, np.asarray(rng.integers(0, 2**63)) if model.is_wired else None)


def _names(argument: str, names: Iterable[str]) -> set[str]:
    message = f"{argument} must hold names out of {', '.join(NAMES)}, not {checks.shown(names)}"
    try:
        found = {names} if isinstance(names, str) else set(names)
    except TypeError:
        raise TypeError(message) from None
    if not found or found - set(NAMES):
        raise ValueError(message)
    return found


def _rates(
    model: Model, task: Task, learning_rates: float | Mapping[str, float] | None, learn: set[str], summed: int
) -> tuple[float, float, float]:
    """The rate of each weight matrix, for gradients summed over some sequences; 0 for those that do not learn."""
    rates = rates_for(model, task, summed)
    frozen = set(NAMES) - set(model.learned)
    if isinstance(learning_rates, Mapping):
        _names("learning_rates", learning_rates)
        useless = set(learning_rates) & (frozen | set(NAMES) - learn)
        if useless:
            raise ValueError(f"learning_rates names {min(useless)}, which does not learn here")
        rates |= {name: checks.positive(f"learning_rates[{name!r}]", rate) for name, rate in learning_rates.items()}
    elif learning_rates is not None:
        rates = dict.fromkeys(NAMES, checks.positive("learning_rates", learning_rates))
    if not learn - frozen:
        raise ValueError(f"learn must name weights that can learn: {' and '.join(model.learned)} in this model")
    W_Q, W_K, W_V = (rates[name] if name in learn - frozen else 0.0 for name in NAMES)
    return W_Q, W_K, W_V


def _starts(start: Weights | None, runs: int, plan: TrainingPlan) -> list[Weights | None]:
    if start is None:
        return [None] * runs
    if not isinstance(start, Weights):
        raise TypeError(f"start must be Weights, not {checks.shown(start)}")
    if start.W_Q.ndim == 3 and len(start.W_Q) != runs:
        raise ValueError(f"start must hold the weights of one model or of runs = {runs}, not of {len(start.W_Q)}")
    every = [start[run] if start.W_Q.ndim == 3 else start for run in range(runs)]
    return [one_model(weights, plan.model, plan.task, "start", wired=False) for weights in every]
