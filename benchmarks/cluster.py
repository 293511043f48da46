"""What it costs to spread runs over the workers of a Dask cluster: time, bytes and core time per run.

    python benchmarks/cluster.py [--quick] [--out bench/cluster.json]

The scheduler and 1, 2 and 4 workers are processes of this machine, on loopback and with one thread each, so that they
share its cores with each other and with who asks. Measured are units of work that do nothing, which are all cost; units
that sleep, which need no core, so that the time that a worker waits for its next unit is seen; runs of figure 4; and
what ``slotfree reproduce`` takes on a cluster and on threads. Other work on the machine makes times longer, so the
least of several rounds counts, and core time (of all processes, in user and system mode) counts for more than time.
Dask looks after each of its processes 50 to 100 times a second; *quiet* ones are told not to, by ``QUIET``.

For many workers, each on a core of its own, and for the whole paper on two, the costs that were measured are put into a
model: that is calculated, not measured. Exit code 1 if a stated target is missed.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType

import measure  # before NumPy
import numpy as np
import psutil
from distributed import Client
from traffic import count_writes, written

from slotfree.paper.shared.memories import K_WINNER
from slotfree.runs.cluster import cluster, silence
from slotfree.runs.executor import run_units
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Store, Unit
from slotfree.runs.work import work
from slotfree.study.experiment import arrays_of
from slotfree.study.retention import Retention

WORKERS = (1, 2, 4)
SLEEP = 0.2  # seconds, a run of the paper on average
MANY = (1, 10, 100, 1000)  # workers of the model
CORES = 2
PAPER = {"units": 4790, "core seconds": 960}  # of make paper
QUIET = {"DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s", "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
MOST_CORE_TIME = 0.05  # more than on threads


NOTHING = partial(dict, x=np.zeros(1))  # a unit of work that only costs


def rest(seconds, result):
    """A unit of work that needs no core."""
    time.sleep(seconds)
    return result


def run_of_figure_4(number):
    """A run of the K-winner MHN, as the paper has 200."""
    return partial(arrays_of, Retention(K_WINNER.settings), seed_for(0, "cluster", number))


class Loopback:
    """A scheduler and some workers with one thread each, in processes of their own.

    Attributes
    ----------
    address : of the scheduler.
    joined : core seconds that a worker had taken when it had joined, the mean.
    """

    def __init__(self, folder, n_workers, environment):
        file = Path(folder, f"scheduler-{n_workers}.json")
        here = ("--host", "127.0.0.1", "--no-dashboard")
        self.processes, self.environment = {}, os.environ | environment
        self._start("scheduler", "dask_scheduler", *here, "--port", "0", "--scheduler-file", file)
        only = ("--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--death-timeout", "60")
        for n in range(n_workers):
            self._start(f"worker {n}", "dask_worker", *here, *only, "--scheduler-file", file)
        with Client(scheduler_file=str(file), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(n_workers, timeout=60)
            self.address = client.scheduler.address
        self.n_workers = n_workers
        self.joined = sum(self.core_seconds()["workers"].values()) / n_workers

    def core_seconds(self):
        """Core seconds so far, of who asks, the scheduler and each worker."""
        found = {name: sum(psutil.Process(p.pid).cpu_times()[:2]) for name, p in self.processes.items()}
        return {"client": time.process_time(), "scheduler": found.pop("scheduler"), "workers": found}

    def close(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def _start(self, name, what, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{what}", *map(str, arguments)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": self.environment}
        self.processes[name] = subprocess.Popen(command, **quiet)


@contextmanager
def loopback(n_workers, environment=MappingProxyType({})):
    with tempfile.TemporaryDirectory() as folder:
        found = Loopback(folder, n_workers, environment)
        try:
            yield found
        finally:
            found.close()


def difference(before, after):
    """Core seconds between two moments: of who asks, of the scheduler, and of all workers."""
    own = {name: after[name] - before[name] for name in ("client", "scheduler")}
    return own | {"workers": sum(after["workers"].values()) - sum(before["workers"].values())}


class Threads:
    """Two threads of this process, in place of workers."""

    n_workers = CORES

    def core_seconds(self):
        return {"client": time.process_time(), "scheduler": 0.0, "workers": {}}


def timed(there, executor, units):
    """Seconds and core seconds per unit of work, as a study does it: with a store."""
    with tempfile.TemporaryDirectory() as folder:
        every = [(n, Unit("cluster", {"n": n}), unit) for n, unit in enumerate(units)]
        jobs = CORES if executor is None else None
        before, begin = there.core_seconds(), time.perf_counter()
        inside = sum(finished.seconds for _, finished in work(every, Store(Path(folder)), jobs, executor))
        seconds, after = time.perf_counter() - begin, there.core_seconds()
    per_unit = {name: value / len(units) for name, value in difference(before, after).items()}
    busy = inside / seconds / there.n_workers
    return {"seconds": seconds / len(units), "busy": busy, "core seconds": per_unit}


def best(rounds):
    """The least time of some rounds, the largest busy share, and the least core time of each kind of process."""
    least = {name: min(r["core seconds"][name] for r in rounds) for name in rounds[0]["core seconds"]}
    return {
        "seconds": min(r["seconds"] for r in rounds),
        "busy": max(r["busy"] for r in rounds),
        "core seconds": least,
    }


def bytes_per_unit(client, executor, units):
    """Bytes that each kind of process writes for a unit, Dask's own included."""

    def so_far():
        return written(), client.run_on_scheduler(written), sum(client.run(written).values())

    before = so_far()
    list(run_units(enumerate(units), executor=executor))
    after = so_far()
    names = ("client", "scheduler", "workers")
    return {name: (b - a) / len(units) for name, a, b in zip(names, before, after, strict=True)}


