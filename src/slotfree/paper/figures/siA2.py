"""SI A.2.1: why patterns never stored are recalled above chance, and which inputs the winners are connected to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREEN, GREY, ORANGE, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.shared import fading
from slotfree.paper.shared.fading import ONE, K
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, SLOW, WIDE
from slotfree.paper.shared.of_runs import of_runs
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import paired_similarity
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Experiment, Item, Results, Scale, estimate, measure, more
from slotfree.study.estimate import Values
from slotfree.study.labelled import Labelled

RUNS = 5
LAST = 100  # patterns of which is asked where they were stored
WINNERS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
FAN_INS = (0.025, 0.05, 0.1, 0.2, 0.5)
CHANCE = 0.1  # k_v / n_v
TEXT = K_WINNER.settings


@dataclass(frozen=True)
class Encoding(Labelled):
    """Store random patterns, and see how many of their ones the winners are connected to, and what is recalled.

    Attributes
    ----------
    settings : of the memory.
    n_stored : patterns stored.
    n_tested : patterns never stored with which it is tested.
    """

    dims: ClassVar = {"unseen": ("cue",)}
    coordinates: ClassVar = {"cue": list(CUES)}
    numbered: ClassVar = False

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
        cues = [partial_cues(unseen, cue, seed=seed_for(seed, "cue", cue)) for cue in CUES]
        return {
            "covered": (copies > 0).mean(),
            "several": (copies > 1).mean(),
            "copies": copies.mean(),
            "unseen": np.array([paired_similarity(unseen, memory.retrieve(cue)).mean() for cue in cues]),
        }

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


@measure
def rise_with_narrower(r: Results, cue: float) -> Estimate:
    """Smallest rise of the baseline from one fan-in to the next narrower one, 50 winners."""
    found = [of_runs(e, "unseen", cue=cue)(r) for e in BY_FAN_IN.values()]
    return estimate.smallest_of(estimate.difference(a, b) for a, b in pairwise(found))


@measure
def covered_by_few(r: Results) -> Estimate:
    """Largest share of a pattern's ones that are connected to a winner with k_h ≤ 1/f winners."""
    few = [e for k, e in BY_WINNERS.items() if k <= 1 / TEXT.fan_in]
    return estimate.largest_of(estimate.mean(of_runs(e, "covered")(r)) for e in few)


@measure
def rise_of_coverage(r: Results) -> Estimate:
    """Smallest rise of the covered share from one number of winners to the next, up to the paper's."""
    shares = [of_runs(e, "covered")(r) for k, e in BY_WINNERS.items() if k <= TEXT.k_hidden]
    return estimate.smallest_of(estimate.difference(b, a) for a, b in pairwise(shares))


@measure
def recalled_more(r: Results, cue: float) -> Values:
    """Accuracy of the K-winner MHN for the newest pattern less that for one never stored, in each run."""
    newest = r[K]["accuracy"].sel(cue=cue, age=1)
    return np.asarray((newest.sel(kind="real") - newest.sel(kind="pseudo")).values)


@measure
def nearer_to_maximum(r: Results) -> Estimate:
    """How much nearer the 1-winner's baseline is to the best of n_h overlaps than to proposition 2's, and to chance."""
    found = fading.unseen(ONE, 1.0)(r)

    def distance(value: float) -> Values:
        return np.asarray((found - value) * np.sign(found.mean() - value))

    others = (one_winner.baseline(1.0), CHANCE)
    nearest = distance(one_winner.exact_baseline(1.0))
    return estimate.smallest_of(estimate.mean(distance(other) - nearest) for other in others)


def random_coverage(fan_in: float, k_hidden: int) -> float:
    """The share of inputs that k_h units with random connections reach, 1 − (1 − f)^{k_h}."""
    return 1 - (1 - fan_in) ** k_hidden


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
    best = one_winner.exact_baseline(CUES[0])
    for axis in (by_winners, by_fan_in):
        axis.axhline(best, color=BLACK, ls="--", lw=1, label="1-winner: best of 100 overlaps")
        axis.axhline(CHANCE, color=GREY, ls=":", lw=1, label="chance")
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
    experiments: dict[int, Experiment] | dict[float, Experiment],
    shown: tuple[str, str, str],
) -> None:
    """Draw the baseline at full cues against what is varied."""
    label, colour, style = shown
    found = [estimate.mean(of_runs(e, "unseen", cue=CUES[0])(r)) for e in experiments.values()]
    places, values, reaches = list(experiments), [f.value for f in found], [f.reach for f in found]
    axis.errorbar(places, values, reaches, fmt=style, ms=4, color=colour, capsize=2, label=label)
    record(picture, f"baseline, {label}", places, found)


def record(picture: Picture, what: str, places: Sequence[float], found: Sequence[Estimate]) -> None:
    """Record estimates by place."""
    for at, one in zip(places, found, strict=True):
        picture.record({"what": what, "at": at, "value": one.value, "low": one.low, "high": one.high})


def draw_coverage(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the share of a pattern's ones that are connected to a winner, against the number of winners."""
    found = [estimate.mean(of_runs(e, "covered")(r)) for e in BY_WINNERS.values()]
    random = [random_coverage(TEXT.fan_in, k) for k in WINNERS]
    axis.plot(WINNERS, [f.value for f in found], "o-", ms=4, color=VERMILION, label="measured, f = 0.05")
    axis.plot(WINNERS, random, "--", color=GREY, lw=1, label="random units, $1 − (1 − f)^{k_h}$")
    wide = of_runs(SETTINGS[WIDE], "covered")(r).mean()
    axis.plot(WIDE.settings.k_hidden, wide, "D", ms=5, color=GREEN, label="measured, f = 0.1")
    axis.axvline(1 / TEXT.fan_in, color=BLACK, lw=0.8, ls=":")
    axis.annotate("$k_h$ = 1/f", (1 / TEXT.fan_in, 0.1), (4, 0), textcoords="offset points", fontsize=8)
    record(picture, "covered, f = 0.05", WINNERS, found)
    log_scale(axis, "x")
    axis.set(ylim=(0, 1.05), xlabel="winners $k_h$", ylabel="share of a pattern's ones\nconnected to a winner")
    axis.legend(loc="lower right", bbox_to_anchor=(1, 0.18), fontsize=7)


ITEM = Item(
    name="siA2",
    number="SI A.2.1",
    title="Why patterns never stored are recalled above chance",
    text="A pattern that was never stored recalls the best match among those that were, so its accuracy is above "
    "chance; the 1-winner MHN's is the best of 100 overlaps. The K-winner's is far higher. The paper offers two "
    "reasons. Averaging over more winners raises it. A smaller sample of inputs for each unit does so only together "
    "with averaging: with one winner the baseline is lower, as a unit can return only the inputs that it is connected "
    "to. Winners reach nearly all ones of a pattern, more than random units would.",
    alt="Three panels. A: accuracy of patterns never stored against the number of winners, rising from that of the "
    "1-winner MHN to a maximum at 100 and falling. B: the same against the fan-in: with 50 winners it falls to "
    "that of the 1-winner MHN, with one winner it stays below. C: share of a pattern's ones that are connected to a "
    "winner against the number of winners, above the curve for random units.",
    experiments=(K, ONE, *EXPERIMENTS),
    draw=draw,
    claims=(
        more(
            "siA2.missed-kwinner",
            lambda r: 1 - of_runs(SETTINGS[K_WINNER], "covered")(r),
            0,
            "share of a pattern's ones that are connected to no winner, K-winner MHN of the main text",
        ),
    ),
)
