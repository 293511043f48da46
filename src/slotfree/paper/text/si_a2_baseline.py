"""SI A.2.1: baseline accuracy, that of patterns never stored."""

from slotfree.paper.figures import siA2
from slotfree.paper.figures.siA2 import BY_WINNERS, CHANCE, ONE_BY_FAN_IN, TEXT
from slotfree.paper.shared import fading
from slotfree.paper.shared.fading import ONE, K, compared, each_cue
from slotfree.paper.shared.of_runs import of_runs
from slotfree.study import defines, more, says, section, slip, unjudged

TESTS = "tests/paper/figures/test_siA2.py"

ABOVE_CHANCE = each_cue(
    "fig4.above-chance",
    "accuracy for patterns never stored, 1-winner MHN, {cue} cues; chance is 0.1",
    lambda cue: fading.unseen(ONE, cue),
    CHANCE,
)
HIGHER_BASELINE = compared(
    "fig4.baseline",
    "accuracy for patterns never stored, {cue} cues, K-winner against 1-winner",
    fading.unseen,
    (K, ONE),
)
SMALLER_SAMPLE = each_cue(
    "siA2.smaller-sample",
    "smallest rise of the accuracy for patterns never stored from one f to a smaller one, from 0.5 to 0.025, k_h = 50",
    siA2.rise_with_narrower,
)
SMALLER_SAMPLE_ALONE = each_cue(
    "siA2.smaller-sample-alone",
    "accuracy for patterns never stored, k_h = 1, ε = 1, {cue} cues, f = 0.05 against f = 1",
    lambda cue: of_runs(ONE_BY_FAN_IN[TEXT.fan_in], "unseen", cue=cue),
    lambda cue: of_runs(ONE_BY_FAN_IN[1.0], "unseen", cue=cue),
)
AVERAGING = each_cue(
    "siA2.averaging",
    "accuracy for patterns never stored, n_h = 2000, f = 0.05, ε = 0.3, {cue} cues, k_h = 50 against 1",
    lambda cue: of_runs(BY_WINNERS[TEXT.k_hidden], "unseen", cue=cue),
    lambda cue: of_runs(BY_WINNERS[1], "unseen", cue=cue),
)

SENTENCES = section(
    "SI A.2.1",
    defines(
        "n_v = 1000, n_h = 100 … all of the real patterns and “pseudo-memory” patterns were sampled uniformly from the "
        "collection of length 1000 binary patterns with 100 1-bits.",
        held_by=f"{TESTS}::test_the_1_winner_mhn_is_the_printed_one",
    ),
    defines(
        "When an untrained pattern is presented to an MHN with n_h = 100 other memories stored in it, it will replace "
        "the best-matching memory presently in the system …",
        held_by=f"{TESTS}::test_a_full_memory_replaces_the_best_match",
    ),
    says(
        "… this pattern … is expected to have higher-than-average correlation with the new incoming pattern.",
        more(
            "siA2.higher-than-average",
            of_runs(siA2.REPLACING, "overlap"),
            CHANCE,
            "overlap of a new pattern with the one that it replaces, as a share of their ones; the average is 0.1",
        ),
    ),
    says(
        "This is why the retrieval accuracy baseline for the 1-winner MHN is greater than 0.1 …",
        *ABOVE_CHANCE.values(),
    ),
    defines(
        "[0.1 is] the average correlation between random patterns.",
        held_by="tests/paper/figures/test_theorem1.py::test_overlaps_of_bernoulli_patterns_have_the_printed_moments",
    ),
    says(
        "More precisely, the accuracy baseline should roughly equal the maximum of n_h = 100 samples from the "
        "distribution of possible pattern overlaps.",
        more(
            "siA2.maximum",
            siA2.nearer_to_maximum(),
            0,
            "how much nearer the 1-winner's baseline is to the expected best of 100 overlaps, 0.1764, than to the "
            "formula of proposition 2, 0.191, and to chance, 0.1",
        ),
        note="The baseline is {fig4.above-chance-100%} with full cues.",
    ),
    unjudged(
        "We do not have a full analysis of the exact baseline retrieval accuracy of the K-winner MHN.",
        "About the paper itself.",
    ),
    says(
        "[The K-winner MHN has a] higher baseline accuracy (as compared to the original MHN).",
        *HIGHER_BASELINE.values(),
    ),
    slip(
        "Each of the hidden units “sees” only a subset of the bits … a smaller sample size (f n_h = 100 rather than "
        "n_h = 2000 elements).",
        "f n_v = 50 rather than n_v = 1000 elements",
        "A hidden unit is connected to f n_v of the n_v inputs; f n_h is the number of hidden units that an input is "
        "connected to.",
        held_by=f"{TESTS}::test_a_hidden_unit_sees_50_inputs",
    ),
    defines(
        "The standard deviation of a sampled proportion is proportional to 1/√n and the maximum of such a distribution "
        "will be larger than the maximum of a distribution of samples each with a larger n.",
        held_by=f"{TESTS}::test_the_best_of_smaller_samples_is_larger",
    ),
    says(
        "[The smaller sample size is one of the] factors contributing to its higher baseline accuracy.",
        *SMALLER_SAMPLE.values(),
        *SMALLER_SAMPLE_ALONE.values(),
        note="With 50 winners the baseline rises as f falls, f n_h being 100. With one winner, where averaging plays "
        "no part, it is lower at f = 0.05 than at f = 1, although there are 2000 units to choose among instead of 100: "
        "a unit matches better what it sees, but it returns only that. A smaller sample raises the baseline together "
        "with averaging over winners, not by itself.",
    ),
    says(
        "It is possible that having k_h > 1 adds a measure of robustness to retrieval (under uncertainty), enabling "
        "the retrieved output to be averaged over k_h rows of the weight matrix W.",
        *AVERAGING.values(),
        note="Up to about 100 winners of 2000; with more the baseline falls again (panel A).",
    ),
    unjudged(
        "Other factors likely influence the actual baseline retrieval accuracy as well.",
        "Names no factor.",
    ),
)
