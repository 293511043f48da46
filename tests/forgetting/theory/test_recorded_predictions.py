"""Predictions do not change unnoticed: numbers of this version, for memories that differ in every way.

They are not the truth: how far they are from it is measured in ``test_k_winner.py``. But what is printed, searched and
compared today is the same tomorrow. If the theory gets better, these numbers are written anew.
"""

import numpy as np
import pytest

import slotfree as sf
from slotfree.forgetting.theory.k_winner import predicted_curves

CUES, AGES = (1.0, 0.5, 0.1), (1, 2, 20, 200, 3000, 10**6)
SMALL = {"n_visible": 200, "k_visible": 20}

# Settings, and for each cue the accuracy at each age and the baseline.
RECORDED = {
    "main": (
        {"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3},
        [
            [0.85219776, 0.85048282, 0.82012804, 0.62444487, 0.51788370, 0.51788370, 0.51788370],
            [0.75824273, 0.75584946, 0.71351562, 0.47791130, 0.38886754, 0.38886754, 0.38886754],
            [0.35463496, 0.35288687, 0.32534429, 0.21750246, 0.17965861, 0.17965861, 0.17965861],
        ],
    ),
    "full learning": (
        {"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 1.0},
        [
            [0.96916558, 0.92115640, 0.71770486, 0.46678289, 0.45746817, 0.45746817, 0.45746817],
            [0.87101412, 0.85089508, 0.61343935, 0.36988712, 0.36549209, 0.36549209, 0.36549209],
            [0.47396437, 0.45699622, 0.29409782, 0.17937727, 0.17829267, 0.17829267, 0.17829267],
        ],
    ),
    "slow, sparse": (
        {"n_hidden": 5000, "k_hidden": 50, "fan_in": 0.02, "learning_rate": 0.1},
        [
            [0.69114510, 0.69109581, 0.69011019, 0.68110174, 0.61475396, 0.60609777, 0.60609777],
            [0.49048652, 0.49045212, 0.48974900, 0.48313101, 0.43607046, 0.43439408, 0.43439408],
            [0.19430279, 0.19429612, 0.19416034, 0.19289258, 0.18327327, 0.18145807, 0.18145807],
        ],
    ),
    "many winners": (
        {"n_hidden": 1000, "k_hidden": 200, "fan_in": 0.1, "learning_rate": 0.3},
        [
            [0.96614577, 0.95273608, 0.60681228, 0.34441542, 0.34441542, 0.34441542, 0.34441542],
            [0.95435147, 0.93658242, 0.53203357, 0.25954654, 0.25954654, 0.25954654, 0.25954654],
            [0.78602405, 0.74843709, 0.32790235, 0.16062013, 0.16061241, 0.16061241, 0.16061241],
        ],
    ),
    "one winner": (
        {"n_hidden": 100, "k_hidden": 1, "fan_in": 1.0, "learning_rate": 1.0},
        [
            [0.99910716, 0.99062282, 0.85509071, 0.28895471, 0.17710641, 0.17710641, 0.17710641],
            [0.99910717, 0.99042007, 0.85158888, 0.27011278, 0.15499665, 0.15499665, 0.15499665],
            [0.99910709, 0.99014823, 0.84687236, 0.24579692, 0.12730904, 0.12730904, 0.12730904],
        ],
    ),
    "one winner of few inputs": (
        SMALL | {"n_hidden": 50, "k_hidden": 1, "fan_in": 0.5, "learning_rate": 0.3},
        [
            [0.60511981, 0.60088036, 0.53553879, 0.29834595, 0.23714257, 0.23714257, 0.23714257],
            [0.58342832, 0.57896748, 0.51007072, 0.26344109, 0.19952641, 0.19952641, 0.19952641],
            [0.27951628, 0.27762138, 0.25001811, 0.16707348, 0.14888669, 0.14888669, 0.14888669],
        ],
    ),
    "all win": (
        SMALL | {"n_hidden": 8, "k_hidden": 8, "fan_in": 0.5, "learning_rate": 0.3},
        [
            [0.60569397, 0.35475854, 0.09999520, 0.09999520, 0.09999520, 0.09999520, 0.09999520],
            [0.60569425, 0.35475854, 0.09999760, 0.09999760, 0.09999760, 0.09999760, 0.09999760],
            [0.60569374, 0.35475834, 0.09999826, 0.09999826, 0.09999826, 0.09999826, 0.09999826],
        ],
    ),
    "dense": (
        {"n_hidden": 40, "k_hidden": 5, "fan_in": 0.8, "learning_rate": 0.5, "n_visible": 60, "k_visible": 20},
        [
            [0.97055997, 0.94873191, 0.66911820, 0.52024994, 0.52024926, 0.52024926, 0.52024926],
            [0.96216577, 0.93584711, 0.60869212, 0.45153186, 0.45152427, 0.45152427, 0.45152427],
            [0.75210536, 0.72191157, 0.46592958, 0.37381502, 0.37380224, 0.37380224, 0.37380224],
        ],
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_predictions_are_those_recorded(name):
    """Up to what another processor or another version of NumPy may change."""
    settings, expected = RECORDED[name]
    accuracy, baseline, *_ = predicted_curves(sf.KWinnerSettings(**settings), CUES, np.array(AGES), anywhere=True)
    found = np.column_stack([accuracy, baseline])
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-7)
