"""Settings of the paper's experiments and the rules of its judges are those that are recorded; nothing is run."""

from pathlib import Path

from recorded import check, described

from slotfree.paper import STUDY


def test_experiments_and_judges_are_as_recorded():
    check(Path(__file__).with_name("study.json"), described(STUDY))
