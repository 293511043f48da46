"""A memory of keys and values: against a plain twin, by laws, over long streams, and its files."""

import copy
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hostile import entry_with, metadata_with, numbers_with, put, settings_with, without_setting
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_files import changed, edited, flipped, quick_file, sealed
from plain import match_or_oldest

import slotfree as sf
from slotfree.attention.key_value_settings import LARGEST as EVERY_LARGEST
from slotfree.attention.key_value_settings import STORAGE
from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.arithmetic.winners import turn
from slotfree.kernels.attention.distributed_context import TIES, draw_units
from slotfree.kernels.attention.key_value import LEAST_DRIVE, stream_of

N, V, UNITS = 6, 3, 20
LARGEST = EVERY_LARGEST["float64"]


def storages():
    return st.builds(
        sf.Winners,
        k=st.integers(1, 5),
        fan_in=st.sampled_from([0.2, 0.5, 1.0]),
        rate=st.sampled_from([1.0, 0.5, 0.1]),
        normalise=st.booleans(),
        projection_gain=st.sampled_from([None, 0.5, 0.9, 3.0]),
        beta=st.sampled_from([None, 0.5, 16.0]),
        reading=st.sampled_from(["all", "winners"]),
        masks=st.sampled_from(["own", "shared"]),
        address=st.sampled_from([None, "key", "oldest"]),
    )


def small(storage=STORAGE, seed=0):
    return sf.KeyValueMemory(N, V, UNITS, storage, seed=seed)


def pairs(n_pairs, seed=1, length=3.0, n=N, v=V):
    rng = np.random.default_rng(seed)
    keys = rng.normal(size=(n_pairs, n))
    return length * keys / np.linalg.norm(keys, axis=1, keepdims=True), rng.normal(size=(n_pairs, v))


def state(memory):
    return memory.keys, memory.values, memory.strength


def assert_same(a, b):
    assert a.n_stored == b.n_stored
    for x, y in zip(state(a), state(b), strict=True):
        np.testing.assert_array_equal(x, y)


class Plain:
    """The equations as they stand, with whole matrices."""

    def __init__(self, memory):
        s = memory.settings
        self.storage, self.fast = s.storage, memory._pairs.members[0]
        self.mask = np.zeros((s.n_hidden, s.key_dim))
        np.put_along_axis(self.mask, self.fast.inputs, 1.0, axis=1)
        self.f = self.mask[0].mean()
        self.W_HK, self.W_VH, self.g = (
            np.zeros_like(self.mask),
            np.zeros((s.value_dim, s.n_hidden)),
            np.zeros(s.n_hidden),
        )
        self.when = np.zeros(s.n_hidden, int)
        self.n_stored, self.lengths = 0, []

    def drive(self, k):
        return (self.W_HK * k).sum(axis=1)

    def largest(self, h, tie):
        """All units, those with the largest drives last; of equal ones, by turn."""
        return sorted(range(len(h)), key=lambda m: (h[m], turn(tie, m)))

    def store(self, k, v):
        s = self.storage
        winners = match_or_oldest(self.W_HK, self.when, k, s, self.f) if s.address == "oldest" else self.addressed(k)
        for m in winners[: s.k]:  # W += ε (k − W), so written that what has stored the same is the same to the bit
            self.W_HK[m] = (1 - s.rate) * self.W_HK[m] + s.rate * k * self.mask[m]
            self.W_VH[:, m] = (1 - s.rate) * self.W_VH[:, m] + s.rate * v
            self.g[m] = (1 - s.rate) * self.g[m] + s.rate
            self.when[m] = self.n_stored + 1
        self.n_stored += 1
        self.lengths.append(k @ k)

    def addressed(self, k):
        """All units, those with the largest drives first."""
        s, key = self.storage, self.fast.key[0]
        units = np.empty(s.k, np.int64)
        draw_units(np.uint64(stream_of(key, (k + 0.0).view(np.uint64))), len(self.g), units)
        h = self.drive(k)
        gain = (0.9 if s.fan_in == 1 else 3) if s.projection_gain is None else s.projection_gain
        h[units] += max(gain * self.f * (k @ k), LEAST_DRIVE)
        tie = np.uint64(stream(np.uint64(stream(key, TIES)), self.n_stored))
        return self.largest(h, tie)[::-1]

    def attention(self, q):
        s = self.storage
        h = (16 / (self.f * s.rate * np.mean(self.lengths)) if s.beta is None else s.beta) * self.drive(q)
        h[(self.g == 0) & s.normalise] = -np.inf
        if s.reading == "winners" and np.isfinite(h).sum() > s.k:
            h[self.largest(h, np.uint64(0))[: -s.k]] = -np.inf
        raised = np.exp(h - h.max())
        return raised / raised.sum()

    def read(self, q):
        s = self.attention(q)
        return self.W_VH @ s / (self.g @ s if self.storage.normalise else 1)


