"""The items by name, in the order of the paper; what is beyond it comes last."""

NAMES = (
    *("fig4", "figS1", "figS2", "figS3", "figS4", "figS5", "figS6", "figS7", "theorem1"),
    *("fig7", "figS9", "figS10", "figS11", "figS12", "figS13", "tableS1", "tableS2", "tableS3"),
    "theorem2",
    "fallback",
    *("theoryK1", "theoryK2", "theoryK3"),
)
