"""A scale that takes seconds, and progress for nobody."""

from slotfree.paper.reproduce import reproduce as reproduce_in
from slotfree.paper.reproduce import settings_of
from slotfree.paper.scale import Scale
from slotfree.runs.directory import opened

TINY = Scale("tiny", 3, 2, 6, 500, 400, 2500, 2, 400)


def reproduce(chosen, scale, out, seed=0, jobs=2):
    """Reproduce items in a directory; return what came of it, and what progress was told."""
    progress = Silent()
    with opened(out, settings_of(scale, seed), {"begun": "then"}) as directory:
        outcome = reproduce_in(chosen, scale, directory=directory, seed=seed, jobs=jobs, progress=progress)
    return outcome, progress


class Silent:
    """Progress for nobody; it remembers what was said."""

    def __init__(self):
        self.total = self.done = 0.0
        self.said = []

    def begin(self, seconds):
        self.total = seconds

    def now(self, what):
        self.said.append(what)

    def advance(self, seconds):
        self.done += seconds
