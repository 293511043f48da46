"""The loop: everything is run once, drawn and judged, on any number of workers, and goes on where it stopped."""

import csv
import json
import re
import sys
import threading
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from safetensors.numpy import load_file
from small_studies import FULL, HIGH, LOW, QUICK, ZERO, Fails, Noise, Silent, drawn, item, run, study

from slotfree.drawing.picture import Picture
from slotfree.files.json_text import json_text
from slotfree.runs.directory import opened
from slotfree.study import Claim, Experiment, Finding, Study, above, estimate, more, says, section, unjudged
from slotfree.study.number_format import number
from slotfree.study.reproduce import TURN, reproduce, settings_of
from slotfree.study.running import Work

BAD = Experiment("bad", Fails(), 6)


def files(out):
    return {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def results(out):
    """What is written, but for how long units took, which is no result."""
    apart = ("units", "items")
    return {path: content for path, content in files(out).items() if path.parts[0] not in apart}


CLAIMS = ("first.noise+9", "first.noise0", "second.noise0", "second.noise-9")


def written(out):
    return json.loads((out / "claims.json").read_text())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("made")
    return out, *run(study(recorded={**dict.fromkeys(CLAIMS, "confirmed"), "second.noise-9": "contradicted"}), out)


def test_every_item_has_its_figure_its_table_and_its_claims(made):
    out, outcome, _ = made
    for name in ("first", "second"):
        assert (out / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert ET.parse(out / "figures" / f"{name}.svg").getroot().tag.endswith("svg")
        rows = list(csv.reader((out / "tables" / f"{name}.csv").read_text().splitlines()))
        assert rows[0] == ["experiment", "x"]
        assert len(rows) == 1 + 2 * 6 * 20
    assert written(out) == json.loads(json_text(outcome.claims))
    verdicts = {row["id"]: (row["verdict"], row["recorded"]) for row in outcome.claims}
    assert verdicts == {
        "first.noise+9": ("confirmed", "confirmed"),
        "first.noise0": ("inconclusive", "confirmed"),
        "second.noise0": ("inconclusive", "confirmed"),
        "second.noise-9": ("contradicted", "contradicted"),
    }
    assert outcome.moved == ["first.noise0", "second.noise0"]
    assert (outcome.different, outcome.failures, outcome.unmade, outcome.damaged) == ([], [], [], [])


def test_a_summary_of_each_item_has_all_that_a_report_needs(made):
    out, _, _ = made
    summary = json.loads((out / "items" / "second.json").read_text())
    words = {"item": "second", "number": "second", "title": "Noise", "text": "Numbers. They vary."}
    assert words.items() <= summary.items()
    assert (summary["runs"], summary["tables"]) == (12, ["second"])
    assert list(summary["experiments"]) == ["noise0", "noise-9"]
    assert summary["explained"] == {"second.noise-9": "It is negative: {measured}."}
    assert summary["claims"] == [row for row in written(out) if row["item"] == "second"]


def test_raw_results_are_kept_with_their_labels(made):
    out, _, _ = made
    data = load_file(out / "data" / "noise+9.safetensors")
    assert data["x"].shape == (6, 20)
    np.testing.assert_array_equal(data["x"][4], Noise(9.0)(HIGH.seed(0, 4))["x"])


def test_an_experiment_that_several_items_need_is_run_once(made):
    out, _, progress = made
    assert len(list((out / "units" / "noise0").iterdir())) == 6
    assert progress.steps == progress.done == 3 * 6 + 2
    assert set(progress.said) == {"noise+9", "noise0", "noise-9", "first", "second"}
    assert progress.left[-1] == 0


def test_any_number_of_workers_writes_the_same_bytes(tmp_path):
    for jobs in (1, 2, 8):
        run(study(), tmp_path / str(jobs), seed=3, jobs=jobs)
    first = results(tmp_path / "1")
    assert len(first) == 2 * 3 + 3 + 4  # figures and tables, data; claims, plan, manifest, and lock
    assert results(tmp_path / "2") == results(tmp_path / "8") == first


def test_running_again_repeats_nothing_and_writes_the_same_bytes(tmp_path, monkeypatch):
    run(study(), tmp_path)
    before = files(tmp_path)
    monkeypatch.setattr("slotfree.runs.work.timed", None)  # nothing may be run
    outcome, progress = run(study(), tmp_path)
    assert files(tmp_path) == before
    assert len(outcome.claims) == 4
    assert progress.steps == progress.done == 2


def test_what_is_missing_is_run_and_nothing_else(tmp_path):
    run(study(), tmp_path)
    before = results(tmp_path)
    lost = sorted((tmp_path / "units").glob("*/*"))[::4]
    for path in lost:
        path.unlink()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "units").glob("*/*")}
    _, progress = run(study(), tmp_path)
    assert progress.steps == progress.done == len(lost) + 2
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert results(tmp_path) == before


