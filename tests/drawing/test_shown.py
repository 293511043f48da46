"""What the functions for notebooks and the command line draw is as recorded, of small memories, models and curves."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure
from recorded import check
from recorded import drawn as shown

import slotfree as sf
from slotfree import drawing
from slotfree.attention.training import initial_weights
from slotfree.drawing.predictions import draw_curves, draw_map

TASK = sf.CaseSequenceTask(n_letters=4, context_length=4)
SMALL = {"n_visible": 100, "k_visible": 10, "n_hidden": 60, "k_hidden": 4, "fan_in": 0.3}


class Fixed:
    """A memory that recalls a pattern with a hit, a miss and a false alarm."""

    def __init__(self, shape):
        self.shape, n = shape, int(np.prod(shape))
        self.pattern, self.recalled = np.zeros((2, n), np.uint8)
        self.pattern[[0, 3]] = self.recalled[[0, 5]] = 1

    def store(self, patterns):
        """It holds its pattern from the beginning."""

    def retrieve(self, cues):
        return np.tile(self.recalled, (len(cues), 1))


def attention(k, rate=1.0, **options):
    model = sf.SlotFreeTransformer(storage=sf.Winners(k=k, rate=rate), **options)
    return drawing.show_attention(model, initial_weights(model, TASK, seed=0), TASK, "bADc", "d", seed=1).figure


def recall(*shape):
    memory = Fixed(shape)
    return drawing.show_recall(memory, memory.pattern, cue=0.5, shape=shape, seed=0).figure


def retention(metric, **options):
    data = sf.retention(SMALL, runs=4, n_stored=80, n_tested=40, seed=0)
    return drawing.show_retention({"one": data, "two": data.isel(run=[0, 1, 2])}, metric, **options).figure


def training(metric):
    result = sf.train(sf.SlotFreeTransformer(n_hidden=8), TASK, runs=2, iterations=60, batch_size=8, seed=0)
    return drawing.show_training({"one": result}, metric).figure


def predicted():
    ages, cues = [1, 10, 300], [1.0, 0.5]
    fading = ("cue", "age"), np.array([[0.9, 0.5, 0.2], [0.6, 0.4, 0.1]])
    data = {"accuracy": fading, "raw_difference": fading, "d_prime": fading, "baseline": ("cue", [0.2, 0.1])}
    return xr.Dataset(data, {"age": ages, "cue": cues})


def merits():
    figure = Figure()
    merit = {"initial_accuracy": ("setting", [0.9, 0.7, 0.6, 0.5])}
    merit |= {"initial_raw_difference": merit["initial_accuracy"], "half_life": ("setting", [2.0, 30.0, 20.0, 50.0])}
    draw_map(figure.subplots(), xr.Dataset(merit), "half_life")
    return figure


FIGURES = {
    "one winner": lambda: attention(1, n_hidden=16, input_projections=True),
    "crowded winners": lambda: attention(2, n_hidden=5),
    "slow winners": lambda: attention(2, 0.1, n_hidden=5),
    "recall": lambda: recall(2, 4),
    "recall of many units": lambda: recall(150, 200),
    "accuracy": lambda: retention("accuracy"),
    "raw difference": lambda: retention("raw_difference", theory=predicted()),
    "sensitivity": lambda: retention("d_prime"),
    "training": lambda: training("accuracy"),
    "loss": lambda: training("loss"),
    "predictions": lambda: draw_curves(predicted(), "a title"),
    "merits": merits,
}


@pytest.mark.parametrize("name", FIGURES)
def test_pictures_are_as_recorded(name):
    found = {f"{name}:{part}": what for part, what in shown(FIGURES[name]()).items()}
    check(Path(__file__).with_name("shown.json"), found, lambda key: key.partition(":")[0] == name, tolerance=0.001)
