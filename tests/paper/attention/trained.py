"""Made-up training runs: as the paper describes them, the opposite in everything, and half of each."""

from dataclasses import dataclass

import numpy as np

from slotfree.attention.training import labelled
from slotfree.paper.transformers import SNAPSHOTS, TASK, training
from slotfree.study.results import Results
from slotfree.study.scale import SCALES
from slotfree.study.training import STRUCTURES

END = 3000  # iterations
EVERY = 20


@dataclass(frozen=True)
class Story:
    """How a run goes: accuracy rises in a line to its top, where it stays, and has another value at the end.

    ``halves`` are the iterations at which values, query-key and key-key structure reach half of their final contrast;
    ``loss`` is a curve through points (iteration, loss).
    """

    learnt: int
    end: float
    halves: tuple[int, int, int]
    loss: tuple[tuple[int, float], ...]
    top: float = 1.0
    drop: int = END * 7 // 10
    is_structured: bool = True

    def accuracy(self, steps):
        rising = np.minimum(0.5 + (self.top - 0.5) * steps / self.learnt, self.top)
        return np.where(steps < self.drop, rising, self.end)

    def losses(self, steps):
        return np.interp(steps, *np.transpose(self.loss))

    def contrast(self, measured):
        return np.array([1 / (1 + np.exp(-(measured - half) / (half / 12))) for half in self.halves])

    def weights(self, key_dim, rng):
        """Keys and queries that point along their letter's axis, and values that encode case; or nothing but noise."""
        L = TASK.n_letters
        W_Q, W_K = rng.normal(0, 0.01, (2, key_dim, 3 * L))
        W_V = rng.normal(0, 0.01, (2, 3 * L))
        if self.is_structured:
            axes = 2.5 * (np.eye(L) - 1 / L)
            W_K[:L, : 2 * L] += np.hstack([axes, axes])
            W_Q[:L, 2 * L :] += axes
            W_V[:, : 2 * L] += TASK.case_code
        return W_Q, W_K, W_V


def falling(to, by=600):
    """A loss that falls to a value and then hardly any further."""
    return ((0, 0.5), (by, 1.2 * to), (END, to))


DESCRIBED = {
    "baseline": Story(1900, 1.0, (240, 1840, 1840), falling(0.01)),
    "baseline-published": Story(
        1175, 1.0, (300, 1080, 1080), ((0, 0.8), (300, 0.4), (800, 0.36), (1200, 0.1), (END, 0.03))
    ),
    "baseline-beta1": Story(1025, 1.0, (200, 1100, 1100), falling(0.0008)),
    "fixed": Story(1500, 0.90, (600, 1600, 1600), falling(0.15), top=0.9),
    "mhn": Story(1500, 0.87, (120, 500, 520), falling(0.15), top=0.87),
    "qk": Story(1500, 0.88, (140, 1470, 2000), falling(0.15), top=0.88),
    "fixed-ip": Story(1700, 1.0, (660, 1700, 1700), ((0, 0.5), (END, 0.09))),
    "mhn-ip": Story(550, 0.91, (140, 650, 730), ((0, 0.5), (550, 0.15), (900, 0.23), (END, 0.12)), top=0.97, drop=600),
    "qk-ip": Story(550, 1.0, (130, 830, 1230), ((0, 0.5), (1200, 0.001), (END, 0.0004))),
}
LATE = (2600, 2000, 1700)
OPPOSITE = {
    "baseline": Story(900, 0.95, LATE, falling(0.2), is_structured=False),
    "baseline-published": Story(1500, 0.95, LATE, ((0, 0.8), (END, 0.3)), is_structured=False),
    "baseline-beta1": Story(900, 0.95, LATE, falling(0.2)),
    "fixed": Story(1500, 0.96, LATE, falling(0.1)),
    "mhn": Story(1500, 0.97, LATE, falling(0.1)),
    "qk": Story(1500, 0.97, LATE, falling(0.1)),
    "fixed-ip": Story(1000, 0.9, LATE, ((0, 0.2), (END, 0.3))),
    "mhn-ip": Story(100, 0.8, LATE, ((0, 0.5), (END, 0.1)), top=0.7),
    "qk-ip": Story(2000, 0.93, LATE, ((0, 0.3), (END, 0.4)), is_structured=False),
}


def trained(transformer, stories, runs, iterations=END):
    """The dataset of a training in which runs follow stories in turn, each a little different."""
    rng = np.random.default_rng(len(transformer.name))
    steps, measured = np.arange(iterations), np.array([*range(0, iterations, EVERY), iterations])
    kept = (*(n for n in SNAPSHOTS.get(transformer, ()) if n < iterations), iterations)
    told = [stories[run % len(stories)] for run in range(runs)]
    noise = rng.normal(0, 0.001, runs)
    accuracy = [s.accuracy(steps) + e * (s.end < 1) for s, e in zip(told, noise, strict=True)]
    losses = [s.losses(steps) * np.exp(e) for s, e in zip(told, noise, strict=True)]
    arrays = {"accuracy": np.array(accuracy), "loss": np.array(losses)}
    weights = [story.weights(transformer.model.key_dim, rng) for story in told]
    for name, values in zip(("W_Q", "W_K", "W_V"), zip(*weights, strict=True), strict=True):
        arrays[name] = np.repeat(np.array(values)[:, None], len(kept), axis=1)
    data = labelled(arrays, kept, TASK)
    data["contrast"] = (("run", "structure", "measured"), np.array([story.contrast(measured) for story in told]))
    return data.assign_coords(structure=list(STRUCTURES), measured=measured)


def results(transformers, *worlds, runs=20, iterations=END):
    """The results of trainings in which runs follow worlds (such as DESCRIBED) in turn."""
    data = {training(t).name: trained(t, [world[t.name] for world in worlds], runs, iterations) for t in transformers}
    return Results(data, SCALES["paper"], 0)
