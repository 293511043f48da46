from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from slotfree.study.labelled import Labelled
from slotfree.study.scale import SCALES, Scale


@dataclass(frozen=True)
class Walk(Labelled):
    steps: int = 5000
    tested: int = 3
    dims: ClassVar = {"place": ("step",), "both": ("side", "step")}
    limits: ClassVar = {"steps": "iterations"}

    @property
    def coordinates(self):
        return {"step": np.arange(4), "side": ["left", "right"], "unused": [1, 2]}


class Unnumbered(Walk):
    numbered: ClassVar = False


def test_arrays_have_their_dimensions_and_coordinates():
    result = {"place": np.arange(4.0), "both": np.ones((2, 4)), "number": np.asarray(7)}
    data = Walk().label([result, result])
    assert {name: data[name].dims for name in data} == {
        "place": ("run", "step"),
        "both": ("run", "side", "step"),
        "number": ("run",),
    }
    assert data["side"].values.tolist() == ["left", "right"]
    assert list(data.coords) == ["run", "step", "side"]
    assert list(Unnumbered().label([result]).coords) == ["step", "side"]
    assert list(Walk().label([{"place": np.arange(4.0)}]).coords) == ["run", "step"]


def test_a_scale_limits_what_the_class_says():
    assert Walk().at(SCALES["quick"]) == Walk(1200)
    assert Walk().at(Scale("short", iterations=9, n_tested=1)) == Walk(9)
    assert Walk().at(SCALES["paper"]) == Walk()
