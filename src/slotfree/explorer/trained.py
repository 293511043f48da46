"""The trained models of the attention tab: which they are, how they are trained, and the file that the page reads.

``python -m slotfree.explorer.trained`` trains all of them and writes ``data/trained.json``. Each is the *first* run of
its training, however well that run went: nothing is picked, and the page says how accurate each model is.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.key_rules import FIXED, MHN, QUERY_KEY
from slotfree.attention.models import Model
from slotfree.attention.prediction import answers, fast_key
from slotfree.attention.result import TrainingResult
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.training import train
from slotfree.attention.weights import NAMES, Weights
from slotfree.files.atomic import write_atomically
from slotfree.tasks.case_sequence import CaseSequenceTask

FILE = Path(__file__).parent / "data" / "trained.json"
TASK = CaseSequenceTask(n_letters=4, context_length=4)
STORAGES: dict[str, dict[str, Any]] = {
    "winner": {},
    "no-projections": {"input_projections": False},
    "winners": {"n_hidden": 40, "storage": Winners(k=3, fan_in=0.2, projection_gain=3.0)},
    "perfect": {"n_hidden": TASK.context_length, "storage": "perfect"},
}
MODELS: dict[str, Model] = {
    f"{rule.name}/{name}": SlotFreeTransformer(rule, **options)
    for name, options in STORAGES.items()
    for rule in (QUERY_KEY, MHN, FIXED)
}
MODELS["slots"] = BaselineTransformer()
TRAINING: dict[str, Any] = {"runs": 1, "iterations": 5000, "batch_size": 64, "seed": 0}
STARTS = 100  # seeds of fast weights that the page offers
TESTED = 10  # of these, with which accuracy is measured


def accuracy(model: Model, weights: Weights) -> float:
    """The share of all sequences of the task that are answered right, over some random starts."""
    every = TASK.all_sequences()
    replies = (model.outputs(weights, TASK, every.context, every.query, seed=seed) for seed in range(TESTED))
    return float(np.mean([answers(outputs) == every.target for outputs in replies]))


def rounded(weights: Weights) -> Weights:
    """Weights as the page has them, in single precision."""
    W_Q, W_K, W_V = (getattr(weights, name).astype(np.float32) for name in NAMES)
    return Weights(W_Q, W_K, W_V, weights.wiring)


def described(result: TrainingResult) -> dict[str, Any]:
    """The first run of a training, as the page reads it: settings, accuracy, weights and connections."""
    model, weights = result.model, rounded(result.weights[0])
    entry = {
        "settings": json.loads(result.attrs["settings"]),
        "seed": json.loads(result.attrs["seed"]),
        "accuracy": accuracy(model, weights),
        "last_fifth": float(result.accuracy[0, -(result.accuracy.shape[1] // 5) :].mean()),
        **{name: packed(getattr(weights, name)) for name in NAMES},
    }
    if weights.wiring is not None:
        fast = model.engine(TASK, 0, weights.drawn_by).fast
        wires = {"wiring": str(weights.wiring), "inputs": fast.inputs.tolist(), "projected": fast.projected.tolist()}
        entry |= wires
    return entry


def packed(array: NDArray[np.float64]) -> str:
    """An array in single precision, row by row, in base 64."""
    return base64.b64encode(np.ascontiguousarray(array, "<f4").tobytes()).decode("ascii")


def unpacked(text: str, columns: int) -> NDArray[np.float64]:
    """The array that was packed."""
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(-1, columns).astype(np.float64)


def weights_of(entry: dict[str, Any]) -> Weights:
    """The weights that the file holds for a model."""
    wiring = np.array(int(entry["wiring"])) if "wiring" in entry else None
    W_Q, W_K, W_V = (unpacked(entry[name], TASK.n_tokens) for name in NAMES)
    return Weights(W_Q, W_K, W_V, wiring)


def load(name: str) -> tuple[Model, Weights]:
    """A model of the page by its name, such as "query-key/winner", and its trained weights."""
    checks.one_of("name", name, tuple(MODELS))
    entry = json.loads(FILE.read_text("utf-8"))["models"][name]
    return MODELS[name], weights_of(entry)


def start_key(seed: int) -> str:
    """The key under which a seed draws initial fast weights, in base 16: it is a number of 64 bits."""
    return f"{fast_key(checks.generator(seed, 'fast weights')):016x}"


def main() -> None:
    """Train all models and write the file."""
    entry = {
        "task": {"n_letters": TASK.n_letters, "context_length": TASK.context_length},
        "starts": [start_key(seed) for seed in range(STARTS)],
        "tested": TESTED,
        "models": {name: described(train(model, TASK, **TRAINING)) for name, model in MODELS.items()},
    }
    text = json.dumps(entry, indent=1, ensure_ascii=False)
    write_atomically(FILE, lambda file: file.write(f"{text}\n".encode()))


if __name__ == "__main__":
    main()
