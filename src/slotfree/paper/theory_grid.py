"""The memories with which theory is compared: a grid of the parameter-matched family, and others set aside."""

from itertools import product

from slotfree.memory.settings import KWinnerSettings
from slotfree.paper.grid_runs import GridRuns, settling
from slotfree.retention.family import MOST_ACTIVE, matched

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

# Drawn at random, and never used to build the theory: n_v, s_v, f, k_h/n_h, ε and the number of weights each from a
# wide range, with equal chances on a logarithmic scale.
HELD_OUT = (
    KWinnerSettings(500, 2276, 36, 46, 0.051, 0.14),
    KWinnerSettings(2100, 880, 107, 6, 0.037, 0.13),
    KWinnerSettings(500, 858, 84, 189, 0.628, 0.27),
    KWinnerSettings(400, 1153, 55, 185, 0.061, 0.8),
    KWinnerSettings(2400, 389, 271, 5, 0.212, 0.58),
    KWinnerSettings(700, 435, 69, 82, 0.406, 0.86),
    KWinnerSettings(400, 330, 13, 2, 0.725, 0.13),
    KWinnerSettings(2600, 20, 91, 4, 0.798, 0.25),
    KWinnerSettings(1100, 2150, 79, 19, 0.094, 0.25),
    KWinnerSettings(700, 184, 138, 30, 0.17, 0.66),
    KWinnerSettings(500, 5089, 30, 31, 0.044, 0.44),
    KWinnerSettings(500, 1711, 28, 19, 0.219, 0.63),
)

GRID_RUNS = GridRuns("theory-grid", GRID, runs=6, n_tested=AGES)
HELD_OUT_RUNS = GridRuns("theory-held-out", HELD_OUT, runs=6, n_tested=AGES, some=2)
