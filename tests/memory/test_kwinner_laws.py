"""What must hold for every K-winner MHN."""

import copy
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import twin
from hypothesis import assume, given
from hypothesis import strategies as st
from small import memories, same, streams

import slotfree as sf
from slotfree.memory import base, stored

COMPUTED = {"weights": "uint16", "connections": "computed"}


@given(memories(), st.data())
def test_exactly_k_ones_whatever_the_cue(memory, data):
    n_visible = memory.settings.n_visible
    memory.store(data.draw(streams(n_visible)))
    cues = np.vstack([data.draw(streams(n_visible)), np.zeros(n_visible, int), np.ones(n_visible, int)])
    assert (memory.retrieve(cues).sum(axis=1) == memory.settings.k_visible).all()
    assert (memory.hidden(cues).sum(axis=1) == memory.settings.k_hidden).all()


@given(memories(), st.data())
def test_weights_stay_in_range_and_unconnected_entries_stay_zero(memory, data):
    mask = memory.mask
    assert (mask.sum(axis=1) == memory.settings.n_connections).all()
    memory.store(data.draw(streams(memory.settings.n_visible, max_patterns=60)))
    for weights in (memory.weights, memory.return_weights.T):
        assert weights.min() >= 0
        assert weights.max() <= 1
        assert (weights[~mask] == 0).all()
    np.testing.assert_array_equal(memory.mask, mask)


@given(memories(), st.data())
def test_units_that_never_win_keep_their_weights(memory, data):
    before = copy.deepcopy(memory)
    winners = memory.store(data.draw(streams(memory.settings.n_visible)), return_winners=True)
    idle = np.setdiff1d(np.arange(memory.settings.n_hidden), winners)
    np.testing.assert_array_equal(memory.weights[idle], before.weights[idle])
    np.testing.assert_array_equal(memory.return_weights[:, idle], before.return_weights[:, idle])


@given(memories(), st.data())
def test_tied_weights_are_one_matrix_and_stay_so(memory, data):
    memory.store(data.draw(streams(memory.settings.n_visible, max_patterns=60)))
    if memory.settings.tied:
        np.testing.assert_array_equal(memory.return_weights, memory.weights.T)
        assert memory.asymmetry() == 0
    else:
        difference = np.abs(memory.weights - memory.return_weights.T)[memory.mask].astype(float)
        np.testing.assert_allclose(memory.asymmetry(), difference.mean(), rtol=1e-6)


@given(memories(), st.data())
def test_each_win_brings_forward_and_return_weights_closer(memory, data):
    """W − W'ᵀ of a unit is multiplied by 1 − ε with each win, and unchanged without."""
    eps, n_hidden = memory.settings.learning_rate, memory.settings.n_hidden
    before = memory.weights - memory.return_weights.T
    winners = memory.store(data.draw(streams(memory.settings.n_visible)), return_winners=True)
    wins = np.bincount(winners.ravel(), minlength=n_hidden)
    after = memory.weights - memory.return_weights.T
    np.testing.assert_allclose(after, before * ((1 - eps) ** wins)[:, None], atol=1e-5)
    np.testing.assert_array_equal(after[wins == 0], before[wins == 0])


def test_options_leave_the_rest_of_a_new_memory_as_it_is():
    plain = sf.KWinnerMHN(seed=0)
    for options in ({"tied": True}, {"storing": "random"}, {"tied": True, "storing": "random"}):
        other = sf.KWinnerMHN(**options, seed=0)
        np.testing.assert_array_equal(other.connections, plain.connections)
        np.testing.assert_array_equal(other.return_weights, plain.return_weights)
        if not options.get("tied"):
            np.testing.assert_array_equal(other.weights, plain.weights)
            cues = sf.random_patterns(9, seed=1)
            np.testing.assert_array_equal(other.hidden(cues), plain.hidden(cues))


