"""What can be swept, memories and transformers, behind one interface."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import xarray as xr

from slotfree.drawing.picture import Picture
from slotfree.study.experiment import Run
from slotfree.sweep.memory import memory_point, parameters_of_memory
from slotfree.sweep.memory_table import memory_measures
from slotfree.sweep.parameters import Value
from slotfree.sweep.plots import Chosen, draw_memories, draw_transformers
from slotfree.sweep.transformer import parameters_of_transformer, transformer_measures, transformer_point

if TYPE_CHECKING:
    from slotfree.sweep.grid import Sweep


@dataclass(frozen=True)
class Kind:
    """One kind of sweep.

    Attributes
    ----------
    models : what is swept, as messages call it.
    sizes : of a run, with their defaults.
    deciding : parameters that decide which others there are.
    parameters_of : the names of all parameters, as a function of those that are given.
    point : all parameters, and what is run, with those that are given; the others have their defaults.
    measures : the rows of the table for the results of one point.
    shown : the measures that are printed.
    draw : the plot of the swept parameters of each point, the table, and the data of all points.
    """

    models: str
    sizes: Mapping[str, int]
    deciding: tuple[str, ...]
    parameters_of: Callable[[Mapping[str, Value]], set[str]]
    point: Callable[[Mapping[str, Value], "Sweep"], tuple[dict[str, Value | None], Run]]
    measures: Callable[[xr.Dataset], Iterator[dict[str, float]]]
    shown: tuple[str, ...]
    draw: Callable[[Sequence[Chosen], Sequence[dict[str, Any]], xr.Dataset], Picture]


KINDS = {
    "memory": Kind(
        models="memories",
        sizes={"n_stored": 4000, "n_tested": 1000},
        deciding=("memory",),
        parameters_of=parameters_of_memory,
        point=memory_point,
        measures=memory_measures,
        shown=("cue", "initial_accuracy", "baseline", "initial_raw_difference", "half_life", "area"),
        draw=draw_memories,
    ),
    "transformer": Kind(
        models="models",
        sizes={"iterations": 5000},
        deciding=("model", "key_rule", "storage"),
        parameters_of=parameters_of_transformer,
        point=transformer_point,
        measures=transformer_measures,
        shown=("ending_accuracy_median", "ending_accuracy_min", "ending_loss_median", "learnt_at_median"),
        draw=draw_transformers,
    ),
}
