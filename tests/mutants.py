"""Change the package in two hundred small ways, one at a time, and see whether a test fails each time.

    python tests/mutants.py [--sample 200] [--seed 1] [--minutes 120] [--workers 2] [MODULE ...]

Mutants are drawn from all rooms, in proportion to their lines, or from the modules that are named (``memory.kwinner``,
or a room). Each is a private copy of the package, and meets the tests that call the changed function; the working tree
is never touched. What changes, and what is left alone, is said in ``mutation/operators.py``; mutants that cannot be
told from the original are listed in ``mutation/equivalents.toml``. At the end, the tests that killed one are run with
the unchanged package: they have to pass.

The exit code is 1 if less than 90 % were killed, or if the time was not enough to try all.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutation.record import ROOT, chosen_tests, recorded_tests
from mutation.sample import sample
from mutation.sources import Module, Package
from mutation.trial import Mutant, Outcome, copy_package, failing, try_mutant

KEPT = ROOT / ".mutants"  # the unchanged copy, and the record of what tests call
ENOUGH = 0.9  # of the mutants killed


def main() -> int:
    """Run the program."""
    given = parse()
    directory, package = unchanged_copy()
    chosen = sample(wanted(package.modules, given.modules), given.sample, given.seed)
    tests = recorded_tests(KEPT / "record.json", directory, package)
    end = time.monotonic() + 60 * given.minutes

    def tried(mutant: Mutant) -> Outcome | None:
        if time.monotonic() > end:
            return None
        own = chosen_tests(mutant.module, mutant.mutation, tests, package)
        outcome = try_mutant(mutant, directory, package.holders(mutant.module.name), own)
        print(line(outcome), flush=True)
        return outcome

    with ThreadPoolExecutor(given.workers) as pool:
        outcomes = [outcome for outcome in pool.map(tried, chosen) if outcome is not None]
    print(f"\n{summary(outcomes)}")
    names = {outcome.by for outcome in outcomes if outcome.killed}
    wrong = failing(directory, [test for test in tests if test.name in names])
    if wrong:
        sys.exit(f"these tests fail without any change, and kill nothing: {wrong}")
    if len(outcomes) < len(chosen):
        print(f"the time was enough for {len(outcomes)} of {len(chosen)}; allow more with --minutes")
    return 0 if sum(outcome.killed for outcome in outcomes) >= ENOUGH * len(chosen) else 1


def parse() -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="a module or a room; defaults to all rooms")
    parser.add_argument("--sample", type=int, default=200, help="number of mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--minutes", type=float, default=120, help="after which no other mutant is begun (120)")
    parser.add_argument("--workers", type=int, default=2, help="mutants at a time (2)")
    return parser.parse_args()


def wanted(found: dict[str, Module], names: list[str]) -> list[Module]:
    """Return the modules that are named, or that are in rooms that are named."""
    unknown = [name for name in names if name not in found]
    if unknown:
        sys.exit(f"a module must be one like memory.kwinner or a room like kernels, not {unknown[0]!r}")
    return [
        each for each in found.values() if not names or any(f"{each.name}.".startswith(f"{name}.") for name in names)
    ]


def unchanged_copy() -> tuple[Path, Package]:
    """Return a copy of the package as it is, with the kernels that are compiled; a new one if it has changed."""
    copy, original = KEPT / "src" / "slotfree", ROOT / "src" / "slotfree"
    package = Package(original)
    if not copy.exists() or Package(copy).modules != package.modules:
        shutil.rmtree(KEPT / "src", ignore_errors=True)
        copy_package(original, copy, set())
    return copy, package


def line(outcome: Outcome) -> str:
    """Return the line of one mutant."""
    mutation = outcome.mutant.mutation
    old, new = (words if len(words) <= 50 else f"{words[:49]}…" for words in (mutation.old, mutation.new))
    verdict = f"killed by {outcome.by}" if outcome.killed else f"SURVIVED ({outcome.by})"
    return f"{outcome.mutant.place}  {' '.join(f'{old} → {new}'.split())}  {verdict}  ({outcome.seconds:.0f} s)"


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the survivors, as small differences, and the share killed in each room and in all."""
    rows = []
    for mutant in (outcome.mutant for outcome in outcomes if not outcome.killed):
        old, new = mutant.mutation.lines(mutant.module.source)
        signed = [f"{sign}{each}" for sign, text in (("-", old), ("+", new)) for each in text.split("\n")]
        rows += [mutant.place, *signed, ""]
    rooms: dict[str, list[Outcome]] = {}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.mutant.module.room):
        rooms.setdefault(outcome.mutant.module.room, []).append(outcome)
    for room, inside in {**rooms, "all": outcomes}.items():
        killed = sum(outcome.killed for outcome in inside)
        rows.append(f"{room:12} {killed} of {len(inside)} killed, {100 * killed / max(1, len(inside)):.0f} %")
    return "\n".join([*rows, f"{sum(outcome.seconds for outcome in outcomes) / 60:.1f} minutes of processor time"])


if __name__ == "__main__":
    sys.exit(main())
