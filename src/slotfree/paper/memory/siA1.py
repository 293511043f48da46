"""SI A.1: the modern Hopfield network: its energy along updates, what it retrieves, and how much it holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.shared.numeric import ROUNDING
from slotfree.study import estimate
from slotfree.study.claim import Claim, at_least, at_most, below, of_paper, within
from slotfree.study.estimate import Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results

BETAS = {0.01: BLUE, 0.1: SKY, 1.0: GREEN, 10.0: ORANGE, 100.0: VERMILION}
COLLECTIONS = ("random", "alike")
STARTS = ("near", "random", "far")
N_FEATURES, N_PATTERNS, N_QUERIES, UPDATES = 20, 50, 5, 12
FEATURES = tuple(range(4, 21, 2))
ERROR = 0.01  # of a retrieved pattern: mean square, for features of ±1
MOST = 2**17  # patterns
RUNS = 10


def collection(name: str, rng: np.random.Generator) -> Values:
    """Patterns of Gaussian features, independent, or with most of their variance in common."""
    x = rng.standard_normal((N_PATTERNS, N_FEATURES))
    return x if name == "random" else 0.3 * x + rng.standard_normal(N_FEATURES)


def queries(name: str, patterns: Values, rng: np.random.Generator) -> Values:
    """Stored patterns with noise, random states, or states a hundred times as far from the origin."""
    noise = rng.standard_normal((N_QUERIES, N_FEATURES))
    return {"near": patterns[:N_QUERIES] + 0.5 * noise, "random": noise, "far": 100 * noise}[name]


@dataclass(frozen=True)
class Descent:
    """Follow the energy of states along updates, for several β, collections of patterns and queries."""

    betas: tuple[float, ...] = tuple(BETAS)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return what became of the energy.

        ``rise`` (β, collection, start), the most by which an update raised it, by its magnitude, and ``fall`` (β,
        update), how far above its last value it is, mean over collections and near and random queries.
        """
        rng = np.random.default_rng(seed)
        rise = np.empty((len(self.betas), len(COLLECTIONS), len(STARTS)))
        fall = np.zeros((len(self.betas), UPDATES + 1))
        for (i, j, k), _ in np.ndenumerate(rise):
            patterns = collection(COLLECTIONS[j], rng)
            memory = ModernHopfield(N_FEATURES, self.betas[i])
            memory.store(patterns)
            paths = np.array([path_of(memory, query) for query in queries(STARTS[k], patterns, rng)])
            rise[i, j, k] = (np.diff(paths, axis=1) / np.abs(paths).max(axis=1, keepdims=True)).max()
            if STARTS[k] != "far":
                fall[i] += (paths - paths[:, -1:]).mean(axis=0) / (len(COLLECTIONS) * 2)
        return {"rise": rise, "fall": fall}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs."""
        dims = {"rise": ("run", "beta", "collection", "start"), "fall": ("run", "beta", "update")}
        return xr.Dataset(
            {name: (labels, np.array([result[name] for result in results])) for name, labels in dims.items()},
            {"beta": list(self.betas), "collection": list(COLLECTIONS), "start": list(STARTS)},
        )


def path_of(memory: ModernHopfield, query: Values) -> Values:
    """Energies along updates; a state that rests stays where it is."""
    energies = memory.trajectory(query, UPDATES).energies
    return np.concatenate([energies, np.full(UPDATES + 1 - len(energies), energies[-1])])


@dataclass(frozen=True)
class Capacity:
    """How many random patterns of ±1 can be retrieved with a small error, for several numbers of features."""

    features: tuple[int, ...] = FEATURES
    beta: float = 1.0
    n_queries: int = 64

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``capacity`` (features,): where the error of stored patterns as queries, doubled, passes the limit."""
        rng = np.random.default_rng(seed)
        return {"capacity": np.array([self._largest(n, rng) for n in self.features])}

    def _largest(self, n: int, rng: np.random.Generator) -> float:
        size, last = 2, (np.log(2), -np.inf)
        while size <= MOST:
            found = np.log(size), np.log(self._error(n, size, rng))
            if found[1] > np.log(ERROR):
                share = (np.log(ERROR) - last[1]) / (found[1] - last[1]) if np.isfinite(last[1]) else 0.0
                return float(np.exp(last[0] + share * (found[0] - last[0])))
            size, last = 2 * size, found
        return np.inf

    def _error(self, n: int, size: int, rng: np.random.Generator) -> float:
        patterns = rng.choice([-1.0, 1.0], (size, n))
        memory = ModernHopfield(n, self.beta)
        memory.store(patterns)
        asked = patterns[: self.n_queries]
        return float(((memory.retrieve(asked) - asked) ** 2).mean()) + 1e-300

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, features)."""
        found = np.array([result["capacity"] for result in results])
        return xr.Dataset({"capacity": (("run", "features"), found)}, {"features": list(self.features)})


DESCENT = Experiment("siA1-energy", Descent(), RUNS, few=2)
CAPACITY = Experiment("siA1-capacity", Capacity(), RUNS, few=2)


def draw(r: Results) -> Picture:
    """Draw energies along updates (A) and capacity against the number of features (B)."""
    picture = Picture(1, 2, width=8.5, height=3.4)
    draw_descent(picture, picture.axes[0, 0], r[DESCENT]["fall"])
    draw_capacity(picture, picture.axes[0, 1], r[CAPACITY]["capacity"])
    picture.panel(picture.axes[0, 0], "A", "No update raises the energy")
    picture.panel(picture.axes[0, 1], "B", "Capacity is exponential in N")
    return picture


def draw_descent(picture: Picture, axis: Axes, fall: xr.DataArray) -> None:
    """Draw the energy that is left to fall, by update."""
    for beta, colour in BETAS.items():
        left = fall.sel(beta=beta).mean("run").values
        updates = np.arange(len(left))
        picture.record_columns({"at": updates, "value": left}, what=f"energy left, beta = {beta:g}")
        shown = left > 1e-9  # what is below is rounding
        axis.plot(updates[shown], left[shown], "o-", ms=3, color=colour, label=f"β = {beta:g}")
    log_scale(axis, "y")
    axis.set(xlabel="updates", ylabel="energy above its last value", ylim=(1e-9, 1e3))
    axis.legend(loc="upper right", ncols=2)


def draw_capacity(picture: Picture, axis: Axes, capacity: xr.DataArray) -> None:
    """Draw how many patterns are retrieved, with an exponential and a power law fitted to them."""
    n, logs = capacity["features"].values, np.log(capacity.values)
    for place, found in zip(n, estimate.means(logs), strict=True):
        low, middle, high = np.exp([found.low, found.value, found.high])
        axis.errorbar(place, middle, [[middle - low], [high - middle]], fmt="o", ms=4, color=BLACK, capsize=2)
        picture.record({"what": "capacity", "at": int(place), "value": middle})
    fine = np.linspace(n[0], n[-1], 100)
    for of, colour, style, label in (
        (np.asarray, VERMILION, "-", "exponential"),
        (np.log, PURPLE, "--", "power law"),
    ):
        line = np.polyfit(of(n), logs.mean(axis=0), 1)
        axis.plot(fine, np.exp(np.polyval(line, of(fine))), style, lw=1, color=colour, label=label)
    log_scale(axis, "y")
    axis.set(xlabel="features N", ylabel="patterns retrieved with an error of 1%")
    axis.legend(loc="upper left", title="±1 patterns, β = 1, 99% intervals", title_fontsize=8)


def claims(r: Results) -> Iterator[Claim]:
    """What the section says of the network."""
    yield from claims_of_energy(r[DESCENT]["rise"].values)
    yield from claims_of_capacity(np.log(r[CAPACITY]["capacity"].values))
    yield from claims_of_retrieval(np.random.default_rng(r.seed))


def claims_of_energy(rise: NDArray[np.float64]) -> Iterator[Claim]:
    """What updates do to the energy; the most that each raised it, (run, …)."""
    yield of_paper(
        "energy",
        "The update “decreases the energy across each application”: the most by which an update raises it, divided by "
        f"its magnitude, of all runs, β from {min(BETAS):g} to {max(BETAS):g}, random and similar patterns, near, "
        "random and far queries; no more than rounding.",
        paper="decreases",
        estimate=estimate.exact(rise.max()),
        limits=at_most(ROUNDING),
    )


def claims_of_capacity(logs: Values) -> Iterator[Claim]:
    """How capacity grows; its logarithm, (run, features)."""
    n = np.array(FEATURES, float)

    def misfit(rows: Values) -> float:
        exponential, power = (np.polyfit(x, rows.mean(axis=0), 1, full=True)[1][0] for x in (n, np.log(n)))
        return float(exponential / power)

    without = [misfit(np.delete(logs, i, axis=0)) for i in range(len(logs))]
    slopes = np.polyfit(n, logs.T, 1)[0]
    yield of_paper(
        "capacity",
        "The update “enables exponential storage capacity in the number of features N”: random ±1 patterns that are "
        f"retrieved with an error of {ERROR:.0%}, N from {FEATURES[0]} to {FEATURES[-1]}, β = 1: squared misfit of an "
        f"exponential, a factor of {np.exp(slopes.mean()):.2f} for each feature, divided by that of a power law; below "
        "1.",
        paper="exponential",
        estimate=estimate.jackknife(misfit(logs), without),
        limits=below(1),
    )


def claims_of_retrieval(rng: np.random.Generator) -> Iterator[Claim]:
    """What the network computes."""
    patterns = rng.choice([-1.0, 1.0], (100, 64))
    flipped = patterns * rng.choice([-1.0, 1.0], patterns.shape, p=(0.1, 0.9))
    memory = ModernHopfield(64, 1.0)
    memory.store(patterns)
    recalled = memory.retrieve(flipped)
    yield of_paper(
        "retrieves",
        "The MHN “can be used to retrieve patterns from a fixed collection”: share of 100 patterns of 64 features of "
        "which a tenth is flipped at random that one update brings nearest to the right pattern.",
        paper="retrieve",
        estimate=estimate.exact(((recalled @ patterns.T).argmax(axis=1) == np.arange(100)).mean()),
        limits=within(1, 1),
    )
    # A scale at which all weights count.
    soft = ModernHopfield(64, 0.05)
    soft.store(patterns)
    scores = flipped @ patterns.T
    weights = soft.weights(flipped)
    order = np.argsort(scores, axis=1)
    yield of_paper(
        "weighted",
        "The MHN retrieves “a similarity-weighted vector”: a stored pattern that is more similar to the query never "
        "has the smaller weight; smallest step of the weights in the order of similarity.",
        paper="similarity-weighted",
        estimate=estimate.exact(np.diff(np.take_along_axis(weights, order, axis=1)).min()),
        limits=at_least(-ROUNDING),
    )
    yield of_paper(
        "autoencoder",
        "The update is “that of an autoencoder” with W = Xᵀ, W′ = X and “a softmax nonlinearity at the hidden layer”: "
        "largest difference of any number.",
        paper="equal",
        estimate=estimate.exact(np.abs(autoencoder(patterns, flipped, 0.05) - soft.retrieve(flipped)).max()),
        limits=at_most(ROUNDING),
    )
    yield of_paper(
        "update",
        "The update rule “corresponds” to the energy: it is a step down its gradient, ξ − ∇E; largest difference of "
        "the numerical gradient.",
        paper="equal",
        estimate=estimate.exact(np.abs(gradient(soft, flipped[0]) - (flipped[0] - soft.retrieve(flipped[0]))).max()),
        limits=at_most(1e-6),
    )
    yield of_paper(
        "fixed",
        "“The weights in W and W′ … are never updated” by retrieval: largest change of a stored number.",
        paper="0",
        estimate=estimate.exact(np.abs(memory.patterns - patterns).max()),
        limits=at_most(0),
    )


def autoencoder(patterns: Values, queries: Values, beta: float) -> Values:
    """W′ softmax(β W ξ) with W = Xᵀ and W′ = X, written out."""
    W = patterns
    hidden = np.exp(beta * queries @ W.T)
    hidden /= hidden.sum(axis=1, keepdims=True)
    visible: Values = hidden @ W
    return visible


def gradient(memory: ModernHopfield, state: Values, step: float = 1e-5) -> Values:
    """The gradient of the energy by central differences."""
    moved = step * np.eye(len(state))
    found: Values = (memory.energy(state + moved) - memory.energy(state - moved)) / (2 * step)
    return found


ITEM = Item(
    name="siA1",
    number="SI A.1",
    title="The original modern Hopfield network",
    text="The network that the paper starts from keeps every pattern in a slot of its own and reads them by a softmax. "
    "No update ever raises its energy, whatever β, the patterns and the query; and the number of random patterns that "
    "it retrieves grows exponentially with the number of their features, which a power law does not describe.",
    alt="Two panels. A: energy above its last value along twelve updates, on a logarithmic axis, for five β; all fall. "
    "B: number of patterns retrieved against the number of features, on a logarithmic axis: points on the straight "
    "line of an exponential, and off the curve of a power law.",
    experiments=(DESCENT, CAPACITY),
    draw=draw,
    claims=claims,
)
