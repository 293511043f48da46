"""What notebooks show of transformers, trainings and memories of keys and values."""

from dataclasses import dataclass

import numpy as np
import pytest
from notebook_html import parsed, table_of, text_of

import slotfree as sf
from slotfree.attention.training import initial_weights
from slotfree.tasks.sequences import Sequences

TASK = sf.CaseSequenceTask(n_letters=3, context_length=2)


@pytest.mark.parametrize(
    ("thing", "shown"),
    [
        (sf.SlotFreeTransformer(), {"key_rule": "query-key", "n_hidden": "16", "storage": "winner"}),
        (
            sf.SlotFreeTransformer("fixed", False, storage=sf.Winners(rate=0.5)),
            {"input_projections": "False", "storage": "Winners(k=3, fan_in=0.1, item_fan_out=1, rate=0.5)"},
        ),
        (sf.BaselineTransformer(beta=2.0), {"key_dim": "10", "beta": "2", "gradients": "exact"}),
        (sf.Winners(k=5), {"k": "5", "reading": "all"}),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_models_and_storages_show_their_settings(thing, shown):
    html = thing._repr_html_()
    assert shown.items() <= table_of(html).items()
    assert text_of(html).startswith(type(thing).__name__)


def test_what_learns_is_told():
    assert "learns W_Q, W_V;" in text_of(sf.SlotFreeTransformer("fixed")._repr_html_())
    assert "β is 0.3162" in text_of(sf.BaselineTransformer()._repr_html_())


def test_a_training_shows_each_run_and_how_it_ended():
    result = sf.train(sf.SlotFreeTransformer(n_hidden=8), TASK, runs=3, iterations=40, batch_size=8, seed=7)
    html = result._repr_html_()
    table = table_of(html)
    ends = result.accuracy[:, -8:].mean(axis=1)
    assert table["accuracy at the end"] == ", ".join(f"{end:.3f}" for end in ends)
    assert table["runs"] == "3 of 40 iterations"
    assert table["seed"] == "7"
    assert table["task"] == "CaseSequenceTask(n_letters=3, context_length=2)"
    assert table["model"].startswith("SlotFreeTransformer(")
    lines = list(parsed(html).iter("polyline"))
    assert len(lines) == 3
    y = [float(point.split(",")[1]) for point in lines[0].get("points").split()]
    assert np.argmin(y) in np.flatnonzero(result.accuracy[0] == result.accuracy[0].max())
    assert repr(result).endswith(f"accuracy at the end {ends.min():.2f} to {ends.max():.2f}")
    assert "\n" not in repr(result)


@pytest.mark.parametrize(("runs", "iterations"), [(1, 1), (30, 2), (1, 300)])
def test_trainings_of_any_size_are_shown(runs, iterations):
    result = sf.train(sf.SlotFreeTransformer(n_hidden=8), TASK, runs=runs, iterations=iterations, batch_size=2, seed=0)
    html = result._repr_html_()
    assert len(html) < 40_000
    assert (f"and {runs - 12} more" in text_of(html)) == (runs > 12)
    (picture,) = parsed(html).iter("svg")
    alt, drawn = picture.get("aria-label"), len(list(picture.iter("polyline")))
    said = f"a line for each of the first {drawn} of {runs} runs;" if drawn < runs else "a line for each run;"
    assert said in alt
    assert f"at the end {result._ends.min():.2f} to {result._ends.max():.2f}" in alt


def test_one_run_of_one_iteration_is_told_in_the_singular():
    result = sf.train(sf.SlotFreeTransformer(n_hidden=8), TASK, runs=1, iterations=1, batch_size=2, seed=0)
    assert "): 1 run of 1 iteration, accuracy" in repr(result)
    assert table_of(result._repr_html_())["runs"] == "1 of 1 iteration"


@dataclass(frozen=True)
class Hostile:
    """A task whose words are markup."""

    name: str = "<script>alert('task')</script>"
    n_tokens: int = 4
    n_outputs: int = 2
    context_length: int = 2
    token_names: tuple = ("<b>", "&", '"', "'")

    def batch(self, size, *, seed):
        return Sequences(np.zeros((size, 2), int), np.ones(size, int), np.zeros(size, int))


def test_nothing_of_a_hostile_task_becomes_markup():
    result = sf.train(sf.BaselineTransformer(), Hostile(), runs=1, iterations=2, batch_size=2, seed=0)
    html = result._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert "<script>alert('task')</script>" in table_of(html)["task"]


def test_memories_of_pairs_and_streams_show_how_full_they_are():
    memory = sf.KeyValueMemory(key_dim=3, value_dim=2, n_hidden=30, seed=0)
    assert "0 % of the hidden units" in text_of(memory._repr_html_())
    memory.store(4 * np.eye(3), np.ones((3, 2)))
    used = int((memory.strength > 0).sum())
    html = memory._repr_html_()
    assert f"{100 * used / 30:.0f} % of the hidden units hold something: {used}" in text_of(html)
    assert "3 pairs stored" in text_of(html)
    assert table_of(html)["key_dim"] == "3"
    model = sf.SlotFreeTransformer("fixed", False, n_hidden=10)
    stream = model.stream(initial_weights(model, TASK, seed=0), TASK)
    stream.store("aBc")
    assert "3 items stored" in text_of(stream._repr_html_())
    assert table_of(stream._repr_html_())["task"].startswith("CaseSequenceTask(")
