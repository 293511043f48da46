"""How much is run: the paper's scale, or a quick look."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Runs and sizes of all experiments.

    Attributes
    ----------
    samples, runs_per_sample : a metric is computed in each sample of runs; curves are means over samples.
    accuracy_runs : runs in accuracy curves.
    n_stored, n_tested : patterns stored and tested in each run.
    n_nodes : of the tree of each run with structured patterns.
    training_runs, iterations : of each transformer.
    """

    name: str
    samples: int
    runs_per_sample: int
    accuracy_runs: int
    n_stored: int
    n_tested: int
    n_nodes: int
    training_runs: int
    iterations: int

    @property
    def runs(self) -> int:
        """Runs of each experiment."""
        return self.samples * self.runs_per_sample

    @property
    def is_paper(self) -> bool:
        """Whether this is what the paper ran."""
        return self.name == "paper"


SCALES = {
    "paper": Scale("paper", 10, 20, 100, 4000, 1000, 14_000, 20, 5000),
    "quick": Scale("quick", 2, 4, 8, 900, 300, 3000, 3, 2000),
}
