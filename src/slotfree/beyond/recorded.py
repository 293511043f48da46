"""Verdicts that are not "confirmed", as they came out at full scale with seed 0, and what explains them."""

from slotfree.study.record import Recorded, contradicted, inconclusive

FEW_RUNS = "The accuracy of the newest pattern is that of one pattern in each of 8 runs: too few to be sure."
CORNERS = (
    "Theory misses small fan-ins with ε = 1, and memories in which half of the units win; see docs/explained/theory.md."
)
HELD_OUT = "The memories missed have a small fan-in or many winners, as on the grid; see docs/explained/theory.md."
LOTTERY = (
    "It depends on the keys that are drawn: with f = 1 and no projections, about half of the runs learn within 400 "
    "steps. So the mean is {measured}, {low} to {high}, of 10 runs."
)
RARE = (
    "Most runs end at 1.00, and one or two at 0.94 to 0.98, as accuracy dips now and then: {measured}, {low} to {high}."
)
TOGETHER = "With k = 4, f = 1, γ = 1.7 the units of an item hold the same key, and are won again together"

CROWDED = "Each item takes more of the units that there are, so that old ones are lost the sooner: {measured}."
TOO_FEW = "With 50 units for 64 items, a second winner overwrites more than it saves: its units are won again sooner."
SMALLER_KEY = "A smaller key does as well or better: masks of their own give keys of unequal length to units."
ENOUGH = "Thin units with graded updates are as good as they are with k = 2."
NO_CASE = "Keys of the same case are not more alike than others; units that keep their wiring explain it, see values-*."

ABSENT = (
    "As attention sums to 1, some mixture of items is always read, and the readout is linear: the output for "
    '"none" is nearly the same at all times, and loses where one item has too large a share of the mixture.'
)

