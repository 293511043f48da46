"""The workers of a Dask cluster as an executor: they do only work of their own code."""

import operator
import pickle
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import Any

from slotfree.runs import worker
from slotfree.runs.errors import UserError
from slotfree.runs.worker import Answer, Call, about, perform

LOOK_EVERY = 1.0  # seconds between looks at whether there are workers
PATIENCE = 2  # looks without workers before that is reported
RESUME = "what is finished is kept: start it again{}, and rerun to resume"


class LostError(UserError, BrokenExecutor):
    """Work cannot be given to a cluster any more; the message says what to do."""

    exit_code = 1


class SchedulerError(LostError):
    """A scheduler is not there, or not any more."""


class Workers(Executor):
    """Gives units of work to Dask, which runs a unit elsewhere if it fails or if its worker dies or hangs.

    A unit that meets a worker of other code is not done there; as that worker would fail all units that it gets, the
    work ends.

    Parameters
    ----------
    retries : how often a failing unit is tried again.
    modules : those that the workers cannot import: their functions and classes are sent with the work.
    tell : shows people a line.
    """

    def __init__(
        self, client: Any, address: str, retries: int, modules: Sequence[ModuleType], tell: Callable[[str], None]
    ) -> None:
        self.client, self.address, self.tell = client, address, tell
        self._dask = client.get_executor(pure=False, retries=retries)
        self._sent_as_they_are = (worker, *modules)
        self._perform = self._pickled(partial(perform, about()))  # the same for all units
        self._doubts: set[str] = set()
        self._doing: set[Future[Any]] = set()
        self._stop = threading.Event()
        threading.Thread(target=self._watch, name="slotfree-workers", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have a function called on a worker."""
        work = Call(operator.call, Call(pickle.loads, self._perform), self._pickled(partial(fn, *args, **kwargs)))
        try:
            doing = self._dask.submit(pickle.loads, pickle.dumps(work))
        except Exception as error:  # Dask's client is closed
            raise self._lost() from error
        self._doing.add(doing)
        done: Future[Any] = Future()
        done.add_done_callback(lambda _: doing.cancel())
        doing.add_done_callback(partial(self._take, done))
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Drop what is not finished."""
        self._stop.set()
        for doing in list(self._doing):
            doing.cancel()

    def _pickled(self, value: object) -> bytes:
        """Return a value with the code of the modules; Dask would only name what can be imported here."""
        import cloudpickle

        for module in self._sent_as_they_are:
            cloudpickle.register_pickle_by_value(module)
        try:
            return bytes(cloudpickle.dumps(value))
        finally:
            for module in self._sent_as_they_are:
                cloudpickle.unregister_pickle_by_value(module)

    def _take(self, done: "Future[Any]", doing: "Future[tuple[Any, ...]]") -> None:
        """Pass on what came of a unit."""
        self._doing.discard(doing)
        if not done.set_running_or_notify_cancel():
            return
        if doing.cancelled():
            done.set_exception(self._lost())
        elif (error := doing.exception()) is not None:
            done.set_exception(error)
        else:
            answer = Answer(*doing.result())
            if answer.refusal is not None:
                again = RESUME.format(" with the slotfree that is here")
                done.set_exception(LostError(f"the worker at {answer.worker} {answer.refusal}; {again}"))
            else:
                self._tell_doubt(answer)
                done.set_result(answer.result)

    def _tell_doubt(self, answer: Answer) -> None:
        """Report, once, that a worker has other versions of what numbers depend on."""
        if answer.doubt is not None and answer.doubt not in self._doubts:
            self._doubts.add(answer.doubt)
            self.tell(f"the worker at {answer.worker} has {answer.doubt}: its numbers may differ in their last bits")

    def _lost(self) -> SchedulerError:
        return SchedulerError(f"lost the Dask scheduler at {self.address}; {RESUME.format(' with its workers')}")

    def _watch(self) -> None:
        """Report when work waits for workers."""
        looks = 0
        while not self._stop.wait(LOOK_EVERY):
            with suppress(Exception):  # a scheduler that is lost ends the units
                looks = 0 if not self._doing or self.client.nthreads() else looks + 1
                if looks == PATIENCE:
                    self.tell(f"waiting for workers at {self.address} … (to start one: dask worker {self.address})")
