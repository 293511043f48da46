from dataclasses import replace

import numpy as np
from of_items import letters
from study.madeup import PAPER, Fading, around, check_table, faded

from slotfree.beyond import stackS4
from slotfree.beyond.stackS4 import CASES, FIXED, LAYERS, LEARNING, RECOVERY, SLOW
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.study.results import Results


def made_up(large, gains, fixed, slow, width):
    """The share recovered with the largest code, gains by learning, and two memories."""
    levels = np.array([[large if layer == (10_000, 0.1) else 0.7 for layer in LAYERS]] * 2)
    recovered = [{"before": x[:, 0], "after": x, "recovered": x} for x in around(levels, width, seed=1)]
    steps = np.linspace(0, 1, len(LEARNING.run.learned))
    learned = [{"recovered": x, "similarity": x} for x in around(0.5 + np.outer(gains, steps), width, seed=2)]
    data = {RECOVERY.name: RECOVERY.run.label(recovered), LEARNING.name: LEARNING.run.label(learned)}
    for experiment, fading in ((FIXED, fixed), (SLOW, slow)):
        data[experiment.name] = faded(experiment, lambda *_, f=fading: f, runs=experiment.runs, n_ages=400)
    return Results(data, PAPER, 0)


GOOD, POOR = Fading(0.1, 0.001, 0.4, 0.05), Fading(0.03, 0.001, 0.5, 0.05)


def test_claims():
    scenarios = (
        made_up(0.99, (0.2, 0.2, 0.03), GOOD, POOR, 0.005),
        made_up(0.9, (0.05, 0.05, -0.03), POOR, GOOD, 0.005),
        made_up(0.95, (0.1, 0.1, 0.0), GOOD, GOOD, 0.005),
    )
    names = ("recovered", "learns-*", "costs", "baseline")
    check_table([letters(stackS4.ITEM, r) for r in scenarios], dict.fromkeys(names, "cxi"))


def test_layers_learn_to_restore_patterns_they_have_not_seen():
    small = CodeLayerSettings(300, 15, 0.04)
    cases = tuple((case.rule, case.source) for case in CASES)
    run = replace(LEARNING.run, cases=cases, layer=small, learned=(0, 200), n_unseen=50)
    data = run.label([run(np.random.SeedSequence(0))])
    assert data["case"].values.tolist() == [case.key for case in CASES]
    before, after = data["recovered"].isel(run=0).transpose("learned", "case").values
    assert (after > before).all()
    assert before[0] == before[1]  # the same layer and the same patterns, before either rule is used
