"""A random sample of mutants, in which each room has a share like that of its lines."""

import random
from collections.abc import Iterable

from mutation.equivalents import counted
from mutation.operators import mutations
from mutation.sources import Module
from mutation.trial import Mutant


def mutants_of(found: Iterable[Module]) -> list[Mutant]:
    """Return all mutants of some modules that are not known equivalents."""
    return counted([Mutant(module, mutation) for module in found for mutation in mutations(module.source)])


def sample(found: Iterable[Module], size: int, seed: int) -> list[Mutant]:
    """Return that many mutants, or all if there are fewer."""
    rng = random.Random(seed)
    rooms: dict[str, list[Module]] = {}
    for module in found:
        rooms.setdefault(module.room, []).append(module)
    sizes = shares({room: sum(module.n_lines for module in inside) for room, inside in rooms.items()}, size)
    chosen: list[Mutant] = []
    for room, n in sizes.items():
        all_of_room = mutants_of(rooms[room])
        chosen += rng.sample(all_of_room, min(n, len(all_of_room)))
    rng.shuffle(chosen)  # so that what was tried tells of all rooms, if the time is not enough
    return chosen


def shares(weights: dict[str, int], total: int) -> dict[str, int]:
    """Split a total in proportion to weights, in integers: the largest remainders are rounded up."""
    exact = {name: total * weight / sum(weights.values()) for name, weight in weights.items()}
    whole = {name: int(value) for name, value in exact.items()}
    missing = total - sum(whole.values())
    for name in sorted(exact, key=lambda name: whole[name] - exact[name])[:missing]:
        whole[name] += 1
    return whole