@settings(max_examples=150)
@given(storages(), st.integers(1, 30), st.integers(0, 2**32))
def test_it_is_the_plain_twin(storage, n_pairs, seed):
    memory = small(storage, seed)
    keys, values = pairs(n_pairs, seed)
    keys[::4] = keys[0]
    twin = Plain(memory)
    for k, v in zip(keys, values, strict=True):
        memory.store(k, v)
        twin.store(k, v)
    for found, expected in zip(state(memory), (twin.W_HK, twin.W_VH, twin.g), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-13)
    queries = np.concatenate([keys, pairs(3, seed + 1)[0]])
    np.testing.assert_allclose(memory.read(queries), [twin.read(q) for q in queries], atol=1e-10)
    np.testing.assert_allclose(memory.attention(queries), [twin.attention(q) for q in queries], atol=1e-10)


@given(storages(), st.floats(1e-90, 1e90), st.integers(0, 2**32))
def test_one_pair_is_read_back_by_any_query(storage, length, seed):
    memory = small(replace(storage, normalise=True), seed)
    keys, values = pairs(4, seed, length)
    memory.store(keys[0], values[0])
    np.testing.assert_allclose(memory.read(keys), np.tile(values[0], (4, 1)), rtol=1e-12)


@given(storages(), st.integers(2, 6), st.sampled_from([0.0, 1e-200, 1.0, 1e80]), st.integers(0, 2**32))
def test_an_equal_key_goes_to_the_same_units(storage, times, length, seed):
    memory = small(replace(storage, address="key"), seed)
    keys, values = pairs(times, seed, length)
    memory.store(np.tile(keys[0], (times, 1)), values)
    memory.store(-0.0 * keys[0] + keys[0], values[-1])
    assert np.count_nonzero(memory.strength) == storage.k
    if storage.rate == 1 and storage.normalise:
        np.testing.assert_allclose(memory.read(keys[0]), values[-1], rtol=1e-12)


def test_a_key_that_is_alike_updates_and_another_does_not():
    """γ = 0.9 is the cosine between the two cases."""
    for cosine, n_units in ((0.95, 3), (0.5, 6)):
        memory = sf.KeyValueMemory(2, 1, 1000, seed=0)
        memory.store([[1, 0], [cosine, np.sqrt(1 - cosine**2)]], [[1], [2]])
        assert np.count_nonzero(memory.strength) == n_units


@given(st.permutations(range(5)), st.integers(0, 200))
def test_order_matters_only_where_units_are_shared(order, seed):
    keys, values = pairs(5, seed, n=16)
    several, others = (sf.KeyValueMemory(16, V, 400, sf.Winners(fan_in=1, projection_gain=3), seed=seed) for _ in "ab")
    several.store(keys, values)
    others.store(keys[order], values[order])
    if np.count_nonzero(several.strength) == 15:
        np.testing.assert_array_equal(several.keys, others.keys)
        np.testing.assert_allclose(several.read(keys), others.read(keys), rtol=1e-12)
    else:
        assert np.count_nonzero(others.strength) < 15


