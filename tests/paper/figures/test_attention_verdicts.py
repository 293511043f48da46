"""Every sentence about training can be confirmed, contradicted and, if it has sampling error, left open."""

from dataclasses import replace
from fnmatch import fnmatch

import pytest
from paper.judged import verdicts_of
from trained import DESCRIBED, OPPOSITE, results

from slotfree.paper import STUDY
from slotfree.paper.figures import fig7
from slotfree.paper.shared.transformers import ALL
from slotfree.paper.text import s1_introduction, s3_attention, s3_results, si_b5_dynamics, si_b_training

ITEMS = ("fig7", "figS9", "figS10", "figS11", "figS12", "figS13")
TEXTS = (s1_introduction, s3_attention, s3_results, si_b_training, si_b5_dynamics)
# Verdicts on runs as the paper describes them, on runs that do the opposite, and on half of each, where they are not
# confirmed, contradicted, inconclusive; a point where they are judged by themselves, here or in test_emergence.
VERDICTS = {
    "fig7.perfect-*": "cxx",  # one run is enough
    "fig7.overwritten-*": "cxc",  # half of the runs are
    "fig7.unrelated-keys-*": "cxx",  # a difference is found, or it is not
    "fig7.exact-faster-than-fixed": "xci",  # the paper describes another gradient
    "fig7.mhn-rises": "cii",  # without a rise there is no difference
    "figS*.anti-aligned-*": "c..",
    "figS*.largely-anti-correlated-keys": "cxc",
    "figS12.together-*": "cxc",
    "figS12.values-grow-meanwhile": "c..",
    "figS12.nothing-else-*": "c..",
    "figS12.structure-with-second-descent": "...",
    "figS13.nothing-else-at-600": "cxc",
    "figS13.descent-300-600": "cxc",
    "figS*.told-from-chance-*": "...",
    "figS*.strong-at-*": "c..",
}


@pytest.fixture(scope="module")
def worlds():
    described, opposite = (results(ALL, world, runs=60) for world in (DESCRIBED, OPPOSITE))
    return described, opposite, results(ALL, DESCRIBED, OPPOSITE)


def verdicts(name, r):
    return verdicts_of(STUDY.item(name), r, *TEXTS)


@pytest.mark.parametrize("name", ITEMS)
def test_every_verdict_is_possible(name, worlds):
    found = [verdicts(name, r) for r in worlds]
    for claim in found[0]:
        expected = next((v for pattern, v in VERDICTS.items() if fnmatch(f"{name}.{claim}", pattern)), "cxi")
        letters = "".join(world[claim] if e != "." else "." for world, e in zip(found, expected, strict=True))
        assert letters == expected, claim


def test_a_run_that_fails_without_overwriting_is_counted():
    fails = {**DESCRIBED, "qk-ip": replace(DESCRIBED["qk-ip"], end=0.9)}
    assert fig7.unexplained()(results(ALL, fails, runs=4)) == 4
    overwrites = {**DESCRIBED, "qk-ip": replace(DESCRIBED["qk-ip"], end=0.9, kind="crowded")}
    assert fig7.unexplained()(results(ALL, DESCRIBED, overwrites, runs=4)) == 0


def test_a_run_that_fails_among_many_that_do_not_contradicts_nothing():
    fails = {**DESCRIBED, "qk-ip": replace(DESCRIBED["qk-ip"], end=0.9, kind="crowded")}
    found = verdicts("fig7", results(ALL, *[DESCRIBED] * 19, fails, runs=60))
    assert [found[name] for name in ("qk-ip-perfect", "kept-qk-ip", "qk-ip-approaches")] == ["c"] * 3


@pytest.mark.parametrize(("worlds", "verdict"), [(1, "c"), (2, "i"), (0, "x")])
def test_dot_products_of_different_letters(worlds, verdict):
    """Negative in all runs, in half of them, and in none."""
    positive = {name: replace(story, kind="together") for name, story in DESCRIBED.items()}
    r = results(ALL, *{0: [positive], 1: [DESCRIBED], 2: [DESCRIBED, positive]}[worlds])
    for name in ("figS9", "figS10"):
        found = {v for claim, v in verdicts(name, r).items() if claim.startswith("anti-aligned-")}
        assert found == {verdict}
