"""Nothing that the paper says is left out, and what is judged is listed."""

import re

import pytest
from written_pages import PAGES, Tables, claim, run_of

from slotfree.paper import STUDY
from slotfree.paper.pages.coverage import coverage_pages
from slotfree.paper.pages.templates import slug
from slotfree.paper.recorded import RECORDED
from slotfree.paper.statements import PARTS, STATEMENTS
from slotfree.study.statement import Statement


def plain(text):
    """Words without the marks of subscripts, as a page shows them."""
    return re.sub(r"(?<![A-Za-z_])([^\W\d_])_([A-Za-z]{1,2})(?![A-Za-z_])", r"\1\2", text)


def told(statement, *claims, **explained):
    """Verdict and what was found, as the page shows them for one statement."""
    pages = coverage_pages(run_of(*claims, **explained), {"Part": [statement]})
    where, text, verdict, found = Tables(pages["coverage/part.md"]).rows[-1]
    assert (where, text) == (statement.where, plain(statement.text))
    return verdict, found


@pytest.mark.parametrize("name", [name for name in STUDY.names if re.fullmatch(r"[a-z]+S?\d+", name)])
def test_an_item_is_called_by_the_number_in_its_name(name):
    number = re.search(r"S?\d+$", name)[0]
    assert re.match(rf"\w+ {number}\b", STUDY.item(name).number)


@pytest.mark.parametrize("part", PARTS)
def test_the_written_pages_have_every_statement_with_the_recorded_verdict(part):
    written = Tables((PAGES / "coverage" / f"{slug(part)}.md").read_text(encoding="utf-8")).rows[1:]
    assert [(row[0], row[1]) for row in written] == [(s.where, plain(s.text)) for s in PARTS[part]]
    for statement, (_, _, verdict, found) in zip(PARTS[part], written, strict=True):
        own = {claim: recorded for claim, recorded in RECORDED.items() if statement.judged_by(claim)}
        verdicts = {recorded.verdict for recorded in own.values()}
        worst = next((v for v in ("contradicted", "inconclusive") if v in verdicts), "confirmed")
        expected = "not judged" if statement.reason else worst
        assert verdict.removesuffix(" in part") == expected, f"{statement.text}: run make coverage"
        assert not statement.reason or found == plain(statement.reason)
        for name, recorded in own.items():
            lines = [line for line in found.splitlines() if f"{name} " in line]
            assert any(f": {recorded.verdict}." in line for line in lines), name


def test_the_written_list_names_what_is_not_confirmed():
    text = (PAGES / "coverage.md").read_text(encoding="utf-8")
    shown = Tables(text)
    counts = {row[0]: [int(n) for n in row[1:]] for row in shown.rows[1:-1]}
    assert list(counts) == [*PARTS, f"all {len(STATEMENTS)} statements"]
    assert [sum(column) for column in zip(*[counts[part] for part in PARTS], strict=True)] == list(counts.values())[-1]
    contradicted, inconclusive = list(counts.values())[-1][1:3]
    listed = re.findall(r'<li><p><span class="verdict (\w+)">', text)
    assert (listed.count("contradicted"), listed.count("inconclusive")) == (contradicted, inconclusive)


def test_the_overview_has_the_numbers_of_the_list():
    overview = (PAGES / "index.md").read_text(encoding="utf-8")
    listed = Tables((PAGES / "coverage.md").read_text(encoding="utf-8")).rows[-2:]
    statements, claims = ([re.search(r"\d+", row[0])[0], *row[1:]] for row in listed)
    verdicts = ("all", "confirmed", "contradicted", "inconclusive", "not judged")
    for verdict, *counts in zip(verdicts, statements, claims, strict=True):
        assert f"| {verdict} | {' | '.join(counts)} |" in overview
    groups = overview.partition("| group | statements |")[2].partition("\n\n")[0]
    assert sum(int(count) for count in re.findall(r"^\| [^|]+ \| (\d+) \|", groups, re.MULTILINE)) == int(listed[0][2])


def test_no_statement_stands_twice():
    texts = [re.sub(r"\W+", " ", f"{statement.where} {statement.text}") for statement in STATEMENTS]
    assert sorted(set(texts)) == sorted(texts)


def test_parts_have_pages_of_their_own():
    assert len({slug(part) for part in PARTS}) == len(PARTS)


def test_a_statement_has_claims_or_a_reason():
    with pytest.raises(ValueError, match="claims or a reason"):
        Statement("1", "It rains.")
    with pytest.raises(ValueError, match="claims or a reason"):
        Statement("1", "It rains.", claims=("fig4.a",), reason="a definition")


def test_what_was_measured_is_shown():
    both = Statement("1", "It rains | snows <b> in W_K.", claims=("fig4.a", "fig4.b"))
    assert told(both, claim("fig4.a"), claim("fig4.b", measured=1.0, interval=(1, 1))) == (
        "confirmed",
        "fig4.a 0.25 (0.2 to 0.3)\nfig4.b 1",
    )
    assert told(Statement("1", "It is called W_K.", reason="a definition")) == ("not judged", "a definition")


def test_many_claims_are_counted_and_what_is_not_confirmed_is_told_with_its_reason():
    many = Statement("1", "It rains.", claims=("fig4.a-*", "fig5.b", "fig6.*"))
    claims = [*(claim(f"fig4.a-{n}") for n in range(28)), claim("fig5.b", "inconclusive")]
    claims += [claim("fig6.c", "contradicted"), claim("fig6.d", "contradicted", 0.28)]
    why = {"fig5.b": "From {low} to {high}."} | dict.fromkeys(("fig6.c", "fig6.d"), "Few: {measured}.")
    assert told(many, *claims, claim("fig7.other", "contradicted"), explained=why) == (
        "contradicted in part",
        "28 confirmed: fig4.a-*\nfig5.b 0.25 (0.2 to 0.3): inconclusive. From 0.2 to 0.3.\n"
        "fig6.c 0.25 (0.2 to 0.3); fig6.d 0.28 (0.2 to 0.3): contradicted. Few: 0.25 to 0.28.",
    )
    assert told(Statement("1", "It snows.", claims=("fig5.b",)), *claims)[0] == "inconclusive"


def test_counts_are_of_all_statements_and_of_the_claims_that_judge_them():
    parts = {
        "One": [Statement("1", "A.", claims=("fig4.*",)), Statement("1", "B.", reason="a choice")],
        "Two": [Statement("2", "C.", claims=("fig4.a", "fig5.b"))],
    }
    run = run_of(claim("fig4.a"), claim("fig4.b"), claim("fig5.b", "inconclusive"), claim("fig7.other"))
    assert Tables(coverage_pages(run, parts)["coverage.md"]).rows[1:] == [
        ["One", "1", "0", "0", "1"],
        ["Two", "0", "0", "1", "0"],
        ["all 3 statements", "1", "0", "1", "1"],
        ["the 3 claims that judge them", "2", "0", "1", "–"],
    ]


def test_only_the_paper_s_claims_judge_what_it_says():
    statement = Statement("1", "A.", claims=("fig4.*",))
    ours = claim("fig4.ours", source="ours")
    assert told(statement, claim("fig4.a"), ours) == ("confirmed", "fig4.a 0.25 (0.2 to 0.3)")
    with pytest.raises(SystemExit, match=r"the run has no claim fig4\.\* of the paper"):
        told(statement, ours, claim("fig5.a"))
    with pytest.raises(SystemExit, match=r"a claim of our own, fig4\.ours, would judge"):
        told(statement, claim("fig4.a"), {**ours, "verdict": "contradicted"})
