from study.madeup import Fading, check_table, results, verdicts

from slotfree.paper.memory.figS2 import ITEM

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
    "behind the 1-winner": scenario(Fading(C=0.34, beta=0, noise=0.06), Fading(C=0.4, beta=0, noise=0.03)),
}


def test_claims():
    check_table(
        [verdicts(ITEM.claims(results(ITEM, made_up))) for made_up in SCENARIOS.values()],
        {
            "initial-100%": "cxi..",
            "initial-50%": "cxi..",
            "initial-below-*": "cxi..",
            "baseline-*": "cxi..",
            "initial-rd-*": "cxi..",
            "below-one-winner-*": "cxcxc",
            "faster-*": "cxi..",
            "middle-*": "ccicx",
            "old-*": "cxcxc",
            "very-old-*": "cxcxc",
            "trade-off-*": "cxi..",
        },
        only={"below-one-winner-*": "cx", "old-*": "cx", "very-old-*": "cx"},
    )
