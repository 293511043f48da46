"""Settings of the paper's experiments and the rules of its judges are those that are recorded; nothing is run."""

from pathlib import Path

from recorded import check, plain

from slotfree.paper import STUDY
from slotfree.study.plan import distinct
from slotfree.study.scale import SCALES
from slotfree.study.sentence import judges_of

HERE = Path(__file__).parent
COMMAND = "tests/paper/test_recorded.py"


def test_experiments_are_as_recorded():
    found = {item.name: [e.name for e in item.experiments] for item in STUDY.chosen()}
    for e in distinct((e for item in STUDY.chosen() for e in item.experiments), seed=0):
        quick = e.at(SCALES["quick"])
        found[f"experiment {e.name}"] = {
            **{"runs": e.runs, "key": e.key, "first": e.first, "does": plain(e.run)},
            "quick": [quick.runs, *(getattr(quick.run, n, "") for n in ("n_stored", "n_tested", "iterations"))],
        }
    check(HERE / "experiments.json", found, COMMAND)


def test_judges_are_as_recorded():
    judges = [judge for judge, _ in judges_of(STUDY.sentences(), STUDY.names).values()]
    judges += [judge for item in STUDY.chosen() for judge in item.claims]
    found = {j.name: [plain(j.words), plain(j.decide), plain(j.limits), plain(j.paper)] for j in judges}
    check(HERE / "judges.json", found, COMMAND)
