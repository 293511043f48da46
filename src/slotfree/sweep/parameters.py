"""What can be swept: names, kinds of values, meanings. Nothing heavy is imported, as the help needs it at once."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from slotfree.runs.errors import UserError

Value: TypeAlias = int | float | str
Takes: TypeAlias = Literal["whole", "number", "word", "source"]
KINDS = ("memory", "transformer")
YES_NO = {True: "yes", False: "no"}


class SweepError(UserError):
    """A sweep is not described as it should be; the message says what would be right."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model, a task or a memory.

    Attributes
    ----------
    takes : "whole" numbers, "number"s, a "word", or a pattern "source".
    meaning : what it is, and its default.
    words : those that can be chosen; none if any word may be given, and is checked later.
    """

    name: str
    takes: Takes
    meaning: str
    words: tuple[str, ...] = ()


K_WINNER = (
    Parameter("n_visible", "whole", "n_v, visible units.  [1000]"),
    Parameter("n_hidden", "whole", "n_h, hidden units.  [2000]"),
    Parameter("k_visible", "whole", "k_v, visible winners: the active bits of each pattern.  [100]"),
    Parameter("k_hidden", "whole", "k_h, hidden winners.  [50]"),
    Parameter("fan_in", "number", "f, the fraction of visible units each hidden unit is connected to.  [0.05]"),
    Parameter("learning_rate", "number", "ε, in (0, 1].  [0.3]"),
    Parameter("tied", "word", "Whether one matrix serves both ways: yes, no.  [no]", ("yes", "no")),
    Parameter("storing", "word", "Units that store a pattern: best, random.  [best]", ("best", "random")),
)
SOURCE = Parameter("source", "source", "Patterns: random, tree:B (B flips), clusters:B:N (N clusters).  [random]")
TRANSFORMER = (
    Parameter("model", "word", "slot-free or baseline.  [slot-free]", ("slot-free", "baseline")),
    Parameter("key_rule", "word", "How W_K learns: fixed, mhn, query-key.  [query-key]", ("fixed", "mhn", "query-key")),
    Parameter("input_projections", "word", "Whether letters drive hidden units: yes, no.  [yes]", ("yes", "no")),
    Parameter("key_dim", "whole", "N, size of keys and queries.  [50; baseline 10]"),
    Parameter("n_hidden", "whole", "n_h, hidden units.  [16; 10 with fixed keys]"),
    Parameter(
        "storage",
        "word",
        "winner; winners: several thin units; perfect: item t by unit t.  [winner]",
        ("winner", "winners", "perfect"),
    ),
    Parameter("k_winners", "whole", "k, units that store an item, with --storage winners.  [3]"),
    Parameter("fan_in", "number", "f, the part of a key that each unit sees, with --storage winners.  [0.1]"),
    Parameter("item_fan_out", "number", "f_out, the part of the tokens it reaches, with --storage winners.  [1]"),
    Parameter("rate", "number", "ε, how far fast weights go to an item, with --storage winners.  [1]"),
    Parameter("projection_gain", "number", "γ, strength of input projections, with --storage winners.  [|k|²]"),
    Parameter("beta", "number", "β of the baseline.  [1/√N]"),
    Parameter("gradients", "word", "Of the baseline: exact or published.  [exact]", ("exact", "published")),
    Parameter("n_letters", "whole", "L, letters of the task.  [4]"),
    Parameter("context_length", "whole", "C, letters of a context.  [4]"),
    Parameter("batch_size", "whole", "Sequences in a step.  [64]"),
    Parameter("learning_rate", "number", "η of all weights.  [the paper's for each model, by the size of the task]"),
    Parameter("learning_rate_q", "number", "η of W_Q."),
    Parameter("learning_rate_k", "number", "η of W_K."),
    Parameter("learning_rate_v", "number", "η of W_V."),
)


def named(kind: str) -> dict[str, Parameter]:
    """The parameters of a kind of sweep by name."""
    if kind == "memory":
        from slotfree.sweep.memory import memory_parameters

        return {parameter.name: parameter for parameter in memory_parameters()}
    return {parameter.name: parameter for parameter in TRANSFORMER}
