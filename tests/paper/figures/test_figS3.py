from paper.judged import verdicts_of
from study.madeup import Fading, check_table, results

from slotfree.paper.figures.figS3 import ITEM, slow_behind_until
from slotfree.paper.text import si_a2_random

K = Fading(C=0.34, beta=0.005, base=0.52, noise=0.03)  # d' = 8 exp(−0.005 a)
SLOW = Fading(C=0.27, beta=0.003, base=0.52, noise=0.02)
GRADED = Fading(C=0.55, beta=0.003, base=0.16, noise=0.108)  # d' = 3.6 exp(−0.003 a): more than K's from age 400
ONE = Fading(C=0.83, beta=0.01, base=0.176, noise=0.2)
LASTING = Fading(C=0.5, beta=0.0005, noise=0.05)


def scenario(k, slow, graded, one):
    """Memories by the names of their experiments."""
    by_name = {"kwinner": k, "slow": slow, "graded": graded, "onewinner": one}
    return lambda name, cue: by_name[name.split("-")[0]]


SCENARIOS = {
    "as printed": scenario(K, SLOW, GRADED, ONE),
    "rates swapped": scenario(SLOW, K, ONE, GRADED),
    "graded memories last": scenario(K, K, LASTING, LASTING),
    "all alike": scenario(K, K, K, K),
    "slow one behind at first": scenario(K, SLOW, Fading(C=0.55, beta=0.03, base=0.16, noise=0.02), ONE),
}


def test_verdicts():
    check_table(
        [verdicts_of(ITEM, results(ITEM, made_up), si_a2_random) for made_up in SCENARIOS.values()],
        {
            "initial-*": "cx.i.",
            "slower-*": "cx.i.",
            "overtakes": "cixi.",
            "stays-ahead": "cx.i.",
            "robust": "cxii.",
            "slow-above-400": "c.xi.",
        },
    )


def test_up_to_which_age_the_slow_one_is_behind():
    found = [slow_behind_until()(results(ITEM, made_up)) for made_up in SCENARIOS.values()]
    assert found[0] == found[3] == 0
    assert found[2] == 1000
    assert 1 <= found[4] < 100
