from slotfree.beyond import theoryK1


def test_the_grid_is_as_large_and_as_wide_as_it_should_be():
    assert len(set(theoryK1.GRID)) == len(theoryK1.GRID) == 78
    assert {one.n_synapses for one in theoryK1.GRID} == {theoryK1.WEIGHTS}
    for name, low, high in (("learning_rate", 0.1, 1), ("fan_in", 0.02, 1), ("k_hidden", 1, 200)):
        values = [getattr(one, name) for one in theoryK1.GRID]
        assert (min(values), max(values)) == (low, high)
    assert not set(theoryK1.HELD_OUT) & set(theoryK1.GRID)
