"""What workers elsewhere are sent: units of work, which they do only if their code is the code here.

The functions are sent as they are here, as a worker may have another slotfree, or none.
"""

import pickle
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

ROUNDING = ("numpy", "numba", "scipy")  # packages on which the last bits of numbers may depend


class Call:
    """A call that is made where it is unpickled."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.made_of = function, args

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return self.made_of


class Answer(NamedTuple):
    """What came of a unit of work.

    Attributes
    ----------
    worker : its address.
    refusal : why it did not do the unit, or None if it did.
    doubt : why its numbers may differ in their last bits, or None if there is no reason.
    """

    worker: str
    refusal: str | None
    doubt: str | None
    result: Any


def perform(here: Mapping[str, str], work: bytes) -> tuple[Any, ...]:
    """Do pickled work on a worker that has the code that ``here``, as ``about`` describes it; return an ``Answer``."""
    from distributed import get_worker

    worker = get_worker().address
    try:
        there = about()
    except Exception as error:
        return worker, f"has a slotfree that cannot be used ({type(error).__name__}: {error})", None, None
    refusal = reason_to_refuse(here, there)
    return worker, refusal, reason_to_doubt(here, there), None if refusal else pickle.loads(work)()


def about() -> dict[str, str]:
    """Versions of slotfree and of the packages that numbers depend on, and the code, in this process."""
    from slotfree.runs.machine import describe_packages
    from slotfree.runs.package_hash import package_hash

    packages = describe_packages()
    version = import_module("slotfree").__version__  # what is above imports what is here
    return {"slotfree": version, "code": package_hash(), **{name: packages[name] for name in ROUNDING}}


def reason_to_refuse(here: Mapping[str, str], there: Mapping[str, str]) -> str | None:
    """Why a worker cannot take part, or None if it can.

    Parameters
    ----------
    here, there : what ``about`` returns in this process and on the worker.
    """
    if there["slotfree"] != here["slotfree"]:
        return f"has slotfree {there['slotfree']}, and here is {here['slotfree']}"
    if there["code"] != here["code"]:
        return f"has other code of slotfree {there['slotfree']} than here"
    return None


def reason_to_doubt(here: Mapping[str, str], there: Mapping[str, str]) -> str | None:
    """Why the numbers of a worker may differ in their last bits, or None if there is no reason."""
    others = [f"{name} {there[name]} instead of {here[name]}" for name in ROUNDING if there[name] != here[name]]
    return ", ".join(others) or None
