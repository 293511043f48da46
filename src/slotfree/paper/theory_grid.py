"""The memories with which theory is compared: a grid of the parameter-matched family, and others set aside."""

from itertools import product

from slotfree.forgetting.family import MOST_ACTIVE, matched
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.grid_runs import GridRuns, settling

WEIGHTS = 100_000
FAN_INS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
WINNERS = (1, 3, 10, 50, 100, 200)
LEARNING_RATES = (0.1, 0.3, 1.0)
MOST_STORED = 6000  # patterns; memories that settle more slowly are left out

AGES = 500

GRID = tuple(
    settings
    for f, k_h, eps in product(FAN_INS, WINNERS, LEARNING_RATES)
    if k_h <= MOST_ACTIVE * matched(WEIGHTS, f, 1, eps).n_hidden
    and settling(settings := matched(WEIGHTS, f, k_h, eps)) <= MOST_STORED
)

# Drawn at random when the theory was complete, and never used to build it: n_v, s_v, f, k_h/n_h, ε and the number of
# weights each from a wide range, with equal chances on a logarithmic scale. It is the second draw: one memory of the
# first (400, 330, 13, 2, 0.725, 0.13) showed that the steady state did not settle, which was mended.
HELD_OUT = (
    KWinnerSettings(600, 1750, 43, 14, 0.07, 0.25),
    KWinnerSettings(2000, 403, 101, 3, 0.051, 0.28),
    KWinnerSettings(600, 706, 100, 18, 0.659, 0.91),
    KWinnerSettings(500, 5712, 69, 985, 0.082, 0.13),
    KWinnerSettings(2200, 105, 248, 10, 0.249, 0.7),
    KWinnerSettings(400, 688, 19, 3, 0.14, 0.75),
    KWinnerSettings(800, 716, 79, 137, 0.446, 0.47),
    KWinnerSettings(500, 7926, 65, 163, 0.044, 0.88),
    KWinnerSettings(500, 87, 16, 1, 0.75, 0.38),
    KWinnerSettings(2300, 133, 80, 3, 0.817, 0.12),
    KWinnerSettings(1100, 355, 78, 8, 0.12, 0.78),
    KWinnerSettings(800, 1436, 157, 177, 0.204, 0.11),
)

GRID_RUNS = GridRuns("theory-grid", GRID, runs=6, n_tested=AGES)
HELD_OUT_RUNS = GridRuns("theory-held-out", HELD_OUT, runs=6, n_tested=AGES, some=2)
