"""A study is run from Python as the command line runs it, and what came of it is returned."""

import json
import sys
from types import ModuleType

import pytest
from notebook_html import parsed, text_of
from small_studies import HIGH, LOW, ZERO, item, study

from slotfree.study import Claim, Estimate, Item, Study, above, more
from slotfree.study import run as run_study
from slotfree.study.outcome import Outcome

OWN = {"title": "Noise", "text": "Numbers. They vary."}


def test_everything_is_written_and_the_verdicts_are_returned(tmp_path):
    outcome = run_study(study(), out=tmp_path / "out", jobs=1)
    verdicts = {row["id"]: row["verdict"] for row in outcome.claims}
    assert verdicts["first.noise+9"] == "confirmed"
    assert verdicts["second.noise-9"] == "contradicted"
    assert json.loads((tmp_path / "out" / "claims.json").read_text())[0]["id"] == "first.noise+9"
    assert outcome.data["noise+9"]["x"].shape == (6, 20)
    assert outcome.data.keys() == {"noise+9", "noise0", "noise-9"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "slotfree.study.run(STUDY," in page.replace("<span>", ""), "there is no file for a command to name"


def test_some_items_with_another_seed_and_scale_and_nothing_is_printed(tmp_path, capsys):
    outcome = run_study(study(), items="second", out=tmp_path, scale="quick", seed=7)
    assert [(row["id"], row["verdict"]) for row in outcome.claims] == [
        ("second.noise0", None),
        ("second.noise-9", None),
    ]
    assert "not judged" in text_of(outcome._repr_html_())
    settings = json.loads((tmp_path / "manifest.json").read_text())["settings"]
    assert (settings["seed"], settings["scale"]["name"], settings["study"]) == (7, "quick", "Noise")
    assert capsys.readouterr() == ("", "")
    run_study(study(), items=["second"], out=tmp_path, scale="quick", seed=7, progress=True)
    assert "1 run or figure to be done" in capsys.readouterr().err, "what is finished is kept"


def test_a_study_of_a_file_is_known_by_the_file(tmp_path, monkeypatch):
    own = study(item("high", HIGH))
    for name in ("__main__", "own_noise"):  # a script that imports it has it as well
        module = ModuleType(name)
        module.STUDY, module.__file__ = own, str(tmp_path / f"{name}.py")
        monkeypatch.setitem(sys.modules, name, module)
    run_study(own, out=tmp_path / "out")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["settings"]["study"] == "own_noise.py"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"study": 3}, "study must be a Study, not 3"),
        ({"scale": "half"}, "scale must be 'paper' or 'quick', not 'half'"),
        ({"seed": -1}, "seed must be .* 0, not -1"),
        ({"jobs": 0}, "jobs must be .* 1, not 0"),
        ({"jobs": 1, "scheduler": "tcp://127.0.0.1:1"}, "give one of them"),
        ({"items": "third"}, "item must be one of first, second, not 'third'"),
    ],
)
def test_what_cannot_be_run_is_refused(given, message, tmp_path):
    with pytest.raises((TypeError, ValueError), match=message):
        run_study(**{"study": study(), "out": tmp_path / "out", **given})


def test_a_notebook_shows_sentences_and_verdicts_and_the_paper_only_where_it_says_something():
    claim = Claim("high", "It is <high>.", estimate=Estimate(2, 1, 3), limits=above(0))
    own = claim.row("own", judged=True, recorded=None)
    cells = [["".join(cell.itertext()) for cell in row] for row in parsed(Outcome([own])._repr_html_()).iter("tr")]
    assert cells == [
        ["claim", "measured", "99 % interval", "verdict"],
        ["It is <high>.own.high", "2", "1 to 3", "confirmed"],
    ]
    printed = Outcome([own, {**own, "paper": 1.5}])._repr_html_()
    assert [["".join(cell.itertext()) for cell in row][1] for row in parsed(printed).iter("tr")] == [
        "the paper says",
        "",
        "1.5",
    ]


def test_claims_need_no_figure(tmp_path):
    """From the declaration to the report."""
    words = item("high", HIGH)
    alone = Item(name="high", **OWN, experiments=(HIGH,), claims=words.claims)
    outcome = run_study(Study("Noise", (alone, item("low", LOW))), out=tmp_path)
    assert not outcome.unmade
    assert [row["verdict"] for row in outcome.claims] == ["confirmed", "contradicted"]
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["low.csv"]
    page = (tmp_path / "report.html").read_text()
    assert "The mean is positive." in page
    assert "Its figure is not in the directory." not in page
    assert "figures/high.svg" not in page
    assert "figures/low.svg" in page


def test_a_figure_without_words_is_refused():
    with pytest.raises(ValueError, match="alt of the item 'a' must be a sentence, not ''"):
        Item(name="a", **OWN, experiments=(ZERO,), draw=print, claims=print)
    with pytest.raises(TypeError, match="draw of the item 'a' must be a function of results, not 3"):
        Item(name="a", **OWN, alt="A line.", experiments=(ZERO,), draw=3, claims=print)


def test_a_claim_of_another_item_is_refused():
    others = more("b.x", lambda r: [1, 2], 0, "value")
    with pytest.raises(ValueError, match=r"line \d+: a claim of the item 'a' must be named so, not 'b.x'"):
        Item(name="a", **OWN, experiments=(ZERO,), claims=(others,))
