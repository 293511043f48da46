"""Objects that live on the workers of a Dask cluster, one on each, and calls of their methods from here.

They are Dask's actors: a call goes from here to the worker, not by way of the scheduler, and its worker does one after
another. An object is on one worker only, and lost with it.
"""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

from slotfree.runs.cluster import ClusterError, connect
from slotfree.runs.worker import Call, about, reason_to_refuse

TIMEOUT = 5.0  # seconds to wait for a scheduler


class ActorLostError(Exception):
    """An object did not answer, or raised an error; the message says which, and why."""


class Actors:
    """Some workers of a cluster, and an object on each once they are made.

    Parameters
    ----------
    scheduler : its address.
    count : how many workers to use; None: all that are there.
    argument, count_argument : what users call these two.

    Attributes
    ----------
    workers : addresses.
    threads : of each of these workers.
    """

    def __init__(self, scheduler: str, count: int | None, argument: str, count_argument: str) -> None:
        self._made: list[Any] = []
        self._client = connect(scheduler, TIMEOUT, argument, direct_to_workers=True)
        threads = self._client.nthreads()
        self.workers = sorted(threads)[:count]
        self.threads = [threads[worker] for worker in self.workers]
        if not threads or len(self.workers) < (count or 1):
            self.close()
            wanted = "a worker is needed" if count is None else f"{count_argument} = {count} needs as many workers"
            raise ClusterError(f"{wanted}, and {scheduler} has {len(threads)}; start one with: dask worker {scheduler}")

    def make(self, make: Callable[..., object], each: Sequence[tuple[object, ...]]) -> None:
        """Have an object made on each worker, of the arguments in its place; workers without a place stay idle.

        A worker whose slotfree is not the one here is refused.
        """
        del self.workers[len(each) :]
        making = [
            self._client.submit(
                pickle.loads, pickle.dumps(Call(Held, about(), make, *given)), workers=[worker], actor=True, pure=False
            )
            for worker, given in zip(self.workers, each, strict=True)
        ]
        for worker, future in zip(self.workers, making, strict=True):
            try:
                with self._client.as_current():  # which the actor then belongs to
                    self._made.append(future.result())
            except Exception as error:
                self.close()
                raise ClusterError(
                    f"the worker at {worker} cannot take part ({type(error).__name__}: {error}); start it again with "
                    "the slotfree that is here, where there is room"
                ) from error

    def ask(self, name: str, each: Sequence[tuple[object, ...]], first: int = 0) -> list[Any]:
        """Return what a method of objects, from the first on, returns for the arguments in its place.

        All work at the same time.
        """
        which, sent, answers = first, [], []
        try:
            for which, arguments in enumerate(each, first):
                sent.append(self._made[which].call(pickle.dumps((name, *arguments), 5)))
            for which, answer in enumerate(sent, first):  # noqa: B007 (the error names it)
                answers.append(pickle.loads(answer.result()))
        except Exception as error:
            raise ActorLostError(f"the worker at {self.workers[which]}: {type(error).__name__}: {error}") from error
        return answers

    def close(self) -> None:
        """Let the workers forget their objects."""
        self._made = []
        self._client.close(TIMEOUT)


class Held:
    """An object on a worker.

    Parameters
    ----------
    here : what ``about`` returns where it is called from: a worker with another slotfree is refused.
    make : makes the object of the arguments.
    """

    def __init__(self, here: dict[str, str], make: Callable[..., object], *arguments: object) -> None:
        reason = reason_to_refuse(here, about())
        if reason is not None:
            raise ClusterError(f"it {reason}")
        self.held = make(*arguments)

    def call(self, message: bytes) -> bytes:
        """Call a method: a message is its name and arguments, pickled, which takes Dask less than several arrays do."""
        name, *arguments = pickle.loads(message)
        return pickle.dumps(getattr(self.held, name)(*arguments), 5)
