"""The memory in the page is that of the library: the page replays what Python did, and agrees to the bit."""

import base64

import numpy as np
import pytest
import twin
import xarray as xr
from scipy import ndimage

import slotfree as sf
from slotfree.forgetting import metrics
from slotfree.forgetting.agreement import agreement
from slotfree.forgetting.binned import binned_d_prime, settling
from slotfree.forgetting.merit import age_edges, bin_means, merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.patterns.similarity import mean_similarity
from slotfree.patterns.tree import TreePatterns, leaves_of

PAPER = {
    "kwinner": KWinnerSettings(),
    "onewinner": KWinnerSettings(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=1),
    "graded": KWinnerSettings(n_hidden=100, k_hidden=1, fan_in=1, learning_rate=0.3),
    "wide": KWinnerSettings(n_hidden=1000, fan_in=0.1),
    "slow": KWinnerSettings(learning_rate=0.2),
}
TIES = {
    "few connections, one winner": KWinnerSettings(n_hidden=500, k_hidden=1, fan_in=0.02, learning_rate=1),
    "tiny": KWinnerSettings(n_visible=40, n_hidden=30, k_visible=7, k_hidden=4, fan_in=0.05, learning_rate=1),
    "all win": KWinnerSettings(n_visible=30, n_hidden=5, k_visible=30, k_hidden=5, fan_in=0.5, learning_rate=0.7),
}
NAMES = ("n_visible", "n_hidden", "k_visible", "k_hidden", "fan_in", "learning_rate")
REPLAY = """({ settings, arrays, patterns, cues }) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const text = (array) => btoa(Array.from(new Uint8Array(array.buffer), (x) => String.fromCharCode(x)).join(""));
  const rows = (all) => Array.from({ length: all.length / n }, (_, t) => all.slice(t * n, (t + 1) * n));
  const n = settings.n_visible;
  const { KWinnerMHN } = slotfree;
  const memory = new KWinnerMHN(settings, { arrays: {
    connections: new Uint32Array(bytes(arrays.connections).buffer),
    weights: new Float32Array(bytes(arrays.weights).buffer),
    return_weights: new Float32Array(bytes(arrays.return_weights).buffer),
  } });
  const winners = rows(bytes(patterns)).map((pattern) => Array.from(memory.store(pattern)));
  const presented = rows(bytes(cues));
  const after = memory.arrays();
  return {
    winners, connections: Array.from(after.connections), weights: text(after.weights),
    return_weights: text(after.return_weights), n_stored: memory.n_stored,
    retrieved: presented.map((cue) => Array.from(memory.retrieve(cue))),
    hidden: presented.map((cue) => Array.from(memory.hidden(cue))),
    drives: presented.map((cue) => text(memory.drives(cue))),
  };
}"""


@pytest.fixture(autouse=True, scope="module")
def _still(explorer):
    """The memory of the tab rests, so that the tests have the machine."""
    explorer.evaluate("location.hash = '#memory?playing=0'")