def test_more_runs_leave_the_first_ones_as_they_are(tmp_path):
    run(study(item("a", ZERO)), tmp_path)
    _, progress = run(study(item("a", Experiment(ZERO.name, Noise(), 9))), tmp_path)
    assert progress.steps == 3 + 1


def test_items_made_later_join_those_that_are_there(tmp_path):
    run(study(), tmp_path, "second")
    outcome, progress = run(study(), tmp_path, "first")
    assert {row["item"] for row in outcome.claims} == {"first"}
    assert [row["item"] for row in written(tmp_path)] == ["first", "first", "second", "second"]
    assert progress.steps == 6 + 1, "only the experiment that was missing"


def test_the_smaller_scale_judges_nothing(tmp_path):
    outcome, progress = run(study(recorded={}), tmp_path, scale=QUICK)
    assert {(row["verdict"], row["holds"], row["recorded"]) for row in outcome.claims} == {(None, False, None)}
    assert all(np.isfinite(row["measured"]) for row in outcome.claims)
    assert outcome.different == []
    assert progress.steps == 3 * 3 + 2
    assert load_file(tmp_path / "data" / "noise0.safetensors")["x"].shape == (3, 10)


def test_the_smaller_scale_is_marked_in_the_figure(tmp_path, monkeypatch):
    marked = []
    monkeypatch.setattr(Picture, "mark", lambda self, words: marked.append(words))
    run(study(item("a", ZERO)), tmp_path / "quick", scale=QUICK)
    assert marked == ["quick scale: fewer and smaller runs"]
    run(study(item("a", ZERO)), tmp_path / "full")
    assert len(marked) == 1


def mean_of(experiment):
    return lambda r: r[experiment]["x"].mean("x_0").values


def test_sentences_are_judged_with_the_results_of_their_items_and_findings_are_drawn(tmp_path):
    lead = more("first.lead", mean_of(HIGH), mean_of(ZERO), "means")
    finding = Finding("lead", "It leads by {first.lead}.", "Much.", (lead,), draw=drawn(HIGH), alt="A line.")
    own = more("second.own", mean_of(ZERO), -5, "mean")
    items = (item("first", HIGH, ZERO, claims=()), item("second", ZERO, claims=(own,)))
    text = section("1", says("It is higher.", lead, note="By {measured}."), unjudged("It is nice.", "an opinion"))
    outcome, _ = run(Study("Noise", items, findings=(finding,), text=text), tmp_path)
    rows = {row["id"]: row for row in outcome.claims}
    assert {name: (row["source"], row["verdict"]) for name, row in rows.items()} == {
        "first.lead": ("paper", "confirmed"),
        "second.own": ("ours", "confirmed"),
    }
    assert rows["first.lead"]["paper"] == "It is higher."
    said = json.loads((tmp_path / "statements.json").read_text())
    assert [(row["quote"], row["kind"], row["verdict"]) for row in said] == [
        ("It is higher.", "result", "confirmed"),
        ("It is nice.", "unjudged", None),
    ]
    assert said[0]["note"] == f"By {number(rows['first.lead']['measured'], 3)}."
    assert (tmp_path / "figures" / "finding-lead.png").exists()
    outcome, _ = run(Study("Noise", items, findings=(finding,), text=text), tmp_path / "quick", scale=QUICK)
    assert not (tmp_path / "quick" / "figures" / "finding-lead.png").exists()


def test_without_a_record_nothing_differs(tmp_path):
    outcome, _ = run(study(), tmp_path)
    assert (outcome.different, outcome.moved) == ([], [])
    assert {row["recorded"] for row in outcome.claims} == {None}


def test_a_failing_unit_does_not_stop_the_rest_and_is_reported(tmp_path):
    outcome, progress = run(study(item("broken", BAD, ZERO), item("sound", ZERO)), tmp_path)
    failing = sum(Noise()(BAD.seed(0, i))["x"][0] > 0 for i in range(6))
    assert 0 < failing < 6
    assert len(outcome.failures) == failing
    assert str(outcome.failures[0].error) == "the number is positive"
    assert '"experiment": "bad"' in outcome.failures[0].unit.text
    assert {row["item"] for row in outcome.claims} == {"sound"}
    assert len(list((tmp_path / "units" / "bad").iterdir())) == 6 - failing
    assert not (tmp_path / "data" / "bad.safetensors").exists()
    assert progress.done == 12 + 1
    again, progress = run(study(item("broken", BAD, ZERO), item("sound", ZERO)), tmp_path)
    assert progress.steps == failing + 2, "only what failed is tried again"
    assert len(again.failures) == failing


