"""A random sample of mutants, in which each room has a share like that of its lines."""

import random
import tomllib
from collections.abc import Iterable
from pathlib import Path

from mutation.operators import mutations
from mutation.sources import Module
from mutation.trial import Mutant

EQUIVALENTS = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text())["equivalent"]
KNOWN = {(each["module"], each["old"], each["new"]) for each in EQUIVALENTS}  # lines before and after the change


def mutants_of(found: Iterable[Module]) -> list[Mutant]:
    """Return all mutants of some modules that a test could tell from the original."""
    every = [Mutant(module, mutation) for module in found for mutation in mutations(module.source)]
    modules = {name for name, _, _ in KNOWN}  # lines take time
    return [mutant for mutant in every if mutant.module.name not in modules or key_of(mutant) not in KNOWN]


def key_of(mutant: Mutant) -> tuple[str, str, str]:
    """Return by what an equivalent is known: the module, and the lines before and after the change."""
    old, new = mutant.mutation.lines(mutant.module.source)
    return mutant.module.name, old.strip(), new.strip()


def sample(found: Iterable[Module], size: int, seed: int) -> list[Mutant]:
    """Return that many mutants, or all if there are fewer."""
    rng = random.Random(seed)
    rooms: dict[str, list[Module]] = {}
    for module in found:
        rooms.setdefault(module.room, []).append(module)
    lines = {room: sum(len(module.source.split("\n")) for module in inside) for room, inside in rooms.items()}
    chosen: list[Mutant] = []
    for room, n in shares(lines, size).items():
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