def text_of(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def numbers_of(text, dtype):
    return np.frombuffer(base64.b64decode(text), dtype)


def in_page(settings):
    return {name: getattr(settings, name) for name in NAMES}


def presented(settings, n_patterns):
    """Patterns of the usual and of other numbers of ones, none of them, and cues of all levels."""
    rng = np.random.default_rng(3)
    patterns = sf.random_patterns(n_patterns, n_visible=settings.n_visible, k_visible=settings.k_visible, seed=1)
    others = (rng.random((4, settings.n_visible)) < np.array([[0], [0.02], [0.4], [1]])).astype(np.uint8)
    stored = np.concatenate([patterns, others, patterns[-3:]])
    cues = [sf.partial_cues(stored[-12:], level, seed=2) for level in (0, 0.1, 0.5, 1)]
    return stored, np.concatenate(cues)


@pytest.mark.parametrize("name", [*PAPER, *TIES])
def test_page_replays_what_python_stored_and_recalled(explorer, name):
    settings = (PAPER | TIES)[name]
    memory = sf.KWinnerMHN(**in_page(settings), seed=5)
    arrays = memory.arrays()
    patterns, cues = presented(settings, 60)
    before = {key: text_of(arrays[key]) for key in ("weights", "return_weights")}
    before["connections"] = text_of(arrays["connections"].astype(np.uint32))
    winners = memory.store(patterns, return_winners=True)
    found = explorer.evaluate(
        REPLAY,
        {"settings": in_page(settings), "arrays": before, "patterns": text_of(patterns), "cues": text_of(cues)},
    )
    after = memory.arrays()
    assert found["n_stored"] == memory.n_stored
    assert np.array_equal(found["winners"], winners)
    assert np.array_equal(found["connections"], after["connections"].ravel())
    for key in ("weights", "return_weights"):
        assert numbers_of(found[key], np.uint32).tolist() == after[key].ravel().view(np.uint32).tolist()
    assert np.array_equal(found["retrieved"], memory.retrieve(cues))
    assert np.array_equal(found["hidden"], memory.hidden(cues))
    dense = memory.weights.astype(float)
    for drives, cue in zip(found["drives"], cues, strict=True):
        h = np.zeros(settings.n_hidden)
        for j in np.flatnonzero(cue):
            h += dense[:, j]
        assert np.array_equal(numbers_of(drives, np.float64), h)


def test_turns_in_a_tie_are_the_same_numbers(explorer):
    rng = np.random.default_rng(0)
    cases = [(rng.integers(0, 2**16, n).tolist(), int(rng.integers(0, 2**16))) for n in range(60)]
    found = explorer.evaluate(
        "(cases) => cases.map(([inputs, unit]) => slotfree.turn(...slotfree.hashInputs(inputs), unit))", cases
    )
    assert found == [twin.turn(inputs, unit) for inputs, unit in cases]


def test_winners_among_many_ties_are_the_same(explorer):
    rng = np.random.default_rng(1)
    cases = []
    for levels in (1, 2, 5, 50, 10**6):
        for n, k in ((1, 1), (7, 7), (40, 3), (300, 120)):
            drives = rng.integers(0, levels, n) / 7 * 2.0 ** rng.integers(-60, 60)
            cases.append((drives.tolist(), k, np.sort(rng.choice(1000, 9, replace=False)).tolist()))
    found = explorer.evaluate(
        """(cases) => cases.map(([drives, k, inputs]) => {
          const winners = new Uint16Array(k);
          const room = new slotfree.WinnersRoom(drives.length);
          slotfree.kWinners(Float64Array.from(drives), k, Uint16Array.from(inputs), inputs.length, winners, room);
          return Array.from(winners);
        })""",
        cases,
    )
    for winners, (drives, k, inputs) in zip(found, cases, strict=True):
        assert winners == twin.k_winners(np.array(drives), k, inputs).tolist()


def test_a_memory_of_a_seed_has_its_connections_and_uniform_weights(explorer):
    settings = {"n_hidden": 300, "k_hidden": 5, "fan_in": 0.1}
    one, same, other = (
        explorer.evaluate(
            """([settings, seed]) => {
              const { connections, weights, return_weights } = new slotfree.KWinnerMHN(settings, { seed }).arrays();
              return [connections, weights, return_weights].map((array) => Array.from(array));
            }""",
            [settings, seed],
        )
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other
    rows = np.reshape(one[0], (300, 100))
    assert (np.diff(rows, axis=1) > 0).all()
    often = np.bincount(rows.ravel(), minlength=1000)  # hypergeometric over rows: mean 30, variance 30 · 0.9
    assert abs((often - 30).var() / 27 - 1) < 5 * np.sqrt(2 / 1000)
    for weights in np.array(one[1:]):
        assert weights.min() >= 0
        assert weights.max() < 1
        assert abs(weights.mean() - 0.5) < 5 / np.sqrt(12 * weights.size)
    assert abs(np.corrcoef(one[1], one[2])[0, 1]) < 5 / np.sqrt(30_000)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"k_hidden": 3000}, "k_hidden must be an integer from 1 to 2000, not 3000"),
        ({"fan_in": 0}, "fan_in must be above 0 and at most 1, not 0"),
        ({"fan_in": 0.0001}, "fan_in must give each unit a connection, not 0.0001"),
    ],
)
def test_bad_settings_are_named(explorer, settings, words):
    found = explorer.evaluate(
        "(settings) => { try { new slotfree.KWinnerMHN(settings, { seed: 1 }); } catch (e) { return e.message; } }",
        settings,
    )
    assert found == words


