"""An existing Dask cluster as an executor."""

import asyncio
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from slotfree.runs.errors import UserError
from slotfree.runs.workers import SchedulerError, Workers

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

    A worker whose slotfree is not the same as here, to the last line of code, does no work. A unit whose worker dies or
    hangs is run again elsewhere.

    Parameters
    ----------
    address : of the scheduler, e.g. tcp://127.0.0.1:8786.
    retries : how often a failing unit is tried again.
    timeout : seconds to wait for the scheduler, at each step of getting to know it.
    modules : those that the workers cannot import: their functions and classes are sent with the work.
    tell : shows people a line: there are no workers, or one has other versions of what numbers depend on.
    """
    client = connect(address, timeout)
    workers = Workers(client, address, retries, modules, tell)
    try:
        yield workers
    finally:
        workers.shutdown()
        client.close(timeout)


def connect(address: str, timeout: float, argument: str = "--scheduler", **options: Any) -> Any:
    """Return a client of Dask that is connected to a scheduler, to be closed.

    Parameters
    ----------
    argument : what users call the address.
    options : of the client.
    """
    host, port = host_and_port(address, argument)
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            f"{argument} needs Dask, which is not installed; install it with: pip install 'slotfree[cluster]'"
        ) from None
    try:
        _check_scheduler(address, host, port, timeout)
        return Client(address, timeout=timeout, set_as_default=False, **options)
    except OSError as error:
        raise SchedulerError(
            f"there is no Dask scheduler at {address}: {error}; start one with: dask scheduler, and give the address "
            f"that it shows, such as {EXAMPLE}, to {argument}"
        ) from None


def host_and_port(address: str, argument: str = "--scheduler") -> tuple[str, int]:
    """Host and port of a scheduler's address; what is no address is refused."""
    found = ADDRESS.fullmatch(address) if isinstance(address, str) else None
    if found is None or not 0 < int(found["port"]) < 2**16:
        raise ClusterError(f"{argument} must be an address such as {EXAMPLE}, not {address!r}")
    return found["host"].strip("[]"), int(found["port"])


def silence() -> None:
    """Let Dask print nothing: what matters is in a line of ours."""
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
    """Ask who is there, as Dask itself waits long for what is no scheduler, or leaves threads behind.

    In a thread of its own, as in a notebook this one has a loop already. OSError says who is there instead.
    """
    try:
        socket.create_connection((host, port), timeout).close()
    except OSError as error:
        raise OSError(error.strerror or str(error)) from None
    except UnicodeError:
        raise OSError("no host can have this name") from None
    try:
        with ThreadPoolExecutor(1) as thread:
            kind = thread.submit(lambda: asyncio.run(asyncio.wait_for(_kind(address, timeout), timeout))).result()
    except TypeError:  # what Dask raises without certificates
        raise OSError("tls needs certificates, see distributed.comm.tls of Dask's configuration") from None
    except Exception:  # whatever strange bytes lead to
        raise OSError("what is there does not answer as Dask does") from None
    if kind != "Scheduler":
        raise OSError(f"what is there is a {kind.lower()} of Dask")


async def _kind(address: str, timeout: float) -> str:
    from distributed.core import rpc
    from distributed.security import Security

    security = Security().get_connection_args("client")
    async with rpc(address, timeout=timeout, connection_args=security) as server:
        return str((await server.identity())["type"])
