"""Made-up training runs: as the paper describes them, the opposite in everything, and half of each."""

from dataclasses import dataclass

import numpy as np

from slotfree.attention.result import labelled
from slotfree.paper.shared.transformers import SNAPSHOTS, TASK, training
from slotfree.study.results import Results
from slotfree.study.scale import SCALES
from slotfree.study.train_runs import STRUCTURES

END = 3000  # iterations
EVERY = 20
NOISE = 0.02  # of contrasts before training


def weights_of(kind):
    """Keys (N, 2L), queries (N, L) and values (2, 2L) of a kind, without noise."""
    L = TASK.n_letters
    axes = np.vstack([2.5 * (np.eye(L) - 1 / L), np.zeros((1, L))])
    crowd = np.vstack([np.zeros((L, L)), np.full((1, L), 2.0)])
    nothing = np.zeros_like(axes)
    code = TASK.case_code
    kinds = {
        "letters": (np.hstack([axes, axes]), axes, code),  # as the paper describes them
        "crowded": (np.hstack([axes + crowd, axes + crowd]), axes, code),  # so alike that items are overwritten
        "alike": (np.hstack([crowd, crowd]), axes, code),
        "cases": (np.hstack([crowd, -crowd]), axes + crowd * [1, -1, 1, -1], np.ones_like(code)),
        "twisted": (np.hstack([axes, -axes]), np.roll(axes, 1, axis=1), np.zeros_like(code)),
        "together": (np.hstack([crowd, crowd]), crowd, code),  # all dot products are positive
        "nothing": (np.hstack([nothing, nothing]), nothing, np.zeros_like(code)),
    }
    return kinds[kind]


@dataclass(frozen=True)
class Story:
    """How a run goes: accuracy rises in a line to its top, where it stays, and has another value at the end.

    ``halves`` are the iterations at which values, query-key and key-key structure reach half of their final contrast;
    ``loss`` is a curve through points (iteration, loss); ``kind`` is what the weights are like after training.
    """

    learnt: int
    end: float
    halves: tuple[int, int, int]
    loss: tuple[tuple[int, float], ...]
    kind: str
    top: float = 1.0
    drop: int = END * 7 // 10

    def accuracy(self, steps):
        rising = np.minimum(0.5 + (self.top - 0.5) * steps / self.learnt, self.top)
        return np.where(steps < self.drop, rising, self.end)

    def losses(self, steps):
        return np.interp(steps, *np.transpose(self.loss))

    def contrast(self, measured):
        return np.array([1 / (1 + np.exp(-(measured - half) / (half / 12))) for half in self.halves])

    def weights(self, key_dim, rng):
        """Weights of the kind, with a little noise."""
        L = TASK.n_letters
        W_Q, W_K = rng.normal(0, 0.01, (2, key_dim, 3 * L))
        W_V = rng.normal(0, 0.01, (2, 3 * L))
        keys, queries, values = weights_of(self.kind)
        W_K[: len(keys), : 2 * L] += keys
        W_Q[: len(queries), 2 * L :] += queries
        W_V[:, : 2 * L] += values
        return W_Q, W_K, W_V


def falling(to, by=600):
    """A loss that falls to a value and then hardly any further."""
    return ((0, 0.5), (by, 1.2 * to), (END, to))


def twice(to):
    """A loss that falls twice."""
    return ((0, 0.8), (300, 0.4), (800, 0.36), (1200, 1.2 * to), (END, to))


START = ((0, 0.5), (150, 0.4), (300, 0.39), (575, 0.15), (600, 0.15))  # of the losses of MHN and QK with projections
DESCRIBED = {
    "baseline": Story(1900, 1.0, (240, 1840, 1840), twice(0.01), "letters"),
    "baseline-published": Story(1175, 1.0, (300, 1080, 1080), twice(0.03), "letters"),
    "baseline-beta1": Story(1025, 1.0, (200, 1100, 1100), twice(0.0008), "letters"),
    "fixed": Story(1500, 0.90, (600, 1600, 1600), falling(0.15), "alike", top=0.9),
    "mhn": Story(1500, 0.87, (120, 500, 520), falling(0.15), "alike", top=0.87),
    "qk": Story(1500, 0.88, (140, 1470, 2000), falling(0.15), "alike", top=0.88),
    "fixed-ip": Story(1700, 1.0, (660, 1700, 1700), ((0, 0.5), (END, 0.09)), "nothing"),
    "mhn-ip": Story(575, 0.91, (140, 650, 730), (*START, (900, 0.23), (END, 0.12)), "letters", top=0.96, drop=575),
    "qk-ip": Story(
        625, 1.0, (130, 580, 900), (*START, (700, 0.14), (1000, 0.02), (1200, 0.0005), (END, 0.0004)), "letters"
    ),
}
LATE = (2600, 2000, 1700)
OPPOSITE = {
    "baseline": Story(900, 0.95, LATE, falling(0.2), "twisted"),
    "baseline-published": Story(1500, 0.95, LATE, ((0, 0.8), (END, 0.3)), "twisted"),
    "baseline-beta1": Story(900, 0.95, LATE, falling(0.2), "twisted"),
    "fixed": Story(1500, 0.96, LATE, falling(0.1), "letters"),
    "mhn": Story(1500, 0.97, LATE, falling(0.1), "letters"),
    "qk": Story(1500, 0.97, LATE, falling(0.1), "letters"),
    "fixed-ip": Story(1000, 0.9, LATE, ((0, 0.2), (200, 0.15), (600, 0.15), (800, 0.1), (END, 0.9)), "crowded"),
    "mhn-ip": Story(100, 0.8, LATE, ((0, 0.5), (END, 0.1)), "crowded", top=0.5),
    "qk-ip": Story(2000, 0.93, LATE, ((0, 0.45), (END, 0.9)), "cases"),
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
    contrast = np.array([story.contrast(measured) for story in told])
    contrast[..., 0] += rng.normal(0, NOISE, contrast.shape[:2])
    data["contrast"] = (("run", "structure", "measured"), contrast)
    return data.assign_coords(structure=list(STRUCTURES), measured=measured)


def results(transformers, *worlds, runs=20, iterations=END):
    """The results of trainings in which runs follow worlds (such as DESCRIBED) in turn."""
    data = {training(t).name: trained(t, [world[t.name] for world in worlds], runs, iterations) for t in transformers}
    return Results(data, SCALES["paper"], 0)
