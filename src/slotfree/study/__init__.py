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
    from slotfree.study.judge import Judge as Judge
    from slotfree.study.judge import between as between
    from slotfree.study.judge import judged as judged
    from slotfree.study.judge import less as less
    from slotfree.study.judge import measure as measure
    from slotfree.study.judge import more as more
    from slotfree.study.judge import never as never
    from slotfree.study.judge import printed as printed
    from slotfree.study.judge import same as same
    from slotfree.study.judge import share_of_runs as share_of_runs
    from slotfree.study.reproduce import run as run
    from slotfree.study.results import Results as Results
    from slotfree.study.retention import Retention as Retention
    from slotfree.study.scale import Scale as Scale
    from slotfree.study.sentence import Sentence as Sentence
    from slotfree.study.sentence import defines as defines
    from slotfree.study.sentence import follows as follows
    from slotfree.study.sentence import says as says
    from slotfree.study.sentence import section as section
    from slotfree.study.sentence import slip as slip
    from slotfree.study.sentence import unjudged as unjudged
    from slotfree.study.study import Study as Study
    from slotfree.study.train_runs import Training as Training

_NAMES = {
    "claim": ("Claim", "Printed", "above", "at_least", "at_most", "below", "within"),
    "estimate": ("Estimate",),
    "experiment": ("Experiment",),
    "finding": ("Finding",),
    "item": ("Item",),
    "judge": ("Judge", "between", "judged", "less", "measure", "more", "never", "printed", "same", "share_of_runs"),
    "results": ("Results",),
    "retention": ("Retention",),
    "reproduce": ("run",),
    "scale": ("Scale",),
    "sentence": ("Sentence", "defines", "follows", "says", "section", "slip", "unjudged"),
    "study": ("Study",),
    "train_runs": ("Training",),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}

__all__ = list(_HOMES)
__getattr__, __dir__ = rooms.lazy(__name__, _HOMES)
