"""What training gave, and how it is used, saved and loaded."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.file import weight_arrays, weights_in, write_file
from slotfree.attention.models import Model
from slotfree.attention.prediction import answers, fast_key, reported
from slotfree.attention.result_file import FORMAT, read_result
from slotfree.attention.weights import NAMES, Weights
from slotfree.display import svg
from slotfree.display.counts import counted_words
from slotfree.display.html import card
from slotfree.tasks.base import Task, output_names, token_names
from slotfree.tasks.given_sequences import read_sequences


@dataclass(frozen=True)
class TrainingResult:
    """What training gave: curves, trained weights that can be used, and a file to keep them in.

    Attributes
    ----------
    model, task : what was trained, and on what.
    accuracy, loss : of each batch before its step, from the reported output, (runs, iterations); the loss is |ŷ − y|².
    weights : after training, with the runs in front; ``weights[3]`` are those of run 3. ``W_Q``, ``W_K``, ``W_V`` are
        its parts.
    snapshots : weights during training, by the number of steps after which they were kept.
    attrs : how it was made: ``settings`` (JSON), ``seed``, and the version of ``slotfree``.

    Examples
    --------
    >>> import slotfree as sf
    >>> result = sf.train(sf.SlotFreeTransformer(), sf.CaseSequenceTask(), runs=2, iterations=50, seed=0)
    >>> result.accuracy.shape, result.W_Q.shape, result.dataset()["loss"].dims
    ((2, 50), (2, 50, 12), ('run', 'iteration'))
    """

    model: Model
    task: Task
    accuracy: NDArray[np.float64]
    loss: NDArray[np.float64]
    weights: Weights
    snapshots: Mapping[int, Weights]
    attrs: Mapping[str, str]

    @property
    def W_Q(self) -> NDArray[np.float64]:
        """(runs, N, D)."""
        return self.weights.W_Q

    @property
    def W_K(self) -> NDArray[np.float64]:
        """(runs, N, D)."""
        return self.weights.W_K

    @property
    def W_V(self) -> NDArray[np.float64]:
        """(runs, n_outputs, D)."""
        return self.weights.W_V

    def dataset(self) -> xr.Dataset:
        """Return everything as one labelled dataset; the last snapshot is the end of training."""
        kept = {**self.snapshots, self.accuracy.shape[1]: self.weights}
        arrays: dict[str, NDArray[Any]] = {"accuracy": self.accuracy, "loss": self.loss}
        arrays |= {name: np.stack([getattr(w, name) for w in kept.values()], axis=1) for name in NAMES}
        if self.weights.wiring is not None:
            arrays["wiring"] = self.weights.wiring
        return labelled(arrays, list(kept), self.task).assign_attrs(self.attrs)

    def outputs(self, contexts: Any, queries: Any, *, seed: checks.Seed = 0) -> NDArray[np.float64]:
        """Return what each run reports for sequences, (runs, n, n_outputs), or (runs, n, A, n_outputs).

        Parameters
        ----------
        contexts, queries : such as ["bADc", "aBcD"] and ["d", "a"], or numbers of tokens; see ``model.outputs``.
        seed : of the fast weights before a context, the same for all contexts and runs.
        """
        sequences = read_sequences(self.task, contexts, queries)
        key = fast_key(checks.generator(seed, "fast weights"))
        runs = range(len(self.accuracy))
        return np.array([reported(self.model, self.weights[run], self.task, sequences, key) for run in runs])

    def predict(self, contexts: Any, queries: Any, *, seed: checks.Seed = 0) -> NDArray[np.int64]:
        """Return the number of the largest output in each run, (runs, n) or (runs, n, A); see ``outputs``.

        ``task.output_names`` has names for the numbers.
        """
        return answers(self.outputs(contexts, queries, seed=seed))

    @property
    def _ends(self) -> NDArray[np.float64]:
        """The accuracy of each run over the last fifth of training."""
        ends: NDArray[np.float64] = self.accuracy[:, -max(1, self.accuracy.shape[1] // 5) :].mean(axis=1)
        return ends

    @property
    def _size(self) -> str:
        runs, iterations = self.accuracy.shape
        return f"{counted_words(runs, 'runs')} of {counted_words(iterations, 'iterations')}"

    def __repr__(self) -> str:
        ends = f"accuracy at the end {self._ends.min():.2f} to {self._ends.max():.2f}"
        return f"TrainingResult({self.model}, {self.task}): {self._size}, {ends}"

    def _repr_html_(self) -> str:
        """Return the model, the task and how training went, as a notebook shows them."""
        runs, iterations = self.accuracy.shape
        rows = {
            "model": self.model,
            "task": self.task,
            "runs": f"{runs:,} of {counted_words(iterations, 'iterations')}",
            "accuracy at the end": [f"{end:.3f}" for end in self._ends],
            "snapshots": list(self.snapshots),
            "seed": self.attrs.get("seed", ""),
        }
        last = f"{self._ends.min():.2f} to {self._ends.max():.2f}"
        few = f"each of the first {svg.MOST_CURVES} of {runs:,} runs" if runs > svg.MOST_CURVES else "each run"
        alt = f"Accuracy along training, from 0 to 1, a line for {few}; at the end {last}, over all runs."
        curves = svg.curves(self.accuracy, high=1.0, alt=alt, below=f"accuracy, to iteration {iterations:,}")
        return card("TrainingResult", rows, note="at the end: mean over the last fifth of training", picture=curves)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to one safetensors file, atomically: a crash leaves the old file or the new one."""
        arrays = {"accuracy": self.accuracy, "loss": self.loss, **weight_arrays(self.weights)}
        arrays["steps"] = np.array(list(self.snapshots), np.int64)
        for name in NAMES:
            kept = [getattr(weights, name) for weights in self.snapshots.values()]
            arrays[f"snapshots.{name}"] = np.array(kept).reshape(len(kept), *arrays[name].shape)
        write_file(path, FORMAT, self.model, self.task, {"attrs": json.dumps(dict(self.attrs))}, arrays)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, task: Task | None = None, model: Model | None = None
    ) -> "TrainingResult":
        """Read a result that ``save`` wrote; nothing in the file is executed, and everything in it is checked.

        Parameters
        ----------
        task, model : needed if they, or a key rule or storage, are your own: they must be those that were saved.

        Raises
        ------
        FormatError : if the file is not a whole and valid result.
        ValueError : if a task or a model is needed, or is not the one that was saved.
        """
        model, task, arrays, attrs = read_result(path, model, task)
        wiring = arrays.get("wiring")
        snapshots = {
            step: weights_in({name: arrays[f"snapshots.{name}"][n] for name in NAMES}, wiring)
            for n, step in enumerate(arrays["steps"].tolist())
        }
        weights = weights_in(arrays, wiring)
        return cls(model, task, arrays["accuracy"], arrays["loss"], weights, snapshots, attrs)


