"""How the keys of a slot-free transformer learn: a key rule is one object."""

from collections.abc import Callable
from dataclasses import dataclass

from slotfree import checks
from slotfree.attention.registry import lookup
from slotfree.kernels.attention import key_rules as kernels


@dataclass(frozen=True)
class KeyRule:
    """A rule for W_K, and what the paper's model with this rule has.

    Parameters
    ----------
    name : what it is called in messages and in results.
    kernel : compiled by ``numba.njit``; it adds the gradient for W_K after one query. Its arguments,
        ``(slow, fast, activity, q, target, gradient)``, are described in ``slotfree.kernels.attention.key_rules``.
        Each process compiles training with a kernel of your own anew, which takes a few seconds.
    rates : learning rates of W_Q, W_K and W_V, unless others are given.
    n_hidden : hidden units, unless another number is given.
    learns : whether W_K learns at all.
    reads_fast : whether the kernel reads ``fast``, as ``OneWinner`` lays it out; then it is refused with storages that
        have another layout, such as ``Winners``.
    """

    name: str
    kernel: Callable[..., None]
    rates: tuple[float, float, float] = (5e-3, 5e-3, 5e-3)
    n_hidden: int = 16
    learns: bool = True
    reads_fast: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"name must be a string, not {checks.shown(self.name)}")
        if not hasattr(self.kernel, "py_func"):
            raise TypeError(f"kernel must be a function compiled by numba.njit, not {checks.shown(self.kernel)}")
        if not isinstance(self.rates, tuple) or len(self.rates) != 3:
            raise TypeError(f"rates must be three learning rates, of W_Q, W_K and W_V, not {checks.shown(self.rates)}")
        for weights, rate in zip(("W_Q", "W_K", "W_V"), self.rates, strict=True):
            checks.positive(f"the rate of {weights}", rate)
        checks.integer("n_hidden", self.n_hidden, 1, checks.MANY)


FIXED = KeyRule("fixed", kernels.fixed, (1e-3, 1e-3, 1e-3), n_hidden=10, learns=False)
MHN = KeyRule("mhn", kernels.mhn, (5e-3, 5e-3, 5e-3), reads_fast=True)
QUERY_KEY = KeyRule("query-key", kernels.query_key, (5e-3, 1e-4, 5e-3))
MHN_AS_PRINTED = KeyRule("mhn-as-printed", kernels.mhn_as_printed, (5e-3, 5e-3, 5e-3), reads_fast=True)  # SI B.4

KEY_RULES = {rule.name: rule for rule in (FIXED, MHN, QUERY_KEY)}


def key_rule(value: object) -> KeyRule:
    """Return a key rule, given by its name or as an object."""
    return lookup("key_rule", value, KEY_RULES, KeyRule)