def test_winners_at_random_are_fair_and_follow_from_the_seed_not_from_the_patterns():
    """60,000 wins of 100 units, and pairs of neighbours: chi-square with 99 degrees of freedom, p = 0.001."""
    settings = {"n_visible": 20, "n_hidden": 100, "k_visible": 4, "k_hidden": 3, "fan_in": 0.5, "storing": "random"}
    one, same_seed, other = (sf.KWinnerMHN(**settings, seed=seed) for seed in (0, 0, 1))
    patterns = sf.random_patterns(20_000, n_visible=20, k_visible=4, seed=2)
    winners = one.store(patterns, return_winners=True)
    np.testing.assert_array_equal(same_seed.store(patterns[::-1], return_winners=True), winners)
    assert (other.store(patterns, return_winners=True) != winners).mean() > 0.9
    assert (np.diff(winners.astype(int), axis=1) > 0).all()
    wins = np.bincount(winners.ravel(), minlength=100)
    assert ((wins - 600) ** 2 / (600 * 0.97)).sum() < 148.2
    won = np.zeros((len(winners), 100))
    np.put_along_axis(won, winners.astype(int), 1, axis=1)
    expected, rate = len(winners) * 0.03 * 2 / 99, len(winners) * 0.03**2
    next_unit = np.array([(won[:, i] * won[:, (i + 1) % 100]).sum() for i in range(100)])
    next_time = (won[1:] * won[:-1]).sum(axis=0)
    assert ((next_unit - expected) ** 2 / expected).sum() < 148.2
    assert ((next_time - rate) ** 2 / rate).sum() < 148.2


@given(memories(), st.data())
def test_retrieval_changes_nothing(memory, data):
    n_visible = memory.settings.n_visible
    memory.store(data.draw(streams(n_visible)))
    before = copy.deepcopy(memory)
    cues = data.draw(streams(n_visible))
    first = memory.retrieve(cues)
    memory.hidden(cues)
    np.testing.assert_array_equal(memory.retrieve(cues), first)
    assert same(memory, before)


@given(st.integers(1, 25), st.integers(1, 25), st.integers(0, 999), st.data())
def test_a_one_winner_memory_with_full_rate_recalls_the_last_pattern_from_any_unique_cue(n_v, n_h, seed, data):
    k = data.draw(st.integers(1, n_v))
    memory = sf.KWinnerMHN(n_v, n_h, k, 1, fan_in=1, learning_rate=1, seed=seed)
    patterns = sf.random_patterns(data.draw(st.integers(1, 40)), n_visible=n_v, k_visible=k, seed=seed)
    memory.store(patterns)
    last = patterns[-1]
    cue = sf.partial_cues(last, data.draw(st.floats(0.2, 1)), seed=seed)
    # Unique: no other unit answers the cue as strongly as the one that holds the pattern.
    rivals = np.sort(memory.weights.astype(float) @ cue)[::-1]
    assume(n_h == 1 or rivals[1] < rivals[0])
    np.testing.assert_array_equal(memory.retrieve(cue), last)


def test_untouched_units_are_recruited_first():
    """A fresh unit answers with about 0.5 per input: the first n_h patterns fill n_h units."""
    memory = sf.KWinnerMHN(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=1, seed=0)
    winners = memory.store(sf.random_patterns(100, seed=1), return_winners=True)
    assert sorted(winners[:, 0]) == list(range(100))


def test_one_winner_memories_replace_every_unit_equally_often():
    """Drives tie often here. 20,000 wins of 100 units: chi-square with 99 degrees of freedom."""
    memory = sf.KWinnerMHN(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=1, seed=0)
    winners = memory.store(sf.random_patterns(20_100, seed=1), return_winners=True)[100:, 0]
    wins = np.bincount(winners, minlength=100)
    assert ((wins - 200) ** 2 / 200).sum() < 148.2, "exceeded by chance once in 1000 times"


@given(st.integers(0, 2**32))
def test_seeds_reproduce(seed):
    def build(seed):
        return sf.KWinnerMHN(20, 15, 4, 3, 0.3, 0.3, seed=seed)

    assert same(build(seed), build(seed))
    assert same(build(seed), build(np.random.SeedSequence(seed)))
    assert same(build(np.random.default_rng(seed)), build(np.random.default_rng(seed)))
    assert not same(build(seed), build(seed + 1))


