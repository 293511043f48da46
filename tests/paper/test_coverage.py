"""Nothing that the paper says is left out, and what is judged is listed."""

from pathlib import Path

import pytest

from slotfree.paper.coverage import page, verdicts
from slotfree.paper.statement import Statement
from slotfree.paper.statements import PARTS
from slotfree.study.record import contradicted

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_what_the_statements_and_the_record_give():
    assert (DOCS / "coverage.md").read_text() == page(), "run: make coverage"


def test_a_statement_has_claims_or_a_reason():
    with pytest.raises(ValueError, match="claims or a reason"):
        Statement("1", "It rains.")
    with pytest.raises(ValueError, match="claims or a reason"):
        Statement("1", "It rains.", claims=("fig4.a",), reason="a definition")


def test_verdicts_come_from_the_record():
    statement = Statement("1", "It rains.", claims=("fig4.a-*", "fig5.b"))
    record = {"fig4.a-100%": contradicted("No."), "fig4.b": contradicted("No.")}
    assert list(statement.unconfirmed(record)) == ["fig4.a-100%"]


def test_counts_are_of_all_statements():
    statements = [statement for part in PARTS.values() for statement in part]
    assert sum(verdicts(statements).values()) == len(statements)
