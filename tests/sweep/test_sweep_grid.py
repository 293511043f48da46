import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

import slotfree as sf
from slotfree.memory import base
from slotfree.memory.base import BinaryMemory
from slotfree.patterns.tree import TreePatterns, nodes_for
from slotfree.runs.seeds import seed_for
from slotfree.sweep import grid
from slotfree.sweep.grid import points_of, sweep_from
from slotfree.sweep.parameters import Parameter, SweepError, named
from slotfree.sweep.values import read_toml

EXAMPLES = Path(__file__).parents[2] / "examples"


def points(**entries):
    return points_of(sweep_from(entries))[0]


def test_points_are_the_product_in_the_order_given():
    found = points(kind="memory", k_hidden="5,3", learning_rate="0.1,1", fan_in=0.5)
    assert [tuple(p.chosen.values()) for p in found] == [(5, 0.1, 0.5), (5, 1.0, 0.5), (3, 0.1, 0.5), (3, 1.0, 0.5)]
    assert sweep_from({"kind": "memory", "k_hidden": "5,3", "fan_in": 0.5}).swept == ("k_hidden",)
    assert found[0].title(("k_hidden", "learning_rate")) == "k_hidden 5, learning_rate 0.1"


def test_a_point_knows_all_its_parameters_and_defaults_are_the_models():
    (memory,) = points(kind="memory")
    assert memory.parameters == {
        "n_visible": 1000, "n_hidden": 2000, "k_visible": 100, "k_hidden": 50,
        "fan_in": 0.05, "learning_rate": 0.3, "source": "random",
    }  # fmt: skip
    assert memory.text == points(kind="memory", learning_rate="0.3", n_hidden=2000)[0].text
    (model,) = points(kind="transformer", key_rule="fixed")
    assert (model.parameters["n_hidden"], model.parameters["key_dim"]) == (10, 50)
    assert [model.parameters[f"learning_rate_{w}"] for w in "qkv"] == [1e-3, 0.0, 1e-3]
    assert model.text == points(kind="transformer", key_rule="fixed", n_hidden=10, learning_rate=1e-3)[0].text


def test_settings_reach_the_model_and_the_task():
    (point,) = points(
        kind="transformer", key_rule="mhn", input_projections="no", key_dim=7, n_hidden=9, storage="winner",
        n_letters=6, context_length=3, batch_size=5, learning_rate=0.01, learning_rate_k=0.02, iterations=11,
    )  # fmt: skip
    plan = point.run.plan
    assert plan.model == sf.SlotFreeTransformer("mhn", False, 7, 9)
    assert plan.task == sf.CaseSequenceTask(6, 3)
    assert (plan.batch_size, plan.rates, plan.iterations) == (5, (0.01, 0.02, 0.01), 11)
    (baseline,) = points(kind="transformer", model="baseline", beta=0.5, gradients="published")
    assert baseline.run.plan.model == sf.BaselineTransformer(beta=0.5, gradients="published")


def test_parameters_a_model_does_not_have_are_left_out_for_it():
    found = points(kind="transformer", model="baseline,slot-free", key_rule="fixed,mhn", learning_rate_k="0.1,0.2")
    chosen = [tuple(point.chosen.values()) for point in found]
    assert chosen == [
        ("baseline", None, 0.1), ("baseline", None, 0.2),
        ("slot-free", "fixed", None), ("slot-free", "mhn", 0.1), ("slot-free", "mhn", 0.2),
    ]  # fmt: skip
    assert found[2].run.plan.rates[1] == 0


def test_distributed_contexts_can_be_swept_and_change_no_other_point():
    one, *several = points(kind="transformer", storage="winner,winners", k_winners="2,3", rate=0.5, n_hidden=40)
    assert one.text == points(kind="transformer", n_hidden=40)[0].text
    assert "k_winners" not in one.parameters
    assert [point.run.plan.model.storage for point in several] == [sf.Winners(2, rate=0.5), sf.Winners(3, rate=0.5)]
    assert several[0].parameters | {"k_winners": 2, "fan_in": 0.1, "rate": 0.5} == several[0].parameters
    with pytest.raises(SweepError, match="fan_in is no parameter of the models in this grid"):
        points(kind="transformer", fan_in=0.2)