def test_metrics_are_those_of_the_library(explorer):
    rng = np.random.default_rng(2)
    real, pseudo = rng.integers(50, 100, (20, 6)) / 100, rng.integers(10, 40, (20, 6)) / 100
    real[:, 4], pseudo[:, 4] = 0.75, 0.25  # the same in all runs: infinite
    real[:, 5] = pseudo[:, 5] = 0.5
    values = np.stack([real, pseudo], axis=1)[:, None]
    data = xr.Dataset({"accuracy": (("run", "cue", "kind", "age"), values)}, {"kind": ["real", "pseudo"]})
    found = explorer.evaluate(
        "(columns) => columns.map((d) => [slotfree.rawDifference(d), String(slotfree.dPrime(d))])",
        (real - pseudo).T.tolist(),
    )
    raw, sensitivity = ([float(value) for value in column] for column in zip(*found, strict=True))
    np.testing.assert_allclose(raw, metrics.raw_difference(data, samples=1).values.ravel(), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        sensitivity, metrics.d_prime(data, samples=1, corrected=False).values.ravel(), rtol=1e-12
    )


def test_binned_metrics_are_those_of_the_library(explorer):
    rng = np.random.default_rng(4)
    real, pseudo = rng.integers(50, 100, 300) / 100, rng.integers(10, 40, 300) / 100
    curve = explorer.evaluate(
        """([real, pseudo]) => {
          const meter = new slotfree.Meter(300);
          real.forEach((value, i) => meter.add(i + 1, value));
          pseudo.forEach((value) => meter.baseline.add(value));
          return meter.curve();
        }""",
        [real.tolist(), pseudo.tolist()],
    )
    points = xr.Dataset({name: ("age", [p[name] for p in curve["points"]]) for name in ("mean", "raw", "dPrime", "n")})
    mean = xr.Dataset(
        {
            "accuracy": ("age", bin_means(real, 300)),
            "square": ("age", bin_means(real**2, 300)),
            "baseline": pseudo.mean(),
            "baseline_square": (pseudo**2).mean(),
        }
    )
    assert points["n"].values.tolist() == np.diff(age_edges(300)).tolist()
    np.testing.assert_allclose(points["mean"], mean["accuracy"], rtol=1e-12)
    np.testing.assert_allclose(points["raw"], mean["accuracy"] - mean["baseline"], rtol=1e-11)
    np.testing.assert_allclose(points["dPrime"], binned_d_prime(mean), rtol=1e-9)
    wide = curve["points"][-1]
    of_bin = real[wide["first"] - 1 : wide["last"]]
    assert wide["error"] == pytest.approx(of_bin.std(ddof=1) / np.sqrt(of_bin.size))


def test_bins_settling_and_accuracy_are_those_of_the_library(explorer):
    lasts = [1, 2, 9, 100, 1000, 2000]
    assert explorer.evaluate("(lasts) => lasts.map(slotfree.ageEdges)", lasts) == [age_edges(n).tolist() for n in lasts]
    many = [*PAPER.values(), KWinnerSettings(n_hidden=4000, k_hidden=1, learning_rate=0.1)]
    found = explorer.evaluate("(all) => all.map(slotfree.settling)", [in_page(each) for each in many])
    assert found == [settling(each) for each in many]
    x, y = (np.random.default_rng(seed).integers(0, 2, (5, 50), np.uint8) for seed in (0, 1))
    found = explorer.evaluate("([x, y]) => x.map((row, t) => slotfree.accuracy(row, y[t]))", [x.tolist(), y.tolist()])
    assert found == agreement(x, y, ["accuracy"])["accuracy"].tolist()


