"""The search for the best memory among all with the same number of weights, by theory; the best are simulated."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from typing import TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.files.attributes import attributes
from slotfree.forgetting.binned import settling
from slotfree.forgetting.cues import checked_levels
from slotfree.forgetting.family import MOST_ACTIVE, family, labels_of, rows_of, settings_in
from slotfree.forgetting.merit import CRITERION, MERITS, Floats, merit_values, merits
from slotfree.forgetting.metrics import FEWEST_CORRECTED, d_prime
from slotfree.forgetting.protocol import CUES, retention
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.forgetting.theory.limits import (
    LEAST_INPUTS,
    LEAST_INPUTS_STORED,
    LEAST_LEARNING_RATE,
    LEAST_ONES,
    TheoryLimitError,
    least_learning_rate,
    ones_of_cue,
)
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.executor import run_units

GOALS = (*(name for name in MERITS if name != "baseline"), "d_prime")
FIRST_STEP, LAST_STEP = 2**0.5, 2**0.125  # ratios of neighbouring settings
N_STARTS = 3  # fan-ins whose best member on the grid is improved
AREA_AGES = 1000
N_AGES = 100
NEAR = 0.1  # d' at an age is simulated as a mean over ages that differ by at most this share
LEAST_REMEMBERED = 0.05  # R.D. of the newest pattern
MOST_TESTED = 3000  # ages, where the best are simulated
MOST_STORED = 100_000  # patterns before those that are tested

Progress: TypeAlias = Callable[[int, int], None]


def horizon(settings: KWinnerSettings) -> int:
    """Return an age at which nothing is left of a pattern: its winners have won 10/ε times more, on average."""
    age = 10 * settings.n_hidden / (settings.k_hidden * settings.learning_rate)
    return int(min(max(age, AREA_AGES), checks.MANY))


def predicted_merits(
    settings: KWinnerSettings,
    cues: tuple[float, ...] = CUES,
    criterion: float = CRITERION,
    *,
    age: int | None = None,
    anywhere: bool = False,
) -> dict[str, Floats]:
    """Return the predicted merits of one memory, (cue); R.D. is summed over ages 1 to 1000, those the paper tests.

    With an ``age``, also ``d_prime``, d' at this age; with ``anywhere``, also outside the limits of the theory.
    """
    spread = np.geomspace(1, horizon(settings), N_AGES).round().astype(np.int64)
    ages = np.unique(np.append(spread, AREA_AGES))
    at = np.append(ages, age or 1)
    found = predicted_curves(settings, cues, at, with_spread=age is not None, anywhere=anywhere)
    values = merit_values(ages, found.accuracy[:, :-1], found.baseline, area_ages=AREA_AGES, criterion=criterion)
    return values | ({} if age is None else {"d_prime": found.variables()["d_prime"][:, -1]})


def predicted_family(
    members: Sequence[KWinnerSettings],
    cues: Iterable[float] = CUES,
    *,
    criterion: float = CRITERION,
    age: int | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Return the predicted merits of many memories, (setting, cue), labelled with their settings.

    The merits of those that the theory refuses to predict are NaN. With an ``age``, d' at this age is one of them.
    ``progress(done, all)`` is called after each memory.
    """
    cues, criterion = checked_levels(cues), checks.fraction("criterion", criterion)
    table = {name: np.full((len(members), len(cues)), np.nan) for name in merit_names(age)}
    units = ((i, partial(_merits_if_any, one, cues, criterion, age)) for i, one in enumerate(members))
    for done, (i, found) in enumerate(run_units(units, jobs)):
        for name, values in found.items():
            table[name][i] = values
        if progress is not None:
            progress(done + 1, len(members))
    merits = {name: (("setting", "cue"), values) for name, values in table.items()}
    return xr.Dataset(merits, {"cue": list(cues), **labels_of(members)})


def merit_names(age: int | None) -> tuple[str, ...]:
    """Return the names of all merits in a table, with d' if it has an age."""
    return (*MERITS, *(() if age is None else ("d_prime",)))


def _merits_if_any(
    settings: KWinnerSettings, cues: tuple[float, ...], criterion: float, age: int | None
) -> dict[str, Floats]:
    try:
        return predicted_merits(settings, cues, criterion, age=age)
    except TheoryLimitError:
        return {}


