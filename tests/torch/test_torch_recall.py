"""The bench of associative recall: its tasks, sizes of states, and a few steps of each model."""

import subprocess
import sys
from pathlib import Path

import pytest
from pytorch import skip_without_pytorch

skip_without_pytorch()
import torch

FOLDER = Path(__file__).parents[2] / "benchmarks" / "recall"


@pytest.fixture(scope="module")
def bench():
    """The modules of the bench, which are in no package."""
    sys.path.insert(0, str(FOLDER))
    import references
    import tasks
    import training

    yield references, tasks, training
    sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("name", ["16 pairs", "16 pairs, reassigned", "stream by age"])
def test_the_last_value_that_a_key_was_shown_with_counts(bench, name):
    _, tasks, _ = bench
    batch = tasks.TASKS[name].batch(2, torch.Generator().manual_seed(0))
    values = tasks.embeddings()[1]
    for row in range(2):
        shown, asked = batch.items[row, :, : tasks.SIZE], batch.queries[row, :, : tasks.SIZE]
        last = (shown == asked[:, None]).all(2).int().flip(1).argmax(1)
        assert (batch.ages[row] == last + 1).all()
        held = batch.items[row, len(shown) - 1 - last, tasks.SIZE :]
        assert ((held @ values.T).argmax(1) == batch.targets[row]).all()


def test_every_model_trains_and_keeps_no_more_than_it_may(bench):
    references, _, training = bench
    for model in references.MODELS:
        found = training.train_run(model, "16 pairs, reassigned", 1024, 0.01, 0, steps=2, size=2)
        assert not found["diverged"][0], model
        assert found["losses"].all(), model
        assert 0 <= found["test"][0] <= 1, model
        assert model.startswith("softmax") or 850 < found["floats"][0] <= 1024, model


def test_the_delta_rule_writes_what_its_equation_says(bench):
    references, tasks, _ = bench
    torch.manual_seed(0)
    memory = references.Delta(1024, gated=True)
    x = tasks.TASKS["16 pairs"].batch(1, torch.Generator().manual_seed(0)).items[:, :5]
    S = torch.zeros(32, 32)
    for item in x[0]:
        k = torch.nn.functional.normalize(memory.W_K(item), dim=0)
        b, decay = memory.gate(item).sigmoid(), memory.decay(item).sigmoid()
        S = decay * S
        S = S + b * torch.outer(k, memory.W_V(item) - S.T @ k)
    torch.testing.assert_close(memory.write(x)[0], S)


def test_the_bench_starts():
    done = subprocess.run([sys.executable, FOLDER, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--quick" in done.stdout


def test_what_is_recorded_is_not_replaced_by_nothing(tmp_path):
    kept = tmp_path / "recall.json"
    kept.write_text("[]")
    code = f"""
import runpy, sys
from pathlib import Path
sys.path.insert(0, {str(FOLDER.parent)!r})
import measure  # before NumPy
from slotfree.beyond import recall
recall.RECORD = Path({str(kept)!r})
sys.path.insert(0, {str(FOLDER)!r})
runpy.run_path({str(FOLDER / "__main__.py")!r}, run_name="__main__")
"""
    words = ["--stored", "--record", "--out", tmp_path / "none"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "nothing of the bench is stored" in done.stderr
    assert kept.read_text() == "[]"