def kinds_of_units(counts, n_workers):
    return {
        "nothing": [NOTHING] * counts["nothing"],
        "sleep": [partial(rest, SLEEP, {"x": np.zeros(1)})] * (counts["sleep"] * n_workers),
        "run": [run_of_figure_4(n) for n in range(counts["run"])],
    }


def on_threads(counts, rounds):
    """What units of work cost without a cluster."""
    there, kinds = Threads(), kinds_of_units(counts, CORES)
    timed(there, None, kinds["run"][:CORES])
    return {name: best([timed(there, None, units) for _ in range(rounds)]) for name, units in kinds.items()}


def of_units(n_workers, counts, rounds, environment):
    """What units of work cost with so many workers."""
    kinds = kinds_of_units(counts, n_workers)
    with loopback(n_workers, environment) as there, cluster(there.address) as executor:
        for units in kinds.values():
            timed(there, executor, units[: 2 * n_workers])  # which imports
        found = {name: best([timed(there, executor, units) for _ in range(rounds)]) for name, units in kinds.items()}
        with Client(there.address, set_as_default=False) as client:
            client.run(count_writes)
            client.run_on_scheduler(count_writes)
            for name in ("nothing", "run"):
                found[name]["bytes"] = bytes_per_unit(client, executor, kinds[name])
        before, begin = there.core_seconds(), time.perf_counter()
        time.sleep(5)
        seconds = time.perf_counter() - begin
        idle = {name: value / seconds for name, value in difference(before, there.core_seconds()).items()}
        return {**found, "idle": idle, "joined": there.joined}