def pareto_front(x: ArrayLike, y: ArrayLike) -> NDArray[np.bool]:
    """Return which points no other dominates, being as good in both and better in one; NaN is never on the front."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    front: NDArray[np.bool] = np.isfinite(x) & ~np.isnan(y)
    for i in np.flatnonzero(front):
        front[i] = not np.any((x >= x[i]) & (y >= y[i]) & ((x > x[i]) | (y > y[i])))
    return front


def front_of(table: xr.Dataset, merit: str) -> NDArray[np.bool]:
    """Return which members of a table (setting) are on the Pareto front of a merit against initial accuracy.

    Members are left out whose R.D. is below 0.05 even for the newest pattern: little more than the theory's errors.
    """
    something = table["initial_raw_difference"].values >= LEAST_REMEMBERED
    return pareto_front(np.where(something, table["initial_accuracy"].values, np.nan), table[merit].values)


def optimise(
    *,
    weights: int = 100_000,
    goal: str = "half_life",
    cue: float = 1.0,
    age: int | None = None,
    min_accuracy: float | None = None,
    n_visible: int = 1000,
    k_visible: int = 100,
    criterion: float = CRITERION,
    check: int = 3,
    runs: int = 10,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Search the parameter-matched family for the memory with the largest value of a merit, by theory.

    First a grid over (f, k_h, ε) is predicted. From the best members with each of the three best fan-ins, the search
    goes on to better neighbours: first those that differ in one of f, k_h and ε, then those that differ in several,
    with smaller and smaller steps. In the end no neighbour of the best is better: none with k_h ± 1, or with f, k_h or
    ε larger or smaller by a ratio of 2^(1/8), or with several of these changes.

    Only memories that theory covers at this cue are searched (``slotfree.forgetting.theory.limits``), with k_h from 1
    to half of the hidden units. The best few are then simulated: the table has their merits predicted *and* simulated.

    Parameters
    ----------
    weights : f n_v n_h, the number of weights; W_ij and W'_ji count as one.
    goal : the merit that is to be large (``slotfree.forgetting.merit.MERITS``): "half_life", "area" (over ages 1 to
        1000), "memories", "initial_accuracy" or "initial_raw_difference"; or "d_prime", the paper's d' at one age.
    cue : the cue level.
    age : the age at which d' is predicted, an integer ≥ 1. Simulated, it is the mean d' of ages within 10 % of it.
    min_accuracy : the least accuracy of the newest pattern.
    criterion : the least R.D. of a pattern that counts as a memory. The newest pattern must be one: otherwise memories
        that remember next to nothing would have the longest half-lives.
    check, runs : how many of the best are simulated, in the steady state, and how many runs each; 0 for none.
    jobs : threads, by default one per core.
    progress : called with the number of predictions done and of all, for the grid.

    Returns
    -------
    The merits (setting) of all memories that were tried and fulfil the conditions, the best first, and
    ``simulated_half_life`` and so on for those that were simulated. The settings of the best are
    ``slotfree.forgetting.family.settings_in(table, 0)``; ``sf.retention`` takes them as they are. The attribute
    ``at_limits`` names the settings of the best that lie on a limit of the search, with "; " between them; the
    others tell what was asked for.
    """
    checks.one_of("goal", goal, GOALS)
    cue = checks.fraction("cue", cue)
    least = 0.0 if min_accuracy is None else checks.fraction("min_accuracy", min_accuracy)
    check, runs = (
        checks.integer("check", check, 0),
        checks.integer("runs", runs, 1 if age is None else FEWEST_CORRECTED),
    )
    if age is not None:
        age = checks.integer("age", age, 1, MOST_TESTED)
    elif goal == "d_prime":
        raise ValueError("age must be given for the goal 'd_prime', an integer ≥ 1: d' at which age?")
    k_visible = checks.integer("k_visible", k_visible, 1)
    if ones_of_cue(k_visible, cue) < LEAST_ONES:
        raise ValueError(
            f"cue must leave ≥ {LEAST_ONES} active bits for theory to cover it, not {cue:g} (k_visible={k_visible})"
        )
    least_f = least_fan_in(k_visible, cue)
    members = [one for one in family(weights, n_visible=n_visible, k_visible=k_visible) if one.fan_in >= least_f]
    if not members:
        least_weights = 2 * max(1, round(least_f * n_visible))
        raise ValueError(f"weights must be enough for two hidden units, at least {least_weights}, not {weights}")
    predicted = partial(predicted_family, cues=(cue,), criterion=criterion, age=age, jobs=jobs)
    ranked = partial(_ranked, goal=goal, least=least, criterion=criterion)
    around = partial(neighbours, weights=weights, cue=cue)
    tried = _Tried(predicted(members, progress=progress).isel(cue=0), predicted, ranked, around)
    for start in _best_with_each_fan_in(tried.ranked())[:N_STARTS]:
        tried.climb(start, FIRST_STEP)
    step = FIRST_STEP
    while step >= LAST_STEP:
        tried.climb(settings_in(tried.ranked(), 0), step)
        step **= 0.5
    best = simulated_best(
        tried.ranked(), cue, count=check, runs=runs, area_ages=AREA_AGES, criterion=criterion, age=age, jobs=jobs
    )
    size = {"weights": weights, "n_visible": n_visible, "k_visible": k_visible}
    asked = {
        "goal": goal,
        "cue": cue,
        "age": age,
        "min_accuracy": min_accuracy,
        "criterion": criterion,
        "check": check,
        "runs": runs,
    }
    made = attributes("optimise", size | asked)
    return best.assign_attrs({**made, "at_limits": "; ".join(limits_of(settings_in(best, 0), cue))})


