"""Associative recall: slot-free attention beside its rivals, with states of the same size.

``python benchmarks/recall`` trains all on all tasks; rerun to resume. Learning rates are chosen by validation accuracy,
for each model and kind of task at the smallest state, among 8 with 3 seeds; 5 fresh seeds are reported, with the
standard error. ``--quick`` is a small part of it. ``--record`` keeps what was measured as data of the package, which
``slotfree reproduce recall`` draws and judges; ``--stored`` trains nothing, and what is not stored is missing.
"""

import argparse
import json
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import measure  # noqa: E402 (before NumPy)
import numpy as np  # noqa: E402
from references import MODELS  # noqa: E402
from tasks import AGES, STREAM, TASKS  # noqa: E402
from training import train_run  # noqa: E402

from slotfree.beyond.recall import BY_STATE, RECORD  # noqa: E402
from slotfree.files.atomic import write_atomically  # noqa: E402
from slotfree.runs.store import Finished, Store, Unit  # noqa: E402
from slotfree.runs.work import work  # noqa: E402

VERSION = 1
RATES = [0.0003, 0.001, 0.002, 0.004, 0.008, 0.016, 0.03, 0.06]
CHOSEN_ON = {"pairs": "16 pairs", "reassigned": "16 pairs, reassigned"}
FULL = {
    "models": list(MODELS),
    "tasks": [task for task in TASKS if task != STREAM],
    "floats": [1024, 2048, 4096],
    "rates": RATES,
    "seeds": 3,
    "fresh": 5,
    "steps": 300,  # of runs that are reported; half to choose a learning rate
    "size": 16,
}
QUICK = FULL | {
    "models": [
        "softmax (grows)",
        "linear",
        "delta",
        "Raven's store",
        "slot-free, oldest",
        "slot-free, key",
        "slot-free, start (the paper's)",
        "slot-free, oldest, local",
    ],
    "tasks": ["16 pairs", "16 pairs, reassigned"],
    "floats": [1024],
    "rates": [0.004, 0.016, 0.06],
    "seeds": 1,
    "fresh": 2,
    "steps": 150,
}
LONG = 256  # items: tasks of more are done by models of MAIN at the second size alone
MAIN = ("softmax (grows)", "Hopfield, last n", "linear", "delta", "gated delta", "Raven's store", "slot-free, oldest")
MUST = (("softmax (grows)", "16 pairs"), ("delta", "16 pairs"))  # else the harness is wrong
LEAST = 0.99
FRESH = 100  # and above: seeds that choose nothing
DIGITS = 5  # of accuracies that are kept


def units(runs, plan, steps):
    """What is to be done: a key, what it is, and the function that does it."""
    for model, task, floats, rate, seed in runs:
        settings = {"model": model, "task": task, "floats": floats, "rate": rate, "seed": seed}
        settings |= {"steps": steps, "size": plan["size"]}
        if task == CHOSEN_ON["pairs"] and seed >= FRESH:
            settings["stream"] = True
        yield (
            (model, task, floats, rate, seed),
            Unit("recall", {"recall": VERSION, **settings}),
            partial(train_run, **settings),
        )


def done(runs, plan, steps, store, executor):
    """Results by key; a run that fails is reported, and left out. Without an executor, those that are stored."""
    found, runs = {}, list(runs)
    every = units(runs, plan, steps)
    if executor is None:
        loaded = ((key, store.load(unit)) for key, unit, _ in every if store.has(unit))
        return {key: finished.arrays for key, finished in loaded if finished is not None}
    for key, outcome in work(every, store, executor=executor):
        if isinstance(outcome, Finished):
            found[key] = outcome.arrays
        else:
            print(f"failed: {key}: {outcome.error!r}", file=sys.stderr)
        if sys.stderr.isatty():
            print(f"\r{len(found)} of {len(runs)} runs", end="", file=sys.stderr, flush=True)
    return found


def chosen_rates(plan, store, executor):
    """The best learning rate of each model on each kind of task, by mean validation accuracy; and runs with it."""
    kinds = sorted({TASKS[task].kind for task in plan["tasks"]})
    least = min(plan["floats"])
    runs = [
        (model, CHOSEN_ON[kind], least, rate, seed)
        for model in plan["models"]
        for kind in kinds
        for rate in plan["rates"]
        for seed in range(plan["seeds"])
    ]
    steps = plan["steps"] if plan is QUICK else plan["steps"] // 2
    found, best = done(runs, plan, steps, store, executor), {}
    missing = {key[:2] for key in set(runs) - set(found)} if executor is None else set()
    for model in plan["models"]:
        for kind in kinds:
            if (model, CHOSEN_ON[kind]) in missing:
                continue
            means = {
                rate: np.mean(
                    [a["validation"] for key, a in found.items() if key[:4] == (model, CHOSEN_ON[kind], least, rate)]
                )
                for rate in plan["rates"]
            }
            best[model, kind] = max(means, key=means.get)
    tried = {key: arrays for key, arrays in found.items() if key[3] == best.get((key[0], TASKS[key[1]].kind))}
    return best, tried


def sizes(plan, model, task):
    """The sizes of states at which a model does a task: what grows has one, variants have the smallest.

    With local rules a state has fewer units: they are tried with more numbers too.
    """
    if TASKS[task].length > LONG:
        return plan["floats"][1:2] if model in MAIN else []
    if (model in MAIN and not model.startswith("softmax")) or (model.endswith("local") and task in CHOSEN_ON.values()):
        return plan["floats"]
    return plan["floats"][:1] if model in MAIN or task in CHOSEN_ON.values() else []


