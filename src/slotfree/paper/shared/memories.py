"""The memories of the paper's first part, with their names and colours in every figure, and their experiments."""

from dataclasses import dataclass

import xarray as xr

from slotfree.drawing.style import BLACK, GREEN, ORANGE, PURPLE, VERMILION
from slotfree.forgetting.protocol import CUES, Kind
from slotfree.memory.base import Settings
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Experiment, Results, Retention
from slotfree.study.curves import ACCURACY_RUNS

RUNS = 200
TREE_FLIPS = (5, 10, 15, 20, 30)


@dataclass(frozen=True)
class Model:
    """A memory with its name, its label and its colour."""

    name: str
    label: str
    settings: Settings
    colour: str


@dataclass(frozen=True)
class KWinnerModel(Model):
    """A member of the K-winner family."""

    settings: KWinnerSettings


K_WINNER = KWinnerModel("kwinner", "K-winner MHN", KWinnerSettings(), VERMILION)
ONE_WINNER = KWinnerModel("onewinner", "1-winner MHN", KWinnerSettings(1000, 100, 100, 1, 1.0, 1.0), BLACK)
WIDE = KWinnerModel("wide", "K-winner MHN, f = 0.1", KWinnerSettings(1000, 1000, 100, 50, 0.1, 0.3), PURPLE)
GRADED = KWinnerModel("graded", "graded MHN, ε = 0.3", KWinnerSettings(1000, 100, 100, 1, 1.0, 0.3), ORANGE)
SLOW = KWinnerModel("slow", "K-winner MHN, ε = 0.2", KWinnerSettings(learning_rate=0.2), GREEN)


def on_random(model: Model, cues: tuple[float, ...] = CUES) -> Experiment:
    """A memory of random patterns."""
    return Experiment(f"{model.name}-random", Retention(model.settings, cues=cues), RUNS)


def on_trees(model: Model, n_flips: int) -> Experiment:
    """A memory of the leaves of trees, tested also with patterns without structure: the runs of accuracy curves."""
    kinds: tuple[Kind, ...] = ("real", "pseudo", "uniform")
    run = Retention(model.settings, TreePatterns(n_flips), kinds=kinds)
    return Experiment(f"{model.name}-tree-{n_flips}", run, ACCURACY_RUNS)


def on_more_trees(model: Model, n_flips: int) -> Experiment:
    """More runs of the same, of what d' needs: 100% cues, and no patterns without structure."""
    run = Retention(model.settings, TreePatterns(n_flips), cues=(1.0,))
    key = (on_trees(model, n_flips).name,)
    more = RUNS - ACCURACY_RUNS
    return Experiment(f"{model.name}-more-tree-{n_flips}", run, more, few=2, key=key, first=ACCURACY_RUNS)


def all_on_trees(r: Results, model: Model, n_flips: int) -> xr.Dataset:
    """What is measured in all runs with the leaves of trees, (run, cue, kind, age)."""
    more = r[on_more_trees(model, n_flips)]
    return xr.concat([r[on_trees(model, n_flips)].sel(cue=more["cue"], kind=more["kind"]), more], "run")
