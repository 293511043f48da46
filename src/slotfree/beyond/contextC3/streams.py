"""What one run of contextC3 does: train models, then let them live in a stream that is never reset."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.weights import Weights, diagonal, letter_blocks, off_diagonal
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings, answers, weights_of
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study.labelled import Labelled
from slotfree.tasks.lags import lags
from slotfree.tasks.latest_case import LatestCase
from slotfree.tasks.sequences import Sequences

BEFORE = ("first", "same", "changed")  # the case in which the letter came before: never, in the same, in the other
PARTS = 5  # of a stream, to see whether it ages


@dataclass(frozen=True)
class Use:
    """A model in a stream, by name: trained as a condition says, then used as it was, or as another model."""

    name: str
    trained: Condition
    stream: LatestCase
    model: SlotFreeTransformer | None = None

    @property
    def used(self) -> SlotFreeTransformer:
        """The model in the stream."""
        model = self.trained.model if self.model is None else self.model
        assert isinstance(model, SlotFreeTransformer)
        return model


@dataclass(frozen=True)
class Streams(Labelled):
    """Train each model once, use it in streams, and note which queries are answered rightly.

    Attributes
    ----------
    asked : queries in a stream; before each, the stream goes on by ``context_length`` items.
    longest : lags that are told apart, 0 to this; larger ones count as this.
    """

    uses: tuple[Use, ...]
    iterations: int = 1000
    asked: int = 6000
    longest: int = 511
    dims: ClassVar = {
        **dict.fromkeys(("right", "asked"), ("use", "before", "lag")),
        "early": ("use", "part"),
        **dict.fromkeys(("own", "other"), ("use",)),
    }
    limits: ClassVar = {"iterations": "iterations"}

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return counts, and how alike keys are.

        ``right``, ``asked`` : (use, before, lag). ``early`` : accuracy in each fifth of the stream, (use, part).
        ``own``, ``other`` : mean k_aᵀ k_A of a letter in its two cases, and of different letters, (use,).
        NaN, and nothing asked, where training diverged.
        """
        counts = np.zeros((2, len(self.uses), len(BEFORE), self.longest + 1))
        early = np.full((len(self.uses), PARTS), np.nan)
        own, other = np.full((2, len(self.uses)), np.nan)
        trained: dict[str, Weights | None] = {}
        for i, use in enumerate(self.uses):
            if use.trained.name not in trained:
                trained[use.trained.name] = self.train(use.trained, seed)
            weights = trained[use.trained.name]
            if weights is None:
                continue
            sequences, is_right = answers(use.used, weights, use.stream, self.asked, seed_for(seed, "stream"))
            lag = np.minimum(lags(use.stream, sequences)[:, 0], self.longest)
            before = case_before(use.stream, sequences)
            for part, some in enumerate((is_right[:, 0], np.ones(len(lag), bool))):
                np.add.at(counts[part, i], (before[some], lag[some]), 1)
            early[i] = is_right[: self.asked // PARTS * PARTS, 0].reshape(PARTS, -1).mean(axis=1)
            block = letter_blocks(weights)["key-key"]
            own[i], other[i] = diagonal(block).mean(), off_diagonal(block).mean()
        return {"right": counts[0], "asked": counts[1], "early": early, "own": own, "other": other}

    def train(self, condition: Condition, seed: np.random.SeedSequence) -> Weights | None:
        """The weights after training; None if it diverges."""
        try:
            return weights_of(Trainings((condition,), self.iterations).plan(condition)(seed))
        except FloatingPointError:
            return None

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Uses by name, and what queries are told apart by."""
        uses = [use.name for use in self.uses]
        lags = np.arange(self.longest + 1)
        return {"use": uses, "before": list(BEFORE), "lag": lags, "part": np.arange(PARTS)}


def case_before(stream: LatestCase, sequences: Sequences) -> NDArray[np.int64]:
    """In which case the letter of each query came the time before the last: a place in ``BEFORE``, (n,)."""
    L = stream.n_letters
    latest: dict[int, tuple[int, int]] = {}  # by letter: its last case, and how the one before it compares
    found = np.zeros(len(sequences), np.int64)
    asked = sequences.query - 2 * L
    for i, items in enumerate(sequences.context.tolist()):
        for token in items:
            letter, case = token % L, token // L
            latest[letter] = (case, 0 if letter not in latest else 1 + (latest[letter][0] != case))
        found[i] = latest[int(asked[i])][1]
    return found


def accuracy(data: xr.Dataset, before: str | None = None) -> xr.DataArray:
    """Accuracy over all lags, (run, use): of all queries, or of those whose letter came before as told."""
    some = data if before is None else data.sel(before=[before])
    return some["right"].sum(("before", "lag")) / some["asked"].sum(("before", "lag"))


def by_octave(data: xr.Dataset) -> xr.DataArray:
    """Accuracy by lag, (run, use, lag), in bins from each power of two to the next; the first is lag 0."""
    counts = data[["right", "asked"]].sum("before")
    octave = np.floor(np.log2(counts["lag"].values + 1)).astype(int)
    grouped = counts.assign_coords(octave=("lag", octave)).groupby("octave").sum()
    middles = [np.sqrt((2.0**o) * (2.0 ** (o + 1))) - 1 for o in grouped["octave"].values]
    middles[0] = 0.0
    share = grouped["right"] / grouped["asked"].where(grouped["asked"] > 0)
    return share.rename(octave="lag").assign_coords(lag=middles).transpose("run", "use", "lag")
