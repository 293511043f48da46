"""Made-up results: memories that fade as a test wants them to, and the verdicts of an item about them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch

import numpy as np
import xarray as xr

from slotfree.forgetting.protocol import labelled
from slotfree.study import Experiment, Item, Results
from slotfree.study.scale import SCALES

PAPER = SCALES["paper"]
CODES = {"confirmed": "c", "contradicted": "x", "inconclusive": "i"}


@dataclass(frozen=True)
class Fading:
    """Accuracies base + C exp(−beta (age − 1)) for stored patterns, base for others, all with Gaussian noise.

    Attributes
    ----------
    newest : of stored patterns at age 1, if it is to be the same in every run.
    uniform : of patterns without structure, if not as those of the same source.
    """

    C: float = 0.5
    beta: float = 0.01
    base: float = 0.2
    noise: float = 0.05
    newest: float | None = None
    uniform: float | None = None


Scenario = Callable[[str, float], Fading]  # name of an experiment, cue level → how its memory fades


def faded(
    experiment: Experiment, scenario: Scenario, *, runs: int, n_ages: int, seed: int = 0, mirrored: bool = False
) -> xr.Dataset:
    """Made-up results of an experiment with retention.

    Mirrored, the second half of the runs has the noise of the first half with the other sign: all means are exact.
    """
    rng = np.random.default_rng(seed)
    cues, kinds = experiment.run.cues, experiment.run.kinds
    accuracy = rng.standard_normal((runs, len(cues), len(kinds), n_ages))
    if mirrored:
        accuracy[runs // 2 :] = -accuracy[: runs // 2]
    for i, cue in enumerate(cues):
        f = scenario(experiment.name, cue)
        accuracy[:, i] = accuracy[:, i] * f.noise + f.base
        accuracy[:, i, 0] += f.C * np.exp(-f.beta * np.arange(n_ages))
        if f.newest is not None:
            accuracy[:, i, 0, 0] = f.newest
        if f.uniform is not None:
            accuracy[:, i, 2] += f.uniform - f.base
    return labelled({"accuracy": accuracy}, cues, kinds)


def results(item: Item, scenario: Scenario, *, runs: int = 100, n_ages: int = 1000, mirrored: bool = False) -> Results:
    """Made-up results of all experiments of an item; no more runs and ages than they have."""
    data = {}
    for i, e in enumerate(item.experiments):
        every_age = e.run.n_tested == e.run.n_stored
        size = {"runs": min(runs, e.runs), "n_ages": e.run.n_tested if every_age else min(n_ages, e.run.n_tested)}
        data[e.name] = faded(e, scenario, **size, seed=i, mirrored=mirrored)
    return Results(data, PAPER, 0)


def around(means, width: float, *, runs: int = 10, seed: int = 0):
    """Values of runs, (run, …), with exactly these means and this standard deviation (ddof 1)."""
    means = np.asarray(means, float)
    noise = np.random.default_rng(seed).standard_normal((runs, *means.shape))
    noise -= noise.mean(axis=0)
    return means + width * noise / noise.std(axis=0, ddof=1)


def verdicts(claims) -> dict[str, str]:
    """The verdict of each claim as a letter: c(onfirmed), (contradicted) x, i(nconclusive)."""
    return {claim.name: CODES[claim.verdict] for claim in claims}


def check_table(scenarios: list[dict[str, str]], expected: Mapping[str, str], *, only: Mapping[str, str] | None = None):
    """Compare the verdicts of several scenarios with a table.

    Parameters
    ----------
    scenarios : what ``verdicts`` returned for each.
    expected : for claims, by name or pattern, a letter for each scenario; a point where it does not matter.
    only : the verdicts that some of them can give, such as "cx" for one without sampling error; all others must have
        been seen with all three.
    """
    for pattern, letters in expected.items():
        names = [name for name in scenarios[0] if fnmatch(name, pattern)]
        assert names, f"no claim is called {pattern}"
        assert len(letters) == len(scenarios), pattern
        assert set(letters) - {"."} == set((only or {}).get(pattern, "cxi")), pattern
        for name in names:
            found = "".join(scenario[name] for scenario in scenarios)
            assert "".join("." if e == "." else f for e, f in zip(letters, found, strict=True)) == letters, name
    missed = [name for name in scenarios[0] if not any(fnmatch(name, pattern) for pattern in expected)]
    assert not missed
