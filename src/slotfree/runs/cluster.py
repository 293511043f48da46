"""An existing Dask cluster as an executor."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from types import ModuleType

from slotfree.runs.errors import UserError


class ClusterError(UserError):
    """A cluster cannot be used; the message says what would be right."""


@contextmanager
def cluster(
    address: str, *, retries: int = 3, timeout: float = 10.0, module: ModuleType | None = None
) -> Iterator[Executor]:
    """Connect to the scheduler of a Dask cluster; its workers need the same version of slotfree.

    A unit whose worker is killed is run again elsewhere.

    Parameters
    ----------
    address : of the scheduler, e.g. tcp://127.0.0.1:8786.
    retries : how often a failing unit is tried again.
    timeout : seconds to wait for the scheduler.
    module : one that the workers cannot import: its functions and classes are sent to them with the work.
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
    if module is not None:
        from cloudpickle import register_pickle_by_value

        register_pickle_by_value(module)
    try:
        yield client.get_executor(retries=retries)
    finally:
        client.close()
