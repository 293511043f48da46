"""What is trained: the paper's storage taken apart, the grid of distributed contexts, and variants of one of them."""

from dataclasses import replace
from itertools import product

from slotfree.attention.key_rules import FIXED, MHN, QUERY_KEY
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.beyond.contextC1.stored import Case, Storing
from slotfree.study.experiment import Experiment
from slotfree.study.trainings import Condition, Trainings
from slotfree.tasks.case_sequence import CaseSequenceTask

TASK = CaseSequenceTask()
RUNS = 10
STEPS = 1000  # of the controls; others are as long as it takes those that learn
LONG = 5000  # the paper's
PUBLISHED, ZERO, ONLY_Z, BOTH = "as published", "zero start", "Z", "zero start and Z"
SLOWER = "Z, rates/10"
BARE, BARE_BOTH, THIN = (
    "as published, no projections",
    "zero start and Z, no projections",
    "3 thin winners, no projections",
)
KS, FS, UNITS = (1, 3, 10, 30), (0.04, 0.1, 0.3, 1.0), (40, 160, 640)
WITH, WITHOUT = "with", "without"
PLACES = {WITH: True, WITHOUT: False}  # input projections
RULES = {"QK": QUERY_KEY, "MHN": MHN, "fixed keys": FIXED}
CHANGES = {  # of the storage of 3 winners with f = 0.1
    "no Z": Winners(normalise=False),
    "read by winners": Winners(reading="winners"),
    "ε = 0.3": Winners(rate=0.3),
    "f_out = 0.5": Winners(item_fan_out=0.5),
    "f_out = 0.25": Winners(item_fan_out=0.25),
}
MORE = "f_out = 0.5, K = 10"
OWN = Winners(k=1, fan_in=1.0, projection_gain=1.0, projections="own")  # the paper's, but for zero start and Z


def distributed(k: int, f: float, n_hidden: int, projections: bool) -> SlotFreeTransformer:
    """A distributed context."""
    return SlotFreeTransformer(input_projections=projections, n_hidden=n_hidden, storage=Winners(k=k, fan_in=f))


def controls() -> tuple[Condition, ...]:
    """The paper's model with n_h = 16, and with its storage changed step by step; at the end thin units."""
    slower = {name: rate / 10 for name, rate in SlotFreeTransformer().rates.items()}
    bare = SlotFreeTransformer(input_projections=False)
    return (
        Condition(PUBLISHED, SlotFreeTransformer(), TASK),
        Condition(ZERO, SlotFreeTransformer(storage=replace(OWN, normalise=False)), TASK),
        Condition(ONLY_Z, SlotFreeTransformer(storage=replace(OWN, start="random")), TASK),
        Condition(SLOWER, SlotFreeTransformer(storage=replace(OWN, start="random")), TASK, slower),
        Condition(BOTH, SlotFreeTransformer(storage=OWN), TASK),
        Condition(BARE, bare, TASK, iterations=LONG),
        Condition(BARE_BOTH, distributed(1, 1.0, 16, False), TASK),
        Condition(THIN, distributed(3, 0.1, 50, False), TASK, iterations=LONG),
    )


def is_left_out(k: int, f: float, n_hidden: int, projections: bool) -> bool:
    """Whether a cell of the grid is left out, as it takes long and its neighbours say as much."""
    if n_hidden == 640:
        return k != 3 or (f != 0.1 and not projections)
    if k == 30:
        return f > 0.1 or (f != 0.1 and n_hidden == 40)
    return k == 10 and f == 1 and n_hidden == 160 and not projections


def cell(k: int, f: float, n_hidden: int, place: str) -> str:
    """The name of a cell of the grid."""
    return f"K = {k}, f = {f:g}, n_h = {n_hidden}, {place} projections"


CELLS = tuple(
    (k, f, n, place) for k, f, n, place in product(KS, FS, UNITS, PLACES) if not is_left_out(k, f, n, PLACES[place])
)


def grid() -> tuple[Condition, ...]:
    """All cells."""
    return tuple(Condition(cell(k, f, n, p), distributed(k, f, n, PLACES[p]), TASK) for k, f, n, p in CELLS)


def variants() -> tuple[Condition, ...]:
    """Key rules, and other ways to store and to read, of 3 winners with f = 0.1 out of 50 units."""
    found = []
    for place, projections in PLACES.items():
        plain = distributed(3, 0.1, 50, projections)
        models = {label: replace(plain, key_rule=rule) for label, rule in RULES.items()}
        models |= {label: replace(plain, storage=storage) for label, storage in CHANGES.items()}
        models[MORE] = replace(plain, n_hidden=160, storage=Winners(k=10, item_fan_out=0.5))
        found += [Condition(variant(label, place), model, TASK) for label, model in models.items()]
    return tuple(found)


def variant(label: str, place: str) -> str:
    """The name of a variant, with or without projections."""
    return f"{label}, {place} projections"


VARIANTS = (*RULES, *CHANGES, MORE)
WHOLE, CENTRED, PART, SHARED, THREE = "f = 1", "f = 1, keys add up to 0", "f = 0.1", "f = 0.1, one mask", "f = 1, K = 3"
CASES = (
    Case(WHOLE, distributed(1, 1.0, 40, False)),
    Case(THREE, distributed(3, 1.0, 40, False)),
    Case(CENTRED, distributed(1, 1.0, 40, False), centred=True),
    Case(PART, distributed(1, 0.1, 40, False)),
    Case(SHARED, replace(distributed(1, 0.1, 40, False), storage=Winners(k=1, masks="shared"))),
)
CONTROLS = Experiment("context-controls", Trainings(controls(), STEPS), RUNS, few=2)
GRID = Experiment("context-grid", Trainings(grid(), 400), RUNS, few=2)
VARIED = Experiment("context-variants", Trainings(variants(), 600), 2 * RUNS, few=2)
STORED = Experiment("context-stored", Storing(CASES, TASK), RUNS, few=2)
EXPERIMENTS = (CONTROLS, GRID, VARIED, STORED)
