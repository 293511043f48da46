import numpy as np
import pytest

from slotfree.beyond import stackS1
from slotfree.beyond.stackS1 import EXAMPLE, PAIRS, claims_of, pair_layer
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings


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
        (layer_of([(1, 2)] * 15), EXAMPLE, {"codes", "all", "restored"}),
        (layer_of([*PAIRS[:14], PAIRS[0]]), EXAMPLE, {"all"}),
    ],
)
def test_claims(layer, example, contradicted):
    found = {claim.name: claim.verdict for claim in claims_of(layer, example)}
    assert set(found) == {"patterns", "codes", "all", "restored"}
    assert {name for name, verdict in found.items() if verdict == "contradicted"} == contradicted
    assert {name for name, verdict in found.items() if verdict == "confirmed"} == set(found) - contradicted


def test_the_table_says_which_units_are_active():
    picture = stackS1.draw(None)
    active = {(row["kind"], row["which"], row["unit"]) for row in picture.tables[""] if row["active"]}
    assert active == {
        *(("pattern", which, unit) for which, units in ((1, "123"), (2, "234")) for unit in units),
        *(("code", 1, unit) for unit in ("1∧2", "1∧3", "2∧3")),
        *(("code", 2, unit) for unit in ("2∧3", "2∧4", "3∧4")),
    }
