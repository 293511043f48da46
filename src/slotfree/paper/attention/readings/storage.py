"""What SI B.2.1 says of storage: the printed updates, perfect storage, and the noise in what is reinstated."""

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import initial_weights
from slotfree.attention.weights import Weights
from slotfree.files.safetensors import Arrays
from slotfree.paper.shared.transformers import TASK
from slotfree.runs.seeds import seed_for

SEQUENCES = 12  # of each run that is looked at


def updates(seed: np.random.SeedSequence) -> Arrays:
    """How far the printed updates of W_HK, W_VH and W_IH are from replacing: largest difference of an entry, (3,)."""
    rng = np.random.default_rng(seed)
    model = SlotFreeTransformer("fixed", True)
    shape = (model.key_dim, TASK.n_tokens)
    W_Q, W_K = rng.normal(0, model.initial_spread, (2, *shape))
    W_V = np.hstack([TASK.case_code, np.zeros((2, TASK.n_letters))])  # what values are to become
    context, query = TASK.batch(1, seed=rng).context[0], 2 * TASK.n_letters
    trace = model.inspect(Weights(W_Q, W_K, W_V), TASK, context, query, seed=int(rng.integers(2**31)))
    x = TASK.one_hot(context[0])
    a = np.eye(model.units)[trace.winners[0]]
    k, v = W_K @ x, W_V @ x
    before = (trace.W_HK[0], trace.W_VH[0], trace.W_IH[0])
    W_HK, W_VH, W_IH = before
    printed = (
        W_HK + (k[None, :] - W_HK) * a[:, None],
        W_VH + (a[None, :] - W_VH) * v[:, None],
        W_IH + (x[:, None] - W_IH) * a[None, :],
    )
    replaced = (trace.W_HK[1], trace.W_VH[1], trace.W_IH[1])
    return {"distance": np.array([np.abs(p - q).max() for p, q in zip(printed, replaced, strict=True)])}


def coincidence(seed: np.random.SeedSequence) -> Arrays:
    """Distance of x̃ and ŷ of perfect storage with n_h = C from the transformer's: with β = 1, and with 1/√N, (beta,).

    The largest difference of an entry in some sequences.
    """
    perfect = SlotFreeTransformer("fixed", False, n_hidden=TASK.context_length, storage="perfect")
    transformers = (BaselineTransformer(perfect.key_dim, 1.0), BaselineTransformer(perfect.key_dim))
    weights = initial_weights(perfect, TASK, seed=seed_for(seed, "weights"))
    every = TASK.batch(SEQUENCES, seed=seed_for(seed, "sequences"))
    largest = np.zeros(len(transformers))
    for context, query in zip(every.context, every.query, strict=True):
        ours = perfect.inspect(weights, TASK, context, int(query))
        for place, transformer in enumerate(transformers):
            theirs = transformer.inspect(weights, TASK, context, int(query))
            parts = (ours.reinstated - theirs.reinstated, ours.output - theirs.output)
            largest[place] = max(largest[place], *(np.abs(part).max() for part in parts))
    return {"distance": largest}


def noise(model: SlotFreeTransformer, weights: Weights, seed: int) -> tuple[float, float, float]:
    """Compare x̃ with the transformer's, Σ softmax(x_qᵀ W_Qᵀ W_K x_i) x_i, in some sequences.

    Returns
    -------
    Mean correlation with that of the same sequence, with those of others, and the mean share of attention that goes to
    hidden units without an item.
    """
    transformer = BaselineTransformer(model.key_dim, 1.0)
    every = TASK.batch(SEQUENCES, seed=seed)
    ours, theirs, lost = [], [], []
    for context, query in zip(every.context, every.query, strict=True):
        trace = model.inspect(weights, TASK, context, int(query), seed=seed)
        ours.append(trace.reinstated)
        theirs.append(transformer.inspect(weights, TASK, context, int(query)).reinstated)
        lost.append(np.delete(trace.attention, trace.winners).sum())
    correlations: NDArray[np.float64] = np.corrcoef(ours, theirs)[:SEQUENCES, SEQUENCES:]
    same = np.eye(SEQUENCES, dtype=bool)
    return float(correlations[same].mean()), float(correlations[~same].mean()), float(np.mean(lost))
