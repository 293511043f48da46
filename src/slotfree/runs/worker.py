"""What a worker elsewhere is asked, and how it does a unit of work: only if its code is the code of who asks."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from slotfree.runs.machine import describe_packages
from slotfree.runs.package_hash import package_hash

ROUNDING = ("numpy", "numba", "scipy")  # packages on which the last bits of numbers may depend


@dataclass(frozen=True)
class Answer:
    """What came of a unit of work.

    Attributes
    ----------
    code : that of the worker, see ``package_hash``.
    worker : its address.
    result : of the unit; None if the code is not the expected one.
    """

    code: str
    worker: str
    result: Any = None


class Call:
    """A call that is made where it is unpickled, so that a scheduler, which passes it on, needs none of its code."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.made_of = function, args

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return self.made_of


def about() -> dict[str, str]:
    """Versions of slotfree and of the packages that numbers depend on, and the code, in this process."""
    packages = describe_packages()
    version = import_module("slotfree").__version__  # not at the top: what is above imports what is here
    return {"slotfree": version, "code": package_hash(), **{name: packages[name] for name in ROUNDING}}


def answer(code: str, work: bytes) -> Answer:
    """Do pickled work on a worker that has this code, from its beginning to its end."""
    from distributed import get_worker

    worker = get_worker().address
    result = pickle.loads(work)() if package_hash() == code else None
    return Answer(package_hash(), worker, result)


def reason_to_refuse(here: Mapping[str, str], there: Mapping[str, str]) -> str | None:
    """Why a worker cannot take part, or None if it can.

    Parameters
    ----------
    here, there : what ``about`` says in this process and on the worker.
    """
    if there["slotfree"] != here["slotfree"]:
        return f"it has slotfree {there['slotfree']}, and here is {here['slotfree']}"
    if there["code"] != here["code"]:
        return f"its code of slotfree {there['slotfree']} is not the code here"
    return None


def reason_to_doubt(here: Mapping[str, str], there: Mapping[str, str]) -> str | None:
    """Why the numbers of a worker may differ in their last bits, or None if there is no reason."""
    others = [f"{name} {there[name]} instead of {here[name]}" for name in ROUNDING if there[name] != here[name]]
    return ", ".join(others) or None
