"""The explanation of the fall can be confirmed, contradicted, and left open."""

import numpy as np
import pytest
import xarray as xr

from slotfree.paper.figures.fallback import ALIGNED, FROZEN, ITEM, LABELS, MEASURES, PERFECT, PLAIN, DiagnosedTraining
from slotfree.paper.text.s3_judges import TENSION
from slotfree.study import Results, Scale
from slotfree.study.scale import SCALES

MOMENTS = PLAIN.run.moments
# Of each experiment: accuracy, asked_lost and same_case_overlap before and after the fall.
AS_FOUND = {
    PLAIN: ((1.0, 0.93), (0.0, 0.35), (0.1, 1.0)),
    FROZEN: ((1.0, 1.0), (0.0, 0.0), (0.1, 0.1)),
    PERFECT: ((1.0, 1.0), (0.0, 0.0), (0.1, 0.1)),
    ALIGNED: ((1.0, 1.0), (0.0, 0.0), (0.0, 0.0)),
}
NO_FALL = {
    PLAIN: ((0.9, 1.0), (0.1, 0.0), (0.1, 0.2)),
    FROZEN: ((0.9, 0.9), *AS_FOUND[FROZEN][1:]),
    PERFECT: ((0.9, 0.9), *AS_FOUND[PERFECT][1:]),
    ALIGNED: ((1.0, 1.0), (0.0, 0.0), (0.8, 0.9)),
}


def results(values, spread=0.0):
    data = {}
    for experiment, (accuracy, lost, overlap) in values.items():
        found = np.zeros((10, len(MEASURES), len(MOMENTS)))
        pairs = {"accuracy": accuracy, "asked_lost": lost, "same_case_overlap": overlap}
        for measure, (before, after) in pairs.items():
            found[:, MEASURES.index(measure)] = np.where(np.array(MOMENTS) <= 500, before, after)
        found += spread * np.resize([-1, 1], (10, 1, 1))
        data[experiment.name] = experiment.run.label([{"diagnosis": one} for one in found])
    return Results(data, SCALES["paper"], 0)


@pytest.mark.parametrize(
    ("values", "spread", "verdict"),
    [(AS_FOUND, 0, "confirmed"), (NO_FALL, 0, "contradicted"), (AS_FOUND, 1, "inconclusive")],
)
def test_the_explanation(values, spread, verdict):
    r = results(values, spread)
    found = {judge.claim(r).verdict for judge in (*ITEM.claims, TENSION)}
    assert found == {verdict}


def test_keys_are_frozen_at_the_peak_also_in_a_short_training():
    short = FROZEN.at(Scale("short", iterations=600)).run
    assert (short.iterations, short.frozen_from) == (600, 300)
    assert 300 in short.moments
    assert FROZEN.at(SCALES["paper"]) is FROZEN


def test_frozen_keys_stay_as_they_are():
    plain = DiagnosedTraining(PLAIN.run.model, 200)
    frozen = DiagnosedTraining(PLAIN.run.model, 200, frozen_from=100)
    norm = MEASURES.index("key_norm")
    seed = np.random.SeedSequence(0)
    grown, kept = plain(seed)["diagnosis"][norm], frozen(seed)["diagnosis"][norm]
    at = plain.moments.index(100)
    assert grown[-1] != grown[at]
    np.testing.assert_array_equal(kept[at:], kept[at])
    assert isinstance(frozen.label([frozen(seed)]), xr.Dataset)


@pytest.mark.parametrize("experiment", ITEM.experiments, ids=lambda e: e.name)
def test_moments_hold_the_peak_and_the_end(experiment):
    assert {0, 500, 5000} <= set(experiment.run.moments)


def test_curves_of_the_same_height_do_not_hide_each_other():
    picture = ITEM.draw(results(AS_FOUND))
    for axis in picture.axes[0][:2]:
        lines = [line for line in axis.lines if line.get_label() in {LABELS[e][0] for e in (FROZEN, PERFECT, ALIGNED)}]
        lowest, *above = sorted(lines, key=lambda line: line.get_zorder())
        assert len(above) == 2
        for line in above:
            assert line.get_linewidth() < lowest.get_linewidth()
            assert line.get_linestyle() != "-"
            lowest = line