RECORDED: dict[str, Recorded] = {
    "contextC4.pure-mhn": contradicted(
        "Columns of values keep {measured} of the length of those of keys: the MHN rule answers well without."
    ),
    "contextC4.one-letter": inconclusive(
        "Where two letters drive the same unit items are lost, 0.03 to 0.06 in five runs; the other five end at 1.000."
    ),
    "contextC4.rates-four": contradicted(
        "For 300 steps it goes well, {measured}; after 800 steps all is lost: see rates-four-lasting."
    ),
    "contextC4.rates-few": contradicted("For 16 keys the rule is careful: ten times its rates do as well, and faster."),
    "contextC4.repeats-slots": inconclusive("A guess between two values or more, {measured}, too near a half to tell."),
    "contextC4.absent": contradicted(f"{{measured}} of them are. {ABSENT}"),
    "contextC4.absent-known": inconclusive(
        "Items are lost where all units of a letter are shared with others, up to 0.07; runs without such a letter "
        "lose none."
    ),
    "contextC4.absent-exact": contradicted(f"Better, but no more than {{measured}}. {ABSENT}"),
    "theoryK1.grid-worst": inconclusive("The largest error is 0.038 ± 0.005, where half of all units win."),
    "theoryK1.grid-C": contradicted(f"C is surely off by more than 10 % in 8 of 152 curves. {CORNERS}"),
    "theoryK1.grid-beta": contradicted(f"β is surely off by more than 10 % in 8 of 152 curves. {CORNERS}"),
    "theoryK1.held-out-C": contradicted(f"C is surely off by more than 10 % in 1 of 24 curves. {HELD_OUT}"),
    "theoryK1.held-out-beta": contradicted(f"β is surely off by more than 10 % in 2 of 24 curves. {HELD_OUT}"),
    "theoryK2.front-initial-accuracy": inconclusive(FEW_RUNS),
    "theoryK2.front-half-life": inconclusive("Half-lives of 8 runs have standard errors of 3 to 19 %."),
    "theoryK2.e-kwinner-half-life-50%": inconclusive("Both half-lives are about 110 patterns; the gain is elsewhere."),
    "theoryK2.e-kwinner-d-prime-50%": inconclusive("With half cues both memories are about equally sensitive."),
    "theoryK2.f-wide-initial-accuracy-100%": inconclusive(FEW_RUNS),
    "theoryK2.f-wide-initial-accuracy-50%": inconclusive(FEW_RUNS),
    "theoryK2.f-wide-half-life-100%": inconclusive("Longer by a quarter, 84 against 68, but 8 runs leave ± 18."),
    "contextC5.keys-lags": inconclusive("One winner with γ = 1 forgets a little faster than predicted: 0.023 ± 0.009."),
    "contextC5.keys-held-out-error": contradicted(f"{TOGETHER}: 0.045. The other settings: at most 0.012."),
    "contextC5.keys-held-out-lags": contradicted(f"{TOGETHER}: 0.10. The other settings: at most 0.026."),
    "contextC5.keys-thin": contradicted("By 0.07 with 5 components; with 8 and 10 the three newest items only."),
    "contextC5.part-one-one-winner": contradicted("0.005 for ε = 1, but 0.03, 0.06, 0.19 for 0.5, 0.3, 0.1."),
    "contextC2.ideal-k2": contradicted(TOO_FEW),
    "contextC2.ideal-k3": contradicted(TOO_FEW),
    "contextC2.masks-ideal": contradicted(SMALLER_KEY),
    "contextC2.masks-both": contradicted(SMALLER_KEY),
    "contextC2.thin-keys": inconclusive("They buy 130 units instead of 92, and blur as much: both give 0.86."),
    "contextC2.trained-k2": inconclusive(ENOUGH),
    "contextC2.redrawn-k2": contradicted("With redrawn projections k = 2 is a little worse than thin units alone."),
    "contextC2.trained-k2-sharp": inconclusive("16 units for 16 items are too few for a second winner to pay."),
    "contextC2.trained-k3-sharp": contradicted("16 units for 16 items are too few for three winners."),
    "contextC2.case-component-token": contradicted(NO_CASE),
    "contextC2.case-component-letter": inconclusive(NO_CASE),
    "contextC2.one-key": inconclusive("Accuracy falls from 0.96 to the vote, {measured}; 10 runs leave ± 0.04."),
    "theoryK3.small": inconclusive("With 10,000 weights and f = 0.05 little is remembered, and theory is far off."),
    "contextC1.thin-faster-than-both": inconclusive("By {measured} steps, {low} to {high}: about as fast."),
    "contextC1.Z-alone-diverges": inconclusive("4 of 10 runs diverge; the others stay at 0.50 to 0.63."),
    "contextC1.bare-fails": inconclusive(LOTTERY.replace("400", "1000")),
    "contextC1.learnt-with": inconclusive(
        "The smallest mean is that of one winner, f = 1: two letters share a unit in some runs. {low} to {high}."
    ),
    "contextC1.two-components-with": inconclusive(RARE),
    "contextC1.two-components-without": inconclusive(RARE),
    "contextC1.whole-fails": inconclusive(LOTTERY),
    "contextC1.thin-helps": inconclusive(f"{LOTTERY} After 600 steps the difference is sure: see thin-learns."),
    "contextC1.winners-do-not": inconclusive(
        "With 3 or 10 winners out of 40 units surely so; with 3 out of 160 it is {measured}, {low} to {high}."
    ),
    "contextC1.several-projections": inconclusive(
        "2 to 4 of 10 runs with one winner fail, those in which two letters share a unit: {measured}, {low} to {high}."
    ),
    "contextC1.rule-QK": inconclusive(RARE),
    "contextC1.all-read-with": inconclusive("Hardly a difference: {measured}, {low} to {high}."),
    "contextC1.all-read-without": inconclusive("Hardly a difference: {measured}, {low} to {high}."),
    "contextC1.fan-out-half-without": inconclusive("It hurts little without projections: {measured}, {low} to {high}."),
    "contextC1.fan-out-more-without": inconclusive("There is little to repair: {measured}, {low} to {high}."),
    "contextC3.used-token": inconclusive("In one of 20 runs two letters share units: {measured}, {low} to {high}."),
    "contextC3.overwritten": inconclusive("In one of 20 runs two letters share units: {measured}, {low} to {high}."),
    "contextC3.published": inconclusive("Some runs have not learnt all letters yet: {measured}, {low} to {high}."),
    "contextC3.letter-any-gain": contradicted("Weak projections let letters share units: {measured} with γ = 0.3."),
    "contextC3.crossing": contradicted("Later: at {measured} times. One of three units that still updates is enough."),
    "contextC3.crowded-3-one-winner": contradicted(CROWDED),
    "contextC3.crowded-3-thin": contradicted(CROWDED),
    "contextC3.crowded-10-3": contradicted(CROWDED),
    "contextC3.crowded-graded": contradicted("A changed case must be replaced at once: {measured}."),
}
