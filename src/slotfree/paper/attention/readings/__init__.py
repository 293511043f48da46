"""What the text may mean: ambiguous and misprinted sentences of the SI, each taken at its word."""

from slotfree.paper.attention.readings.claims import claims
from slotfree.paper.attention.readings.experiments import EXPERIMENTS
from slotfree.paper.attention.readings.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="readings",
    number="Readings",
    title="What the text may mean",
    text="Where the SI says two things, or prints an equation that its own text corrects, each reading was run. "
    "Averaged gradients do not learn the task in the printed number of steps (A). The printed update of W_VH erases "
    "what other units hold, and W_Q in place of W_K leaves the MHN rule without its signal (B). N(0, s) names a "
    "standard deviation: as a variance it gives other ranges (C). The gradient equations are right but for three slips "
    "(D).",
    alt="Four panels. A and B: accuracy at the end of each run, as the text is meant and as it is printed. C: ranges "
    "of table S1 with both meanings of N(0, s), and as printed. D: distance of each gradient equation from finite "
    "differences, on a logarithmic axis.",
    experiments=EXPERIMENTS,
    draw=draw,
    claims=claims,
)
