"""Table S1: uppercase against lowercase keys, a block of W_Kᵀ W_K."""

from slotfree.paper import similarity_tables
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.similarity_tables import EXPERIMENTS, statistics, weights_of
from slotfree.paper.transformers import FIXED, FIXED_IP

PRINTED = {
    "transformer": (3.34, 0.323, -1.11, 0.693),
    "Fixed W_K (no input proj.)": (0.0563, 0.280, -0.00152, 0.470),
    "Training W_K (no input proj.)": (-0.0541, 2.22, -1.27, 2.32),
    "Q-K Alignment (no input proj.)": (7.19, 2.07, -1.42, 2.48),
    "Fixed W_K (input proj.)": (0.00806, 0.324, 0.00531, 0.482),
    "Training W_K (input proj.)": (0.532, 1.57, -0.933, 2.02),
    "Q-K Alignment (input proj.)": (7.96, 1.88, -0.916, 2.16),
}
TITLE = "Uppercase and lowercase keys"


def make(context: Context) -> Output:
    """Make the table; judge also that fixed keys have no structure."""
    output = similarity_tables.make("tableS1", "key-key", TITLE, PRINTED, context)
    judge_fixed(output.claims, context)
    return output


def judge_fixed(claims: Claims, context: Context) -> None:
    """Judge that W_Kᵀ W_K of models with fixed keys does not tell letters apart."""
    for transformer in (FIXED, FIXED_IP):
        found = statistics(weights_of(context, transformer.name, "key-key"))
        difference = float(found[:, 0].mean() - found[:, 2].mean())
        claims.within(
            f"none-{transformer.name}",
            f"{transformer.label}: keys show no strong difference between on- and off-diagonal entries: difference of "
            "the means, within 0.15.",
            paper="no strong differences",
            measured=difference,
            low=-0.15,
            high=0.15,
        )


ITEM = Item("tableS1", "Uppercase against lowercase keys: seven models and the printed table", EXPERIMENTS, make, 3)
