"""The theory's curves in the page, against fresh predictions: stale data fail."""

import contextlib
import zlib
from pathlib import Path

import numpy as np
import pytest

import slotfree as sf
from slotfree.explorer import theory
from slotfree.explorer.assemble import ROOM, bundle
from slotfree.forgetting.theory.limits import TheoryLimitError

N_SAMPLED = 8
ALL_AGES = np.arange(1, theory.OLDEST + 1)
SCRIPT = f"""
async (wanted) => {{
  {bundle(ROOM / "scripts", "theory.js")}
  const {{ GRID, TheoryTable, whyNoCurve }} = modules["theory.js"];
  const table = await TheoryTable.load();
  const found = wanted.map((settings) => {{
    const curve = table.curve(settings);
    if (!curve) return {{ why: whyNoCurve(settings) }};
    return {{ ages: [...curve.ages], accuracy: [...curve.accuracy], baseline: curve.baseline }};
  }});
  return {{ GRID, found }};
}}
"""


def predicted(memory):
    """What is predicted of a memory now, for each cue that theory covers."""
    found = {}
    with contextlib.suppress(TheoryLimitError):
        for cue in reversed(theory.GRID["cue"]):
            found[cue] = sf.predict_retention(memory, cue, ALL_AGES).sel(cue=cue)
    return found


@pytest.fixture(scope="module")
def sample():
    """Memories drawn at random, in their places, with what is predicted of them now at all ages."""
    rng = np.random.default_rng(17)
    memories = list(enumerate(theory.memories()))
    possible = [(i, m) for i, m in memories if m["k_hidden"] <= m["n_hidden"]]
    chosen = [possible[i] for i in rng.choice(len(possible), N_SAMPLED, replace=False)]
    return [(i, m, predicted(m)) for i, m in chosen]


def asked(page, wanted):
    return page.evaluate(SCRIPT, wanted)


def test_the_stops_are_those_of_the_table(explorer):
    assert {name: tuple(stops) for name, stops in asked(explorer, [])["GRID"].items()} == theory.GRID


def test_curves_in_the_page_are_within_0_01_of_the_prediction_at_every_age(explorer, sample):
    exact = [({**memory, "cue": cue}, curve) for _, memory, curves in sample for cue, curve in curves.items()]
    assert len(exact) > 5
    wanted = [{name: float(value) for name, value in settings.items()} for settings, _ in exact]
    for (settings, curve), found in zip(exact, asked(explorer, wanted)["found"], strict=True):
        for axis in (np.log, np.asarray):
            drawn = np.interp(axis(ALL_AGES), axis(found["ages"]), found["accuracy"])
            off = np.abs(drawn - curve["accuracy"].values)
            assert off.max() <= 0.01, (settings, axis, ALL_AGES[off.argmax()])
        assert found["baseline"] == pytest.approx(float(curve["baseline"]), abs=0.0021)


def test_the_file_is_what_is_predicted_today(sample):
    content = zlib.decompress(theory.FILE.read_bytes())
    n = 1 + len(theory.AGES)
    assert np.frombuffer(content, "<u2", n).tolist() == [len(theory.AGES), *theory.AGES]
    planes = np.frombuffer(content, np.uint8, offset=2 * n).reshape(n, -1)
    table = np.cumsum(planes, axis=0, dtype=np.uint8).T.reshape(-1, len(theory.GRID["cue"]), n).astype(int)
    assert len(table) == len(list(theory.memories()))
    for i, memory, exact in sample:
        for row, cue in zip(table[i], theory.GRID["cue"], strict=True):
            curve = exact.get(cue)
            now = 1.02 if curve is None else np.append(curve["baseline"], curve["accuracy"].sel(age=theory.AGES))
            assert np.abs(row - 250 * now).max() <= 0.6, f"make it again: python -m slotfree.explorer.theory ({memory})"


def test_where_there_is_no_curve_the_page_can_say_why(explorer):
    usual = {"n_hidden": 100, "k_hidden": 5, "fan_in": 0.1, "learning_rate": 0.3, "cue": 1}
    without = [{"k_hidden": 200}, {"cue": 0.1}, {"fan_in": 0.05, "cue": 0.3}, {"learning_rate": 0.31}]
    wanted = [{**usual, **change} for change in ({}, {"cue": 0.2}, *without)]
    found = asked(explorer, wanted)["found"]
    assert [list(each) for each in found] == [["ages", "accuracy", "baseline"]] * 2 + [["why"]] * 4
    assert "200 of 100 hidden units cannot win" in found[2]["why"]
    assert "at least 2 active inputs on average, and this one gives 1." in found[3]["why"]
    assert "this one gives 1.5." in found[4]["why"]
    assert found[5]["why"] == "No theory: it does not hold for these settings."


def test_what_the_theory_refuses_has_no_curve(monkeypatch):
    def refuse(*_):
        raise TheoryLimitError("not here")

    monkeypatch.setattr(theory, "predict_retention", refuse)
    assert (theory.predicted({"n_hidden": 100, "k_hidden": 1, "fan_in": 1, "learning_rate": 1}) == 255).all()


def test_the_program_writes_the_table_and_needs_the_sources(monkeypatch, tmp_path, capsys):
    few = {**theory.GRID, "n_hidden": (100,), "k_hidden": (1, 200), "fan_in": (1,), "learning_rate": (1,)}
    monkeypatch.setattr(theory, "GRID", few)
    monkeypatch.setattr(theory, "FILE", tmp_path / "theory.bin")
    theory.main()
    assert "theory.bin" in capsys.readouterr().out
    planes = zlib.decompress((tmp_path / "theory.bin").read_bytes())[2 + 2 * len(theory.AGES) :]
    assert len(planes) == 20 * (1 + len(theory.AGES))
    assert [value == 255 for value in planes[:20]] == [False] * 10 + [True] * 10
    monkeypatch.setattr(theory, "FILE", Path(tmp_path / "installed" / "theory.bin"))
    with pytest.raises(SystemExit, match="in a checkout of slotfree"):
        theory.main()
