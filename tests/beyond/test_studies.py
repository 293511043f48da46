"""Settings, limits, seeds, drawings and numbers of all our studies are those that are recorded."""

from pathlib import Path
from unittest.mock import patch

import madeup_memories
import numpy as np
import pytest
from recorded import check, described, drawn, rounded
from study.madeup import PAPER, Fading, faded

from slotfree.beyond import MEMORIES, STUDY, theoryK1
from slotfree.beyond.contextC5 import Setting
from slotfree.beyond.shared.compared.signatures import Signatures
from slotfree.beyond.shared.memories import BinnedRetention, PredictedMerits
from slotfree.forgetting.merit import bin_means
from slotfree.forgetting.search import merit_names
from slotfree.paper.shared.codes import Coding, Separation
from slotfree.study import Results, Retention
from slotfree.study.study import together

HERE = Path(__file__).parent
BOTH = together("Our studies", STUDY, MEMORIES)
RUNS, AGES = 4, 300


def test_settings_limits_and_seeds_are_as_recorded():
    check(HERE / "studies.json", described(STUDY))
    check(HERE / "memories.json", described(MEMORIES))


@pytest.mark.parametrize("name", BOTH.names)
def test_drawings_and_numbers_of_made_up_results_are_as_recorded(name):
    check(HERE / "made_up.json", of_made_up(name), lambda key: key.split()[0] == name, tolerance=0.001)


def of_made_up(name):
    """What an item shows and claims of made-up results, with theories that are as simple."""
    item = BOTH.item(name)
    data = {each.name: made_up(each, i) for i, each in enumerate(item.experiments)}
    theories = (
        patch.object(Setting, "predicted", lambda one: np.linspace(0.9, 0.6, one.length)),
        patch.object(Setting, "retained", lambda one: np.linspace(0.8, 0.7, one.length)),
        patch.object(theoryK1, "_predicted", decaying),
    )
    with theories[0], theories[1], theories[2]:
        r = Results(data, PAPER, 0)
        picture, claims = item.draw(r), [judge.claim(r) for judge in item.claims]
    estimates = {claim.name: claim.estimate for claim in claims}
    found = {" claims": {name: rounded([e.value, e.low, e.high]) for name, e in estimates.items()}}
    found |= {f" table {part}": sums(rows) for part, rows in picture.tables.items()}
    return {f"{name}{part}": what for part, what in (found | drawn(picture.figure)).items()}


def sums(rows):
    """The number of rows of a table, and the sums of its columns of numbers."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    numbers = {name: column for name, column in columns.items() if all(isinstance(x, float | int) for x in column)}
    return {"rows": len(rows)} | {name: rounded(np.nansum(numbers.get(name, 0.0))) for name in columns}


def decaying(settings, cues, last):
    """A theory: accuracy (cue, bin) and baseline (cue)."""
    curve = madeup_memories.decay(0.4 + 0.1 * settings.learning_rate, 50, last)
    return np.array([bin_means(curve, last)] * len(cues)), np.full(len(cues), 0.1)


def made_up(experiment, seed):
    """Results of an experiment: memories that fade, and else numbers between 0.5 and 1."""
    run, rng = experiment.run, np.random.default_rng(seed)
    if isinstance(run, Retention):
        fading = Fading(rng.uniform(0.1, 0.5), 0.02, 0.3, 0.05)
        last = run.n_tested if experiment.name.startswith("bench-") else AGES  # its claims are about older ages
        return faded(experiment, lambda *_: fading, runs=2 * RUNS, n_ages=min(last, run.n_tested), seed=seed)
    if isinstance(run, Signatures):
        lags = np.arange(run.n_tested)
        curve = rng.uniform(0.3, 0.6) * (0.6 * rng.uniform(0.95, 0.99) ** lags + 0.25 * np.exp(-lags / 1.15) + 0.15)
        more = {"spread": rng.uniform(0.8, 1.4), "left": rng.uniform(0.2, 0.6), "gain": rng.uniform(-0.1, 0.1)}
        return madeup_memories.signed(curve, **more, runs=RUNS, weak=rng.uniform(0.3, 0.5), seed=seed)
    if isinstance(run, PredictedMerits):
        return madeup_memories.predicted(run, lambda *_: {name: rng.uniform(0.5, 1) for name in merit_names(1)})
    if isinstance(run, BinnedRetention):
        return madeup_memories.simulated(run, RUNS, lambda *_: (rng.uniform(0.3, 0.6), 50, 0.1), noise=0.05)
    return run.label([{name: rng.uniform(0.5, 1, shape) for name, shape in shapes(run).items()} for _ in range(RUNS)])


def shapes(run):
    """The shapes of the arrays that a run returns."""
    if isinstance(run, Separation):
        return {"of_pairs": (len(run.codes), len(run.shared)), "of_cues": (len(run.codes), len(run.cues))}
    if isinstance(run, Coding):
        of_layers = (len(run.sources), len(run.layers))
        return {"before": of_layers[:1], "after": of_layers, "recovered": of_layers}
    sizes = {"lag": getattr(run, "lags", None), "setting": len(getattr(run, "settings", ()))}
    sizes |= {dim: len(at) for dim, at in run.coordinates.items()}
    return {name: [sizes[dim] for dim in run.dims[name]] for name in getattr(run, "names", run.dims)}
