"""One line on stderr when kernels are being compiled: the first use would otherwise be silent for some seconds."""

import sys
from contextlib import suppress

from numba.core.event import Event, Listener, register

LINE = "slotfree: compiling for this machine, once; it takes some seconds"


class FirstUse(Listener):
    """Tells, once in a process, that a kernel of this package is being compiled.

    Numba calls it before and after it compiles a function; what it finds compiled on disk is not compiled.
    """

    def __init__(self) -> None:
        self.told = False

    def on_start(self, event: Event) -> None:
        """Tell, if it is a kernel of ours and nothing was told yet."""
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if not self.told and getattr(function, "__module__", "").startswith("slotfree.kernels."):
            self.told = True
            with suppress(OSError, ValueError, AttributeError):  # no stderr, or a full one
                print(LINE, file=sys.stderr, flush=True)

    def on_end(self, event: Event) -> None:
        """Nothing is to be told."""


def tell_first_use() -> None:
    """Tell when a kernel is compiled for the first time from now on."""
    register("numba:compile", FirstUse())  # type: ignore[no-untyped-call]
