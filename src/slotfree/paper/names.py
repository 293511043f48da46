"""The items by name: those of the paper in its order, with a question it leaves open, then those beyond it."""

PAPER = (
    *("fig4", "figS1", "figS2", "figS3", "figS4", "figS5", "figS6", "figS7", "theorem1"),
    *("fig7", "figS9", "figS10", "figS11", "figS12", "figS13", "tableS1", "tableS2", "tableS3"),
    "theorem2",
    "fallback",
)
BEYOND = (
    *("stackS1", "stackS2", "stackS3", "stackS4", "stackS5"),
    *("capacity", "baselines"),
    *("theoryK1", "theoryK2", "theoryK3"),
)
NAMES = (*PAPER, *BEYOND)
GROUPS = {"paper": PAPER, "beyond": BEYOND}