def raises(r):
    raise ZeroDivisionError("in the study")


def no_label(results):
    raise ValueError("shapes differ")


def twice(r):
    for _ in range(2):
        yield Claim("same", "", estimate=estimate.exact(1), limits=above(0))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"draw": raises}, r"item broken: test_reproduce.py, line \d+: ZeroDivisionError: in the study"),
        ({"claims": raises}, r"item broken: test_reproduce.py, line \d+: ZeroDivisionError: in the study"),
        ({"draw": lambda r: None}, r"draw must return a Picture, not None"),
        ({"claims": lambda r: [3]}, r"claims must give one Claim after another, not 3"),
        ({"claims": twice}, r"claims of an item must have different names, but two are called 'same'"),
    ],
)
def test_an_item_that_cannot_be_made_does_not_stop_the_rest_and_is_reported(tmp_path, parts, message):
    run(study(item("broken", ZERO), item("sound", LOW)), tmp_path)
    outcome, progress = run(study(item("broken", ZERO, **parts), item("sound", LOW)), tmp_path)
    assert len(outcome.unmade) == 1
    assert re.search(message, str(outcome.unmade[0]))
    assert {row["item"] for row in outcome.claims} == {"sound"}
    assert {row["item"] for row in written(tmp_path)} == {"sound"}, "what it said earlier is gone"
    assert progress.steps == progress.done == 2


def test_results_that_cannot_be_labelled_are_reported(tmp_path):
    class Unlabelled(Noise):
        label = staticmethod(no_label)

    broken = item("broken", Experiment("unlabelled", Unlabelled(), 2))
    outcome, _ = run(study(broken, item("sound", ZERO)), tmp_path)
    assert [str(unmade).partition(", line")[0] for unmade in outcome.unmade] == [
        "experiment unlabelled: test_reproduce.py"
    ]
    assert {row["item"] for row in outcome.claims} == {"sound"}


def test_an_interruption_keeps_what_is_finished(tmp_path):
    class Impatient(Silent):
        def step(self, seconds_left):
            super().step(seconds_left)
            if self.done == 5:
                raise KeyboardInterrupt

    with opened(tmp_path, {}, {"begun": "2026-01-01"}) as directory:
        work = Work([HIGH, ZERO], 0, directory, Impatient())
        with pytest.raises(KeyboardInterrupt):
            list(work.run(jobs=1))
    assert len(list((tmp_path / "units").glob("*/*"))) >= 5
    with opened(tmp_path, {}, {"begun": "2026-01-01"}) as directory:
        assert len(list(Work([HIGH, ZERO], 0, directory, Silent()).run(jobs=1))) == 2


def test_after_an_interruption_no_other_item_is_made(tmp_path):
    made, interrupted = [], threading.Event()

    class Impatient(Silent):
        def step(self, seconds_left):
            interrupted.set()
            raise KeyboardInterrupt

    def claims(name):
        def of(r):
            interrupted.wait(60)
            time.sleep(0.2)
            made.append(name)
            return ()

        return of

    ready = [item(name, draw=None, claims=claims(name)) for name in ("first", "second")]
    with opened(tmp_path, settings_of(FULL, 0), {"begun": "2026-01-01"}) as directory:
        of_three = study(*ready, item("third", HIGH))
        with pytest.raises(KeyboardInterrupt):
            reproduce(of_three, (), FULL, directory=directory, seed=0, jobs=1, progress=Impatient())
    assert made == ["first"], "the second waited when all ended"


def test_the_first_runs_of_every_experiment_come_first(tmp_path):
    """So that mistakes, and how long everything takes, are known early."""
    with opened(tmp_path, {}, {"begun": "2026-01-01"}) as directory:
        progress = Silent()
        list(Work([HIGH, ZERO, LOW], 0, directory, progress).run(jobs=1))
    assert progress.said[:6] == ["noise+9", "noise+9", "noise0", "noise0", "noise-9", "noise-9"]
    assert progress.said[6:11] == ["noise+9"] * 4 + ["noise0"]


def test_threads_take_quick_turns_while_items_are_made_and_no_longer(tmp_path):
    usual, seen = sys.getswitchinterval(), []
    first = item("first", HIGH, claims=lambda r: seen.append(sys.getswitchinterval()) or ())
    run(study(first), tmp_path)
    assert seen == [pytest.approx(TURN)]
    assert sys.getswitchinterval() == usual