def test_one_run_of_the_protocol_follows_the_same_law(explorer):
    settings = {"n_hidden": 200, "k_hidden": 10, "fan_in": 0.1, "learning_rate": 0.3}
    runs, n_stored, n_tested = 12, 500, 200
    data = sf.retention(settings, runs=runs, cues=(0.5,), n_stored=n_stored, n_tested=n_tested, seed=1, jobs=1)
    in_python = bin_means(data["accuracy"].isel(cue=0).transpose("kind", "run", "age").values, n_tested)
    found = explorer.evaluate(
        """([settings, options, runs]) => Array.from({ length: runs }, (_, seed) => {
          const { real, pseudo } = slotfree.retention(settings, { ...options, seed });
          return [Array.from(real), Array.from(pseudo)];
        })""",
        [settings, {"n_stored": n_stored, "n_tested": n_tested, "cue": 0.5}, runs],
    )
    in_page_ = bin_means(np.array(found).transpose(1, 0, 2), n_tested)
    differences = in_python.mean(axis=1) - in_page_.mean(axis=1)
    errors = np.hypot(*(values.std(axis=1, ddof=1) / np.sqrt(runs) for values in (in_python, in_page_)))
    # t with about 22 degrees of freedom, 40 comparisons: beyond 5 less than twice in a thousand
    assert (np.abs(differences) < 5 * errors).all()
    assert in_page_[0, :, 0].mean() - in_page_[1].mean() > 0.2  # something is remembered


def test_random_patterns_and_cues(explorer):
    patterns, cues = explorer.evaluate(
        """() => {
          const rng = new slotfree.Generator(7);
          const size = { n_visible: 50, k_visible: 9 };
          const patterns = Array.from({ length: 2000 }, () => slotfree.randomPattern(size, rng));
          const levels = [0, 0.05, 0.1, 0.5, 0.94, 1];
          const cues = levels.map((level) => Array.from(slotfree.partialCue(patterns[0], level, rng)));
          return [patterns.map((pattern) => Array.from(pattern)), cues];
        }"""
    )
    patterns = np.array(patterns)
    assert (patterns.sum(axis=1) == 9).all()
    shares = patterns.sum(axis=0)  # mean 360, variance 2000 · 0.18 · 0.82
    assert (np.abs(shares - 360) < 5 * np.sqrt(2000 * 0.18 * 0.82)).all()
    expected = [
        int(sf.partial_cues(patterns[0].astype(np.uint8), c, seed=0).sum()) for c in (0, 0.05, 0.1, 0.5, 0.94, 1)
    ]
    assert [sum(cue) for cue in cues] == expected
    assert all((np.array(cue) <= patterns[0]).all() for cue in cues)


def test_a_tree_grows_as_in_the_library(explorer):
    patterns, parent, leaves = explorer.evaluate(
        """() => {
          const tree = slotfree.PatternTree.grow({ n_nodes: 2000, n_flips: 10 }, new slotfree.Generator(1));
          const ones = tree.patterns.map((pattern) => Array.from(slotfree.positions(pattern)));
          return [ones, Array.from(tree.parent), tree.leaves];
        }"""
    )
    nodes = np.zeros((2000, 1000), np.uint8)
    for node, ones in zip(nodes, patterns, strict=True):
        node[ones] = 1
    parent = np.array(parent)
    assert (nodes.sum(axis=1) == 100).all()
    assert parent[0] == -1
    assert (parent[1:] < np.arange(1, 2000)).all()
    assert (parent[1:] >= 0).all()
    flips = nodes[1:].astype(int) - nodes[parent[1:]]
    assert ((flips == 1).sum(axis=1) == 10).all()
    assert ((flips == -1).sum(axis=1) == 10).all()
    assert leaves == leaves_of(parent).tolist()
    places = parent[1:] / np.arange(1, 2000)  # each earlier node is as likely: about uniform
    assert abs(places[100:].mean() - 0.5) < 0.01 + 5 / np.sqrt(12 * 1900)
    trees = [sf.PatternTree.grow(n_nodes=2000, n_flips=10, seed=seed).leaf_patterns for seed in range(8)]
    similar = [mean_similarity(tree) for tree in trees]
    assert abs(mean_similarity(nodes[leaves]) - np.mean(similar)) < 5 * np.std(similar, ddof=1)