def test_matching_keeps_the_number_of_weights():
    """f·n_h is off by at most f/2: n_h is an integer. f is what is really connected, whole connections of n_v."""
    for n_visible in (1000, 333):
        found = points(kind="memory", fan_in="0.01:1:40", n_visible=n_visible, k_hidden=1, match_weights=True)
        assert len(found) > 30
        for point in found:
            settings = sf.KWinnerSettings(**{k: v for k, v in point.parameters.items() if k != "source"})
            f = settings.n_connections / n_visible
            assert abs(f * settings.n_hidden - 100) <= f / 2
            assert abs(settings.n_synapses - 100 * n_visible) <= settings.n_connections / 2
    exact = {p.parameters["fan_in"]: p.parameters["n_hidden"] for p in points(
        kind="memory", fan_in="0.02,0.05,0.1,1", match_weights="yes")}  # fmt: skip
    assert exact == {0.02: 5000, 0.05: 2000, 0.1: 1000, 1.0: 100}
    assert points(kind="memory", fan_in=0.1, match_weights="50")[0].parameters["n_hidden"] == 500
    assert points(kind="memory", fan_in=0.1, match_weights=False)[0].parameters["n_hidden"] == 2000


@dataclass(frozen=True)
class EchoSettings:
    """The settings of a memory that is declared here."""

    n_visible: int = 10
    k_visible: int = 3
    loudness: float = 0.5
    n_weights: ClassVar[int] = 0


class Echo(BinaryMemory[EchoSettings]):
    """Recalls the first units, whatever the cue."""

    def _begin(self, rng):
        pass

    def _store(self, patterns):
        pass

    def _retrieve(self, cues, out):
        out[:, : self.settings.k_visible] = 1

    @classmethod
    def saved(cls, settings, n_stored):
        return []


@pytest.fixture
def echo():
    """A memory of one's own, which is forgotten after the test."""
    base._MEMORIES[EchoSettings] = Echo
    yield
    del base._MEMORIES[EchoSettings]


del base._MEMORIES[EchoSettings]


@pytest.mark.usefixtures("echo")
def test_every_declared_memory_can_be_swept():
    parameters = named("memory")
    assert parameters["memory"].words[0] == "KWinnerMHN"
    assert parameters["loudness"] == Parameter("loudness", "number", "Of Echo [0.5].")
    others = "BTSP 0.1; ClassicalHopfield 0.1; StackedKWinner 0.01; StochasticBinary 0.1; Willshaw 0.1"
    assert parameters["fan_in"].meaning.endswith(f"[0.05; {others}]")
    assert "layers" not in parameters
    small = {"n_visible": 100, "k_visible": 9, "fan_in": 0.5, "n_hidden": 8, "k_hidden": 2, "n_locations": 10}
    found = points(
        kind="memory", memory=list(parameters["memory"].words), **small, loudness=0.2, n_stored=5, n_tested=3
    )
    assert len(found) == len(parameters["memory"].words)
    for point in found:
        settings = point.run.memory
        assert base.memories()[point.chosen["memory"]].settings_class is type(settings)
        expected = {name: getattr(settings, name, None) for name in small | {"loudness": 0}}
        assert {name: point.chosen[name] for name in expected} == expected
        assert point.run(seed_for(0))["accuracy"].shape == (2, 2, 3)


def test_the_default_memory_is_the_same_point_whether_named_or_not():
    named_, unnamed = points(kind="memory", memory="KWinnerMHN")[0], points(kind="memory")[0]
    assert named_.text == unnamed.text
    other = points(kind="memory", memory="Willshaw,SparseDistributedMemory", fan_in="0.1,0.2")
    assert [point.title(("memory", "fan_in")) for point in other] == [
        "memory Willshaw, fan_in 0.1", "memory Willshaw, fan_in 0.2", "memory SparseDistributedMemory",
    ]  # fmt: skip
    assert '"memory": "Willshaw"' in other[0].text


def test_options_of_a_memory_can_be_swept_and_change_no_other_point():
    found = points(kind="memory", tied="no,yes", storing="best,random")
    assert [(p.run.memory.tied, p.run.memory.storing) for p in found] == [
        (False, "best"), (False, "random"), (True, "best"), (True, "random"),
    ]  # fmt: skip
    assert found[0].text == points(kind="memory")[0].text
    assert len({p.text for p in found}) == 4
    assert [(p.columns["tied"], p.columns["storing"]) for p in found] == [
        ("no", "best"), ("no", "random"), ("yes", "best"), ("yes", "random"),
    ]  # fmt: skip
    assert points(kind="memory", tied=True)[0].text == found[2].text
    assert named("memory")["tied"].meaning.endswith("[no]")
    with pytest.raises(SweepError, match="tied must be yes or no, not 'maybe'"):
        points(kind="memory", tied="maybe")
    with pytest.raises(SweepError, match="storing must be best or random, not 'worst'"):
        points(kind="memory", storing="worst")


