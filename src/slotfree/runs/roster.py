"""Which workers of a Dask cluster take part: those that have the code of this process."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from slotfree.runs.worker import about, reason_to_doubt, reason_to_refuse


class Roster:
    """The workers of a cluster. Each one is asked what it has as soon as it is there, also one that joins later.

    Parameters
    ----------
    ask : begins to ask the worker at an address what ``about`` says there.
    tell : tells people in a line which worker is refused, and why.

    Attributes
    ----------
    accepted : threads of the workers that take part, by address.
    """

    def __init__(self, ask: "Callable[[str], Future[dict[str, str]]]", tell: Callable[[str], None]) -> None:
        self.ask, self.tell = ask, tell
        self.here = about()
        self.accepted: dict[str, int] = {}
        self._asked: dict[str, Future[dict[str, str]]] = {}
        self._refused: set[str] = set()
        self._doubts: set[str] = set()

    def update(self, threads: dict[str, int]) -> None:
        """Take note of which workers there are, with their threads, and of what those that were asked have said."""
        for known in (self.accepted, self._asked):
            for address in known.keys() - threads.keys():
                del known[address]
        self._refused &= threads.keys()
        for address in threads.keys() - self.accepted.keys() - self._asked.keys() - self._refused:
            self._asked[address] = self.ask(address)
        for address, asked in list(self._asked.items()):
            if asked.done():
                del self._asked[address]
                self._judge(address, asked, threads[address])

    def refuse(self, address: str, reason: str) -> None:
        """Let a worker take no part any more."""
        self.accepted.pop(address, None)
        if address not in self._refused:
            self._refused.add(address)
            self.tell(f"refused the worker at {address}: {reason}; start it again with the slotfree that is here")

    def _judge(self, address: str, asked: "Future[dict[str, Any]]", threads: int) -> None:
        if asked.cancelled():  # it is asked again if it is still there
            return
        error = asked.exception()
        if error is not None:
            reason: str | None = f"its slotfree cannot be used ({type(error).__name__}: {error})"
        else:
            reason = reason_to_refuse(self.here, asked.result())
        if reason is not None:
            self.refuse(address, reason)
            return
        self.accepted[address] = threads
        doubt = reason_to_doubt(self.here, asked.result())
        if doubt is not None and doubt not in self._doubts:
            self._doubts.add(doubt)
            self.tell(f"the worker at {address} has {doubt}: its numbers may differ in their last bits")
