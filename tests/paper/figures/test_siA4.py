from itertools import combinations
from math import comb, log

import numpy as np
from paper.judged import verdicts_of
from study.madeup import PAPER, around, check_table

from slotfree.forgetting.protocol import CUES, labelled
from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings
from slotfree.paper.figures.siA4 import FLIPS, ITEM, PLAIN, RECOVERY, STACKED, discrimination
from slotfree.paper.shared.codes import ALIKE, CODES, N_VISIBLE, PAIRWISE
from slotfree.paper.text import si_a4_preprocessing
from slotfree.study.results import Results


def test_conjunctions():
    """Their number grows as a power of that of inputs, and a codon responds to many of them."""
    np.testing.assert_allclose(log(comb(10_000, 2) / comb(1000, 2)) / log(10), 2, atol=1e-3)
    inputs = np.arange(4, dtype=np.uint16)[None]
    settings = CodeLayerSettings(1, 1, 4 / 6, threshold=2)
    codon = CodeLayer.from_weights(6, 3, settings, inputs, np.ones((1, 4), np.float32))
    pairs = np.array([[i in chosen for i in range(6)] for chosen in combinations(range(6), 2)], np.uint8)
    assert codon.encode(pairs).sum() == comb(4, 2)
    codons, *_ = CODES[ALIKE[1]]
    assert codons.n_units < 1e-9 * comb(N_VISIBLE, codons.threshold)


def memories(auc, seed):
    """Memories that recall a share of the stored patterns better than others, or worse, and the rest alike."""
    accuracy = np.zeros((12, len(CUES), 2, 200))
    better = 200 * (2 * around(np.full(len(CUES), auc), 0.01, runs=12, seed=seed) - 1)
    for run, cue in np.ndindex(better.shape):
        accuracy[run, cue, 0, : round(abs(better[run, cue]))] = np.sign(better[run, cue])
    return labelled({"accuracy": accuracy}, CUES, ("real", "pseudo"))


def made_up(winners, codons, after, recovered, stacked, width):
    """Codes of pairs whose similarity is proportional to that of patterns, codes of leaves, and memories."""
    run = PAIRWISE.run
    factors = [dict(zip(ALIKE, (winners, codons), strict=True)).get(name, 1.0) for name, _ in run.codes]
    of_pairs = around(np.outer(factors, np.array(run.shared) / 100), width)
    of_cues = np.zeros((len(factors), len(run.cues)))
    shape = (len(FLIPS), 1)
    codes = zip(around(np.full(shape, after), width, seed=1), around(np.full(shape, recovered), width), strict=True)
    leaves = [{"before": np.full(len(FLIPS), 0.5), "after": x, "recovered": y} for x, y in codes]
    data = {
        PAIRWISE.name: run.label([{"of_pairs": x, "of_cues": of_cues} for x in of_pairs]),
        RECOVERY.name: RECOVERY.run.label(leaves),
        **{PLAIN[b].name: memories(0.6, 1) for b in FLIPS},
        **{STACKED[b].name: memories(stacked, 2) for b in FLIPS},
    }
    return Results(data, PAPER, 0)


def test_judges():
    scenarios = [
        made_up(0.5, 0.55, 0.3, 0.999, 0.7, 1e-3),
        made_up(1.2, 1.3, 0.6, 0.9, 0.5, 1e-3),
        made_up(0.9, 0.95, 0.5, 0.995, 0.6, 0.1),
        made_up(0.9, 0.2, 0.3, 0.999, 0.7, 1e-3),
    ]
    check_table(
        [verdicts_of(ITEM, r, si_a4_preprocessing) for r in scenarios],
        {
            "reduces-*": "cxic",
            "alike": "cx.x",
            "differentiated-*": "cxic",
            "recovered-*": "cxic",
            "less-interference-*": "cxic",
        },
        only={"alike": "cx"},
    )


def test_discrimination():
    accuracy = np.zeros((2, 1, 2, 60))
    accuracy[0, 0, 0] = 1  # all are recalled better
    accuracy[1, 0, 0, :15] = 1  # a quarter is
    data = labelled({"accuracy": accuracy}, (1.0,), ("real", "pseudo"))
    r = Results({PLAIN[5].name: data}, PAPER, 0)
    np.testing.assert_array_equal(discrimination(PLAIN[5], 1.0)(r), [1, 0.625])