@given(storages(), st.lists(st.integers(0, 7), min_size=1, max_size=5), st.integers(0, 2**32))
def test_batches_are_the_same_as_one_by_one(storage, sizes, seed):
    keys, values = pairs(sum(sizes), seed)
    single, batched = small(storage, seed), small(storage, seed)
    for k, v in zip(keys, values, strict=True):
        single.store(k, v)
    for ks, vs in zip(np.split(keys, np.cumsum(sizes)[:-1]), np.split(values, np.cumsum(sizes)[:-1]), strict=True):
        batched.store(ks, vs)
    assert_same(single, batched)
    read, attention = ([part(k) for k in keys] for part in (single.read, single.attention))
    np.testing.assert_allclose(batched.read(keys), np.array(read).reshape(-1, V), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(batched.attention(keys), np.array(attention).reshape(-1, UNITS), rtol=1e-9, atol=1e-12)


@given(storages(), st.integers(1, 40), st.integers(0, 2**32))
def test_attention_is_a_softmax_and_reading_leaves_all_as_it_is(storage, n_pairs, seed):
    memory = small(storage, seed)
    keys, values = pairs(n_pairs, seed)
    memory.store(keys, values)
    before = state(memory)
    s = memory.attention(keys)
    np.testing.assert_allclose(s.sum(axis=1), 1, rtol=1e-12)
    assert (s >= 0).all()
    assert not storage.normalise or not s[:, memory.strength == 0].any()
    memory.read(keys)
    for x, y in zip(before, state(memory), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("normalise", [True, False])
def test_before_anything_is_stored(normalise):
    memory = small(replace(STORAGE, normalise=normalise))
    memory.store(np.empty((0, N)), np.empty((0, V)))
    assert memory.n_stored == 0
    assert memory.read(np.ones(N)).tolist() == [0] * V
    assert memory.read(np.empty((0, N))).shape == (0, V)
    assert memory.attention(np.empty((0, N))).shape == (0, UNITS)
    assert memory.attention(np.ones(N)).sum() == pytest.approx(0 if normalise else 1)


@pytest.mark.parametrize("length", [1, 4, 8])
@pytest.mark.parametrize("kind", ["normal", "positive", "clustered"])
def test_keys_of_any_sign_and_length_are_recalled(kind, length):
    """20 pairs, a quarter of the capacity: nearly all are nearer to their own value than to any other."""
    right = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        keys = rng.random((20, 64)) if kind == "positive" else rng.normal(size=(20, 64))
        if kind == "clustered":
            keys = 0.5 * keys + rng.normal(size=(4, 64))[np.arange(20) % 4]
        keys *= length / np.linalg.norm(keys, axis=1, keepdims=True)
        values = rng.normal(size=(20, 32))
        memory = sf.KeyValueMemory(64, 32, seed=seed)
        memory.store(keys, values)
        distance = ((memory.read(keys)[:, None] - values) ** 2).sum(axis=2)
        right.append(np.mean(distance.argmin(axis=1) == np.arange(20)))
    assert np.mean(right) > 0.95


def test_what_is_kept_of_a_long_stream():
    """A unit keeps its part of a pair of age a with probability e^(−k a/n); one of k = 3 is enough."""
    kept = []
    for seed in range(4):
        keys, values = pairs(20_000, seed, 1, 64, 8)
        memory = sf.KeyValueMemory(64, 8, seed=seed)
        memory.store(keys, values)
        error = np.abs(memory.read(keys[-256:]) - values[-256:]).max(axis=1)
        kept.append(np.mean(error < 0.1))
    unit = np.exp(-3 * np.arange(256) / 256)
    expected = np.mean(1 - (1 - unit) ** 3)
    assert abs(np.mean(kept) - expected) < 3 * np.sqrt(0.25 / (4 * 256))


@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_a_long_stream_stays_within_what_was_stored(rate):
    """Weights are means of what was stored: they leave its hull by rounding alone, and g never passes 1."""
    memory = sf.KeyValueMemory(4, 2, 30, sf.Winners(fan_in=0.5, rate=rate), seed=0)
    low, high = np.inf, -np.inf
    for part in range(30):
        keys, values = pairs(10_000, part, n=4, v=2)
        memory.store(keys, values)
        low, high = min(low, values.min()), max(high, values.max())
        held = memory.strength > 0
        assert memory.strength.max() <= 1
        assert np.linalg.norm(memory.keys, axis=1).max() <= 3 * (1 + 1e-12)
        between = memory.values[:, held] / memory.strength[held]
        assert between.min() >= low - 1e-12
        assert between.max() <= high + 1e-12
        read = memory.read(keys[-100:])
        assert read.min() >= low - 1e-12
        assert read.max() <= high + 1e-12
    assert memory.n_stored == 300_000
    np.testing.assert_allclose(memory.strength[memory.strength > 0].min(), 1, atol=1e-3)


def test_huge_numbers_do_not_overflow():
    memory = small()
    keys, values = np.full((3, N), LARGEST), np.full((3, V), -LARGEST)
    memory.store(keys * [[1], [-1], [1e-50]], values)
    memory.store(np.full(N, 5e-324), np.full(V, 5e-324))
    with np.errstate(all="raise"):
        assert np.isfinite(memory.read(keys)).all()
        np.testing.assert_allclose(memory.attention(keys).sum(axis=1), 1)


def test_threads_may_read_at_once():
    memory = sf.KeyValueMemory(N, V, 500, sf.Winners(reading="winners"), seed=0)
    keys, values = pairs(200)
    memory.store(keys, values)
    expected = memory.read(keys)
    with ThreadPoolExecutor(4) as pool:
        for read in pool.map(lambda _: memory.read(keys), range(40)):
            np.testing.assert_array_equal(read, expected)


@pytest.mark.parametrize("normalise", [True, False])
def test_threads_that_store_and_read_take_turns(normalise):
    """Units that are about to come into use while others read: all that is read is some state of serial use."""
    memory, serial = (sf.KeyValueMemory(N, V, 400, replace(STORAGE, normalise=normalise), seed=0) for _ in range(2))
    keys, values = pairs(4000)
    asked = keys[-200:]
    states = {serial.read(asked).tobytes()}
    for begin in range(0, 4000, 1000):
        serial.store(keys[begin : begin + 1000], values[begin : begin + 1000])
        states.add(serial.read(asked).tobytes())

    def store():
        for begin in range(0, 4000, 1000):
            memory.store(keys[begin : begin + 1000], values[begin : begin + 1000])

    with ThreadPoolExecutor(3) as pool:
        storing = pool.submit(store)
        reads = list(pool.map(lambda _: (memory.read(asked), memory.attention(asked[:2])), range(20)))
        storing.result()
    assert all(np.isfinite(part).all() for read in reads for part in read)
    assert {read.tobytes() for read, _ in reads} <= states
    assert_same(memory, serial)


def test_threads_that_store_at_once_fill_no_more_units_than_there_are():
    memory = sf.KeyValueMemory(N, V, 400, seed=0)
    keys, values = pairs(4000)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: memory.store(keys[n::8], values[n::8]), range(8)))
    assert memory.n_stored == 4000
    assert memory._pairs.fast.held[0] == np.count_nonzero(memory.strength) <= 400
    assert np.isfinite(memory.read(keys)).all()


