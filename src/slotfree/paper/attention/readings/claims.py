"""What the readings give: the paper's sentence or equation taken at its word, and what comes out."""

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.measures import LEARNT, ending
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import initial_weights
from slotfree.attention.weights import Weights, letter_blocks
from slotfree.paper.attention import tableS1, tableS2, tableS3
from slotfree.paper.attention.fig7 import AROUND_90
from slotfree.paper.attention.readings.equations import BATCH, EQUATIONS
from slotfree.paper.attention.readings.experiments import (
    AVERAGED,
    COINCIDENCE,
    GRADIENTS,
    SWAPPED,
    UPDATES,
    VALUES,
    VARIANCE,
    VARIANCE_KEYS,
)
from slotfree.paper.attention.readings.storage import noise
from slotfree.paper.shared.numeric import DIFFERENCES, ROUNDING
from slotfree.paper.shared.similarity import statistics
from slotfree.paper.shared.similarity_claims import claim_mean, rounding
from slotfree.paper.shared.transformers import (
    BASELINE,
    FIXED,
    FIXED_IP,
    MHN_IP,
    PERFECT,
    PUBLISHED,
    SHOWN,
    TASK,
    Transformer,
    training,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, Expected, Limits, above, at_least, at_most, below, of_paper
from slotfree.study.experiment import Experiment
from slotfree.study.results import Results
from slotfree.study.training import weights_at

SOLVED = ("baseline-published", "fixed-ip", "qk-ip")  # models of which the paper says that they solve the task
TABLES = (tableS1.TABLE, tableS2.TABLE, tableS3.TABLE)


def claims(r: Results) -> Iterator[Claim]:
    """All readings."""
    yield from claims_averaged(r)
    yield from claims_values(r)
    yield from claims_swapped(r)
    yield from claims_variance(r)
    yield from claims_gradients(r)
    yield from claims_storage(r)
    yield from claims_noise(r)


def printed_end(transformer: Transformer) -> tuple[str, float, Limits]:
    """What the paper says of a model's accuracy at the end: in words, as a number, and as limits."""
    if transformer.name in SOLVED:
        return "perfect accuracy", 1.0, at_least(PERFECT)
    return "around 90%", 0.9, AROUND_90


def claim_end(name: str, words: str, experiment: Experiment, transformer: Transformer, r: Results) -> Claim:
    """The claim that a reading gives the accuracy that the paper has."""
    expected, number, limits = printed_end(transformer)
    ends = ending(r[experiment]["accuracy"])
    return of_paper(
        name,
        f"{words}, {transformer.label} attains {expected}: mean accuracy over the last fifth of training, "
        f"{len(ends)} runs.",
        paper=number,
        estimate=estimate.mean(ends),
        limits=limits,
    )


def claims_averaged(r: Results) -> Iterator[Claim]:
    """Gradients averaged over the batch."""
    for transformer, experiment in AVERAGED.items():
        words = "With “batch-averaged gradients” in each step of gradient descent"
        yield claim_end(f"averaged-{transformer.name}", words, experiment, transformer, r)
    best = max(ending(r[experiment]["accuracy"]).max() for experiment in AVERAGED.values())
    yield Claim(
        "averaged-do-not-learn",
        "Averaged gradients do not learn the task in 5000 steps at the printed rates; summed ones do: accuracy at the "
        f"end of the best of all runs of the seven models, below {LEARNT}.",
        paper="summed (SI B.4), batch-averaged (SI B.2.5)",
        estimate=estimate.exact(best),
        limits=below(LEARNT),
    )


def claims_values(r: Results) -> Iterator[Claim]:
    """The update of W_VH as it is printed."""
    for transformer, experiment in VALUES.items():
        words = "With the printed update of W_VH, (a_i − W_li) v_l"
        yield claim_end(f"printed-values-{transformer.name}", words, experiment, transformer, r)
    found = r[UPDATES]["distance"].values
    for place, (name, weights) in enumerate((("keys", "W_HK"), ("values", "W_VH"), ("items", "W_IH"))):
        yield of_paper(
            f"update-{name}",
            f"The printed update of {weights} “precisely corresponds” to that of a 1-winner MHN with ε = 1, where the "
            "winner’s weights are replaced: largest difference of an entry after one item.",
            paper="precisely",
            estimate=estimate.exact(found[:, place].max()),
            limits=at_most(ROUNDING),
        )


def claims_swapped(r: Results) -> Iterator[Claim]:
    """W_Q for W_K in the output that the MHN rule compares with the target."""
    words = "With ŷ_K = W_VH softmax(W_HK W_Q x̃), as it is printed in SI B.4"
    yield claim_end("swapped-mhn-ip", words, SWAPPED, MHN_IP, r)
    with_keys, with_queries = (ending(r[e]["accuracy"]) for e in (training(MHN_IP), SWAPPED))
    yield Claim(
        "swapped-worse",
        "The MHN rule needs W_K x̃ in its output ŷ_K, as in SI B.2.2: accuracy at the end with W_K minus that with W_Q, "
        "means.",
        paper="W_K (SI B.2.2), W_Q (SI B.4)",
        estimate=estimate.difference(with_keys, with_queries),
        limits=above(0),
    )


def claims_variance(r: Results) -> Iterator[Claim]:
    """N(0, s) with s as the variance, which it is in the usual notation."""
    for transformer in (FIXED, FIXED_IP):
        yield claim_wider(transformer, r[VARIANCE_KEYS]["statistics"].values[:, 3])
    by_variance, by_deviation = ranges(weights_at(r[VARIANCE])), ranges(weights_at(r[training(PUBLISHED)]))
    words = "W_Q, W_K ~ N(0, 1/(4√N))"
    yield claim_ranges("variance-baseline", f"{words} with variance 1/(4√N) does not give", by_variance, is_same=False)
    yield claim_ranges("deviation-baseline", f"{words} with standard deviation 1/(4√N) gives", by_deviation)


def claim_wider(transformer: Transformer, found: NDArray[np.float64]) -> Claim:
    """The claim that keys with the variance 1/√N have a wider range than the printed one, which ten runs have."""
    said = tableS1.TABLE.rows[transformer.row][3]
    excess = estimate.mean(found - said)
    reach = float(np.sqrt(1 + len(found) / SHOWN)) * excess.reach
    return Claim(
        f"variance-{transformer.name}",
        "W_K ~ N(0, 1/√N) with variance 1/√N does not give the printed off-diagonal range within a run of "
        f"{transformer.label} in table S1, {said:g}: the range minus the printed one, mean of {len(found)} runs; the "
        f"interval holds the sampling error of both ({SHOWN} printed runs).",
        paper="N(0, 1/√N)",
        estimate=estimate.Estimate(excess.value, excess.value - reach, excess.value + reach),
        limits=above(rounding(said)),
    )


def ranges(weights: Weights) -> NDArray[np.float64]:
    """The ranges within a run that tables S1 to S3 have, on- and off-diagonal, by run, (run, 6)."""
    blocks = letter_blocks(weights)
    return np.hstack([statistics(blocks[table.block])[:, 1::2] for table in TABLES])


def claim_ranges(name: str, words: str, found: NDArray[np.float64], *, is_same: bool = True) -> Claim:
    """Our claim that a start gives all six printed ranges of the transformer, or that it gives wider ones.

    Ours are means over all runs, the printed ones over ten; the limits are those of such ratios in resampled runs.
    """
    printed = np.concatenate([table.rows["transformer"][1::2] for table in TABLES])
    chosen = np.random.default_rng(0).integers(0, len(found), (estimate.RESAMPLES, len(found) + SHOWN))
    resampled = np.log(found[chosen[:, :SHOWN]].mean(axis=1) / found[chosen[:, SHOWN:]].mean(axis=1)).mean(axis=1)
    expected = estimate.resampled_estimate(0.0, resampled)
    return Claim(
        name,
        f"{words} the six printed ranges of the transformer in tables S1 to S3: these as multiples of ours, geometric "
        f"mean; {'1 but for' if is_same else 'below 1 beyond'} 99% of the sampling error ({len(found)} runs, {SHOWN} "
        "printed ones).",
        paper="N(0, 1/(4√N))",
        estimate=estimate.exact(np.exp(np.log(printed / found.mean(axis=0)).mean())),
        limits=Expected(*map(float, np.exp([expected.low, expected.high])))
        if is_same
        else below(float(np.exp(expected.low))),
    )


def claims_gradients(r: Results) -> Iterator[Claim]:
    """The gradient equations of SI B.4 against finite differences."""
    found = r[GRADIENTS]["distance"].values
    slips = {
        "baseline-v-batch": f", as the sum over b = 1, …, B = {BATCH} of what has no b",
        "slot-free-q-eq": ", “where ŷ is given by” the equation of the transformer",
    }
    for place, (name, words) in enumerate(EQUATIONS.items()):
        yield of_paper(
            f"gradient-{name}",
            f"The printed gradient is that of its loss for a single sequence. {words}{slips.get(name, '')}: distance "
            f"from finite differences, in units of the larger, largest of {len(found)} sequences.",
            paper="gradient equation",
            estimate=estimate.exact(found[:, place].max()),
            limits=at_most(DIFFERENCES),
        )
    printed = tableS1.TABLE.rows[BASELINE.row][0]
    yield claim_mean(
        "gradients-used",
        "The printed gradients “are used to update these weights”: trained with them, the transformer has the printed "
        f"on-diagonal mean of table S1, {printed:g}",
        "paper",
        printed,
        tableS1.TABLE.measured(BASELINE, r)[:, 0],
    )


def claims_storage(r: Results) -> Iterator[Claim]:
    """Perfect storage with as many units as items."""
    found = r[COINCIDENCE]["distance"].values.max(axis=0)
    yield of_paper(
        "coincide-beta1",
        "If n_h = C and storage is perfect, x̃ and ŷ “coincide perfectly with those of the baseline transformer”, "
        "Σ softmax(x_qᵀ W_Qᵀ W_K x_i) x_i, as SI B.2.1 writes it: largest difference of an entry.",
        paper="perfectly",
        estimate=estimate.exact(found[0]),
        limits=at_most(ROUNDING),
    )
    yield Claim(
        "coincide-baseline",
        "If n_h = C and storage is perfect, x̃ and ŷ are those of a transformer with β = 1, not those of the paper's "
        "baseline with β = 1/√N: largest difference of an entry from the latter.",
        paper="perfectly",
        estimate=estimate.exact(found[1]),
        limits=above(ROUNDING),
    )


def claims_noise(r: Results) -> Iterator[Claim]:
    """What is reinstated with fixed keys, against what the transformer has in its place; and that values learn."""
    for transformer in (FIXED, FIXED_IP):
        model, data = cast(SlotFreeTransformer, transformer.model), r[training(transformer)]
        weights, runs = weights_at(data), range(min(SHOWN, data.sizes["run"]))
        trained = np.array([noise(model, weights[run], run) for run in runs])
        before = np.array([noise(model, initial_weights(model, TASK, seed=run), run) for run in runs])
        yield of_paper(
            f"noisy-version-{transformer.name}",
            "x̃ “may be viewed as a noisy version” of the transformer’s: its correlation with that of the same sequence "
            f"minus that with others, smallest of {len(runs)} runs of {transformer.label} (mean correlation "
            f"{trained[:, 0].mean():.2f}; before training {before[:, 0].mean():.2f}).",
            paper="noisy version",
            estimate=estimate.exact((trained[:, 0] - trained[:, 1]).min()),
            limits=above(0),
        )
        yield of_paper(
            f"noise-{transformer.name}",
            "a_q is “a slightly noisy version” of the transformer’s attention, as some goes to units that hold no "
            f"item: its share in {transformer.label}, mean of {len(runs)} runs (before training "
            f"{before[:, 2].mean():.2f}).",
            paper="slightly noisy",
            estimate=estimate.mean(trained[:, 2]),
            limits=above(0),
        )
        values = data["contrast"].sel(structure="values").values[:, -1]
        yield of_paper(
            f"values-learn-{transformer.name}",
            "W_V learns “even when W_K was held fixed”: right minus wrong entry of the letters’ columns, smallest of "
            f"all runs of {transformer.label} (1 is the case code).",
            paper="successfully",
            estimate=estimate.exact(values.min()),
            limits=above(0),
        )