class _Tried:
    """The members that were tried: a table of their merits (setting), and how to add, rank and surround them."""

    def __init__(
        self,
        table: xr.Dataset,
        predicted: Callable[[list[KWinnerSettings]], xr.Dataset],
        ranked: Callable[[xr.Dataset], xr.Dataset],
        around: Callable[..., dict[KWinnerSettings, int]],
    ) -> None:
        self.table, self.rows, self._predicted, self._ranked = table, rows_of(table), predicted, ranked
        self._around = around

    def ranked(self) -> xr.Dataset:
        """Return those that fulfil the conditions, the best first."""
        return self._ranked(self.table)

    def best_of(self, members: list[KWinnerSettings]) -> KWinnerSettings:
        """Return the best of some members, of equals the first; those not yet tried are tried."""
        new = [one for one in members if one not in self.rows]
        if new:
            self.rows |= {one: len(self.rows) + i for i, one in enumerate(new)}
            self.table = xr.concat([self.table, self._predicted(new).isel(cue=0)], "setting")
        return settings_in(self._ranked(self.table.isel(setting=[self.rows[one] for one in members])), 0)

    def climb(self, at: KWinnerSettings, step: float) -> None:
        """Go from a member to its best neighbour for as long as that is better.

        Neighbours that differ in one setting are tried first: there are few of them.
        """
        while True:
            around = self._around(at, step=step, fine=step**0.5 < LAST_STEP)
            best = self.best_of([at, *(one for one, changes in around.items() if changes == 1)])
            if best == at:
                best = self.best_of([at, *around])
            if best == at:
                return
            at = best


def _best_with_each_fan_in(table: xr.Dataset) -> list[KWinnerSettings]:
    """Return the first member with each fan-in, in their order."""
    _, first = np.unique(table["fan_in"].values, return_index=True)
    return [settings_in(table, i) for i in np.sort(first)]


def _ranked(table: xr.Dataset, goal: str, least: float, criterion: float) -> xr.Dataset:
    """Return those that remember and are accurate enough, the best first; of equals, that with the larger area."""
    accuracy, raw = table["initial_accuracy"].values, table["initial_raw_difference"].values
    if np.isnan(raw).all():
        raise TheoryLimitError("weights must allow for a memory that theory covers at this cue, and they do not")
    remembers = raw >= criterion
    if not remembers.any():
        raise ValueError(f"criterion must be within reach, which is {np.nanmax(raw):.3f} here, not {criterion}")
    good = np.flatnonzero(remembers & (accuracy >= least))
    if not len(good):
        reach = accuracy[remembers].max()
        raise ValueError(f"min_accuracy must be within reach, which is {reach:.3f} here, not {least}")
    order = np.lexsort([-table["area"].values[good], -table[goal].values[good]])
    return table.isel(setting=good[order])


def least_fan_in(k_visible: int, cue: float) -> float:
    """Return the least f that theory covers at a cue: f c k_v ≥ 2 and f k_v ≥ 4."""
    return min(max(LEAST_INPUTS / cue, LEAST_INPUTS_STORED) / k_visible, 1.0)


