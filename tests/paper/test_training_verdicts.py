"""The explanation of the fall must be able to fail: made-up diagnoses that agree with it, and that contradict it."""

import numpy as np
import xarray as xr

from slotfree.paper import items, scale
from slotfree.paper.fallback import EXPERIMENTS, MEASURES

SCALE = scale.Scale("small", 2, 2, 4, 200, 100, 2000, 8, 5000)


def diagnosed(**values):
    """Made-up diagnoses, the same in all runs and at all moments but where functions of the iteration are given."""
    moments = EXPERIMENTS[0].moments(SCALE)
    rows = [[values.get(m, lambda n: 0.0)(n) for n in moments] for m in MEASURES]
    noise = np.random.default_rng(0).normal(0, 1e-3, (8, len(MEASURES), len(moments)))
    data = xr.Dataset({"diagnosis": (("run", "measure", "iteration"), np.array([rows] * 8) + noise)})
    return data.assign_coords(measure=list(MEASURES), iteration=list(moments))


def test_the_explanation_of_the_fall_can_fail():
    def after(low, high):
        return lambda n: low if n <= 500 else high

    item = items.load("fallback")
    falls = diagnosed(accuracy=after(0.95, 0.9), asked_lost=after(0.0, 0.3), same_case_overlap=after(0.0, 1.1))
    sound = diagnosed(accuracy=lambda n: 1.0)
    names = [e.name for e in EXPERIMENTS]
    for data, expected in (((falls, sound, sound, sound), True), ((sound, falls, falls, falls), False)):
        output = item.make(items.Context(dict(zip(names, data, strict=True)), SCALE, 0))
        holds = {claim.id.removeprefix("fallback."): claim.holds for claim in output.claims.all}
        for name in ("collisions-after", "perfect-storage-better", "frozen-keys-better", "same-case-aligned"):
            assert holds[name] == expected, name
        assert holds["qk-keeps-apart"] == expected
