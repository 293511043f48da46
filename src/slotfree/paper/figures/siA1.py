"""SI A.1: how many patterns a modern Hopfield network retrieves, by their size, by β, and by cycles of retrieval."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.shared.of_runs import of_runs
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Experiment, Item, Results, estimate, measure, more
from slotfree.study.estimate import Values
from slotfree.study.labelled import Labelled

FEATURES = tuple(range(4, 21, 2))
ERROR = 0.01  # of a retrieved pattern: mean square, for features of ±1
MOST = 2**17  # patterns
BETAS = {0.1: ORANGE, 0.2: GREEN, 0.4: BLUE, 1.6: BLACK}
SIZE = 32  # features where β varies
LOW, EDGE, HIGH = 0.1, 0.2, 1.6  # β that blends most patterns, some, or none


@dataclass(frozen=True)
class Capacity(Labelled):
    """How many random patterns of ±1 can be retrieved with a small error, for several numbers of features."""

    dims: ClassVar = {"capacity": ("features",)}
    numbered: ClassVar = False

    features: tuple[int, ...] = FEATURES
    beta: float = 1.0
    n_queries: int = 64

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """The numbers of features."""
        return {"features": list(self.features)}

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


@dataclass(frozen=True)
class Recall(Labelled):
    """Store more and more patterns of ±1; test now and then which are recalled from a cue with some signs flipped.

    Attributes
    ----------
    rested : the β for which retrieval is also iterated until it rests.
    flipped : share of the signs that are wrong in a cue.
    cues : tested at most after one step, and at rest.
    """

    dims: ClassVar = {"one_step": ("beta", "number"), "at_rest": ("number",)}
    numbered: ClassVar = False

    betas: tuple[float, ...] = tuple(BETAS)
    rested: float = EDGE
    numbers: tuple[int, ...] = tuple(2**i for i in range(1, 13))
    n_features: int = SIZE
    flipped: float = 1 / 8
    cues: tuple[int, int] = (100, 25)

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Each β, and numbers of patterns."""
        return {"beta": list(self.betas), "number": list(self.numbers)}

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return shares of patterns of which a sign is wrong, ``one_step`` (β, number) and ``at_rest`` (number,)."""
        some, few = self.cues
        return {
            "one_step": np.array([self._lost(seed, beta, 1, some) for beta in self.betas]),
            "at_rest": np.array(self._lost(seed, self.rested, None, few)),
        }

    def _lost(self, seed: np.random.SeedSequence, beta: float, steps: int | None, n_cues: int) -> list[float]:
        rng = np.random.default_rng(seed_for(seed, "beta"))  # the same patterns for all β
        patterns = rng.integers(0, 2, (self.numbers[-1], self.n_features)) * 2.0 - 1
        cues = patterns[: max(self.cues)].copy()
        order = rng.permuted(np.tile(np.arange(self.n_features), (len(cues), 1)), axis=1)
        flips = order[:, : round(self.flipped * self.n_features)]
        np.put_along_axis(cues, flips, -np.take_along_axis(cues, flips, axis=1), axis=1)
        memory = ModernHopfield(self.n_features, beta)
        shares = []
        for number in self.numbers:
            memory.store(patterns[memory.n_stored : number])
            tested = min(number, n_cues)
            right = (memory.retrieve(cues[:tested], steps) * patterns[:tested] > 0).all(axis=1)
            shares.append(1 - float(right.mean()))
        return shares


CAPACITY = Experiment("siA1-capacity", Capacity(), 10, few=2)
RECALL = Experiment("siA1-recall", Recall(), 10, few=2, key=("capacity",))


def draw(r: Results) -> Picture:
    """Draw capacity against the number of features (A), and what β and cycles do to retrieval (B)."""
    picture = Picture(1, 2, width=8.5, height=3.4)
    draw_capacity(picture, picture.axes[0, 0], r[CAPACITY]["capacity"])
    draw_recall(picture, picture.axes[0, 1], r[RECALL])
    picture.panel(picture.axes[0, 0], "A", "Capacity is exponential in N")
    picture.panel(picture.axes[0, 1], "B", f"A low β blends, N = {SIZE}")
    return picture


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


def draw_recall(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw the share of patterns that are not recalled, after one step and at rest."""
    log_scale(axis, "xy")
    table: dict[str, Any] = {"table": "-recall", "columns": ("stored", "share_not_recalled", "standard_error")}
    for beta, colour in BETAS.items():
        shares = data["one_step"].sel(beta=beta, drop=True)
        band(picture, axis, shares, colour, f"β = {beta:g}", row={"beta": beta, "steps": "1"}, **table)
    row = {"beta": EDGE, "steps": "until it rests"}
    band(picture, axis, data["at_rest"], BETAS[EDGE], f"β = {EDGE:g}, at rest", style=":", row=row, **table)
    axis.set(ylim=(8e-4, 1.3), xlabel="stored patterns", ylabel="share not recalled (mean ± 1 s.e.)")
    axis.legend(loc="lower left")


@measure
def exponential_misfit(r: Results) -> Estimate:
    """Squared misfit of an exponential to capacity against features, divided by that of a power law."""
    logs, n = np.log(r[CAPACITY]["capacity"].values), np.array(FEATURES, float)

    def misfit(rows: Values) -> float:
        exponential, power = (np.polyfit(x, rows.mean(axis=0), 1, full=True)[1][0] for x in (n, np.log(n)))
        return float(exponential / power)

    return estimate.jackknife(misfit(logs), [misfit(np.delete(logs, i, axis=0)) for i in range(len(logs))])


@measure
def factor(r: Results) -> float:
    """By what one more feature multiplies capacity."""
    logs = np.log(r[CAPACITY]["capacity"].values)
    return float(np.exp(np.polyfit(FEATURES, logs.T, 1)[0].mean()))


ITEM = Item(
    name="siA1",
    number="SI A.1",
    title="How many patterns a modern Hopfield network holds",
    text="The network that the paper starts from keeps every pattern in a slot of its own and reads them by a softmax. "
    "The number of random patterns that it retrieves grows exponentially with the number of their features, which a "
    "power law does not describe; but β must be large enough. If it is not, patterns blend, and cycles of retrieval "
    "drift on to the blend: there one step recalls more than iterating until the state rests.",
    alt="Two panels. A: number of patterns retrieved against the number of features, on a logarithmic axis: points on "
    "the straight line of an exponential, and off the curve of a power law. B: share of patterns not recalled against "
    "the number stored, on logarithmic axes, for four β, after one step, and for one β at rest: with a low β all are "
    "lost, with a high one few.",
    experiments=(CAPACITY, RECALL),
    draw=draw,
    claims=(
        more(
            "siA1.blends",
            of_runs(RECALL, "one_step", beta=LOW, number=512),
            of_runs(RECALL, "one_step", beta=HIGH, number=512),
            f"share of 512 patterns of {SIZE} features not recalled in one step, β = {LOW:g} against {HIGH:g}",
            paired=True,
        ),
        more(
            "siA1.one-step-better",
            of_runs(RECALL, "at_rest", number=64),
            of_runs(RECALL, "one_step", beta=EDGE, number=64),
            f"share of 64 patterns of {SIZE} features not recalled, β = {EDGE:g}, at rest against after one step",
            paired=True,
        ),
    ),
)