def fresh_runs(plan, best):
    """Seeds that were not used to choose."""
    for model in plan["models"]:
        for task in plan["tasks"]:
            for floats in sizes(plan, model, task) if (model, TASKS[task].kind) in best else ():
                for seed in range(FRESH, FRESH + plan["fresh"]):
                    yield model, task, floats, best[model, TASKS[task].kind], seed


def summary(found):
    """A row for each model, task and size: mean test accuracy, its standard error, and what a write touches."""
    groups = {}
    for (model, task, floats, rate, _), arrays in found.items():
        groups.setdefault((task, floats, model, rate), []).append(arrays)
    for (task, floats, model, rate), runs in groups.items():
        test = np.array([float(run["test"][0]) for run in runs])
        spread = float(test.std(ddof=1) / sqrt(len(test))) if len(test) > 1 else float("nan")
        with np.errstate(invalid="ignore"):
            ages = np.mean([run["ages"] for run in runs], axis=0)
        yield {
            "task": task,
            "state": floats,
            "model": model,
            "learning_rate": rate,
            "runs": len(test),
            "accuracy": float(test.mean()),
            "standard_error": spread,
            "floats": none_if_nan(runs[0]["floats"][0]),
            "touched": none_if_nan(runs[0]["touched"][0]),
            "diverged": int(sum(run["diverged"][0] for run in runs)),
            "by_age": {str(age): none_if_nan(each) for age, each in zip(AGES, ages, strict=True)},
            "accuracies": test.round(DIGITS).tolist(),
            "ages": [np.round(run["ages"], DIGITS).tolist() for run in runs],
        }


def record(fresh, tried, plan):
    """Keep what was measured as data of the package: fresh runs, or where there are none those that chose the rate."""
    fresh = [row for row in fresh if row["runs"] == plan["fresh"]]  # what is half done is not shown
    known = {(row["model"], row["task"], row["state"]) for row in fresh}
    fresh += [streamed(row) for row in fresh if row["task"] == CHOSEN_ON["pairs"]]
    steps = plan["steps"]
    rows = [(row, True, steps) for row in fresh]
    rows += [(row, False, steps // 2) for row in tried if (row["model"], row["task"], row["state"]) not in known]
    names = ("model", "task", "state", "learning_rate", "floats", "touched", "diverged", "accuracies")
    lines = []
    for row, is_fresh, n in (each for each in rows if each[0]["task"] in BY_STATE):
        kept = {name: row[name] for name in names} | {"steps": n, "fresh": is_fresh}
        if row["task"] == STREAM:
            asked = [age for age, each in row["by_age"].items() if each is not None]
            kept["ages"] = {age: [run[AGES.index(int(age))] for run in row["ages"]] for age in asked}
        lines.append(json.dumps(kept, ensure_ascii=False))
    if not lines:
        sys.exit(f"nothing of the bench is stored: {RECORD.name} stays as it is; give its directory with --out")
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    write_atomically(RECORD, lambda file: file.write(text.encode()))
    print(f"{len(lines)} rows are recorded in {RECORD.name}")


def streamed(row):
    """What memories that learnt 16 pairs recall of a stream: the mean over all ages, each as often as another."""
    ends = np.minimum((*AGES[1:], np.inf), TASKS[STREAM].length + 1)
    often = np.maximum(ends - AGES, 0) / TASKS[STREAM].length
    accuracies = [float(np.nansum(often * np.array(run, float)).round(DIGITS)) for run in row["ages"]]
    return row | {"task": STREAM, "accuracies": accuracies}


def none_if_nan(number):
    return None if np.isnan(number) else float(number)


def shown(rows):
    """Rows as words: one table for each task and size."""
    for task, state in dict.fromkeys((row["task"], row["state"]) for row in rows):
        part = [row for row in rows if (row["task"], row["state"]) == (task, state)]
        lines = [("model", "accuracy", "±", "floats", "touched", "rate", "diverged")]
        for row in sorted(part, key=lambda row: -row["accuracy"]):
            sizes = ("–" if row[name] is None else f"{row[name]:.0f}" for name in ("floats", "touched"))
            numbers = f"{row['accuracy']:.3f}", f"{row['standard_error']:.3f}"
            lines.append((row["model"], *numbers, *sizes, f"{row['learning_rate']:g}", str(row["diverged"])))
        print(f"\n{task}, states of up to {state} numbers\n{measure.table(lines)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few models, tasks, learning rates and steps")
    parser.add_argument("--out", type=Path, default=Path("bench"), help="directory of results (default: bench)")
    parser.add_argument("--stored", action="store_true", help="train nothing: of what is stored")
    parser.add_argument("--record", action="store_true", help="keep it as data of the package")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    options = parser.parse_args()
    plan = QUICK if options.quick else FULL
    store = Store(options.out / "recall")
    if options.record and options.quick:
        parser.error("--record requires the whole bench, not --quick")
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as executor:
        trains = None if options.stored else executor
        best, tried = chosen_rates(plan, store, trains)
        rows = list(summary(done(fresh_runs(plan, best), plan, plan["steps"], store, trains)))
    shown(rows)
    if options.record:
        record(rows, list(summary(tried)), plan)
    verdicts = []
    for model, task in MUST:
        for row in rows:
            if (row["model"], row["task"]) == (model, task):
                words = f"{model}, {task}, {row['state']} numbers"
                verdicts.append(measure.verdict(words, f"{LEAST}", row["accuracy"], row["accuracy"] >= LEAST))
    name = "recall_quick.json" if options.quick else "recall.json"
    return measure.conclude(options.out / name, {"plan": plan, "rows": rows}, verdicts)


if __name__ == "__main__":
    sys.exit(main())
