"""Studies: experiments, figures and claims, of the paper's or your own, run, resumed, drawn and judged by one engine.

A study is a Python file that defines ``STUDY``; ``slotfree run my_study.py`` runs it. The names below are imported when
they are first used.
"""

from typing import TYPE_CHECKING

from slotfree import rooms

if TYPE_CHECKING:
    from slotfree.study.claim import Claim as Claim
    from slotfree.study.claim import Printed as Printed
    from slotfree.study.claim import above as above
    from slotfree.study.claim import at_least as at_least
    from slotfree.study.claim import at_most as at_most
    from slotfree.study.claim import below as below
    from slotfree.study.claim import within as within
    from slotfree.study.estimate import Estimate as Estimate
    from slotfree.study.experiment import Experiment as Experiment
    from slotfree.study.finding import Finding as Finding
    from slotfree.study.item import Item as Item
    from slotfree.study.record import Recorded as Recorded
    from slotfree.study.results import Results as Results
    from slotfree.study.retention import Retention as Retention
    from slotfree.study.run_study import run as run
    from slotfree.study.scale import Scale as Scale
    from slotfree.study.statement import Statement as Statement
    from slotfree.study.study import Study as Study
    from slotfree.study.training import Training as Training

_HOMES = {
    "Claim": "claim",
    "Estimate": "estimate",
    "Experiment": "experiment",
    "Finding": "finding",
    "Item": "item",
    "Printed": "claim",
    "Recorded": "record",
    "Results": "results",
    "Retention": "retention",
    "Scale": "scale",
    "Statement": "statement",
    "Study": "study",
    "Training": "training",
    "above": "claim",
    "at_least": "claim",
    "at_most": "claim",
    "below": "claim",
    "run": "run_study",
    "within": "claim",
}

__all__ = list(_HOMES)
__getattr__, __dir__ = rooms.lazy(__name__, _HOMES)
