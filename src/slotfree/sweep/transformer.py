"""Sweeps of transformers, trained on the Case Sequence Task: points, and what is measured at each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.key_rules import key_rule
from slotfree.attention.measures import SMOOTHED, ending, learnt_at
from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.training import TrainingPlan, plan_training
from slotfree.attention.weights import NAMES
from slotfree.files.safetensors import Arrays
from slotfree.sweep.parameters import Value, named
from slotfree.tasks.case_sequence import CaseSequenceTask

if TYPE_CHECKING:
    from slotfree.sweep.grid import Sweep

RATES = {"learning_rate_q": "W_Q", "learning_rate_k": "W_K", "learning_rate_v": "W_V"}
SLOT_FREE = ("key_rule", "input_projections", "key_dim", "n_hidden", "storage")
WINNERS = {name: name for name in ("fan_in", "item_fan_out", "rate", "projection_gain")} | {"k_winners": "k"}
BASELINE = ("key_dim", "beta", "gradients")
TASK = ("n_letters", "context_length")
CURVES = ("accuracy", "loss")


@dataclass(frozen=True)
class TrainingCurves:
    """Accuracy and loss along one training, as a function of its seed; the weights are not kept.

    A training that diverges is a result, not a failure: its accuracy and its loss are NaN.
    """

    plan: TrainingPlan

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return accuracy and loss, (iteration,)."""
        try:
            found = self.plan(seed)
        except FloatingPointError:
            return {name: np.full(self.plan.iterations, np.nan) for name in CURVES}
        return {name: found[name] for name in CURVES}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the curves of all runs, (run, iteration)."""
        curves = {name: (("run", "iteration"), np.array([result[name] for result in results])) for name in CURVES}
        return xr.Dataset(curves, {"run": np.arange(len(results)), "iteration": np.arange(self.plan.iterations)})


def transformer_point(given: Mapping[str, Any], sweep: "Sweep") -> tuple[dict[str, Value | None], TrainingCurves]:
    """Check the settings of one model and its task; return all parameters, and what is run."""
    model = _model(given)
    task = CaseSequenceTask(**{name: given[name] for name in TASK if name in given})
    batch_size = given.get("batch_size", 64)
    plan = plan_training(model, task, sweep.sizes["iterations"], batch_size, _rates(given))
    parameters: dict[str, Value | None] = {"model": given.get("model", "slot-free")}
    for name in dict.fromkeys((*SLOT_FREE, *BASELINE)):
        parameters[name] = getattr(model, name, None)
    if isinstance(model, SlotFreeTransformer):
        parameters["input_projections"] = "yes" if model.input_projections else "no"
        stored = model.context_storage
        parameters["storage"] = stored.name
        if isinstance(stored, Winners):  # in others they are not mentioned, so that their seeds stay what they were
            parameters |= {name: getattr(stored, field) for name, field in WINNERS.items()}
    else:
        parameters["beta"] = model.inverse_temperature
    parameters |= {"n_letters": task.n_letters, "context_length": task.context_length, "batch_size": plan.batch_size}
    parameters |= dict(zip(RATES, plan.rates, strict=True))
    return parameters, TrainingCurves(plan)


def parameters_of_transformer(chosen: Mapping[str, Value]) -> set[str]:
    """The parameters that a model, its task and its training have."""
    of_all = set(named("transformer")) - {*SLOT_FREE, *BASELINE, *WINNERS}
    if chosen.get("model") == "baseline":
        return of_all | set(BASELINE)
    fixed = set() if key_rule(chosen.get("key_rule", "query-key")).learns else {"learning_rate_k"}
    thin = set(WINNERS) if chosen.get("storage") == Winners.name else set()
    return (of_all | set(SLOT_FREE) | thin) - fixed


def _model(given: Mapping[str, Any]) -> Model:
    if given.get("model") == "baseline":
        return BaselineTransformer(**{name: given[name] for name in BASELINE if name in given})
    settings = {name: given[name] for name in SLOT_FREE if name in given}
    if "input_projections" in settings:
        settings["input_projections"] = settings["input_projections"] == "yes"
    if settings.get("storage") == Winners.name:
        settings["storage"] = Winners(**{field: given[name] for name, field in WINNERS.items() if name in given})
    return SlotFreeTransformer(**settings)


def _rates(given: Mapping[str, Any]) -> dict[str, float] | None:
    """The rates that are given, by weights: one for all, and those for single weights."""
    everywhere = dict.fromkeys(NAMES, given["learning_rate"]) if "learning_rate" in given else {}
    single = {weights: given[name] for name, weights in RATES.items() if name in given}
    frozen = {RATES[name] for name in set(RATES) - parameters_of_transformer(given)}
    return {name: rate for name, rate in (everywhere | single).items() if name not in frozen} or None


def transformer_measures(data: xr.Dataset) -> Iterator[dict[str, float]]:
    """Yield the measures of one model, over the runs that did not diverge.

    ending is the mean over the last fifth of training; learnt_at the iteration at which the accuracy, averaged over 25
    iterations, first reaches 0.99: the median run, infinite if that one never does. learnt counts the runs that do.

    Parameters
    ----------
    data : accuracy and loss (run, iteration); NaN for runs that diverged.
    """
    kept = data.isel(run=np.flatnonzero(np.isfinite(data["accuracy"].values).all(axis=1)))
    measures: dict[str, float] = {"diverged": data.sizes["run"] - kept.sizes["run"]}
    for name in ("accuracy", "loss"):
        ends = ending(kept[name]) if kept.sizes["run"] else np.array([np.nan])
        for word, of in (("median", np.median), ("min", np.min), ("max", np.max)):
            measures[f"ending_{name}_{word}"] = float(of(ends))
    if kept.sizes["run"] and data.sizes["iteration"] >= SMOOTHED:
        times = learnt_at(kept["accuracy"])
        measures |= {"learnt": int(np.isfinite(times).sum()), "learnt_at_median": float(np.median(times))}
    else:
        measures |= {"learnt": 0, "learnt_at_median": float("nan")}
    yield measures
