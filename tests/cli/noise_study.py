"""A study that takes a second, for tests; environment variables decide what fails in it, and what comes out."""

import os
import time

import numpy as np

from slotfree.drawing.picture import Picture
from slotfree.study import Claim, Experiment, Item, Study, above, estimate

FAILS = os.environ.get("NOISE_FAILS", "")
MEAN = float(os.environ.get("NOISE_MEAN", "1"))


def run(seed):
    time.sleep(float(os.environ.get("NOISE_SECONDS", "0")))
    x = np.random.default_rng(seed).normal(MEAN, 0.1, 5)
    if FAILS == "run" and x[0] > MEAN:
        raise ArithmeticError("too large")
    return {"x": x}


def draw(r):
    if FAILS == "draw":
        raise ArithmeticError("no ink")
    picture = Picture(width=2, height=1)
    picture.axes[0, 0].plot(r[NOISE]["x"].values.T)
    picture.record_columns({"x": r[NOISE]["x"].values.ravel()})
    return picture


def claims(r):
    if FAILS == "claims":
        raise ArithmeticError("nothing to say")
    found = estimate.mean(r[NOISE]["x"].mean("x_0").values)
    yield Claim("positive", "The mean is positive.", estimate=found, limits=above(0))
    yield Claim("negative", "The mean is negative.", estimate=-found, limits=above(0))


def item(name, *experiments):
    words = {"title": "Noise", "text": "Numbers about their mean.", "alt": "Five lines that go up and down."}
    return Item(name=name, **words, experiments=experiments, draw=draw, claims=claims)


NOISE = Experiment("noise", run, 8)
OTHER = Item(
    name="other",
    title="Nothing",
    text="An empty panel.",
    alt="An empty panel with two axes.",
    experiments=(),
    draw=lambda r: Picture(width=2, height=1),
    claims=lambda r: (),
)
STUDY = Study("Noise", (item("noise", NOISE), OTHER), {"noise.positive": "confirmed", "noise.negative": "contradicted"})
