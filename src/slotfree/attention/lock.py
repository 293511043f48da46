"""A lock for an object that several threads use."""

from threading import Lock


class OwnLock:
    """A lock that lets its object be copied and pickled: the copy has a lock of its own, which is free."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type["OwnLock"], tuple[()]]:
        return OwnLock, ()
