"""findings.md: what was found about the paper, with the numbers of the run."""

from collections.abc import Sequence

from slotfree.paper.findings import FINDINGS
from slotfree.paper.pages.run import Run
from slotfree.paper.pages.templates import rendered
from slotfree.study.finding import Finding
from slotfree.study.quote import quote


def findings_page(run: Run, findings: Sequence[Finding] = FINDINGS) -> dict[str, str]:
    """The page by its name; leave the program if a run does not show what was found."""
    for finding in findings:
        if not finding.is_shown_by(run.by_id):
            raise SystemExit(f"the run does not show a finding: {finding.line}")
    shown = [
        {
            "line": quote(finding.line, run.by_id),
            "text": quote(finding.text, run.by_id),
            "table": [[quote(cell, run.by_id) for cell in line] for line in finding.table],
            "claims": list(dict.fromkeys(c for found in finding.behind(list(run.by_id)).values() for c in found)),
        }
        for finding in findings
    ]
    return {"findings.md": rendered("findings", findings=shown, rows=run.by_id)}
