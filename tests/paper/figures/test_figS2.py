from paper.judged import verdicts_of
from study.madeup import Fading, check_table, results

from slotfree.paper.figures.figS2 import ITEM
from slotfree.paper.text import s2_random, si_a2_random

NARROW = Fading(C=0.34, beta=0.005, base=0.52, noise=0.03)
ONE_WINNER = Fading(C=0.83, beta=0.01, base=0.176, noise=0.2)


def scenario(wide, one=ONE_WINNER, narrow=NARROW):
    """Memories by the names of their experiments."""
    return lambda name, cue: {"wide": wide, "onewinner": one, "kwinner": narrow}[name.split("-")[0]]


SCENARIOS = {
    "as printed": scenario(Fading(C=0.45, beta=0.02, base=0.45, noise=0.003)),
    "worse at first, and lasting": scenario(
        Fading(C=0.2, beta=0.003, base=0.6, noise=0.03), Fading(C=0.1, beta=0.01, noise=0.2)
    ),
    "as with the narrow fan-in": scenario(*3 * [Fading(C=0.33, beta=0.005, base=0.52, noise=0.03)]),
    "far above the 1-winner": scenario(Fading(C=0.34, beta=0, noise=0.03), Fading(C=0.3, beta=0, noise=0.06)),
    "behind the 1-winner": scenario(
        Fading(C=0.34, beta=0.001, noise=0.06, newest=1.0), Fading(C=0.4, beta=0.003, noise=0.03)
    ),
}


def test_verdicts():
    check_table(
        [verdicts_of(ITEM, results(ITEM, made_up), s2_random, si_a2_random) for made_up in SCENARIOS.values()],
        {
            "initial-100%": "cxi..",
            "initial-50%": "cxi..",
            "baseline-*": "cxi..",
            "initial-rd-*": "cxi..",
            "below-one-winner-*": "cxcxx",
            "below-100%": "cxi..",
            "below-50%": "cxi..",
            "faster-*": "cxi..",
            "marked-*": "ccxcx",
            "middle-*": "ccicx",
            "old-*": "cxcxi",
            "very-old-*": "c.iix",
            "trade-off-*": "cxi..",
        },
        only={"below-one-winner-*": "cx", "marked-*": "cx"},
    )
