"""One style for all figures, and the words and colours that they share."""

from typing import Any

STYLE: dict[Any, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "axes.titley": 1.0,  # where titles stand anyway: nothing is measured to find a free place
    "figure.constrained_layout.w_pad": 0.1,  # the last number of a panel is not read with the first of the next
    "figure.dpi": 100,
    "font.size": 9,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "savefig.dpi": 160,
    "svg.fonttype": "path",
    "svg.hashsalt": "slotfree",
}

# Okabe and Ito's palette, which colour-blind readers can tell apart.
ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILION, PURPLE, BLACK = "#0072B2", "#D55E00", "#CC79A7", "#333333"
PALETTE = (VERMILION, BLUE, GREEN, PURPLE, ORANGE, SKY, BLACK)
DARK_GREY, GREY, LIGHT_GREY = "#555555", "#999999", "#BBBBBB"
WARNING = "#B00020"

AVERAGED = "lines and bands: neighbouring ages averaged, mean ± 1 s.e."
EVERY_AGE = f"{AVERAGED}; faint lines: each age"
BARS = "bars: ages where one leads, p < 0.01"
AGE = "memory age (1 = newest)"


def cue_title(cue: float) -> str:
    """A cue level as a title."""
    return f"{100 * cue:g}% cues"
