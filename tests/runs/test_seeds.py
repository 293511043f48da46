import numpy as np

from slotfree.runs.seeds import seed_for


def state(sequence):
    return tuple(sequence.generate_state(4))


def test_a_stream_depends_on_what_the_unit_is_and_on_nothing_else():
    assert state(seed_for(0, "fig4", 3)) == state(seed_for(0, "fig4", 3))
    others = [seed_for(0, "fig4", 4), seed_for(1, "fig4", 3), seed_for(0, "fig5", 3), seed_for(0, "fig4", "3")]
    assert len({state(s) for s in [seed_for(0, "fig4", 3), *others]}) == 5


def test_streams_nest():
    run = seed_for(7, "fig4", 3)
    assert state(seed_for(run, "memory")) == state(seed_for(seed_for(7, "fig4", 3), "memory"))
    assert state(seed_for(run, "memory")) != state(seed_for(run, "patterns"))
    assert state(seed_for(run, "memory")) != state(seed_for(7, "memory"))


def test_streams_are_fixed_for_ever():
    """Saved results name only their seed: the derivation must not change unnoticed."""
    assert state(seed_for(0, "fig4", 3)) == (1155714637, 3377654233, 1933706587, 826124743)


def test_streams_are_unrelated():
    draws = np.array([np.random.default_rng(seed_for(0, run)).random(1000) for run in range(20)])
    correlations = np.corrcoef(draws)[np.triu_indices(20, 1)]
    assert abs(correlations).max() < 4.5 / np.sqrt(1000)
