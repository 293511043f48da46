"""One style for all figures, and the words and colours that they share."""

from contextlib import AbstractContextManager
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
THEORY = "dashed: theory"
BARS = "bars: ages where one leads, p < 0.01"
AGE = "memory age (1 = newest)"


def in_style() -> AbstractContextManager[None]:
    """The style, whatever else a notebook has set: a context in which figures are made and saved."""
    from matplotlib import style  # late: the colours are of use without it

    return style.context(["default", STYLE])


def colours(n: int) -> list[str]:
    """Colours for n curves: those of the palette, or in the order of a scale if they are more."""
    if n <= len(PALETTE):
        return list(PALETTE[:n])
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    scale = mpl.colormaps["viridis"]
    return [to_hex(scale(0.92 * i / (n - 1))) for i in range(n)]


def cue_title(cue: float | str) -> str:
    """A cue as a title: a level, or the label of another kind."""
    if isinstance(cue, str):
        return f"{cue} cues"
    return f"{100 * cue:g}% cues"