def test_clusters_flip_as_many_bits(explorer):
    prototypes, patterns = explorer.evaluate(
        """() => {
          const rng = new slotfree.Generator(1);
          const clusters = new slotfree.PatternClusters({ n_clusters: 5, n_flips: 15 }, rng);
          const rows = (all) => all.map((pattern) => Array.from(pattern));
          return [rows(clusters.prototypes), rows(Array.from({ length: 50 }, () => clusters.draw(rng)))];
        }"""
    )
    shared = np.array(patterns) @ np.array(prototypes).T
    assert (np.sum(patterns, axis=1) == 100).all()
    assert (shared.max(axis=1) == 85).all()
    assert len(set(shared.argmax(axis=1))) == 5


def test_leaves_are_stored_once_and_those_kept_apart_never(explorer):
    stored, never = explorer.evaluate(
        """() => {
          const source = slotfree.sourceOf({ similarity: "tree", n_flips: 10 }, { n_visible: 200, k_visible: 30 }, 3);
          const [stored, never] = [[], []];
          while (source.left() > 0) stored.push(source.next().join(""));
          for (let t = 0; t < 1000; t++) never.push(source.never().join(""));
          return [stored, never];
        }"""
    )
    assert 5000 < len(stored) < 7000  # half of 14,000 nodes are leaves, of which 1000 are kept apart
    assert len(set(stored)) > 0.999 * len(stored)  # two children may be alike by chance
    assert len(set(never) & set(stored)) < 3


def test_a_drawing_is_thickened_around_what_is_drawn_or_thinned(explorer):
    drawn, thick, thin = explorer.evaluate(
        """() => {
          const drawn = new Uint8Array(1000);
          for (let x = 10; x < 30; x++) drawn[12 * 40 + x] = 1;
          const thin = slotfree.thinned(new Uint8Array(1000).fill(1, 0, 300), 100, new slotfree.Generator(1));
          return [drawn, slotfree.thickened(drawn), thin].map((pattern) => Array.from(pattern));
        }"""
    )
    drawn, thick, thin = (np.reshape(each, (25, 40)) for each in (drawn, thick, thin))
    assert thick.sum() == thin.sum() == 100
    assert (thick >= drawn).all()
    # 20 cells in a row, and the 80 closest: two rows on either side, but for a few at the ends
    assert set(np.nonzero(thick)[0]) == {10, 11, 12, 13, 14}
    assert thin.ravel()[300:].sum() == 0


def pieces(grid):
    """How many cells each connected part of a drawing has; cells that touch at a corner are connected."""
    return sorted(np.bincount(ndimage.label(grid, structure=np.ones((3, 3)))[0].ravel())[1:].tolist())


def test_the_face_and_the_digits_have_100_cells_and_none_lies_apart(explorer):
    rows = explorer.evaluate(
        "() => [slotfree.face(), ...Array.from('0123456789', (d) => slotfree.digit(Number(d)))].map((p) => [...p])"
    )
    face, *digits = np.reshape(rows, (11, 25, 40))
    assert [grid.sum() for grid in (face, *digits)] == [100] * 11
    assert pieces(face)[:2] == [6, 6], "the eyes"
    assert len(pieces(face)) == 4
    assert np.array_equal(face, face[:, ::-1])
    assert [len(pieces(digit)) for digit in digits] == [1] * 10
    holes = [ndimage.label(1 - digit, structure=np.ones((3, 3)))[1] - 1 for digit in digits]
    assert holes == [1, 0, 0, 0, 1, 0, 1, 0, 2, 1]
    alike = np.reshape(rows[1:], (10, -1)) @ np.reshape(rows[1:], (10, -1)).T
    assert (alike[~np.eye(10, dtype=bool)] < 85).all()


