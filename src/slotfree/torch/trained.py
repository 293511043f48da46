"""From a model that ``sf.train`` trained to a layer, and back."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch

from slotfree import checks
from slotfree.attention.prediction import fast_key
from slotfree.attention.result import TrainingResult
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.kernels.arithmetic.uniform import stream
from slotfree.torch.ties import signed

if TYPE_CHECKING:
    from slotfree.torch.layer import SlotFreeAttention

BY_TOKENS = ("token", "own", "letter")  # addresses that are a matrix P, which does not change


def layer_of(result: TrainingResult, run: int, seed: checks.Seed) -> "SlotFreeAttention":
    """Return the layer that computes what a run's model does, in float64; its x are one-hot tokens."""
    from slotfree.torch.layer import SlotFreeAttention

    if not isinstance(result, TrainingResult):
        raise TypeError(f"result must be a TrainingResult, as sf.train returns it, not {checks.shown(result)}")
    model, task = result.model, result.task
    if not isinstance(model, SlotFreeTransformer) or not isinstance(model.storage, Winners):
        raise TypeError(f"result must be of a SlotFreeTransformer with storage=sf.Winners(...), not of {model}")
    if model.key_rule not in ("query-key", "fixed"):
        raise ValueError(f"result must have the key_rule 'query-key' or 'fixed', not {model.key_rule!r}")
    run = checks.integer("run", run, 0, len(result.accuracy) - 1)
    weights, storage = result.weights[run], model.storage
    address = storage.address or ("token" if model.input_projections else "start")
    if address not in (*BY_TOKENS, "oldest", "start"):
        raise ValueError(f"result must be of a model whose address stays as it is, not {address!r}")
    key = fast_key(checks.generator(seed, "fast weights"))
    engine = model.engine(task, key, weights.drawn_by)
    first = engine.start(0)
    layer = SlotFreeAttention(
        task.n_tokens,
        model.units,
        model.key_dim,
        task.n_outputs,
        storage=replace(storage, address="token" if address in BY_TOKENS else address),
        local=True,
        project_out=False,
        seed=weights.drawn_by,
        dtype=torch.float64,
    )
    fast = engine.fast
    seen = np.zeros((1, model.units, model.key_dim), bool)
    np.put_along_axis(seen[0], fast.inputs, True, axis=1)
    drives = np.zeros((1, model.units, task.n_tokens))
    for token, units in enumerate(fast.projected):
        drives[0, units[units >= 0], token] = 1.0
    drawn = {
        "seeds": np.array([signed(int(stream(np.uint64(key), 0)))]),
        "connections": seen,
        "projections": drives,
        "first_keys": first.W_HK[None],
        "q_proj.weight": weights.W_Q,
        "k_proj.weight": weights.W_K,
        "v_proj.weight": weights.W_V,
    }
    layer.load_state_dict({name: torch.from_numpy(drawn[name]) for name in layer.state_dict() if name in drawn}, False)
    layer.k_proj.requires_grad_(model.key_rule != "fixed")
    return layer


def weights_of(layer: "SlotFreeAttention") -> Weights:
    """Return the slow weights of a layer of one head, as models have them."""
    if layer.heads != 1:
        raise ValueError(f"heads must be 1 for weights of a SlotFreeTransformer, not {layer.heads}")
    learnt = (layer.q_proj, layer.k_proj, layer.v_proj)
    W_Q, W_K, W_V = (each.weight.detach().double().cpu().numpy().copy() for each in learnt)
    return Weights(W_Q, W_K, W_V, np.array(int(layer.wiring)))