def reproduce(item, scale, *options):
    """Seconds and core seconds of a command that reproduces something."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "slotfree", "reproduce", item, "--scale", scale, "--out", folder, *options]
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr)
    return seconds, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def of_reproduce(item, scale, rounds):
    """Core seconds on two threads and on two workers, in turns; the first time, workers have done nothing yet."""
    threads, contestants = [], {"workers": {}, "quiet workers": QUIET}
    times = {name: [] for name in contestants}
    with ExitStack() as stack:
        there = {name: stack.enter_context(loopback(CORES, each)) for name, each in contestants.items()}
        for _ in range(rounds):
            threads.append(reproduce(item, scale, "--jobs", str(CORES)))
            for name in contestants:
                before = there[name].core_seconds()
                seconds, asking = reproduce(item, scale, "--scheduler", there[name].address)
                spent = difference(before, there[name].core_seconds())
                times[name].append((seconds, asking + spent["scheduler"] + spent["workers"]))
    found = {"threads": least(threads)}
    for name, every in times.items():
        found |= {name: least(every[1:]), f"{name}, the first time": least(every[:1])}
    return found


def least(times):
    seconds, core_seconds = map(min, zip(*times, strict=True))
    return {"seconds": seconds, "core seconds": core_seconds}


def model(found, seconds_of_unit):
    """Units per second, and the busy share, with many workers on cores of their own: calculated, not measured.

    Who asks does one thing after the other, and so does the scheduler; workers work side by side. The scheduler needs
    a part of its core for itself, and for the heartbeats of each worker.
    """
    cost, rows = found["run"]["core seconds"], []
    own = found["nothing"]["core seconds"]["workers"]
    for n in MANY:
        limits = {
            "workers": n / (seconds_of_unit + own),
            "who asks": 1 / cost["client"],
            "the scheduler": (1 - found["idle"]["scheduler"]) / cost["scheduler"],
        }
        per_second = min(limits.values())
        limit = min(limits, key=limits.__getitem__)
        rows.append({"workers": n, "per second": per_second, "busy": per_second * seconds_of_unit / n, "limit": limit})
    return rows


def of_paper(threads, found):
    """Core time of the whole paper on two workers, more than on threads: calculated, not measured."""
    more = sum(found["run"]["core seconds"].values()) - sum(threads["run"]["core seconds"].values())
    beside = found["idle"]["scheduler"] * PAPER["core seconds"] / CORES  # idle time of workers is in that of the runs
    started = found["joined"] * (CORES + 1)
    parts = {"units": more * PAPER["units"], "scheduler, waiting": beside, "starting": started}
    return {name: value / PAPER["core seconds"] for name, value in parts.items()}


def show(units, reproduced, calculated, paper):
    """Print everything as tables."""
    rows = [("units", "", "per second", "busy", "core ms: client", "scheduler", "workers", "bytes", "", "")]
    for where, found in units.items():
        for name in ("nothing", "sleep", "run"):
            one = found[name]
            core = [f"{value * 1e3:.2f}" for value in one["core seconds"].values()]
            sent = [f"{value:,.0f}" for value in one.get("bytes", {}).values()] or [""] * 3
            rows.append((name, where, f"{1 / one['seconds']:.1f}", f"{one['busy']:.3f}", *core, *sent))
        if "idle" in found:
            idle = [f"{value * 1e3:.1f}" for value in found["idle"].values()]
            rows.append(("a second of waiting", where, "", "", *idle, "", "", ""))
    print(measure.table(rows), end="\n\n")
    rows = [("reproduce", "", "seconds", "core seconds")]
    for item, found in reproduced.items():
        rows += [(item, name, f"{one['seconds']:.1f}", f"{one['core seconds']:.2f}") for name, one in found.items()]
    print(measure.table(rows), end="\n\n")
    rows = [("calculated", "workers", "units per second", "busy", "limited by")]
    for (seconds, where), lines in calculated.items():
        for line in lines:
            rate, share = f"{line['per second']:.0f}", f"{line['busy']:.2f}"
            rows.append((f"units of {seconds} s, {where}", str(line["workers"]), rate, share, line["limit"]))
    print(measure.table(rows), end="\n\n")
    for where, parts in paper.items():
        print(f"calculated for the paper on {where}, core time more than on threads: {sum(parts.values()):.1%}:")
        print(", ".join(f"{name} {value:.1%}" for name, value in parts.items()), end="\n\n")


def judge(reproduced, paper):
    rows = []
    for item, found in reproduced.items():
        more = found["quiet workers"]["core seconds"] / found["threads"]["core seconds"] - 1
        rows.append((f"{item}: core time on quiet workers, more than on threads", more))
    rows.append(("paper, calculated: the same", sum(paper["2 workers, quiet"].values())))
    return [measure.verdict(name, f"≤ {MOST_CORE_TIME}", more, more <= MOST_CORE_TIME) for name, more in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer units, and only what takes less than two minutes")
    parser.add_argument("--out", type=Path, default=Path("bench/cluster.json"), help="where to write JSON")
    arguments = parser.parse_args()
    silence()
    count_writes()
    quick = arguments.quick
    counts = {"nothing": 200, "sleep": 8, "run": 16} if quick else {"nothing": 500, "sleep": 20, "run": 40}
    rounds = 2 if quick else 3
    begun = os.getloadavg()
    units = {"2 threads": on_threads(counts, rounds)}
    for kind, environment in {"": {}, ", quiet": QUIET}.items():
        for n in WORKERS if not (quick and kind) else (CORES,):
            units[f"{n} workers{kind}"] = of_units(n, counts, rounds, environment)
    reproduced = {"fig4, quick": of_reproduce("fig4", "quick", 2)}
    if not quick:
        reproduced["fig4"] = of_reproduce("fig4", "paper", 2)
    measured = [f"{CORES} workers", f"{CORES} workers, quiet"]
    calculated = {(seconds, where): model(units[where], seconds) for where in measured for seconds in (SLEEP, 1.0)}
    paper = {where: of_paper(units["2 threads"], units[where]) for where in measured}
    show(units, reproduced, calculated, paper)
    load = {"begin": begun, "end": os.getloadavg()}
    print(f"load of the machine, which has {os.cpu_count()} cores: {begun[0]:.1f} to {load['end'][0]:.1f}\n")
    named = {f"units of {seconds} s, {where}": lines for (seconds, where), lines in calculated.items()}
    results = {"units": units, "reproduce": reproduced, "calculated": named, "paper": paper, "load": load}
    return measure.conclude(arguments.out, results, judge(reproduced, paper))


if __name__ == "__main__":
    sys.exit(main())
