"""Everything in the paper that can be computed: an item for each figure, table and theorem, in the paper's order."""

from slotfree import rooms
from slotfree.paper.findings import FINDINGS
from slotfree.paper.recorded import RECORDED
from slotfree.study.study import Study

DIAGRAMS = ("fig1", "fig2")  # of the introduction
MEMORY = (
    *("fig3", "fig4", "siA1", "siA2", "figS1", "theorem1", "figS2", "figS3"),
    *("figS4", "figS5", "figS6", "figS7", "siA4", "after"),
)
ATTENTION = (
    *("fig5", "fig6", "fig7", "figS8", "figS9", "figS10", "figS11", "tableS1", "tableS2", "tableS3", "readings"),
    *("figS12", "figS13", "theorem2", "fallback"),
)
STUDY = Study(
    "Neural Computation Without Slots",
    (
        *(f"{__name__}.attention.{name}" for name in DIAGRAMS),
        *(f"{__name__}.memory.{name}" for name in MEMORY),
        *(f"{__name__}.attention.{name}" for name in ATTENTION),
    ),
    RECORDED,
    FINDINGS,
    statements=(f"{__name__}.statements",),
)
__getattr__, __dir__ = rooms.lazy(__name__)
