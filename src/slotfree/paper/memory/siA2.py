"""SI A.2.1: why patterns never stored are recalled above chance, and which inputs the winners are connected to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREEN, GREY, ORANGE, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.memory.fig4 import ONE, K
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, SLOW, WIDE
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import paired_similarity
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, below, of_paper, within
from slotfree.study.estimate import Estimate, Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.scale import Scale

RUNS = 5
LAST = 100  # patterns of which is asked where they were stored
WINNERS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
FAN_INS = (0.025, 0.05, 0.1, 0.2, 0.5)
ALL = 0.995  # of 100%, as it is printed
TEXT = K_WINNER.settings


@dataclass(frozen=True)
class Encoding:
    """Store random patterns, and see how many of their ones the winners are connected to, and what is recalled.

    Attributes
    ----------
    settings : of the memory.
    n_stored : patterns stored.
    n_tested : patterns never stored with which it is tested.
    """

    settings: KWinnerSettings
    n_stored: int = 2000
    n_tested: int = 200

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return what became of the last patterns, and of others.

        ``covered``, the share of their ones that are connected to a winner; ``several``, to two or more; ``copies``,
        the mean number of winners that a one is connected to; ``unseen`` (cue,), the accuracy for patterns never
        stored.
        """
        s = self.settings
        size = {"n_visible": s.n_visible, "k_visible": s.k_visible}
        patterns = random_patterns(self.n_stored, **size, seed=seed_for(seed, "patterns"))
        memory = KWinnerMHN.from_settings(s, seed_for(seed, "memory"))
        winners = memory.store(patterns, return_winners=True)[-LAST:]
        copies = connected_winners(memory, winners)[patterns[-LAST:] == 1]
        unseen = random_patterns(self.n_tested, **size, seed=seed_for(seed, "unseen"))
        return {
            "covered": (copies > 0).mean(),
            "several": (copies > 1).mean(),
            "copies": copies.mean(),
            "unseen": np.array(
                [
                    paired_similarity(
                        unseen, memory.retrieve(partial_cues(unseen, cue, seed=seed_for(seed, "cue", cue)))
                    ).mean()
                    for cue in CUES
                ]
            ),
        }

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        return xr.Dataset(
            {name: (("run", "cue")[: array.ndim], array) for name, array in arrays.items()}, {"cue": list(CUES)}
        )

    def at(self, scale: Scale) -> "Encoding":
        """The same with fewer patterns."""
        return replace(self, n_stored=scale.limit("n_stored", self.n_stored) // 6 + 1, n_tested=20)


def connected_winners(memory: KWinnerMHN, winners: NDArray[np.uint32]) -> NDArray[np.int64]:
    """How many of the winners (pattern, k_h) each visible unit is connected to, (pattern, n_visible)."""
    mask = memory.mask
    return np.array([mask[chosen].sum(axis=0) for chosen in winners])


@dataclass(frozen=True)
class Replacing:
    """Follow what new patterns replace in a 1-winner MHN once it is full."""

    settings: KWinnerSettings
    n_stored: int = 1500

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return what new patterns replace.

        ``best``, the share of them that replace a stored pattern of the largest overlap; ``overlap``, their mean
        overlap with what they replace, as a share of all ones.
        """
        s = self.settings
        size = {"n_visible": s.n_visible, "k_visible": s.k_visible}
        patterns = random_patterns(self.n_stored, **size, seed=seed_for(seed, "patterns"))
        memory = KWinnerMHN.from_settings(s, seed_for(seed, "memory"))
        slots = memory.store(patterns, return_winners=True)[:, 0]
        stored = np.full((s.n_hidden, s.n_visible), np.nan, np.float32)  # NaN: nothing is stored there yet
        best, overlap = [], []
        for slot, pattern in zip(slots, patterns.astype(np.float32), strict=True):
            overlaps = stored @ pattern
            if not np.isnan(overlaps).any():
                best.append(overlaps[slot] == overlaps.max())
                overlap.append(overlaps[slot] / s.k_visible)
            stored[slot] = pattern
        return {"best": np.array(np.mean(best or np.nan)), "overlap": np.array(np.mean(overlap or np.nan))}

    def at(self, scale: Scale) -> "Replacing":
        """The same with fewer patterns, but enough to fill the memory."""
        return replace(self, n_stored=min(self.n_stored, scale.limit("n_stored", self.n_stored) // 3 + 150))


def encoded(settings: KWinnerSettings) -> Experiment:
    """Memories of some settings."""
    s = settings
    return Experiment(f"siA2-{s.n_hidden}-{s.k_hidden}-{s.fan_in:g}-{s.learning_rate:g}", Encoding(s), RUNS, few=2)


BY_WINNERS = {k: encoded(replace(TEXT, k_hidden=k)) for k in WINNERS}
# Narrower connections of more units: f n_h is the same.
BY_FAN_IN = {f: encoded(replace(TEXT, n_hidden=round(100 / f), fan_in=f)) for f in FAN_INS}
ONE_BY_FAN_IN = {f: encoded(replace(ONE_WINNER.settings, n_hidden=round(100 / f), fan_in=f)) for f in (*FAN_INS, 1.0)}
SETTINGS = {model: encoded(model.settings) for model in (K_WINNER, WIDE, SLOW)}
REPLACING = Experiment("siA2-replacing", Replacing(ONE_WINNER.settings), RUNS, few=2)
EXPERIMENTS = tuple(
    {
        e.name: e
        for e in (*BY_WINNERS.values(), *BY_FAN_IN.values(), *ONE_BY_FAN_IN.values(), *SETTINGS.values(), REPLACING)
    }.values()
)


def draw(r: Results) -> Picture:
    """Draw baselines against winners (A) and fan-in (B), and the inputs that are covered (C)."""
    picture = Picture(1, 3, width=10.5, height=3.4)
    by_winners, by_fan_in, coverage = picture.axes[0]
    draw_baselines(picture, by_winners, r, BY_WINNERS, ("ε = 0.3 (A: f = 0.05; B: $k_h$ = 50)", VERMILION, "o-"))
    by_winners.set_xlabel("winners $k_h$")
    draw_baselines(picture, by_fan_in, r, BY_FAN_IN, ("$k_h$ = 50, ε = 0.3", VERMILION, "o-"))
    draw_baselines(picture, by_fan_in, r, ONE_BY_FAN_IN, ("$k_h$ = 1, ε = 1", ORANGE, "s-"))
    by_fan_in.set_xlabel("fan-in f, with f $n_h$ = 100")
    by_winners.plot([], [], "s-", ms=4, color=ORANGE, label="B: $k_h$ = 1, ε = 1")
    for axis in (by_winners, by_fan_in):
        axis.axhline(
            one_winner.exact_baseline(CUES[0]), color=BLACK, ls="--", lw=1, label="1-winner: best of 100 overlaps"
        )
        axis.axhline(0.1, color=GREY, ls=":", lw=1, label="chance")
        log_scale(axis, "x")
        axis.set(ylim=(0, 0.7), ylabel="accuracy of patterns never stored")
    picture.legend_below(by_winners, 4, "A, B: 99% intervals, full cues")
    draw_coverage(picture, coverage, r)
    titles = ("Baseline and averaging", "Baseline and sample size", "Inputs that are encoded")
    for axis, letter, title in zip(picture.axes[0], "ABC", titles, strict=True):
        picture.panel(axis, letter, title)
    return picture


def draw_baselines(
    picture: Picture,
    axis: Axes,
    r: Results,
    experiments: dict[float, Experiment] | dict[int, Experiment],
    shown: tuple[str, str, str],
) -> None:
    """Draw the baseline at full cues against what is varied."""
    label, colour, style = shown
    found = [estimate.mean(r[e]["unseen"].sel(cue=CUES[0]).values) for e in experiments.values()]
    places = list(experiments)
    axis.errorbar(
        places,
        [f.value for f in found],
        [f.reach for f in found],
        fmt=style,
        ms=4,
        color=colour,
        capsize=2,
        label=label,
    )
    for place, one in zip(places, found, strict=True):
        picture.record(
            {"what": f"baseline, {label}", "at": place, "value": one.value, "low": one.low, "high": one.high}
        )


def record(picture: Picture, what: str, places: Sequence[float], found: Sequence[Estimate]) -> None:
    """Record estimates by place."""
    for at, one in zip(places, found, strict=True):
        picture.record({"what": what, "at": at, "value": one.value, "low": one.low, "high": one.high})


def draw_coverage(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the share of a pattern's ones that are connected to a winner, against the number of winners."""
    found = [estimate.mean(r[e]["covered"].values) for e in BY_WINNERS.values()]
    axis.plot(WINNERS, [f.value for f in found], "o-", ms=4, color=VERMILION, label="measured, f = 0.05")
    axis.plot(
        WINNERS,
        [random_coverage(TEXT.fan_in, k) for k in WINNERS],
        "--",
        color=GREY,
        lw=1,
        label="random units, $1 − (1 − f)^{k_h}$",
    )
    wide = estimate.mean(r[SETTINGS[WIDE]]["covered"].values)
    axis.plot(WIDE.settings.k_hidden, wide.value, "D", ms=5, color=GREEN, label="measured, f = 0.1")
    axis.axvline(1 / TEXT.fan_in, color=BLACK, lw=0.8, ls=":")
    axis.annotate("$k_h$ = 1/f", (1 / TEXT.fan_in, 0.1), (4, 0), textcoords="offset points", fontsize=8)
    record(picture, "covered, f = 0.05", WINNERS, found)
    log_scale(axis, "x")
    axis.set(ylim=(0, 1.05), xlabel="winners $k_h$", ylabel="share of a pattern's ones\nconnected to a winner")
    axis.legend(loc="lower right", bbox_to_anchor=(1, 0.18), fontsize=7)


def random_coverage(fan_in: float, k_hidden: int) -> float:
    """The share of inputs that k_h units with random connections reach, 1 − (1 − f)^{k_h}."""
    return 1 - (1 - fan_in) ** k_hidden


def claims(r: Results) -> Iterator[Claim]:
    """What is said of the baseline, and of coverage (section 2.1)."""
    yield from claims_of_one_winner(
        r[ONE]["accuracy"].sel(cue=1.0, kind="pseudo").mean("age").values,
        r[REPLACING]["best"].values,
        r[REPLACING]["overlap"].values,
    )
    yield from claims_of_sample(KWinnerMHN.from_settings(TEXT, 0).connections.shape[1])
    for cue in CUES:
        by_winners, by_fan_in, one = (
            {at: r[e]["unseen"].sel(cue=cue).values for at, e in part.items()}
            for part in (BY_WINNERS, BY_FAN_IN, ONE_BY_FAN_IN)
        )
        yield from claims_of_fan_in(list(by_fan_in.values()), list(one.values()), f"{cue:.0%}")
        yield from claims_of_averaging(by_winners, f"{cue:.0%}")
    for model, e in SETTINGS.items():
        covered, several = r[e]["covered"].values, r[e]["several"].values
        yield from claims_of_coverage(model.name, model.settings, covered, several, float(r[e]["copies"].mean()))
    yield claim_of_wider(*(r[SETTINGS[model]]["covered"].values for model in (WIDE, K_WINNER)))
    yield from claims_of_winners({k: r[e]["covered"].values for k, e in BY_WINNERS.items()})
    for cue in CUES:
        newest = r[K]["accuracy"].sel(cue=cue, age=1)
        yield of_paper(
            f"small-rate-{cue:.0%}",
            "As features are stored in several weights, “ε can be considerably less that 1”: with ε = 0.3 the newest "
            f"pattern is recalled better than one never stored; difference in accuracy, {cue:.0%} cues.",
            paper="ε can be less than 1",
            estimate=estimate.mean((newest.sel(kind="real") - newest.sel(kind="pseudo")).values),
            limits=above(0),
        )


def claims_of_one_winner(unseen: Values, best: Values, overlap: Values) -> Iterator[Claim]:
    """The baseline of the 1-winner MHN: accuracy for patterns never stored, and what new patterns replace, by run."""
    expected, asymptotic, chance = one_winner.exact_baseline(1.0), one_winner.baseline(1.0), 0.1

    def distance(value: float) -> Values:
        return np.asarray((unseen - value) * np.sign(unseen.mean() - value))

    yield of_paper(
        "replaces-best",
        "An untrained pattern “will replace the best-matching memory presently in the system”: smallest share of "
        "patterns in any run that do, 1-winner MHN.",
        paper="replaces the best",
        estimate=estimate.exact(best.min()),
        limits=within(1, 1),
    )
    yield of_paper(
        "higher-than-average",
        "What a new pattern replaces has “higher-than-average correlation with the new incoming pattern”: mean overlap "
        "of the two, as a share of their ones, minus 0.1, the average; 1-winner MHN.",
        paper="higher",
        estimate=estimate.mean(overlap - 0.1),
        limits=above(0),
    )
    yield of_paper(
        "maximum",
        "The 1-winner's baseline “should roughly equal the maximum of n_h = 100 samples from the distribution of "
        f"possible pattern overlaps”, {expected:.4f} on average; {unseen.mean():.4f} in simulation, 100% cues: how "
        f"much nearer it is to this maximum than to the formula of proposition 2, {asymptotic:.4f}, and to chance, "
        f"{chance}.",
        paper="roughly equal",
        estimate=estimate.smallest_of(
            estimate.mean(distance(other) - distance(expected)) for other in (asymptotic, chance)
        ),
        limits=above(0),
    )


def claims_of_sample(n_connections: int) -> Iterator[Claim]:
    """The sample that a hidden unit sees."""
    yield of_paper(
        "fan-in",
        "Each hidden unit of the K-winner sees a sample of “f n_h = 100” elements: inputs that it is connected to.",
        paper=100,
        estimate=estimate.exact(n_connections),
        limits=within(100, 100),
    )
    yield Claim(
        "fan-in-visible",
        "A hidden unit of the K-winner sees f n_v = 0.05 · 1000 elements, of n_v = 1000, not n_h = 2000: inputs that "
        "it is connected to.",
        paper=100,
        estimate=estimate.exact(n_connections),
        limits=within(50, 50),
    )
    sizes = np.array([25, 50, 100, 200, 500, 1000])
    maxima = [float(np.sum(1 - stats.binom.cdf(np.arange(n), n, 0.1) ** 100)) / n for n in sizes.tolist()]
    yield of_paper(
        "larger-maximum",
        "“The maximum of such a distribution will be larger than the maximum of a distribution of samples each with a "
        "larger n”: expected maximum of 100 proportions, n from 25 to 1000; smallest fall from one n to the next.",
        paper="larger",
        estimate=estimate.exact(min(a - b for a, b in pairwise(maxima))),
        limits=above(0),
    )


def claims_of_fan_in(many: list[Values], one: list[Values], level: str) -> Iterator[Claim]:
    """Baselines by fan-in at a cue level, with 50 winners and with one, from the narrowest on."""
    yield of_paper(
        f"smaller-sample-{level}",
        f"One of the “factors contributing to its higher baseline”: a smaller sample. The baseline at {level} cues "
        f"rises with each step to a smaller fan-in, f from {FAN_INS[-1]} to {FAN_INS[0]}, f n_h = 100, k_h = 50: "
        "smallest rise.",
        paper="higher baseline",
        estimate=estimate.smallest_of(estimate.difference(a, b) for a, b in pairwise(many)),
        limits=above(0),
    )
    narrow, full = one[FAN_INS.index(TEXT.fan_in)], one[-1]
    yield Claim(
        f"smaller-sample-alone-{level}",
        "A smaller sample alone does not raise the baseline: with k_h = 1 and ε = 1 the baseline at f = 0.05, "
        f"{narrow.mean():.3f}, is lower than at f = 1, the 1-winner MHN, {full.mean():.3f}; difference, {level} cues.",
        paper="a factor",
        estimate=estimate.difference(narrow, full),
        limits=below(0),
    )


def claims_of_averaging(unseen: Mapping[float, Values], level: str) -> Iterator[Claim]:
    """Baselines by the number of winners at a cue level."""
    yield of_paper(
        f"averaging-{level}",
        "“It is possible that having k_h > 1 adds a measure of robustness to retrieval”: the baseline with k_h = 50, "
        f"{unseen[50].mean():.3f}, minus that with k_h = 1, f = 0.05, n_h = 2000, ε = 0.3, {level} cues.",
        paper="possible",
        estimate=estimate.difference(unseen[50], unseen[1]),
        limits=above(0),
    )
    yield Claim(
        f"averaging-too-many-{level}",
        f"Too many winners lower the baseline again: that with k_h = 500 minus that with k_h = 100, {level} cues.",
        estimate=estimate.difference(unseen[500], unseen[100]),
        limits=below(0),
    )


def claims_of_coverage(
    name: str, settings: KWinnerSettings, covered: Values, several: Values, copies: float
) -> Iterator[Claim]:
    """How the inputs are encoded in a memory of the paper, by run."""
    size = f"f = {settings.fan_in:g}, k_h = {settings.k_hidden}, ε = {settings.learning_rate:g}"
    yield Claim(
        f"missed-{name}",
        "In the paper's own memories not all elements of an input are encoded: share of a pattern's ones that are "
        f"connected to no winner, {size}; random units would miss "
        f"{1 - random_coverage(settings.fan_in, settings.k_hidden):.1%}.",
        paper="all",
        estimate=estimate.mean(1 - covered),
        limits=above(0),
    )
    yield of_paper(
        f"several-copies-{name}",
        f"“Knowledge of each feature tends to be stored in several connection weights”, {copies:.1f} on average: share "
        f"of a pattern's ones that are connected to two winners or more, {size}; more than half.",
        paper="several",
        estimate=estimate.mean(several),
        limits=above(0.5),
    )


def claims_of_winners(covered: Mapping[int, Values]) -> Iterator[Claim]:
    """The share of a pattern's ones that are encoded, by run, for each number of winners, f = 0.05."""
    few, most = round(1 / TEXT.fan_in), max(covered)
    start = "“k_h must be considerably larger than 1/f to ensure that all elements of an input are encoded”:"
    shown = ", ".join(f"{covered[k].mean():.1%}" for k in covered)
    yield of_paper(
        "needed",
        f"{start} largest share that is encoded with k_h ≤ 1/f = {few}, f = {TEXT.fan_in}; below {ALL:.1%}.",
        paper="not all",
        estimate=estimate.largest_of(estimate.mean(runs) for k, runs in covered.items() if k <= few),
        limits=below(ALL),
    )
    own = [runs for k, runs in covered.items() if k <= TEXT.k_hidden]
    yield of_paper(
        "rises",
        f"{start} the share that is encoded rises with k_h f towards 1; smallest step for k_h from {min(covered)} to "
        f"the paper's {TEXT.k_hidden}, f = {TEXT.fan_in} ({shown} for k_h = {', '.join(map(str, covered))}).",
        paper="considerably larger",
        estimate=estimate.smallest_of(estimate.difference(b, a) for a, b in pairwise(own)),
        limits=above(0),
    )
    yield of_paper(
        "enough",
        f"{start} share that is encoded with k_h = {most}, {most * TEXT.fan_in:g} times 1/f, f = {TEXT.fan_in}; "
        f"{ALL:.1%} or more.",
        paper="all",
        estimate=estimate.mean(covered[most]),
        limits=at_least(ALL),
    )


def claim_of_wider(wide: Values, narrow: Values) -> Claim:
    """Coverage with a wider fan-in, by run."""
    return of_paper(
        "fuller",
        "“Increased network connectivity would provide fuller coverage of the input units by the k_h selected hidden "
        f"units”: share of a pattern's ones that are connected to a winner with f = 0.1, {wide.mean():.3f}, minus that "
        f"with f = 0.05, {narrow.mean():.3f}, k_h = 50.",
        paper="fuller",
        estimate=estimate.difference(wide, narrow),
        limits=above(0),
    )


ITEM = Item(
    name="siA2",
    number="SI A.2.1",
    title="Why patterns never stored are recalled above chance",
    text="A pattern that was never stored recalls the best match among those that were, so its accuracy is above "
    "chance; the 1-winner MHN's is the best of 100 overlaps. The K-winner's is far higher, and both reasons that the "
    "paper offers raise it: averaging over more winners, and a smaller sample of inputs for each unit; but with "
    "one winner a smaller sample does not. Winners reach nearly all ones of a pattern, more than random units would.",
    alt="Three panels. A: accuracy of patterns never stored against the number of winners, rising from that of the "
    "1-winner MHN to a maximum at 100 and falling. B: the same against the fan-in: with 50 winners it falls to "
    "that of the 1-winner MHN, with one winner it stays below. C: share of a pattern's ones that are connected to a "
    "winner against the number of winners, above the curve for random units.",
    experiments=(K, ONE, *EXPERIMENTS),
    draw=draw,
    claims=claims,
)
