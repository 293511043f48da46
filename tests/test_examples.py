"""The examples run, as the documentation says, and what they claim could be otherwise."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import slotfree as sf
from slotfree.cli.main import main
from slotfree.forgetting.protocol import labelled
from slotfree.study import Results
from slotfree.study.load import load_study, modules_of
from slotfree.study.scale import SCALES

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ["own_memory", "own_attention"])
def test_it_runs_at_the_quick_scale(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", f"slotfree run {EXAMPLES / name}.py --scale quick --out {tmp_path}".split())
    main()
    rows = json.loads((tmp_path / "claims.json").read_text())
    assert rows
    assert {(row["source"], row["verdict"]) for row in rows} == {("ours", None)}
    assert sum(row["measured"] is not None for row in rows) >= 2  # an age or a step never reached is infinite: null
    (figure,) = (tmp_path / "figures").glob("*.svg")
    assert (tmp_path / "tables" / f"{figure.stem}.csv").read_text().count("\n") > 10
    assert (tmp_path / "report.html").exists()


@pytest.fixture(scope="module")
def own_memory():
    return modules_of(load_study(EXAMPLES / "own_memory.py"))[0]


@pytest.fixture(scope="module")
def own_attention():
    return modules_of(load_study(EXAMPLES / "own_attention.py"))[0]


def test_both_memories_have_the_same_number_of_weights(own_memory):
    assert own_memory.SAME_SIZE.n_weights == own_memory.N_WEIGHTS


@pytest.mark.parametrize("seed", range(5))
def test_the_memory_recalls_what_it_has_just_stored_and_keeps_its_bound(own_memory, seed):
    memory = own_memory.BoundedHopfield(bound=0.4)
    patterns = sf.random_patterns(30, n_visible=200, k_visible=20, seed=seed)
    memory.store(patterns)
    np.testing.assert_array_equal(memory.retrieve(sf.partial_cues(patterns[-3:], 0.5, seed=seed)), patterns[-3:])
    assert np.abs(memory.weights).max() == 0.4
    np.testing.assert_array_equal(memory.weights, memory.weights.T)


def memory_verdicts(module, bounded, k_winner):
    """Made-up accuracies: of stored patterns by age, around those of patterns never stored."""
    rng, data = np.random.default_rng(0), {}
    for experiment, by_age in ((module.BOUNDED, bounded), (module.K_WINNER, k_winner)):
        kinds = np.stack([by_age, np.full(300, 0.2)]) + rng.normal(0, 0.02, (100, 2, 2, 300))
        data[experiment.name] = labelled({"accuracy": kinds}, (1.0, 0.5), ("real", "pseudo"))
    return {claim.name: claim.verdict for claim in module.claims(Results(data, SCALES["paper"], 0))}


def test_claims_about_the_memory_can_be_confirmed_contradicted_and_left_open(own_memory):
    steep, flat = np.where(np.arange(300) < 30, 1.0, 0.2), np.full(300, 0.4)
    assert set(memory_verdicts(own_memory, steep, flat).values()) == {"confirmed"}
    assert set(memory_verdicts(own_memory, flat, steep).values()) == {"contradicted"}
    alike = memory_verdicts(own_memory, flat, flat)
    assert {verdict for name, verdict in alike.items() if name != "newest"} == {"inconclusive"}


def attention_verdicts(module, ends, learnt_at):
    """Made-up trainings: accuracy is 0.5, then, from some iteration on, what it is at the end."""
    jitter, data = np.arange(10)[:, None] * 25, {}
    for (experiment, end), start in zip(zip(module.MODELS.values(), ends, strict=True), learnt_at, strict=True):
        accuracy = np.where(np.arange(3000) >= start + jitter, end, 0.5)
        data[experiment.name] = xr.Dataset(
            {"accuracy": (("run", "iteration"), accuracy)}, {"iteration": np.arange(3000)}
        )
    return {claim.name: claim.verdict for claim in module.claims(Results(data, SCALES["paper"], 0))}


def test_claims_about_attention_can_be_confirmed_contradicted_and_left_open(own_attention):
    later, same = (500, 1000, 2000), (500, 500, 500)
    assert set(attention_verdicts(own_attention, (1, 1, 1), later).values()) == {"confirmed"}
    assert set(attention_verdicts(own_attention, (0.9, 1, 1), later[::-1]).values()) == {"contradicted"}
    alike = attention_verdicts(own_attention, (1, 1, 1), same)
    assert alike == {"few": "confirmed", "later-16": "inconclusive", "later-32": "inconclusive"}


@pytest.mark.cluster
def test_one_memory_on_three_workers():
    pytest.importorskip("distributed")
    command = [sys.executable, EXAMPLES / "sharded.py"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stderr
    first, second, third = told.stdout.splitlines()
    assert first == "ShardedKWinner: 2,000,000 synapses in 3 shards, 100 patterns stored"
    assert float(second.partition("%")[0]) > 50
    assert third == "every bit is the same as in one process"
