"""Our own studies, beyond the paper. One file for each."""

from slotfree import rooms
from slotfree.study.record import recorded_in
from slotfree.study.study import Study

NAMES = (
    *("stackS2", "stackS3", "stackS4", "stackS5"),
    "baselines",
    *("theoryK1", "theoryK2", "theoryK3"),
    *("contextC1", "contextC2", "contextC3", "contextC4", "contextC5"),
    "recall",
)
STUDY = Study(
    "Beyond the paper",
    tuple(f"{__name__}.{name}" for name in NAMES),
    recorded_in(__name__),
    (f"{__name__}.findings",),
)
# 5 GB and half an hour: run where it is named.
SCALE = Study("At scale", (f"{__name__}.billion",), recorded_in(f"{__name__}.billion"))
# Twenty minutes: run where they are named.
MEMORIES = Study(
    "The memory bench",
    tuple(f"{__name__}.{name}" for name in ("people", "bench")),
    recorded_in(f"{__name__}.shared.compared"),
)
__getattr__, __dir__ = rooms.lazy(__name__)
