"""Nothing that the paper says is left out, and what is judged is listed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from slotfree.paper.coverage import in_cell, page
from slotfree.paper.recorded import RECORDED
from slotfree.paper.statements import PARTS, STATEMENTS
from slotfree.runs.manifest import write_manifest
from slotfree.study.record import contradicted, inconclusive
from slotfree.study.reproduce import settings_of
from slotfree.study.scale import SCALES
from slotfree.study.statement import Statement

WRITTEN = (Path(__file__).parents[2] / "docs" / "coverage.md").read_text(encoding="utf-8")


def row(name, verdict="confirmed", measured=0.25, interval=(0.2, 0.3), source="paper"):
    found = {"measured": measured, "interval": list(interval), "verdict": verdict}
    return {"id": name, "source": source, "paper": "", **found}


def lines(text):
    """The lines of a page's tables, as cells."""
    return [tuple(re.split(r" \| ", line[2:-2])) for line in text.splitlines() if line.startswith("| ")]


def found(statement, rows, recorded=()):
    """Verdict and what was found, as the page shows them for one statement."""
    where, text, verdict, told = lines(page(rows, {"Part": [statement]}, dict(recorded)))[-1]
    assert (where, text) == (statement.where, in_cell(statement.text))
    return verdict, told


def test_the_written_page_has_every_statement_with_the_recorded_verdict():
    written = {cells[:2]: cells[2:] for cells in lines(WRITTEN)}
    for part in PARTS:
        assert f"\n## {part}\n" in WRITTEN
    for statement in STATEMENTS:
        verdict, told = written[in_cell(statement.where), in_cell(statement.text)]
        own = {claim: recorded for claim, recorded in RECORDED.items() if statement.judged_by(claim)}
        verdicts = {recorded.verdict for recorded in own.values()}
        worst = next((v for v in ("contradicted", "inconclusive") if v in verdicts), "confirmed")
        expected = "not judged" if statement.reason else worst
        assert verdict.replace("*", "").removesuffix(" in part") == expected, f"{statement.text}: run make coverage"
        assert told == in_cell(statement.reason) or not statement.reason
        for claim, recorded in own.items():
            assert re.search(rf"`{re.escape(claim)}`(?:(?!<br>).)*\*\*{recorded.verdict}\*\*", told)


def test_no_statement_stands_twice():
    texts = [re.sub(r"\W+", " ", f"{statement.where} {statement.text}") for statement in STATEMENTS]
    assert sorted(set(texts)) == sorted(texts)


def test_a_statement_has_claims_or_a_reason():
    with pytest.raises(ValueError, match="claims or a reason"):
        Statement("1", "It rains.")
    with pytest.raises(ValueError, match="claims or a reason"):
        Statement("1", "It rains.", claims=("fig4.a",), reason="a definition")


def test_what_was_measured_is_shown():
    both = Statement("1", "It rains | snows <b>.", claims=("fig4.a", "fig4.b"))
    assert found(both, [row("fig4.a"), row("fig4.b", measured=1.0, interval=(1, 1))]) == (
        "confirmed",
        "`fig4.a` 0.25 (0.2 to 0.3)<br>`fig4.b` 1",
    )
    assert found(Statement("1", "It is called W_K.", reason="a definition"), []) == ("not judged", "a definition")


def test_many_claims_are_counted_and_what_is_not_confirmed_is_told_with_its_reason():
    many = Statement("1", "It rains.", claims=("fig4.a-*", "fig5.b", "fig6.*"))
    rows = [*(row(f"fig4.a-{n}") for n in range(28)), row("fig5.b", "inconclusive"), row("fig7.other", "contradicted")]
    rows += [row("fig6.c", "contradicted"), row("fig6.d", "contradicted", 0.28)]
    recorded = {"fig5.b": inconclusive("From {low} to {high}.")}
    recorded |= dict.fromkeys(("fig6.c", "fig6.d"), contradicted("Few: {measured}."))
    assert found(many, rows, recorded) == (
        "**contradicted** in part",
        "28 confirmed: `fig4.a-*`<br>`fig5.b` 0.25 (0.2 to 0.3): **inconclusive**. From 0.2 to 0.3.<br>"
        "`fig6.c` 0.25 (0.2 to 0.3); `fig6.d` 0.28 (0.2 to 0.3): **contradicted**. Few: 0.25 to 0.28.",
    )
    assert found(Statement("1", "It snows.", claims=("fig5.b",)), rows)[0] == "**inconclusive**"


def test_counts_are_of_all_statements_and_of_the_claims_that_judge_them():
    parts = {
        "One": [Statement("1", "A.", claims=("fig4.*",)), Statement("1", "B.", reason="a choice")],
        "Two": [Statement("2", "C.", claims=("fig4.a", "fig5.b"))],
    }
    rows = [row("fig4.a"), row("fig4.b"), row("fig5.b", "inconclusive"), row("fig7.other")]
    assert lines(page(rows, parts, {}))[1:3] == [
        ("statements", "3", "1", "0", "1", "1"),
        ("claims that judge them", "3", "2", "0", "1", "–"),
    ]


def test_only_the_paper_s_claims_judge_what_it_says():
    statement = Statement("1", "A.", claims=("fig4.*",))
    ours = row("fig4.ours", source="ours")
    assert found(statement, [row("fig4.a"), ours]) == ("confirmed", "`fig4.a` 0.25 (0.2 to 0.3)")
    with pytest.raises(SystemExit, match=r"the run has no claim fig4\.\* of the paper"):
        found(statement, [ours, row("fig5.a")])
    with pytest.raises(SystemExit, match=r"a claim of our own, fig4\.ours, would judge"):
        found(statement, [row("fig4.a"), {**ours, "verdict": "contradicted"}])


@pytest.mark.parametrize(("scale", "seed", "is_right"), [("paper", 0, True), ("paper", 1, False), ("quick", 0, False)])
def test_it_is_written_from_a_run_at_the_paper_s_scale_with_the_recorded_seed(tmp_path, scale, seed, is_right):
    write_manifest(tmp_path, settings_of(SCALES[scale], seed), {"begun": "then"})
    names = dict.fromkeys(name.replace("*", "x") for statement in STATEMENTS for name in statement.claims)
    (tmp_path / "claims.json").write_text(json.dumps([row(name) for name in names]))
    command = [sys.executable, "-m", "slotfree.paper.coverage", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, encoding="utf-8")
    assert (result.returncode == 0) is is_right, result.stderr
    assert (result.stdout.count("\n## ") == len(PARTS)) is is_right
    assert ("results of another run" in result.stderr) is not is_right
