"""An existing Dask cluster as an executor."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

from slotfree.runs.errors import UserError


class ClusterError(UserError):
    """A cluster cannot be used; the message says what would be right."""


@contextmanager
def cluster(
    address: str, *, retries: int = 3, timeout: float = 10.0, modules: Sequence[ModuleType] = ()
) -> Iterator[Executor]:
    """Connect to the scheduler of a Dask cluster; its workers need the same version of slotfree.

    A unit whose worker is killed is run again elsewhere.

    Parameters
    ----------
    address : of the scheduler, e.g. tcp://127.0.0.1:8786.
    retries : how often a failing unit is tried again.
    timeout : seconds to wait for the scheduler.
    modules : those that the workers cannot import: their functions and classes are sent with the work.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            "--scheduler needs Dask, which is not installed; install it with: pip install 'slotfree[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"--scheduler must be the address of a running Dask scheduler, such as tcp://127.0.0.1:8786, but "
            f"{address!r} gave: {error}"
        ) from None
    try:
        executor: Executor = client.get_executor(retries=retries)
        yield _Sending(executor, modules) if modules else executor
    finally:
        client.close()


class _Sending(Executor):
    """Hands work to another executor together with the code of modules.

    Dask would name their functions and classes, as they can be imported here; so they are pickled before it sees them.
    """

    def __init__(self, executor: Executor, modules: Sequence[ModuleType]) -> None:
        self.executor, self.modules = executor, modules

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        import cloudpickle

        for module in self.modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            work = cloudpickle.dumps(partial(fn, *args, **kwargs))
        finally:
            for module in self.modules:
                cloudpickle.unregister_pickle_by_value(module)
        return self.executor.submit(_unpacked, work)


def _unpacked(work: bytes) -> Any:
    """Do work that was sent with its code."""
    import pickle

    return pickle.loads(work)()