def test_a_stream_of_digits_has_100_ones_each_and_hardly_two_alike(explorer):
    rows = explorer.evaluate(
        """() => {
          const source = slotfree.sourceOf({ similarity: "digits" }, { n_visible: 1000, k_visible: 100 }, 3);
          return Array.from({ length: 60 }, () => Array.from(source.next()));
        }"""
    )
    assert np.sum(rows, axis=1).tolist() == [100] * 60
    assert len({tuple(row) for row in rows}) == 60
    # Strokes may part where a digit is slanted, but every cell has neighbours.
    assert min(min(pieces(np.reshape(row, (25, 40)))) for row in rows) > 3


def test_roc_curves_and_their_areas_are_those_of_all_pairs(explorer):
    rng = np.random.default_rng(6)
    old, new = rng.binomial(100, 0.7, 80), rng.binomial(100, 0.6, 50)
    counts = [np.bincount(values, minlength=101).tolist() for values in (old, new)]
    found = explorer.evaluate("([old, fresh]) => slotfree.roc(old, fresh)", counts)
    data = xr.Dataset(  # the library's takes as many of both: every old one beside every new one
        {"accuracy": (("cue", "kind", "age", "run"), np.stack([np.repeat(old, 50), np.tile(new, 80)])[None, :, None])},
        {"kind": ["real", "pseudo"]},
    )
    assert found["area"] == pytest.approx(float(metrics.auc(data).squeeze()), abs=1e-12)
    assert found["n"] == 80
    alarms, hits = np.transpose(found["points"])
    criteria = np.unique([*old, *new])[::-1]
    assert alarms.tolist() == pytest.approx([0, *((new >= c).mean() for c in criteria)])
    assert hits.tolist() == pytest.approx([0, *((old >= c).mean() for c in criteria)])
    assert explorer.evaluate("slotfree.roc([0, 0], [3, 1])") is None


def test_presets_are_the_memories_of_the_paper_and_their_sentences_are_true(explorer):
    presets = explorer.evaluate(
        """() => Object.fromEntries(Object.entries(slotfree.PRESETS).map(([key, preset]) =>
          [key, { ...preset, shows: preset.shows(preset.facts) }]))"""
    )
    for name, settings in PAPER.items():
        assert KWinnerSettings(**presets[name]["settings"]) == settings
        predicted = merits(sf.predict_retention(settings, cues=(1.0,), ages=np.arange(1, 1001))).isel(cue=0)
        for fact, value in presets[name]["facts"].items():
            assert float(predicted[fact]) == pytest.approx(value, abs=1 if fact == "half_life" else 0.006), (name, fact)
    trees = [name for name in presets if name.startswith("tree")]
    assert {presets[name]["source"]["n_flips"] for name in trees} == {5, 10, 30}
    for name in trees:
        preset = presets[name]
        source = TreePatterns(preset["source"]["n_flips"])
        data = sf.retention(preset["settings"], source, runs=6, cues=(1.0,), seed=0, jobs=1)["accuracy"].isel(cue=0)
        newest = float(data.sel(kind="real", age=slice(1, 3)).mean())
        assert newest == pytest.approx(preset["facts"]["initial_accuracy"], abs=0.04)
        assert float(data.sel(kind="pseudo").mean()) == pytest.approx(preset["facts"]["baseline"], abs=0.02)
    for name, preset in presets.items():
        assert all(str(value) in preset["shows"] for fact, value in preset["facts"].items() if fact == "half_life"), (
            name
        )