@pytest.mark.parametrize("options", [{}, COMPUTED], ids=["stored", "computed"])
def test_the_two_weight_matrices_start_independent_and_uniform(options):
    memory = sf.KWinnerMHN(**options, seed=0)
    forward, back = memory.weights[memory.mask], memory.return_weights.T[memory.mask]
    for weights in (forward, back):
        deciles = np.histogram(weights, 10, (0, 1))[0]
        assert ((deciles - 1e4) ** 2 / 1e4).sum() < 27.9, "chi-square with 9 degrees of freedom, p = 0.001"
    assert abs(np.corrcoef(forward, back)[0, 1]) < 4 / np.sqrt(len(forward))
    assert 0.33 < memory.asymmetry() < 0.337, "two independent uniform numbers: 1/3"


@pytest.mark.parametrize("options", [{}, COMPUTED], ids=["stored", "computed"])
def test_winning_units_converge_to_one_weight_per_synapse(options):
    """Both matrices get the same update: after a win with ε = 1 forward and return weights are the pattern."""
    memory = sf.KWinnerMHN(50, 10, 5, 2, 0.5, 1.0, **options, seed=0)
    pattern = sf.random_patterns(1, n_visible=50, k_visible=5, seed=1)[0]
    for i in memory.store(pattern, return_winners=True):
        connected = memory.mask[i]
        np.testing.assert_array_equal(memory.weights[i, connected], pattern[connected])
        np.testing.assert_array_equal(memory.return_weights[connected, i], pattern[connected])


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int8, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_patterns_of_any_number_type(dtype, order):
    patterns = sf.random_patterns(30, n_visible=50, k_visible=5, seed=1)
    plain, other = (sf.KWinnerMHN(50, 40, 5, 4, 0.3, 0.3, seed=0) for _ in range(2))
    plain.store(patterns)
    other.store(np.asarray(patterns, dtype, order=order))
    assert same(plain, other)
    np.testing.assert_array_equal(plain.retrieve(patterns), other.retrieve(np.asarray(patterns, dtype, order=order)))
    np.testing.assert_array_equal(plain.retrieve(patterns[0]), other.retrieve(patterns[0].tolist()))
    np.testing.assert_array_equal(plain.retrieve(patterns)[::2], other.retrieve(np.asarray(patterns, dtype)[::2]))


def test_shapes_and_types_of_what_comes_out():
    memory = sf.KWinnerMHN(50, 40, 5, 4, 0.3, 0.3, seed=0)
    one, many = np.zeros(50), np.zeros((3, 50))
    assert memory.store(one) is None
    assert memory.store(many) is None
    assert memory.n_stored == 4
    assert memory.store(one, return_winners=True).shape == (4,)
    assert memory.store(many, return_winners=True).shape == (3, 4)
    assert memory.store(many[:0], return_winners=True).shape == (0, 4)
    assert memory.retrieve(one).shape == (50,)
    assert memory.retrieve(many).shape == (3, 50)
    assert memory.retrieve(many[:0]).shape == (0, 50)
    assert memory.hidden(one).shape == (40,)
    assert memory.hidden(many).shape == (3, 40)
    assert memory.retrieve(many).dtype == memory.hidden(many).dtype == np.uint8
    assert memory.weights.shape == memory.mask.shape == (40, 50)
    assert memory.return_weights.shape == (50, 40)
    assert memory.connections.shape == (40, 15)
    for view in (memory.weights, memory.return_weights, memory.mask, memory.connections):
        assert not view.flags.writeable
    assert repr(memory) == (
        "KWinnerMHN(n_visible=50, n_hidden=40, k_visible=5, k_hidden=4, fan_in=0.3, learning_rate=0.3): "
        "600 synapses, 0.01 MB, 8 patterns stored"
    )


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_gives_the_same_bits(threads):
    memory = sf.KWinnerMHN(seed=0)
    patterns = sf.random_patterns(101, seed=1)
    memory.store(patterns)
    np.testing.assert_array_equal(memory.retrieve(patterns, threads=threads), memory.retrieve(patterns))
    np.testing.assert_array_equal(memory.hidden(patterns, threads=threads), memory.hidden(patterns))
    np.testing.assert_array_equal(memory.retrieve(patterns[:1], threads=threads), memory.retrieve(patterns[:1]))