@pytest.mark.parametrize(
    "copied", [lambda memory: memory.copy(), copy.deepcopy, lambda memory: pickle.loads(pickle.dumps(memory))]
)
def test_copies_go_on_by_themselves(copied):
    keys, values = pairs(30)
    memory = small()
    memory.store(keys[:20], values[:20])
    other = copied(memory)
    assert_same(other, memory)
    other.store(keys[20:], values[20:])
    assert (memory.n_stored, other.n_stored) == (20, 30)
    memory.store(keys[20:], values[20:])
    assert_same(other, memory)


KEY, VALUE = [0.5] * N, [0.5] * V


@pytest.mark.parametrize(
    ("keys", "values", "error", "message"),
    [
        ([[*KEY[:-1], np.nan]], [VALUE], ValueError, r"keys must hold finite numbers .* not keys\[0, 5\] = nan"),
        ([KEY, KEY], [VALUE, [0, np.inf, 0]], ValueError, r"values must hold finite .* not values\[1, 1\] = inf"),
        ([1e200] * N, VALUE, ValueError, r"keys .* at most 1e\+100 in magnitude, not keys\[0\] = 1e\+200"),
        (KEY, [1e200] * V, ValueError, r"values .* not values\[0\] = 1e\+200"),
        (KEY[1:], VALUE, ValueError, r"keys must have the shape \(6,\) or \(T, 6\), not \(5,\)"),
        (KEY, VALUE[1:], ValueError, r"values must have the shape \(3,\) or \(T, 3\), not \(2,\)"),
        ([[KEY]], [[VALUE]], ValueError, r"keys must have the shape .* not \(1, 1, 6\)"),
        ([KEY, KEY[1:]], [VALUE, VALUE], ValueError, "keys must have the shape .* rows of different lengths"),
        ([], [], ValueError, r"keys must have the shape \(6,\) or \(T, 6\), not \(0,\)"),
        ([KEY, KEY], [VALUE], ValueError, r"values must be one for each key, of the shape \(2, 3\), not \(1, 3\)"),
        ([KEY], VALUE, ValueError, r"values must be one for each key, of the shape \(1, 3\), not \(3,\)"),
        (["x"] * N, VALUE, TypeError, "keys must hold real numbers, not <U1"),
        (KEY, [None] * V, TypeError, "values must hold real numbers, not object"),
        (KEY, [1j] * V, TypeError, "values must hold real numbers, not complex128"),
    ],
)
def test_what_cannot_be_stored_changes_nothing(keys, values, error, message):
    memory = small()
    memory.store(*pairs(3))
    before = state(memory)
    with pytest.raises(error, match=message):
        memory.store(keys, values)
    assert memory.n_stored == 3
    for x, y in zip(before, state(memory), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("name", ["read", "attention"])
def test_queries_are_checked(name):
    with pytest.raises(ValueError, match=r"queries must have the shape \(6,\) or \(T, 6\), not \(2, 5\)"):
        getattr(small(), name)(np.ones((2, 5)))
    with pytest.raises(ValueError, match=r"not queries\[0\] = nan"):
        getattr(small(), name)(np.full(N, np.nan))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"key_dim": 0}, ValueError, "key_dim must be an integer from 1 to"),
        ({"value_dim": 1.5}, TypeError, "value_dim must be an integer"),
        ({"n_hidden": 2}, ValueError, "n_hidden must be at least k = 3, the number of winners, not 2"),
        ({"storage": "winners"}, TypeError, "storage must be a Winners, not 'winners'"),
        ({"storage": sf.Winners(start="random")}, ValueError, "storage must have start 'zero', as keys have no tokens"),
        ({"storage": sf.Winners(address="letter")}, ValueError, "storage must have address 'key' or 'oldest'"),
        ({"storage": sf.Winners(item_fan_out=0.5)}, ValueError, "storage must have item_fan_out 1.0"),
        ({"seed": "x"}, TypeError, "seed must be an integer"),
        ({"n_hidden": 2**31 - 1, "key_dim": 2**20}, MemoryError, "a KeyValueMemory of these settings needs"),
    ],
)
def test_arguments_are_checked(changes, error, message):
    with pytest.raises(error, match=message):
        sf.KeyValueMemory(**{"key_dim": N, "value_dim": V, "n_hidden": UNITS, "seed": 0, **changes})


