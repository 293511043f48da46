"""SI B.5.1: how the baseline and the QK model learn."""

import numpy as np

from slotfree.paper.figures import figS12
from slotfree.paper.figures.figS12 import APPEARS
from slotfree.paper.shared.descents import BLOCK
from slotfree.paper.shared.emergence import (
    PAUSE,
    STRUCTURES,
    contrast,
    delay,
    fall,
    falls,
    half,
    present,
    share_of_end,
    values_in_first_descent,
)
from slotfree.paper.shared.transformers import PUBLISHED, QK_IP, Transformer
from slotfree.paper.text.s3_judges import PERFECT_BASELINE, QK_FASTER, QK_IP_PERFECT
from slotfree.paper.text.si_b_training import MATCHES_BASELINE, TWO_DESCENTS, stages
from slotfree.study import Judge, Printed, Results, below, estimate, judged, more, share_of_runs
from slotfree.study.sentence import follows, says, section, unjudged

EVERY = 20  # iterations from one measurement of the structure of the weights to the next
ITEMS = {PUBLISHED: "figS12", QK_IP: "figS13"}
KEYS_AND_QUERIES = ("query-key", "key-key")


def before(claim: str, model: Transformer, earlier: str, later: str) -> Judge:
    """One structure emerges before another in the same run."""

    def words(r: Results) -> str:
        at = [f"{STRUCTURES[which][0]} at {np.median(half(model, which)(r)):.0f}" for which in (earlier, later)]
        return f"iterations between the halves of final contrasts ({', '.join(at)}), median, {model.label}"

    return more(f"{ITEMS[model]}.{claim}", delay(model, earlier, later), 0, words, median=True)


def seen(model: Transformer, structures: tuple[str, ...], iteration: int) -> Judge:
    """Structures can be told from chance at an iteration, in most runs."""
    names = ", ".join(STRUCTURES[name][0] for name in structures)
    words = f"contrast of {names} at iteration {iteration} exceeds 99% of random starts, {model.label}"
    return share_of_runs(f"{ITEMS[model]}.present-at-{iteration}", present(model, structures, iteration), words)


def stronger(model: Transformer, first: int, last: int) -> list[Judge]:
    """Query–key and key–key contrast have grown from one iteration to another."""
    return [
        more(
            f"{ITEMS[model]}.strong-at-{last}-{name}",
            share_of_end(model, name, last),
            share_of_end(model, name, first),
            f"{STRUCTURES[name][0]} contrast as a share of its end, iteration {last} against {first}, {model.label}",
            paired=True,
        )
        for name in KEYS_AND_QUERIES
    ]


STEADY = {model: share_of_runs(f"{item}.steady", falls(model), limits=below(0.5)) for model, item in ITEMS.items()}
VALUES_BEFORE = {
    later: before(f"values-before-{later}-baseline-published", PUBLISHED, "values", later) for later in KEYS_AND_QUERIES
}
VALUES_FIRST = before("values-first", QK_IP, "values", "query-key")
KEYS_LAST = before("keys-last", QK_IP, "query-key", "key-key")
TOGETHER = judged(
    "figS12.together-baseline-published",
    lambda r: estimate.median(delay(PUBLISHED, *KEYS_AND_QUERIES)(r), seed=r.seed),
    Printed(0, rounding=EVERY / 2, spread=0),
    f"iterations from the half of query–key contrast to that of key–key contrast, measured every {EVERY}, median",
)
IN_FIRST_DESCENT = [
    share_of_runs(f"{item}.values-in-first-descent", values_in_first_descent(model)) for model, item in ITEMS.items()
]
NOT_YET = [
    more(
        f"figS12.nothing-else-{name}",
        share_of_end(PUBLISHED, name, APPEARS),
        share_of_end(PUBLISHED, name, PAUSE),
        f"{STRUCTURES[name][0]} contrast as a share of its end, iteration {APPEARS} against where the loss is slowest",
    )
    for name in KEYS_AND_QUERIES
]
EARLIER_AT_600 = more(
    "figS13.nothing-else-at-600",
    share_of_end(QK_IP, "query-key", 600),
    share_of_end(QK_IP, "key-key", 600),
    "contrast at iteration 600 as a share of its end, query–key against key–key",
    paired=True,
)
DESCENTS = [
    more(f"figS13.descent-{first}-{last}", fall(QK_IP, first, last), 0) for first, last in ((300, 600), (600, 1000))
]
CASE_FIRST = says(
    "Across both models, we find that representation of case robustly emerges … before representations of letter "
    "identity and [alignment] of queries and keys are learned.",
    *VALUES_BEFORE.values(),
    VALUES_FIRST,
)
STAGES = says(
    "Thus, we find that the QK-MHN-Transformer undergoes a stage-like learning process in which representations of "
    "case are learned first, followed by alignment between queries and their respective keys, which is finally "
    "followed by the learning of case-agnostic letter identity.",
    VALUES_FIRST,
    KEYS_LAST,
)

