"""The paper: its sentences, section by section (``text``), and its figures, tables and theorems (``figures``)."""

from slotfree import rooms
from slotfree.study.record import recorded_in
from slotfree.study.study import Study

ITEMS = (
    *("fig1", "fig2", "fig3", "fig4", "siA1", "siA2", "figS1", "theorem1", "figS2", "figS3"),
    *("figS4", "figS5", "figS6", "figS7", "siA4", "after"),
    *("fig5", "fig6", "fig7", "figS8", "figS9", "figS10", "figS11", "tableS1", "tableS2", "tableS3", "readings"),
    *("figS12", "figS13", "theorem2", "fallback"),
)
SECTIONS = (
    *("s1_introduction", "s2_memory", "s2_random", "s2_structured", "s2_discussion"),
    *("s3_attention", "s3_results", "s4_discussion"),
    *("si_a1_background", "si_a2_baseline", "si_a2_random", "si_a2_theory", "si_a3_trees", "si_a4_preprocessing"),
    *("si_b_models", "si_b_training", "si_b5_dynamics", "si_b5_values_first"),
)
STUDY = Study(
    "Neural Computation Without Slots",
    tuple(f"{__name__}.figures.{name}" for name in ITEMS),
    recorded_in(__name__),
    findings=(f"{__name__}.text.findings",),
    text=tuple(f"{__name__}.text.{name}" for name in SECTIONS),
)
__getattr__, __dir__ = rooms.lazy(__name__)
