"""Units of work on the workers of a Dask cluster: given only to those that have the code of this process."""

import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

from slotfree.runs.errors import UserError
from slotfree.runs.package_hash import CHANGED, package_hash
from slotfree.runs.roster import Roster
from slotfree.runs.worker import Answer, Call, about, answer

PATIENCE = 2.0  # seconds without workers before that is told
REFRESH = 1.0  # seconds between looks at which workers there are
SILENCE = 10.0  # seconds in which a scheduler answers
LATE = 60.0  # seconds after which a unit is late, and may be given to another worker as well
TIMES = 3  # how often the longest time that a unit took so far, if that is more


class DispatchError(UserError, BrokenExecutor):
    """Work cannot be given to a cluster any more; the message says what to do."""

    exit_code = 1


class SchedulerError(DispatchError):
    """A scheduler is not there, or not any more."""


class ChangedError(DispatchError):
    """The files of slotfree are not those that this process began with: workers cannot be known to have its code."""

    def __init__(self) -> None:
        super().__init__(
            "slotfree was changed here while it ran; what is finished is kept: start the workers again with the "
            "slotfree that is here, and the same command goes on"
        )


@dataclass(eq=False)
class Job:
    """A unit of work that is to be done.

    Attributes
    ----------
    done : what the caller waits for.
    doing : what Dask makes of it, each time that it is handed out, on one of these workers; the first to end counts.
    since : when it was first handed out.
    losses : how often it was lost: with all of its workers, or because Dask gave it up.
    """

    work: bytes
    done: "Future[Any]" = field(default_factory=Future)
    doing: "list[Future[Answer]]" = field(default_factory=list)
    workers: frozenset[str] = frozenset()
    since: float = 0.0
    losses: int = 0


