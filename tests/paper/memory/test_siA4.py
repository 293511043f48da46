from importlib import import_module
from math import comb

import numpy as np
import pytest
from study.madeup import around, check_table, verdicts

from slotfree.forgetting.protocol import labelled
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.paper.memory.siA4 import panels
from slotfree.paper.memory.siA4.codes import ALIKE, PAIRWISE
from slotfree.paper.memory.siA4.example import EXAMPLE, PAIRS, pair_layer
from slotfree.paper.memory.siA4.measures import discrimination

claims = import_module("slotfree.paper.memory.siA4.claims")  # the package has a function of this name
PARTS = {"patterns", "length", "codes", "code-ones", "all", "restored"}


def layer_of(pairs):
    """Codons of two inputs each."""
    settings = CodeLayerSettings(len(pairs), 3, 1 / 3, threshold=2)
    weights = np.ones((len(pairs), 2), np.float32)
    return CodeLayer.from_weights(6, 3, settings, np.array(pairs, np.uint16), weights)


@pytest.mark.parametrize(
    ("layer", "example", "contradicted"),
    [
        (pair_layer(), EXAMPLE, set()),
        (pair_layer(), EXAMPLE[[0, 0]], {"patterns", "codes"}),
        (layer_of([(1, 2)] * 15), EXAMPLE, {"codes", "code-ones", "all", "restored"}),
        (layer_of([*PAIRS[:14], PAIRS[0]]), EXAMPLE, {"code-ones", "all"}),
        (layer_of(PAIRS[:14]), EXAMPLE, {"length", "restored"}),
    ],
)
def test_claims_of_the_example(layer, example, contradicted):
    found = verdicts(claims.claims_of_example(layer, example))
    assert set(found) == PARTS
    wrong = {name for name, verdict in found.items() if verdict == "x"}
    assert contradicted - {"restored", "all"} <= wrong <= contradicted | {"restored", "all"}


def test_conjunctions():
    assert verdicts(claims.claims_of_conjunctions()) == {
        "grows": "x",
        "grows-power": "c",
        "codon-many": "c",
        "ameliorates": "c",
    }
    assert claims.conjunctions_of_a_codon(4, 2) == comb(4, 2)
    assert claims.conjunctions_of_a_codon(2, 2) == 1


def test_an_exponential_would_be_told_from_a_power(monkeypatch):
    monkeypatch.setattr(claims, "comb", lambda n, k: 2**n)
    assert verdicts([next(claims.claims_of_conjunctions())]) == {"grows": "c"}


def test_claims_of_pairs():
    shared = np.array(PAIRWISE.run.shared) / 100

    def similar(winners, codons, width):
        made = around(np.outer([winners, codons], shared), width)
        names = [name for name, _ in PAIRWISE.run.codes]
        of_pairs = np.zeros((10, len(names), len(shared)))
        for i, name in enumerate(ALIKE):
            of_pairs[:, names.index(name)] = made[:, i]
        empty = np.zeros((len(names), len(PAIRWISE.run.cues)))
        data = PAIRWISE.run.label([{"of_pairs": x, "of_cues": empty} for x in of_pairs])
        return data["of_pairs"].sel(code=list(ALIKE)).transpose("run", "code", "shared")

    scenarios = [similar(0.5, 0.55, 1e-3), similar(1.2, 1.3, 1e-3), similar(0.9, 0.95, 0.1), similar(0.9, 0.2, 1e-3)]
    check_table(
        [verdicts(claims.claims_of_pairs(s)) for s in scenarios],
        {"reduces-winners": "cxic", "reduces-codons": "cxic", "alike": "cx.x"},
        only={"alike": "cx"},
    )


def test_claims_of_leaves_and_memories():
    scenarios = [
        (
            *verdicts(claims.claims_of_leaves(5, around(0.5, w), around(after, w, seed=1), around(back, w))).values(),
            *(
                verdicts([claim(5, around(0.5, w), around(stacked, w, seed=2))]).popitem()[1]
                for claim in (claims.claim_of_memory, claims.claim_of_half_cues)
            ),
        )
        for after, back, stacked, w in ((0.3, 0.999, 0.6, 1e-3), (0.6, 0.9, 0.4, 1e-3), (0.5, 0.995, 0.5, 0.1))
    ]
    assert scenarios == [("c", "c", "c", "x"), ("x", "x", "x", "c"), ("i", "i", "i", "i")]


def test_discrimination():
    accuracy = np.zeros((2, 1, 2, 60))
    accuracy[0, 0, 0] = 1  # all are recalled better
    accuracy[1, 0, 0, :15] = 1  # a quarter is
    data = labelled({"accuracy": accuracy}, (1.0,), ("real", "pseudo"))
    np.testing.assert_array_equal(discrimination(data, 1.0), [1, 0.625])


def test_the_table_says_which_units_are_active():
    picture = panels.Picture(1, 2)
    names = {"patterns": list("123456"), "codes": [f"{i + 1}{j + 1}" for i, j in PAIRS]}
    for i, ((kind, labels), two) in enumerate(zip(names.items(), (EXAMPLE, pair_layer().encode(EXAMPLE)), strict=True)):
        panels.draw_units(picture, picture.axes[0, i], "AB"[i], kind, labels, two)
    active = {(row["kind"], row["which"], row["unit"]) for row in picture.tables[""] if row["active"]}
    assert active == {
        *(("patterns", which, unit) for which, units in ((1, "123"), (2, "234")) for unit in units),
        *(("codes", 1, unit) for unit in ("12", "13", "23")),
        *(("codes", 2, unit) for unit in ("23", "24", "34")),
    }
