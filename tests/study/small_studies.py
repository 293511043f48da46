"""Small studies that take milliseconds, and a way to run them without the command line."""

from dataclasses import dataclass, replace

import numpy as np

from slotfree.drawing.picture import Picture
from slotfree.runs.directory import opened
from slotfree.study import Claim, Experiment, Item, Study, above, estimate
from slotfree.study.reproduce import reproduce, settings_of
from slotfree.study.scale import SCALES

FULL, QUICK = SCALES["paper"], SCALES["quick"]


@dataclass(frozen=True)
class Noise:
    """Normal numbers about a mean; fewer at a smaller scale."""

    mean: float = 0.0
    count: int = 20

    def __call__(self, seed):
        return {"x": np.random.default_rng(seed).normal(self.mean, size=self.count)}

    def at(self, scale):
        return replace(self, count=scale.limit("n_tested", self.count) // 2)


@dataclass(frozen=True)
class Fails(Noise):
    """Fails in some runs: those whose first number is positive."""

    def __call__(self, seed):
        found = super().__call__(seed)
        if found["x"][0] > self.mean:
            raise ArithmeticError("the number is positive")
        return found


def drawn(*experiments):
    """A function that draws every number of some experiments, and tables them."""

    def draw(r):
        picture = Picture(width=2, height=1)
        for experiment in experiments:
            values = r[experiment]["x"].values.ravel()
            picture.axes[0, 0].plot(values)
            picture.record_columns({"x": values}, experiment=experiment.name)
        return picture

    return draw


def positive(*experiments):
    """A function that claims of experiments that their mean is positive."""

    def claims(r):
        for experiment in experiments:
            found = estimate.mean(r[experiment]["x"].mean("x_0").values)
            note = "It is negative: {measured}." if found.high < 0 else ""
            yield Claim(experiment.name, "The mean is positive.", note=note, estimate=found, limits=above(0))

    return claims


def item(name, *experiments, **parts):
    """An item that draws experiments and claims that their means are positive."""
    made = {"draw": drawn(*experiments), "claims": positive(*experiments), **parts}
    words = {"title": "Noise", "text": "Numbers. They vary.", "alt": "Lines that go up and down."}
    return Item(name=name, experiments=experiments, **{**words, **made})


HIGH, ZERO, LOW = (
    Experiment(f"noise{mean:+g}".replace("+0", "0"), Noise(mean), runs=6, few=3) for mean in (9.0, 0.0, -9.0)
)


def study(*items, recorded=None):
    """A study of some items; by default of two, which share an experiment."""
    return Study("Noise", items or (item("first", HIGH, ZERO), item("second", ZERO, LOW)), recorded)


class Silent:
    """Progress for nobody; it remembers what it was told."""

    def __init__(self):
        self.steps = self.done = 0
        self.said, self.left = [], []

    def begin(self, steps):
        self.steps = steps

    def now(self, what):
        self.said.append(what)

    def step(self, seconds_left):
        self.done += 1
        self.left.append(seconds_left)


def run(chosen, out, *names, scale=FULL, seed=0, jobs=2):
    """Run a study in a directory; return what came of it, and what progress was told."""
    progress = Silent()
    with opened(out, settings_of(scale, seed), {"begun": "2026-01-01"}) as directory:
        outcome = reproduce(chosen, names, scale, directory=directory, seed=seed, jobs=jobs, progress=progress)
    return outcome, progress
