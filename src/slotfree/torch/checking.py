"""Tensors that users pass in, checked: every error names the argument, what it is, and what would be right."""

import warnings
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from slotfree import checks

if TYPE_CHECKING:
    from slotfree.torch.attention import Memory
    from slotfree.torch.rule import Rule
    from slotfree.torch.state import SlotFreeState

LARGEST = {torch.float32: 1e15, torch.float64: 1e100}  # magnitudes whose products stay far from overflow
PRODUCT = 1e-4  # of the largest number there is: what products of three may be
KINDS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)


def check_tensor(name: str, x: object, shape: str, sizes: tuple[int | None, ...]) -> Tensor:
    """Raise an error if x is not a tensor of real numbers of some shape; None is any size."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must be a tensor, not {checks.shown(type(x).__name__)}")
    if x.dim() != len(sizes) or any(size not in (None, found) for size, found in zip(sizes, x.shape, strict=True)):
        wanted = ", ".join("…" if size is None else str(size) for size in sizes)
        raise ValueError(f"{name} must have the shape ({wanted}), which is {shape}, not {tuple(x.shape)}")
    if x.dtype not in KINDS:
        raise TypeError(f"{name} must be float32, float64, bfloat16 or float16, not {x.dtype}")
    return x


def check_alike(name: str, x: Tensor, other: str, y: Tensor) -> None:
    """Raise an error if two tensors are of different types, or on different devices."""
    if x.dtype != y.dtype:
        raise TypeError(f"{name} must be {y.dtype} as {other} is, not {x.dtype}")
    if x.device != y.device:
        raise ValueError(f"{name} must be on {y.device} as {other} is, not on {x.device}")


def check_mask(mask: object, x: Tensor) -> None:
    """Raise an error if a mask is not None or (B, T) of booleans, where x is (B, T, …)."""
    if mask is None:
        return
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool or mask.shape != x.shape[:2]:
        found = f"{mask.dtype} of {tuple(mask.shape)}" if isinstance(mask, Tensor) else type(mask).__name__
        raise ValueError(f"mask must be torch.bool of the shape {tuple(x.shape[:2])}, False for padding, not {found}")
    if mask.device != x.device:
        raise ValueError(f"mask must be on {x.device} as the input is, not on {mask.device}")


def check_pairs(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> None:
    """Raise an error if queries, keys and values do not fit each other."""
    B, T, H, N = check_tensor("k", k, "(B, T, H, N)", (None,) * 4).shape
    check_tensor("q", q, "(B, T, H, N), as k", (B, T, H, N))
    check_tensor("v", v, "(B, T, H, V)", (B, T, H, None))
    check_alike("q", q, "k", k)
    check_alike("v", v, "k", k)
    check_mask(mask, k)


def check_memory(memory: "Memory", k: Tensor, drive: Tensor | None) -> None:
    """Raise an error if connections and the like do not fit keys, (B, T, H, N)."""
    B, T, H, N = k.shape
    rule, n = memory.rule, memory.n
    checks.one_of("select", memory.select, ("hard", "straight-through"))
    checks.positive("temperature", memory.temperature)
    asked = {
        "connections": (memory.connections, rule.f < 1, "storage.fan_in < 1", (H, n, N)),
        "drive": (drive, rule.address == "token", "storage.address='token'", (B, T, H, n)),
        "first_keys": (memory.first_keys, rule.address == "start", "storage.address='start'", (H, n, N)),
        "seeds": (memory.seeds, True, "", (H,)),
    }
    for name, (part, needed, why, shape) in asked.items():
        if part is None and needed:
            raise ValueError(f"{why} requires {name}, a tensor of the shape {shape}")
        if part is None:
            continue
        if not needed:
            raise ValueError(f"{name} requires {why}")
        if not isinstance(part, Tensor):
            raise TypeError(f"{name} must be a tensor, not {checks.shown(part)}")
        if tuple(part.shape) != shape:
            raise ValueError(f"{name} must have the shape {shape}, not {tuple(part.shape)}")
        if part.device != k.device:
            raise ValueError(f"{name} must be on {k.device} as k is, not on {part.device}")
        if name == "seeds" and part.dtype != torch.int64:
            raise TypeError(f"seeds must be torch.int64, not {part.dtype}")
        if name in ("drive", "first_keys"):
            check_tensor(name, part, "", shape)
            with torch.no_grad():
                check_finite(part.detach(), name, torch.finfo(part.dtype).max)
        if name == "connections" and not torch.compiler.is_compiling() and bool(((part != 0) & (part != 1)).any()):
            raise ValueError("connections must be 1 where a unit sees a component, and else 0, not other numbers")


def warn_of_several(select: str, rule: "Rule", stacklevel: int) -> None:
    """Warn that straight-through addresses are meant for one winner."""
    if select == "straight-through" and rule.k > 1:
        message = f"select='straight-through' with k = {rule.k} winners: the softmax stands for one of them"
        warnings.warn(message, stacklevel=stacklevel)


@torch.library.custom_op("slotfree::check_numbers", mutates_args=())
def check_finite(x: Tensor, name: str, largest: float) -> Tensor:
    """Raise FloatingPointError if numbers are not finite, or larger than that in magnitude; return 0."""
    if x.numel() and not bool((x.abs() <= largest).all()):
        worst = x.abs().max().item()
        raise FloatingPointError(
            f"{name} must hold finite numbers of at most {largest:g} in magnitude, not {worst:g}: if this is a "
            "training, it diverges; use a lower learning rate"
        )
    return x.new_zeros((), dtype=torch.int64)


@check_finite.register_fake
def _(x: Tensor, name: str, largest: float) -> Tensor:
    return x.new_zeros((), dtype=torch.int64)


@torch.library.custom_op("slotfree::check_factor", mutates_args=())
def _check_factor(lengths: Tensor, factor: float, name: str, times: str) -> Tensor:
    most, longest = PRODUCT * torch.finfo(lengths.dtype).max, lengths.max().item()
    if not factor <= most or not factor * longest <= most:
        raise ValueError(
            f"{name} times {times}, {longest:.3g}, must be at most {most:.3g} in {lengths.dtype}, which {name}="
            f"{factor:g} is not: use a smaller one"
        )
    return lengths.new_zeros((), dtype=torch.int64)


@_check_factor.register_fake
def _(lengths: Tensor, factor: float, name: str, times: str) -> Tensor:
    return lengths.new_zeros((), dtype=torch.int64)


def check_numbers(rule: "Rule", state: "SlotFreeState", q: Tensor | None, *pairs: Tensor) -> Tensor:
    """Raise an error if queries (B, H, T, N), or keys and values, are not finite, or if products of them are not.

    Return 0, to be added to what comes out: ``torch.compile`` leaves out a check that nothing depends on.
    """
    with torch.no_grad():
        named = (("q", q), *zip("kv", pairs, strict=False))
        found = [check_finite(x.detach(), name, LARGEST[x.dtype]) for name, x in named if x is not None]
        keys = [state.keys, *pairs[:1]]
        longest = torch.stack([length(each) for each in keys]).max()
        if q is not None:
            most = longest.clamp(min=1.0) * length(
                q
            )  # β q is formed first, which must be finite however short keys are
            found.append(_check_factor(most, rule.beta, "storage.beta", "|q| max(|k|, 1)"))
        if rule.address in ("key", "token"):
            found.append(_check_factor(longest.square(), rule.gain, "storage.projection_gain", "|k|²"))
        return torch.stack(found).sum()


def length(x: Tensor) -> Tensor:
    """The largest length of vectors, (…, N); 0 if there are none."""
    return torch.cat([x.detach().square().sum(-1).flatten(), x.new_zeros(1)]).max().sqrt()