def test_it_says_what_it_is():
    memory = sf.KeyValueMemory(64, 32, seed=0)
    assert memory.n_weights == 256 * (64 + 32 + 1) == memory.keys.size + memory.values.size + memory.strength.size
    connections = 8 * 256 * 64
    assert memory.settings.peak_bytes() > memory.keys.nbytes + memory.values.nbytes + connections
    memory.store(*pairs(2, n=64, v=32))
    assert repr(memory) == (
        "KeyValueMemory(key_dim=64, value_dim=32, n_hidden=256, "
        "storage=Winners(fan_in=1.0)): 24,832 weights, 2 pairs stored"
    )


def test_seeds_decide():
    one, same, other = small(seed=0), small(seed=0), small(seed=1)
    for memory in (one, same, other):
        memory.store(*pairs(4))
    assert_same(one, same)
    assert (one.strength != other.strength).any()


@settings(max_examples=50)
@given(storages(), st.integers(0, 30), st.integers(0, 2**32))
def test_a_saved_memory_goes_on_as_if_it_never_was(storage, n_pairs, seed):
    keys, values = pairs(n_pairs + 20, seed)
    never = small(storage, seed)
    never.store(keys[:n_pairs], values[:n_pairs])
    with quick_file() as path:
        never.save(path)
        loaded = sf.KeyValueMemory.load(path)
    assert loaded.settings == never.settings
    assert_same(loaded, never)
    np.testing.assert_array_equal(loaded.read(keys), never.read(keys))
    for memory in (loaded, never):
        memory.store(keys[n_pairs:], values[n_pairs:])
    assert_same(loaded, never)
    np.testing.assert_array_equal(loaded.attention(keys), never.attention(keys))