class Dispatcher(Executor):
    """Hands out units as workers have room for them, so that workers that join later get their share.

    Dask chooses among the workers that take part, and does a unit again that fails or whose worker is killed. A unit
    all of whose workers are lost is handed out anew; a result of other code is thrown away.

    A worker may also hang, as a stopped process does. A unit is late after LATE seconds, or TIMES the longest time that
    any took, if that is more. When nothing else waits, it is given to a worker that has answered since, and the first
    result counts: all are the same. A worker that was silent all that time gets nothing new until it answers.

    Parameters
    ----------
    retries : how often a failing unit is tried again.
    modules : those that the workers cannot import: their functions and classes are sent with the work.
    tell : tells people a line.
    """

    def __init__(
        self, client: Any, address: str, retries: int, modules: Sequence[ModuleType], tell: Callable[[str], None]
    ) -> None:
        self.client, self.address, self.retries, self.modules, self.tell = client, address, retries, modules, tell
        self.dask = client.get_executor(pure=False)
        self.roster = Roster(self._ask, tell)
        self._waiting: deque[Job] = deque()
        self._out: set[Job] = set()
        self._longest = 0.0  # seconds that a unit took
        self._heard: dict[str, float] = {}  # when workers last returned a unit
        self._silent: set[str] = set()
        self._error: DispatchError | None = None
        self._wake, self._stop = threading.Event(), threading.Event()
        self._looked = self._had_workers = time.monotonic() - REFRESH
        self._threads: dict[str, int] = {}
        self._told = False
        self._thread = threading.Thread(target=self._oversee, name="slotfree-dispatcher", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have a function called on a worker."""
        job = Job(self._packed(partial(fn, *args, **kwargs)))
        self._waiting.append(job)
        self._wake.set()
        if self._error is not None:
            raise self._error
        return job.done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Drop what is not finished."""
        self._stop.set()
        self._wake.set()
        self._thread.join(SILENCE + 1)
        for job in (*self._waiting, *self._out):
            job.done.cancel()
            for doing in job.doing:
                doing.cancel()

    def _packed(self, work: Callable[[], Any]) -> bytes:
        """Pickled work, with the code of the modules; Dask would only name what can be imported here."""
        import cloudpickle

        for module in self.modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            return bytes(cloudpickle.dumps(work))
        finally:
            for module in self.modules:
                cloudpickle.unregister_pickle_by_value(module)

    def _send(self, call: Call, workers: Sequence[str], retries: int) -> "Future[Any]":
        """Make a call on one of some workers."""
        doing: Future[Any] = self.dask.submit(pickle.loads, pickle.dumps(call), workers=workers, retries=retries)
        doing.add_done_callback(lambda _: self._wake.set())
        return doing

    def _ask(self, worker: str) -> "Future[dict[str, str]]":
        return self._send(Call(about), [worker], 0)

    def _oversee(self) -> None:
        """Hand out and collect until all is over; what goes wrong here ends all that waits."""
        try:
            while not self._stop.is_set():
                if self._is_connected():
                    self._look()
                    self._collect()
                    self._hand_out()
                self._wake.wait(REFRESH)
                self._wake.clear()
        except Exception as error:
            self._error = error if isinstance(error, DispatchError) else self._lost(error)
            for job in (*self._waiting, *self._out):
                if not job.done.done():
                    job.done.set_exception(self._error)

    def _lost(self, error: Exception) -> SchedulerError:
        reason = "" if isinstance(error, OSError) else f" ({type(error).__name__}: {error})"
        return SchedulerError(
            f"lost the Dask scheduler at {self.address}{reason}; what is finished is kept: start it and its workers "
            "again, and the same command goes on"
        )

    def _is_connected(self) -> bool:
        """Whether the scheduler is there; Dask tries for a while to find it again, and gives up."""
        if self.client.status == "closed":
            raise ConnectionError
        return bool(self.client.status == "running")

    def _look(self) -> None:
        """Look from time to time which workers there are, and at our own files; tell if there are no workers."""
        now = time.monotonic()
        if now - self._looked >= REFRESH:
            _check_unchanged()
            self._threads = self._workers()
            self._looked = now = time.monotonic()
        self.roster.update(self._threads)
        if self.roster.accepted:
            self._had_workers, self._told = now, False
        elif now - self._had_workers > PATIENCE and not self._told and (self._waiting or self._out):
            self._told = True
            self.tell(f"waiting for workers at {self.address} … (to start one: dask worker {self.address})")

    def _workers(self) -> dict[str, int]:
        """The threads of all workers, by address; the last that is known if the scheduler does not answer."""
        try:
            return dict(self.client.sync(self.client.scheduler.ncores, callback_timeout=SILENCE))
        except TimeoutError:
            self.tell(f"the scheduler at {self.address} does not answer; waiting for it …")
        except OSError:  # whether it can be reached again is seen next time
            pass
        return self._threads

    def _collect(self) -> None:
        """Take what is done; what is lost, or was done by other code, waits again."""
        for job in list(self._out):
            if not job.workers & self.roster.accepted.keys():
                for doing in job.doing:
                    doing.cancel()  # not if it is done after all
            job.doing = [doing for doing in job.doing if not doing.cancelled()]  # by Dask, or here
            done = next((doing for doing in job.doing if doing.done()), None)
            if not job.doing:
                job.losses += 1
                self._again(job)
            elif done is not None:
                self._take(job, done)

    def _take(self, job: Job, done: "Future[Answer]") -> None:
        """Take what was done first; the same work elsewhere is given up."""
        for doing in job.doing:
            doing.cancel()
        if (error := done.exception()) is not None:
            self._out.remove(job)
            job.done.set_exception(error)
        elif (found := done.result()).code != self.roster.here["code"]:
            _check_unchanged()
            self.roster.refuse(found.worker, "its code of slotfree is not the code here")
            self._again(job)
        else:
            self._out.remove(job)
            job.done.set_result(found.result)
            self._heard[found.worker] = time.monotonic()
            self._silent.discard(found.worker)
            self._longest = max(self._longest, time.monotonic() - job.since)

    def _again(self, job: Job) -> None:
        self._out.remove(job)
        job.doing, job.workers = [], frozenset()
        if job.losses > self.retries:
            job.done.set_exception(RuntimeError(f"it was lost {job.losses} times, with its workers or by Dask"))
        else:
            self._waiting.appendleft(job)

    def _hand_out(self) -> None:
        """Give the workers two units for each thread, so that none waits for the next; then late ones to others."""
        late = self._late()
        workers = {worker: n for worker, n in self.roster.accepted.items() if worker not in self._silent}
        room = 2 * sum(workers.values()) - len(self._out) + len(late)
        late = [job for job in late if len(job.doing) <= self.retries]
        while room > 0 and (self._waiting or late):
            job = self._waiting.popleft() if self._waiting else late.pop()
            if job.done.running() or job.done.set_running_or_notify_cancel():
                room -= 1
                job.since = job.since if job.doing else time.monotonic()
                job.workers |= frozenset(workers)
                self._out.add(job)  # first, so that it is told if it cannot be sent
                call = Call(answer, self.roster.here["code"], job.work)
                job.doing.append(self._send(call, sorted(workers), self.retries))

    def _late(self) -> list[Job]:
        """Return the units that are late, which is later each time that they are handed out; note who is silent."""
        patience, now = max(LATE, TIMES * self._longest), time.monotonic()
        late = [job for job in self._out if now - job.since > patience * len(job.doing)]
        for job in late:
            self._silent |= {worker for worker in job.workers if self._heard.get(worker, 0.0) < job.since}
        return late


def _check_unchanged() -> None:
    """End the work if workers that are started now would have other code than this process."""
    if package_hash() == CHANGED:
        raise ChangedError
