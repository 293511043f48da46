"""Learning rates for tasks of any size: the paper's, for its task of four letters, and a rule for others.

A step of W_V on a batch of B sequences is stable while η_V < 1/(B λ), with the largest eigenvalue λ of E[x̃ x̃ᵀ]; the
query-key rule for W_K has the same bound. Two cases differ in what x̃ holds.

*Only what was shown*: slots, and distributed contexts that begin at zero and are normalised. If an item has one token
of each of several kinds, n_p tokens of kind p, then λ = Σ_p 1/n_p, 1/(2L) in the Case Sequence Task: bounds grow with
the alphabet, and so can rates. A query comes in one of n_q sequences, n_q the number of queries, and the credit of an
item is proportional to 1/C at first, as attention is flat. So

    η_Q = η_Q⁰ (n_q/4) (C/4),   η_V = η_V⁰ /(8 λ) (C/4),   η_K = η_K⁰ /(8 λ) (C/4),

but η_K = η_K⁰ for the MHN rule, whose steps are large as they are. A token that is rare comes once in a batch, and then
a single sequence sets the bound, η < 1/|x̃|², with |x̃|² = T at most for T tokens in an item; and units that see a part f
of a key answer the more unevenly, the thinner they are. So all three are lowered by one factor if η_V were above
√f/(4T), which was found by trial.

*Also random weights of units that stored nothing*, as in the paper: x̃ ≈ ½ in all D tokens, λ ≈ D/4, and bounds fall as
the alphabet grows, while the credit of queries falls too:

    η_Q = η_Q⁰ (n_q/4)²,   η_V = η_V⁰ (12/D),   η_K = η_K⁰ (12/D).

*Batches.* Gradients are summed over B sequences, and the bounds fall as 1/B: beyond 64 sequences, the paper's batch,
all rates are lowered by 64/B, so that a step is as long as with 64. Below 64 they stay, as what is rare sets the bound.

The first rule was found on L = 4 to 256, C = 4 to 16; with it training takes as long for 256 letters as for 4, or half
as long again. The second reaches 0.99 up to L = 64, in ever more steps; beyond that no rates were found that do.
"""

from slotfree.attention.key_rules import MHN
from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.tasks.base import Task, n_item_tokens, query_of, reset

LETTERS, ITEMS, TOKENS = 4, 8, 12  # of the paper's task: n_q and C, 1/λ, and D
BATCH = 64  # the paper's


def rates_for(model: Model, task: Task, batch_size: int = BATCH) -> dict[str, float]:
    """The learning rates of a model for a task, for gradients that are summed over batches of this size."""
    lower = min(1.0, BATCH / batch_size)
    return {name: rate * lower for name, rate in _of_64(model, task).items()}


def _of_64(model: Model, task: Task) -> dict[str, float]:
    """The same for batches of at most 64."""
    queries = task.n_tokens - n_item_tokens(task) or task.n_tokens
    rates = model.rates
    if not model.holds_only_items(task):
        narrow = TOKENS / task.n_tokens
        wide = (queries / LETTERS) ** 2
        return {"W_Q": rates["W_Q"] * wide, "W_K": rates["W_K"] * narrow, "W_V": rates["W_V"] * narrow}
    kinds = kinds_of_tokens(task)
    competing = (task.context_length if reset(task) else queries) / LETTERS  # a stream holds an item for each query
    scale = 1 / (sum(1 / n for n in kinds) * ITEMS)
    found = {
        "W_Q": rates["W_Q"] * (queries / LETTERS) * competing,
        "W_K": rates["W_K"] * (1.0 if is_mhn(model) else scale * competing),
        "W_V": rates["W_V"] * scale * competing,
    }
    lower = min(1.0, model.fan_in**0.5 / (4 * len(kinds) * found["W_V"]))
    return {name: rate * lower for name, rate in found.items()}


def is_mhn(model: Model) -> bool:
    """Whether keys learn by the MHN rule."""
    return isinstance(model, SlotFreeTransformer) and model.rule == MHN


def kinds_of_tokens(task: Task) -> list[int]:
    """How many tokens there are of each kind, if an item has one of each: those that queries name, and the others.

    A task that does not say which query asks for which token is taken to have one kind.
    """
    if not hasattr(task, "query_of"):
        return [n_item_tokens(task)]
    named = query_of(task) >= 0
    return [int(n) for n in (named.sum(), (~named).sum()) if n]