SENTENCES = section(
    "SI B.5.1",
    says("… both models' accuracy steadily climb to 100% …", *STEADY.values(), PERFECT_BASELINE, QK_IP_PERFECT),
    says(
        "… although the QK-MHN-Transformer achieves perfect accuracy sooner in training …",
        QK_FASTER[PUBLISHED],
    ),
    says(
        "… the batch MSE loss for baseline transformer exhibits a two periods of descent with a period of stagnation "
        "in between …",
        TWO_DESCENTS[PUBLISHED],
    ),
    says(
        "… whereas the QK-MHN-Transformer appears to show multiple stages of descent in succession …",
        TWO_DESCENTS[QK_IP],
    ),
    CASE_FIRST,
    says(
        "The learning of the entries in W_V appear to loosely correspond to the first descent periods of either "
        "model's loss curve.",
        *IN_FIRST_DESCENT,
    ),
    says(
        "The baseline transformer subsequently undergoes a period … in which the loss appears to stagnate, during "
        "which case representations in W_V grow stronger (and more differentiated) …",
        more(
            "figS12.values-grow-meanwhile",
            contrast(PUBLISHED, "values", PAUSE, BLOCK),
            contrast(PUBLISHED, "values", PAUSE, -BLOCK),
            f"contrast of values {BLOCK} iterations after against {BLOCK} before the loss is slowest",
            paired=True,
        ),
    ),
    says(
        "… while entries in W_KᵀW_K and W_QᵀW_K exhibit no discernible structure.",
        *NOT_YET,
        note="What cannot be seen is judged by order: it is fainter than what comes later, of which it is 1 or 2 %. A "
        "comparison with random starts finds it in most runs.",
    ),
    says(
        "Eventually, however, the requisite structure in these matrices begins to appear in parallel … (see … "
        "Iteration 900 …).",
        TOGETHER,
        seen(PUBLISHED, KEYS_AND_QUERIES, APPEARS),
    ),
    says(
        "… which appears to correlate with the loss decreasing for a second time …",
        more("figS12.structure-with-second-descent", figS12.with_second_descent(), 0),
    ),
    says(
        "By Iteration 1200 of this run, representations of letter identity and alignment between queries and keys have "
        "grown strong.",
        *stronger(PUBLISHED, APPEARS, 1200),
    ),
    follows(
        "… while case representations emerge early in training, it takes much longer (relatively) for representations "
        "of letter and query-key alignment to occur.",
        CASE_FIRST,
    ),
    says(
        "In the QK-MHN-Transformer, after W_V learns representations of case, the model successfully learns to align "
        "queries with their respective keys … (see Iteration 600 …).",
        VALUES_FIRST,
        seen(QK_IP, ("query-key",), 600),
    ),
    says(
        "… even before uppercase-lowercase key alignment occurs (see Iteration 600 …).",
        KEYS_LAST,
        EARLIER_AT_600,
    ),
    says(
        "During this period in which only structure in W_QᵀW_K emerges, the model loss appears to exhibit a second "
        "period of descent (see Iterations ~300-600 …). … matched by a third period of descent in the model loss (see "
        "Iterations ~600-1000 …).",
        EARLIER_AT_600,
        *DESCENTS,
        stages("figS13.three-descents", QK_IP, 3),
        note="The loss falls faster and faster up to about iteration 400, with no slower stretch about 300, so the "
        "first and the second period are one; what the paper calls the third is separate. The paper describes one "
        "run; judged are all.",
    ),
    says(
        "Following the learning of query-key alignment, the model then begins to learn representations of letter "
        "identity … (see … Iteration 1000 …).",
        KEYS_LAST,
        seen(QK_IP, ("key-key",), 1000),
    ),
    says(
        "Finally, by Iteration 1600 of this run, the requisite structure across all three matrices has grown strong.",
        seen(QK_IP, tuple(STRUCTURES), 1600),
        *stronger(QK_IP, 1000, 1600),
    ),
    STAGES,
    says(
        "… both models ultimately achieve the same computational goals—in the sense that they both solve the Case "
        "Sequence task and learn to exhibit the same structure in the matrices …",
        PERFECT_BASELINE,
        QK_IP_PERFECT,
        MATCHES_BASELINE,
    ),
    follows(
        "It is certainly true that the entries of W_V are learned in a similar manner across both models. However, "
        "learning of the information in the other two matrices occurs in a different manner for either model.",
        STAGES,
        "In the baseline keys and queries come together.",
    ),
    unjudged(
        "This warrants further theoretical analysis into how either model learns the given task structure.",
        "Left to the future.",
    ),
)