def kept_weights(arrays: Mapping[str, NDArray[Any]], snapshot: int) -> Weights:
    """The weights of all runs at a snapshot, out of arrays (run, snapshot, …) and, if it is there, wiring (run,)."""
    W_Q, W_K, W_V = (arrays[name][:, snapshot] for name in NAMES)
    return Weights(W_Q, W_K, W_V, arrays.get("wiring"))


def labelled(arrays: Mapping[str, NDArray[Any]], kept: Sequence[int], task: Task) -> xr.Dataset:
    """Label results: accuracy and loss (run, iteration), weights (run, snapshot, …, token)."""
    dims: dict[str, tuple[str, ...]] = {"accuracy": ("run", "iteration"), "loss": ("run", "iteration")}
    dims |= dict.fromkeys(("W_Q", "W_K"), ("run", "snapshot", "key", "token"))
    dims |= {"W_V": ("run", "snapshot", "output", "token"), "wiring": ("run",)}
    runs, iterations = arrays["accuracy"].shape
    coordinates = {
        "run": np.arange(runs),
        "iteration": np.arange(iterations),
        "snapshot": list(kept),
        "output": output_names(task),
        "token": token_names(task),
    }
    return xr.Dataset({name: (dims[name], array) for name, array in arrays.items()}, coordinates)