def test_trees_have_leaves_enough():
    assert nodes_for(5000) == 14_000, "as in the paper"
    for count in (1, 2, 20, 200):
        for seed in range(200):
            TreePatterns(1, None, 10, 3)(count, seed=seed)


def test_a_file_means_what_flags_mean():
    text = 'kind = "memory"\nlearning_rate = [0.1, 0.3, 1]\nk_hidden = "10:200:3"\nmatch_weights = true\n'
    text += 'cue = [1, 0.5]\nsource = ["random", "tree:10"]\nruns = 4\nn_stored = 500\nseed = 7\n'
    flags = {
        "kind": "memory", "learning_rate": "0.1,0.3,1", "k_hidden": "10:200:3", "match_weights": "yes",
        "cue": "1,0.5", "source": "random,tree:10", "runs": "4", "n_stored": "500", "seed": "7",
    }  # fmt: skip
    sweep = sweep_from(flags | {"n_tested": "100"})
    assert sweep_from(tomllib.loads(text) | {"n_tested": 100}) == sweep
    assert list(sweep.grid) == ["learning_rate", "k_hidden", "source"]
    assert sweep_from(sweep.entries()) == sweep, "a sweep can be read from what it writes"
    transformer = sweep_from({"kind": "transformer", "input_projections": [True, False], "skip_impossible": True})
    assert sweep_from(transformer.entries()) == transformer
    assert sweep_from(sweep.entries() | {"match_weights": False}) == replace(sweep, match_weights=None)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_examples_can_be_run(path):
    assert points_of(sweep_from(read_toml(path)))[0]


