"""An existing Dask cluster as an executor."""

import asyncio
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from types import ModuleType

from slotfree.runs.dispatch import Dispatcher, SchedulerError
from slotfree.runs.errors import UserError

ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?P<host>[^\s/:\[\]]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})")
EXAMPLE = "tcp://127.0.0.1:8786"


class ClusterError(UserError):
    """A cluster cannot be used; the message says what would be right."""


@contextmanager
def cluster(
    address: str,
    *,
    retries: int = 3,
    timeout: float = 5.0,
    modules: Sequence[ModuleType] = (),
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Executor]:
    """Connect to the scheduler of a Dask cluster.

    Workers whose slotfree is not the same as here, to the last line of code, are refused, whenever they join. A unit
    whose worker is killed is run again elsewhere.

    Parameters
    ----------
    address : of the scheduler, e.g. tcp://127.0.0.1:8786.
    retries : how often a failing unit is tried again.
    timeout : seconds to wait for the scheduler, at each step of getting to know it.
    modules : those that the workers cannot import: their functions and classes are sent with the work.
    tell : tells people a line: a worker is refused, or there are none.
    """
    host, port = host_and_port(address)
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            "--scheduler needs Dask, which is not installed; install it with: pip install 'slotfree[cluster]'"
        ) from None
    _check_scheduler(address, host, port, timeout)
    try:
        client = Client(address, timeout=timeout, set_as_default=False)
    except OSError as error:
        raise _not_there(address, str(error)) from None
    dispatcher = Dispatcher(client, address, retries, modules, tell)
    try:
        yield dispatcher
    finally:
        dispatcher.shutdown()
        client.close(timeout)


def host_and_port(address: str) -> tuple[str, int]:
    """Host and port of a scheduler's address; what is no address is refused."""
    found = ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 2**16:
        raise ClusterError(f"--scheduler must be an address such as {EXAMPLE}, not {address!r}")
    return found["host"].strip("[]"), int(found["port"])


def silence() -> None:
    """Let Dask print nothing: what matters is told in a line of ours."""
    import contextlib
    import logging
    import warnings

    with contextlib.suppress(ImportError):
        import distributed  # noqa: F401 (it sets up its loggers)
    for name in ("asyncio", "distributed", "tornado", *logging.root.manager.loggerDict):
        if name.split(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")


def _check_scheduler(address: str, host: str, port: int, timeout: float) -> None:
    """Ask who is there, as Dask itself waits long for what is no scheduler, or leaves threads behind."""
    try:
        socket.create_connection((host, port), timeout).close()
    except OSError as error:
        raise _not_there(address, error.strerror or str(error)) from None
    except UnicodeError:
        raise _not_there(address, "no host can have this name") from None
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address, timeout), timeout))
    except TypeError:  # what Dask raises without certificates
        raise _not_there(address, "tls needs certificates, see distributed.comm.tls of Dask's configuration") from None
    except Exception:  # whatever strange bytes lead to
        raise _not_there(address, "what is there does not answer as Dask does") from None
    if kind != "Scheduler":
        raise _not_there(address, f"what is there is a {kind.lower()} of Dask")


async def _kind(address: str, timeout: float) -> str:
    from distributed.core import rpc
    from distributed.security import Security

    security = Security().get_connection_args("client")
    async with rpc(address, timeout=timeout, connection_args=security) as server:
        return str((await server.identity())["type"])


def _not_there(address: str, reason: str) -> SchedulerError:
    return SchedulerError(
        f"there is no Dask scheduler at {address}: {reason}; start one with: dask scheduler, and give the address that "
        f"it shows, such as {EXAMPLE}, to --scheduler"
    )
