"""One line on stderr when kernels are being compiled: the first use would otherwise be silent for a few seconds."""

import sys
from contextlib import suppress

from numba.core.event import Event, Listener, register

LINE = "slotfree: compiling kernels, once; it takes a few seconds. To compile all of them now: slotfree warm"


class FirstUse(Listener):
    """Prints the line, once in a process, when a kernel of this package is being compiled.

    Numba calls it before and after it compiles a function; what it finds compiled on disk is not compiled.
    """

    def __init__(self) -> None:
        self.printed = False

    def on_start(self, event: Event) -> None:
        """Print, if it is a kernel of ours and nothing was printed yet."""
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if not self.printed and getattr(function, "__module__", "").startswith("slotfree.kernels."):
            self.printed = True
            with suppress(OSError, ValueError, AttributeError):  # no stderr, or a full one
                print(LINE, file=sys.stderr, flush=True)

    def on_end(self, event: Event) -> None:
        """Numba asks for it; nothing is printed."""


def tell_first_use() -> None:
    """Print the line when a kernel is compiled for the first time from now on."""
    register("numba:compile", FirstUse())  # type: ignore[no-untyped-call]
