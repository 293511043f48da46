from study.madeup import Fading, check_table, results, verdicts

from slotfree.paper.memory.figS7 import ITEM


def gaining(gain):
    """Unseen patterns of the tree come back better than unstructured ones, by a function of b."""
    return lambda name, cue: Fading(base=0.6, uniform=0.6 - gain(int(name.rpartition("-")[2])))


def test_claims():
    scenarios = [gaining(lambda b: 2 / b), gaining(lambda b: -2 / b), gaining(lambda b: 0.0)]
    check_table(
        [verdicts(ITEM.claims(results(ITEM, scenario, n_ages=50, mirrored=True))) for scenario in scenarios],
        {"generalises-*": "cxi", "similarity-*": "cxi"},
    )