def limits_of(settings: KWinnerSettings, cue: float) -> list[str]:
    """Return which settings lie on a limit of the search at a cue, and which limit that is."""
    f, k_h, eps = settings.fan_in, settings.k_hidden, settings.learning_rate
    least_f = least_fan_in(settings.k_visible, cue)
    slowest = least_learning_rate(f)
    limits = (
        (f < least_f + 1 / settings.n_visible <= 1, f"fan_in = {f:g} is the least that theory covers at this cue"),
        (f == 1, "fan_in = 1 is the most there is"),
        (k_h == 1, "k_hidden = 1 is the least there is"),
        (
            k_h + 1 > MOST_ACTIVE * settings.n_hidden,
            f"k_hidden = {k_h} is the most that is searched, {MOST_ACTIVE:.0%} of the hidden units",
        ),
        (eps <= slowest, f"learning_rate = {eps:g} is the least that theory covers"),
        (eps == 1, "learning_rate = 1 is the most there is"),
    )
    return [words for reached, words in limits if reached]


def neighbours(
    one: KWinnerSettings, weights: int, step: float, *, cue: float, fine: bool = False
) -> dict[KWinnerSettings, int]:
    """Return the members within the limits that differ by a step, and in how many of f, k_h and ε they differ.

    Parameters
    ----------
    one : a member of the family.
    weights : the number of weights of all members.
    step : the ratio by which a setting is larger or smaller; less where a limit is nearer.
    cue : the cue level, on which the least f depends.
    fine : whether k_h may also differ by 1.
    """
    f, k_h, eps, n_v = one.fan_in, one.k_hidden, one.learning_rate, one.n_visible
    least_f = least_fan_in(one.k_visible, cue)
    winners = {k_h, round(k_h * step), round(k_h / step), *((k_h - 1, k_h + 1) if fine else ())} - {0}
    choices = product(
        {f, *(_connections(changed, n_v) for changed in (min(f * step, 1.0), max(f / step, least_f)))},
        winners,
        {eps, *(float(f"{changed:.4g}") for changed in (min(eps * step, 1.0), max(eps / step, LEAST_LEARNING_RATE)))},
    )
    found: dict[KWinnerSettings, int] = {}
    for choice in sorted(choices):
        only = {"fan_ins": choice[:1], "winners": choice[1:2], "learning_rates": choice[2:]}
        changes = sum(a != b for a, b in zip(choice, (f, k_h, eps), strict=True))
        if changes:
            members = family(weights, n_visible=n_v, k_visible=one.k_visible, **only)
            found |= dict.fromkeys(members, changes)
    return found


def _connections(fan_in: float, n_visible: int) -> float:
    """Return the fan-in of a unit with an integer number of connections, so that no two members are the same."""
    return round(fan_in * n_visible) / n_visible


def simulated_best(
    table: xr.Dataset,
    cue: float,
    *,
    count: int,
    runs: int,
    area_ages: int,
    criterion: float,
    age: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
) -> xr.Dataset:
    """Return a table of merits (setting) with those of the first members also simulated, in their steady state.

    Parameters
    ----------
    table : predicted merits, the best first.
    count, runs : how many members are simulated, and how many runs each.
    area_ages, criterion : those of ``merits``.
    age : of d', if it is in the table.

    Returns
    -------
    The table with ``simulated_half_life`` and so on, one for each merit, NaN for members that were not simulated. What
    lies beyond the oldest age that was tested is infinite.
    """
    found = {name: np.full(table.sizes["setting"], np.nan) for name in merit_names(age)}
    near = slice(int((1 - NEAR) * (age or 1)), int((1 + NEAR) * (age or 1)))
    for i in range(min(count, table.sizes["setting"])):
        one = settings_in(table, i)
        tested = max(_tested(table, i, area_ages), near.stop)
        stored = min(settling(one), MOST_STORED) + tested
        curves = retention(one, runs=runs, cues=(cue,), n_stored=stored, n_tested=tested, seed=seed, jobs=jobs)
        measured = merits(curves, area_ages=area_ages, criterion=criterion)
        if age is not None:
            measured["d_prime"] = d_prime(curves).sel(age=near).mean(("sample", "age"))
        for name, values in found.items():
            values[i] = float(measured[name].sel(cue=cue))
    return table.assign({f"simulated_{name}": ("setting", values) for name, values in found.items()})


def _tested(table: xr.Dataset, i: int, area_ages: int) -> int:
    """Return the number of ages to test: 1.5 times what half-life and memories are expected to need, or the area."""
    needed = 1.5 * max(float(table[name][i]) for name in ("half_life", "memories"))
    return int(np.clip(needed, area_ages, MOST_TESTED))
