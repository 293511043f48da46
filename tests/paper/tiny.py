"""A scale that takes seconds, and progress for nobody."""

from slotfree.paper.scale import Scale

TINY = Scale("tiny", 3, 2, 6, 500, 400, 2500, 2, 400)


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
