"""Training that forgets what it had learnt, which a loss that stays finite does not show."""

import warnings

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners

PARTS = 20  # of a training, each of which is averaged
FEWEST = 25  # iterations in a part: of 64 sequences each, its mean is right within 0.04
FALL = 0.1  # of the accuracy, between the best part and the last


def warn_of_falls(model: Model, accuracy: NDArray[np.float64]) -> None:
    """Warn if the accuracy of a run with ``Winners``, (runs, iterations), ends far below what it was.

    The paper's storage does that too, with the MHN rule: it is left as the paper has it.
    """
    runs, iterations = accuracy.shape
    length = max(FEWEST, iterations // PARTS)
    n = iterations // length
    if not n or not (isinstance(model, SlotFreeTransformer) and isinstance(model.context_storage, Winners)):
        return
    parts = accuracy[:, iterations - n * length :].reshape(runs, n, length).mean(axis=2)
    run = int((parts.max(axis=1) - parts[:, -1]).argmax())
    best, last = parts[run].max(), parts[run, -1]
    if best - last > FALL:
        cause = (
            ""
            if model.context_storage.address == "oldest"
            else " Keys that have grown may drive units that hold other items: with address='oldest', or a larger "
            "projection_gain, they do so less."
        )
        warnings.warn(
            f"the accuracy of run {run} rose to {best:.2f} and fell to {last:.2f}.{cause} Lower learning_rates or "
            "fewer iterations may help, too.",
            stacklevel=3,
        )