def test_cues_are_spread_over_as_many_threads_as_asked_for_but_no_more_than_there_are(monkeypatch):
    used = []

    class Counting(ThreadPoolExecutor):
        def __init__(self, threads):
            used.append(threads)
            super().__init__(threads)

    monkeypatch.setattr(base, "ThreadPoolExecutor", Counting)
    memory = sf.KWinnerMHN(seed=0)
    for threads, cues in ((1, 9), (3, 9), (100_000, 2), (2, 0)):
        memory.retrieve(np.zeros((cues, 1000)), threads=threads)
    assert used == [3, 2]


def test_kernels_release_the_gil():
    """Python goes on while a kernel runs: without that, nothing could be noted in the middle of it."""
    memory = sf.KWinnerMHN(seed=0)
    patterns = sf.random_patterns(20_000, seed=1)
    memory.retrieve(patterns[:1])
    span = []

    def work():
        span.append(time.perf_counter())
        memory.retrieve(patterns)
        span.append(time.perf_counter())

    worker = threading.Thread(target=work)
    worker.start()
    ticks = []
    while worker.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    begin, end = span
    middle = [t for t in ticks if begin + 0.25 * (end - begin) < t < end - 0.25 * (end - begin)]
    assert len(middle) > 3


def test_memory_per_synapse():
    memory = sf.KWinnerMHN(2000, 20_000, 200, 500, 0.01, 0.3, seed=0)
    assert memory.nbytes / memory.settings.n_synapses < 16.1
    memory = sf.KWinnerMHN(70_000, 70_000, 200, 500, 0.001, 0.3, seed=0)
    assert memory.nbytes / memory.settings.n_synapses < 20.2


@pytest.mark.parametrize(("n_visible", "n_hidden"), [(65_536, 40), (65_537, 40), (40, 65_536), (40, 65_537)])
def test_layers_on_both_sides_of_the_narrow_index(tmp_path, n_visible, n_hidden):
    """The last unit that 16 bits can name, and the first that they cannot."""
    memory = sf.KWinnerMHN(n_visible, n_hidden, 20, 20, 1, 0.5, seed=0)
    connected = memory.connections
    assert connected.dtype == (np.uint16 if n_visible <= 65_536 else np.uint32)
    np.testing.assert_array_equal(connected, np.broadcast_to(np.arange(n_visible), connected.shape))
    patterns = sf.random_patterns(3, n_visible=n_visible, k_visible=20, seed=1)
    winners = memory.store(patterns, return_winners=True)
    np.testing.assert_array_equal(memory.retrieve(patterns[-1]), patterns[-1])
    expected = twin.DenseTwin(sf.KWinnerMHN(n_visible, n_hidden, 20, 20, 1, 0.5, seed=0))
    np.testing.assert_array_equal(winners, [expected.store(x) for x in patterns])
    memory.save(tmp_path / "m")
    assert same(sf.KWinnerMHN.load(tmp_path / "m"), memory)


def test_wide_and_narrow_indices_give_the_same_bits(monkeypatch):
    patterns = sf.random_patterns(200, seed=1)
    narrow = sf.KWinnerMHN(seed=0)
    monkeypatch.setattr(stored, "index_type", lambda n_units: np.uint32)
    wide = sf.KWinnerMHN(seed=0)
    np.testing.assert_array_equal(
        narrow.store(patterns, return_winners=True), wide.store(patterns, return_winners=True)
    )
    np.testing.assert_array_equal(narrow.retrieve(patterns), wide.retrieve(patterns))
    assert same(narrow, wide)
