"""A point of a grid: what is run there."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from slotfree.study.experiment import Experiment, Run
from slotfree.sweep.parameters import Value


@dataclass(frozen=True)
class Point:
    """A point of a grid.

    Attributes
    ----------
    chosen : the value of each parameter of the grid; None if the model of this point does not have it.
    parameters : the value of every parameter, given or not. Points with the same are the same.
    run : what one run does, as a function of its seed.
    """

    chosen: Mapping[str, Value | None]
    parameters: Mapping[str, Value | None]
    run: Run

    @property
    def text(self) -> str:
        """The parameters as one line, always the same: what tells points, and their seeds, apart."""
        return json.dumps(dict(self.parameters), sort_keys=True)

    @property
    def columns(self) -> dict[str, Value | None]:
        """All parameters, and those given that mean several at once, such as a learning rate of all weights."""
        return {
            **self.parameters,
            **{name: value for name, value in self.chosen.items() if name not in self.parameters},
        }

    def title(self, names: Iterable[str]) -> str:
        """The values of some parameters, for people."""
        return values_text({name: self.chosen[name] for name in names}) or "the only point"

    def experiment(self, kind: str, runs: int, swept: Iterable[str]) -> Experiment:
        """The runs at this point, in a sweep of a kind, entitled by the parameters that are swept."""
        name = f"{kind}-{hashlib.sha256(self.text.encode()).hexdigest()[:12]}"
        return Experiment(name, self.run, runs, key=("sweep", kind, self.text), title=self.title(swept))


def values_text(values: Mapping[str, Value | None]) -> str:
    """Return parameters and their values as people read them; those without a value are left out."""
    return ", ".join(f"{name} {value_text(value)}" for name, value in values.items() if value is not None)


def value_text(value: Value | None) -> str:
    """A value as people write it."""
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
