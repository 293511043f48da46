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
    # R.D. is 1.65 standard errors below the 1-winner's; d' leads at about four of five ages.
    "mostly ahead": scenario(Fading(C=0.34, beta=0, noise=0.03), Fading(C=0.353, beta=0, noise=0.0467)),
    "seldom ahead": scenario(Fading(C=0.34, beta=0, noise=0.03), Fading(C=0.353, beta=0, noise=0.036)),
}


def test_claims():
    check_table(
        [verdicts(ITEM.claims(results(ITEM, made_up, n_ages=600))) for made_up in SCENARIOS.values()],
        {
            "initial-100%": "cxi..",
            "initial-50%": "cxi..",
            "near-perfect-*": "cxi..",
            "baseline-*": "cxi..",
            "initial-rd-*": "cxi..",
            "below-one-winner-*": "cx.i.",
            "faster-*": "cxi..",
            "middle-*": "c.xi.",
            "old-*": "cx..i",
            "trade-off-*": "cxi..",
        },
    )
