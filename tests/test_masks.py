"""Masked arrays are refused wherever arrays come in: NumPy would drop the mask and take what is masked for data."""

import numpy as np
import pytest
from small import Echo

import slotfree as sf
from slotfree.attention.stream import Stream
from slotfree.attention.training import initial_weights
from slotfree.memory import SparseDistributedMemory, Willshaw

MASKED = np.ma.array(np.eye(8, dtype=np.uint8)[[0, 0, 1, 2]], mask=np.eye(8)[[0, 0, 1, 2]])
SIZE = {"n_visible": 8, "k_visible": 1}
TASK, MODEL = sf.CaseSequenceTask(), sf.SlotFreeTransformer(key_dim=8, n_hidden=12, storage=sf.Winners(k=2))
TOKENS = np.ma.array([0, 1], mask=[0, 1])
PROTOCOL = {"runs": 1, "n_stored": 2, "n_tested": 1, "seed": 0}


def memory():
    return sf.KWinnerMHN(**SIZE, n_hidden=4, k_hidden=1, fan_in=0.5, seed=0)


def pairs():
    return sf.KeyValueMemory(8, 8, n_hidden=9, seed=0)


def stream():
    return Stream(MODEL, initial_weights(MODEL, TASK, seed=0), TASK)


class Masking(Echo):
    """A memory that retrieves with a mask."""

    def retrieve(self, cues):
        return np.ma.array(cues, mask=cues)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("patterns", lambda: memory().store(MASKED)),
        ("patterns", lambda: memory().store(MASKED[0])),
        ("patterns", lambda: memory().store(list(MASKED))),
        ("cues", lambda: memory().retrieve(MASKED)),
        ("patterns", lambda: Willshaw(**SIZE, fan_in=0.5, seed=0).store(MASKED)),
        ("cues", lambda: SparseDistributedMemory(**SIZE, seed=0).retrieve(MASKED)),
        ("patterns", lambda: sf.ModernHopfield(8).store(MASKED)),
        ("weights", lambda: sf.KWinnerMHN.restored(memory().settings, 0, memory().arrays() | {"weights": weights()})),
        ("keys", lambda: pairs().store(MASKED, np.eye(8)[:4])),
        ("values", lambda: pairs().store(np.eye(8)[:4], MASKED)),
        ("queries", lambda: pairs().read(MASKED)),
        ("source", lambda: sf.retention(memory().settings, MASKED, **PROTOCOL)),
        ("source", lambda: sf.retention(memory().settings, lambda n, seed: MASKED[:n], **PROTOCOL)),
        ("what Masking.retrieve returns", lambda: sf.retention(Masking, np.eye(8), **PROTOCOL)),
        ("patterns", lambda: sf.partial_cues(MASKED, 0.5, seed=0)),
        ("items", lambda: stream().store(TOKENS)),
        ("queries", lambda: stream().answer(8 + TOKENS)),
        ("after", lambda: stream().play([0, 1], [8, 9], TOKENS)),
    ],
)
def test_masked_arrays_are_refused(name, given):
    with pytest.raises(TypeError, match=rf"^{name} must have no mask, not be a masked array: filled\(0\) has zeros"):
        given()


def weights():
    return np.ma.array(memory().arrays()["weights"])
