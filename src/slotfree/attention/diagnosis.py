"""Why does learning stall? Collisions in storage, the growth of keys, and how well a key rule follows the gradient."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.gradients import batch_gradients
from slotfree.attention.prediction import fast_key
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.one_winner import OneUnit
from slotfree.attention.weights import Weights, one_model, to_slow
from slotfree.kernels.attention.diagnosis import diagnose as diagnose_batch
from slotfree.tasks.case_sequence import CaseSequenceTask


@dataclass(frozen=True)
class Diagnosis:
    """A slot-free model at one moment of its training, measured on a batch.

    Attributes
    ----------
    accuracy, loss : from the reported output.
    lost : share of context items that a later item overwrote.
    asked_lost : share of sequences whose queried item was overwritten: they cannot be answered but by chance.
    key_norm : mean length of the letters' keys.
    same_case_overlap, other_case_overlap : mean k_iᵀ k_j of the keys of different letters, of the same and of the other
        case. Such letters can stand in one context; with input projections the later one overwrites the earlier where
        this exceeds 1, the strength of a projection.
    cosine : of the angle between the key rule's gradient and the exact gradient of the loss for W_K, which takes into
        account how keys are stored; 1 is the same direction, 0 a right angle. NaN if W_K does not learn.
    """

    accuracy: float
    loss: float
    lost: float
    asked_lost: float
    key_norm: float
    same_case_overlap: float
    other_case_overlap: float
    cosine: float


def diagnose(
    model: SlotFreeTransformer, weights: Weights, task: CaseSequenceTask, *, size: int = 512, seed: checks.Seed = 0
) -> Diagnosis:
    """Measure a slot-free model on a batch of new sequences."""
    if not isinstance(model, SlotFreeTransformer):
        raise TypeError(f"model must be a SlotFreeTransformer, not {checks.shown(model)}")
    if not isinstance(task, CaseSequenceTask):
        raise TypeError(f"task must be a CaseSequenceTask, whose letters are compared, not {checks.shown(task)}")
    if task.n_letters < 2:
        raise ValueError(f"task must have at least 2 letters to compare keys, not {task.n_letters}")
    if not isinstance(model.context_storage, OneUnit):
        raise TypeError(f"storage must be one in which one unit stores each item, not {model.storage}")
    one_model(weights, model, task)
    rng = checks.generator(seed, "diagnosis")
    sequences = task.batch(size, seed=rng)
    engine = model.engine(task, fast_key(rng))
    by_rule, accuracy, loss = batch_gradients(engine, weights, sequences)
    exact = np.zeros((task.n_tokens, model.key_dim))
    lost = np.zeros(sequences.context.shape, bool)
    diagnose_batch(engine.state(to_slow(weights)), sequences.batches(size), engine.setup, exact, lost)
    L = task.n_letters
    asked = sequences.context % L == sequences.query[:, None] % L
    overlaps = weights.key_key[: 2 * L, : 2 * L]
    different = ~np.eye(L, dtype=bool)
    same_case = (overlaps[:L, :L][different].mean() + overlaps[L:, L:][different].mean()) / 2
    return Diagnosis(
        accuracy,
        loss,
        float(lost.mean()),
        float((lost & asked).any(axis=1).mean()),
        float(np.sqrt(np.diagonal(overlaps)).mean()),
        float(same_case),
        float(overlaps[:L, L:][different].mean()),
        _cosine(by_rule.W_K, exact.T),
    )


def _cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float((a * b).sum() / lengths) if lengths > 0 else float("nan")
