from dataclasses import replace

import numpy as np

from slotfree.beyond.stackS4 import CASES, LEARNING
from slotfree.memory.code_layer import CodeLayerSettings


def test_layers_learn_to_restore_patterns_they_have_not_seen():
    small = CodeLayerSettings(300, 15, 0.04)
    cases = tuple((case.rule, case.source) for case in CASES)
    run = replace(LEARNING.run, cases=cases, layer=small, learned=(0, 200), n_unseen=50)
    data = run.label([run(np.random.SeedSequence(0))])
    assert data["case"].values.tolist() == [case.key for case in CASES]
    before, after = data["recovered"].isel(run=0).transpose("learned", "case").values
    assert (after > before).all()
    assert before[0] == before[1]  # the same layer and the same patterns, before either rule is used
