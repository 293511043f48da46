"""What every benchmark does: one thread, contestants that take turns, tables, requirements, and a report as JSON.

To be imported before NumPy, which reads the number of its threads when it is loaded.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import version

import slotfree as sf

if "numpy" in sys.modules:
    raise ImportError("measure must be imported before NumPy is")
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"


def seconds(work, *arguments):
    begin = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begin


def take_turns(contestants, rounds, of=statistics.median):
    """Seconds of each contestant, a function without arguments: the median of rounds in which all take part."""
    times = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            times[name].append(seconds(work))
    return {name: of(values) for name, values in times.items()}


def in_own_process(file, *arguments, **environment):
    """What a benchmark prints, as JSON, when it is run once more with other arguments."""
    command = [sys.executable, file, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | environment)
    return json.loads(done.stdout)


def table(rows):
    """Lay out rows of words as aligned columns."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def verdict(requirement, floor, measured, holds):
    return {"requirement": requirement, "floor": floor, "measured": measured, "holds": bool(holds)}


def conclude(path, results, verdicts):
    """Print the verdicts, write everything to a JSON file, and return the exit code: 1 if a floor is missed."""
    from slotfree.files.atomic import write_atomically  # which loads NumPy

    rows = [("requirement", "floor", "measured", "")]
    for row in verdicts:
        word = "holds" if row["holds"] else "MISSED"
        rows.append((row["requirement"], row["floor"], f"{row['measured']:.3g}", word))
    print(table(rows))
    report = {
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()},
        "versions": {"slotfree": sf.__version__, "numpy": version("numpy"), "numba": version("numba")},
        **results,
        "requirements": verdicts,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, indent=2, ensure_ascii=False)
    write_atomically(path, lambda file: file.write(text.encode()))
    print(f"\nwritten to {path}")
    return 0 if all(row["holds"] for row in verdicts) else 1
