"""Change the package in two hundred small ways, one at a time, and see whether a test fails each time.

    python tests/mutants.py [--sample 200] [--seed 1] [--minutes 120] [--workers 2] [--json FILE] [MODULE ...]

Mutants are drawn from all rooms, in proportion to their lines, or from the modules that are named (``kernels.winners``,
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutation.record import ROOT, Record, chosen_tests
from mutation.report import killed_share, line, summary, write_json
from mutation.sample import sample
from mutation.sources import Module, modules, users_of
from mutation.trial import Outcome, copy_package, failing, try_mutant

KEPT = ROOT / ".mutants"  # the unchanged copy, and the record of what tests call
ENOUGH = 0.9  # of the mutants killed


def main() -> int:
    """Run the program."""
    given = parse()
    end = time.monotonic() + 60 * given.minutes
    package = unchanged_copy()
    found = modules(package)
    tests = Record(KEPT, package, found).tests()
    users = users_of(found)
    chosen = sample(wanted(found, given.modules), given.sample, given.seed)

    def tried(mutant) -> Outcome | None:
        if time.monotonic() > end:
            return None
        outcome = try_mutant(mutant, package, found, chosen_tests(mutant.module, mutant.mutation, tests, users))
        print(line(outcome), flush=True)
        return outcome

    with ThreadPoolExecutor(given.workers) as pool:
        outcomes = [outcome for outcome in pool.map(tried, chosen) if outcome is not None]
    print(f"\n{summary(outcomes)}")
    if given.json:
        write_json(given.json, outcomes)
    names = {outcome.by for outcome in outcomes if outcome.killed}
    wrong = failing(package, [test for test in tests if test.name in names])
    if wrong:
        sys.exit(f"these tests fail without any change, and kill nothing: {wrong}")
    if len(outcomes) < len(chosen):
        print(f"the time was enough for {len(outcomes)} of {len(chosen)}; allow more with --minutes")
    return 0 if len(outcomes) == len(chosen) and killed_share(outcomes) >= ENOUGH else 1


def parse() -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="a module or a room; all rooms if none is named")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--minutes", type=float, default=120, help="after which no other mutant is begun (120)")
    parser.add_argument("--workers", type=int, default=2, help="mutants at a time (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes to this file")
    return parser.parse_args()


def wanted(found: dict[str, Module], names: list[str]) -> list[Module]:
    """Return the modules that are named, or that are in rooms that are named."""
    unknown = [name for name in names if name not in found]
    if unknown:
        sys.exit(f"a module must be one like kernels.winners or a room like kernels, not {unknown[0]!r}")
    return [
        each for each in found.values() if not names or any(f"{each.name}.".startswith(f"{name}.") for name in names)
    ]


def unchanged_copy() -> Path:
    """Return a copy of the package as it is, with the kernels that are compiled; a new one if it has changed."""
    package, original = KEPT / "src" / "slotfree", ROOT / "src" / "slotfree"
    if not package.exists() or sources(package) != sources(original):
        shutil.rmtree(KEPT / "src", ignore_errors=True)
        copy_package(original, package, set())
    return package


def sources(package: Path) -> dict[str, str]:
    """Return the text of all modules."""
    return {name: module.source for name, module in modules(package).items()}


if __name__ == "__main__":
    sys.exit(main())