def good_file(path):
    memory = small(sf.Winners(fan_in=0.5, rate=0.5))
    memory.store(*pairs(4))
    memory.save(path)
    return path.read_bytes()


def holding(name, value):
    """A number in the first unit that holds nothing."""

    def make(content):
        memory = small(sf.Winners(fan_in=0.5, rate=0.5))
        memory.store(*pairs(4))
        return numbers_with(name, put(int(np.argmin(memory.strength)), value))(content)

    return make


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda content: content[:-1], "its arrays end at byte"),
        (lambda content: content[:5], "too few"),
        (metadata_with(format="slotfree.KWinnerMHN"), "its format is 'slotfree.KWinnerMHN'"),
        (metadata_with(version="2"), "its version is '2'"),
        (metadata_with(n_stored="-1"), "not a count"),
        (metadata_with(n_stored="0"), "units hold something, which 0 pairs cannot have made"),
        (metadata_with(n_stored="2"), "units hold something, which 2 pairs cannot have made"),
        (settings_with(n_hidden=2), "n_hidden must be at least k = 3"),
        (settings_with(n_hidden=21), "connections has the shape (20, 3); its settings ask for (21, 3)"),
        (settings_with(storage=3), "storage must be a Winners, not 3"),
        (settings_with(storage={"k": 3}), "not written as slotfree writes them"),
        (settings_with(storage={"slots": 3}), "its settings are wrong"),
        (without_setting("key_dim"), "its settings are wrong"),
        (entry_with("g", dtype="I64"), "g is int64, not float64"),
        (numbers_with("connections", put((0, 2), N)), "connections[0] are not ascending units below 6"),
        (numbers_with("keys", put((0, 0), np.nan)), "keys are not all from"),
        (numbers_with("values", put((0, 0), 1e101)), "values are not all from"),
        (numbers_with("g", put(0, 1.5)), "g are not all from 0 to 1"),
        (numbers_with("g", put(0, 0.1)), "g are not all 0 or at least 0.5"),
        (holding("keys", 0.5), "units that hold nothing have weights other than 0"),
        (holding("values", 0.5), "units that hold nothing have weights other than 0"),
    ],
)
def test_a_file_that_lies_is_refused(tmp_path, make, reason):
    """With the right checksum for its lies, and with that of the good one."""
    path = tmp_path / "memory"
    content = make(good_file(path))
    path.write_bytes(content)
    with pytest.raises(sf.FormatError):
        sf.KeyValueMemory.load(path)
    path.write_bytes(sealed(content))
    with pytest.raises(sf.FormatError, match=re.escape(reason)):
        sf.KeyValueMemory.load(path)


def test_every_flipped_bit_is_noticed():
    with quick_file() as path:
        good = good_file(path)
        keys = pairs(10)[0]
        expected = sf.KeyValueMemory.load(path).read(keys)
        header = 8 + int.from_bytes(good[:8], "little")
        for bit in range(0, 8 * len(good), 7):
            path.write_bytes(flipped(good, bit))
            try:
                loaded = sf.KeyValueMemory.load(path)
            except sf.FormatError:
                continue
            assert bit < 8 * header, "a changed number must be noticed"
            np.testing.assert_array_equal(loaded.read(keys), expected)


def test_mutated_files_are_refused_or_work():
    rng = np.random.default_rng(0)
    loaded = 0
    with quick_file() as path:
        good = good_file(path)
        for i in range(3000):
            mutant = edited(good, rng) if i % 3 == 0 else changed(good, rng, [good])
            path.write_bytes(sealed(mutant))
            try:
                memory = sf.KeyValueMemory.load(path)
            except sf.FormatError:
                continue
            loaded += 1
            s = memory.settings
            memory.store(np.ones(s.key_dim), np.ones(s.value_dim))
            assert np.isfinite(memory.read(np.ones(s.key_dim))).all()
            assert memory.attention(np.ones(s.key_dim)).sum() == pytest.approx(1)
    assert 30 < loaded < 1500
