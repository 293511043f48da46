from study.madeup import Fading, check_table, results, verdicts

from slotfree.paper.memory.fig4 import ITEM


def as_printed(name, cue):
    """d' of the K-winner is 8 exp(−0.005 a); the 1-winner's starts higher and falls below it near the printed age."""
    crossing = {1.0: 12, 0.5: 7}[cue]
    if name.startswith("kwinner"):
        return Fading(C=0.34 if cue == 1 else 0.3, beta=0.005, base=0.52, noise=0.03)
    d_prime = 8 * 2.718 ** (0.095 * crossing)
    return Fading(C=0.824, beta=0.1, base=0.176, noise=0.824 / d_prime / 2**0.5, newest=1.0)


def swapped(name, cue):
    """The K-winner is perfect at first, fades fast, has no baseline; the memories keep what is old."""
    if name.endswith("old"):
        return Fading(C=0.1, beta=0)
    if name.startswith("onewinner"):
        return Fading(C=0.34, beta=0.005, base=0.05, noise=0.03)
    return Fading(C=0.8 if cue == 1 else 0.9, beta=0.05, base=0.02, noise=0.04, newest=1.0 if cue == 1 else 1.1)


def equal(name, cue):
    """Both are alike, at the limits of what is said."""
    if name.endswith("old"):
        return Fading(C=0.002, beta=0)
    return Fading(C=0.6, beta=0.005, base=0.1, noise=0.05)


def late(name, cue):
    """The K-winner leads from an age that is far from the printed one."""
    return Fading(
        C=0.5, beta=0.005 if name.startswith("kwinner") else 0.05, noise=0.04 if name.startswith("kwinner") else 0.0035
    )


def test_claims():
    check_table(
        [verdicts(ITEM.claims(results(ITEM, scenario))) for scenario in (as_printed, swapped, equal, late)],
        {
            "perfect-*": "cxx.",
            "initial-100%": "cxi.",
            "initial-50%": "cxi.",
            "baseline-*": "cxi.",
            "above-chance-*": "cxi.",
            "reliable-from-*": "ciix",
            "older-*": "cxi.",
            "newest-*": "cxi.",
            "no-trace-*": "cxi.",
            "initial-notably": "cxi.",
        },
        only={"perfect-*": "cx"},
    )