def test_files_that_cannot_be_used_are_refused(tmp_path):
    with pytest.raises(SweepError, match=r"--file must be a TOML file that can be read, but .* No such file"):
        read_toml(tmp_path / "none.toml")
    (tmp_path / "wrong.toml").write_text("kind = memory")
    with pytest.raises(
        SweepError, match=r"--file must be a TOML file, but .*wrong.toml is not: Invalid value \(at line"
    ):
        read_toml(tmp_path / "wrong.toml")
    (tmp_path / "wrong.toml").write_bytes(b"kind = '\xff'")
    with pytest.raises(SweepError, match=r"--file must be a TOML file, but .*wrong.toml is not: 'utf-8'"):
        read_toml(tmp_path / "wrong.toml")


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"kind": "slots"}, "kind must be memory or transformer, not 'slots'"),
        (
            {"learning_rates": 1},
            "a sweep has no 'learning_rates'; did you mean learning_rate.* there are kind, memory",
        ),
        ({"iterations": 5}, "a sweep has no 'iterations'; .*there are kind, memory"),
        ({"kind": "transformer", "cue": 1}, "a sweep has no 'cue'; .*there are kind, model"),
        ({"runs": 0}, "runs must be an integer from 1 to .*, not 0"),
        ({"runs": "1,2"}, "runs must be one integer, not '1,2': it cannot be swept"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"n_stored": 10, "n_tested": 1000}, "n_tested must be at most n_stored = 10, not 1000"),
        ({"cue": "1.5"}, r"cue must be a number in \(0, 1\], not 1.5"),
        ({"cue": "0"}, r"cue must be a number in \(0, 1\], not 0.0"),
        ({"match_weights": True, "n_hidden": 5}, "n_hidden follows from fan_in with match_weights; leave one of"),
        ({"match_weights": -5}, "match_weights must be a number > 0, not -5.0"),
        ({"match_weights": "1,2"}, "match_weights must be one f·n_h, not '1,2'"),
        ({"match_weights": "many"}, "match_weights must be numbers"),
        ({"match_weights": True, "memory": "KWinnerMHN,Willshaw"}, "match_weights is for the memory KWinnerMHN alone"),
        ({"memory": "Slots"}, "memory must be KWinnerMHN, .* or .*, not 'Slots'"),
        ({"decay": 0.1}, "decay is no parameter of the memories in this grid; leave it out, or change the memories"),
        ({"memory": "Willshaw", "k_hidden": 5}, "k_hidden is no parameter of the memories in this grid"),
        ({"memory": "StackedKWinner", "slow_rule": "none"}, "impossible point: .*: slow_rule must be "),
        ({"skip_impossible": 1}, "skip_impossible must be True or False, not 1"),
        ({"kind": "transformer", "beta": 1}, "beta is no parameter of the models in this grid"),
        ({"kind": "transformer", "model": "baseline", "n_hidden": 1}, "n_hidden is no parameter of the models in"),
        ({"kind": "transformer", "key_rule": "fixed", "learning_rate_k": 1}, "learning_rate_k is no parameter of the"),
        ({"learning_rate": 2}, r"impossible point: learning_rate 2: .* must be a number in \(0, 1\], not 2.0$"),
        (
            {"k_hidden": "50,500", "fan_in": "0.05,1", "match_weights": True},
            r"impossible point: k_hidden 500, fan_in 1: k_hidden must be an integer from 1 to n_hidden = 100, "
            "not 500; change the grid, or leave out such points with --skip-impossible",
        ),
        ({"source": "random,tree:200"}, "impossible point: source tree:200: n_flips must be an integer from 0 to"),
        (
            {"kind": "transformer", "n_letters": "4,8,9", "n_hidden": "12,16"},
            r"impossible point: n_letters 8, n_hidden 12: n_hidden must be at least 16 with input projections.* "
            r"\(3 of the grid's points are impossible\)",
        ),
        ({"kind": "transformer", "context_length": 5}, "context_length must be .* from 1 to n_letters = 4, not 5"),
        ({"kind": "transformer", "learning_rate": 0}, r"learning_rates\['W_Q'\] must be a number > 0, not 0.0"),
    ],
)
def test_wrong_sweeps_are_refused(entries, message):
    with pytest.raises(SweepError, match=message):
        points_of(sweep_from({"kind": "memory", **entries}))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            {"learning_rate": "0.1:1:10000", "n_hidden": "1:10000:10000"},
            r"at most 100,000 points, not 100,000,000 \(10,000 values of learning_rate × 10,000 values of n_hidden\)",
        ),
        ({"runs": 10**9}, r"at most 1,000,000 runs, not 1,000,000,000 \(points × runs = 1 × 1,000,000,000\)"),
        ({"fan_in": "0.1:1:1000", "runs": 1001}, r"at most 1,000,000 runs, not 1,001,000 \(points × runs = 1,000 × "),
    ],
)
def test_sweeps_that_could_not_be_run_are_refused_before_their_points_are_made(monkeypatch, entries, message):
    memory = replace(grid.KINDS["memory"], point=lambda *given: pytest.fail("a point is made"))
    monkeypatch.setitem(grid.KINDS, "memory", memory)
    with pytest.raises(SweepError, match=message):
        points_of(sweep_from({"kind": "memory", **entries}))


def test_all_patterns_are_tested_where_few_are_stored():
    assert sweep_from({"kind": "memory", "n_stored": "100"}).sizes == {"n_stored": 100, "n_tested": 100}
    assert sweep_from({"kind": "memory", "n_stored": 5000}).sizes == {"n_stored": 5000, "n_tested": 1000}


def test_large_sweeps_are_taken():
    assert sweep_from({"kind": "memory", "fan_in": "0.1:1:1000", "runs": 1000}).runs == 1000
    assert len(sweep_from({"kind": "memory", "fan_in": "0.1:1:10000", "runs": 100}).grid["fan_in"]) == 10_000


def test_impossible_points_can_be_skipped_if_some_are_left():
    entries = {"kind": "memory", "n_hidden": "10,100", "k_hidden": "5,50", "skip_impossible": True}
    found, skipped = points_of(sweep_from(entries))
    assert [(p.chosen["n_hidden"], p.chosen["k_hidden"]) for p in found] == [(10, 5), (100, 5), (100, 50)]
    assert skipped == ["n_hidden 10, k_hidden 50: k_hidden must be an integer from 1 to n_hidden = 10, not 50"]
    with pytest.raises(SweepError, match="impossible point: n_hidden 10, k_hidden 50"):
        points_of(sweep_from(entries | {"n_hidden": 10, "k_hidden": 50}))
