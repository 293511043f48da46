"""The models of the paper's second part, with the names and colours they have in every figure, and their training."""

from dataclasses import dataclass

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.models import Model
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.study import Experiment, Training
from slotfree.tasks.case_sequence import CaseSequenceTask


@dataclass(frozen=True)
class Transformer:
    """A model of the paper: colours by how W_K learns, as in the paper, paler without input projections."""

    name: str
    label: str
    model: Model
    colour: str


PUBLISHED = Transformer(
    "baseline-published", "Baseline, published", BaselineTransformer(gradients="published"), "#111111"
)
BASELINE = Transformer("baseline", "Baseline, exact", BaselineTransformer(), "#7F7F7F")
BETA_ONE = Transformer("baseline-beta1", "Baseline, β = 1", BaselineTransformer(beta=1.0), "#CC79A7")
FIXED = Transformer("fixed", "Fixed", SlotFreeTransformer("fixed", False), "#8CBFE6")
MHN = Transformer("mhn", "MHN", SlotFreeTransformer("mhn", False), "#7CCBA2")
QK = Transformer("qk", "QK", SlotFreeTransformer("query-key", False), "#F2A27E")
FIXED_IP = Transformer("fixed-ip", "Fixed, i.p.", SlotFreeTransformer("fixed", True), "#0B4F8A")
MHN_IP = Transformer("mhn-ip", "MHN, i.p.", SlotFreeTransformer("mhn", True), "#046C4E")
QK_IP = Transformer("qk-ip", "QK, i.p.", SlotFreeTransformer("query-key", True), "#A11D21")

SEVEN = (PUBLISHED, FIXED, MHN, QK, FIXED_IP, MHN_IP, QK_IP)  # of the paper, with the baseline of its public code
BASELINES = (PUBLISHED, BASELINE, BETA_ONE)
ALL = (*BASELINES, *SEVEN[1:])
PAIRS = ((FIXED, FIXED_IP), (MHN, MHN_IP), (QK, QK_IP))

TASK = CaseSequenceTask(n_letters=4, context_length=4)
RUNS, FEW = 20, 3
MORE = {PUBLISHED: 60, FIXED: 40, MHN_IP: 100, QK_IP: 60}  # runs where 20 would leave open what the paper says
SHOWN = 10  # runs that figures and tables show: the number that the paper has
PERFECT = 0.995  # accuracy that is 100% when rounded
SNAPSHOTS = {PUBLISHED: (200, 600, 900, 1200), QK_IP: (100, 600, 1000, 1600)}


def training(transformer: Transformer) -> Experiment:
    """Train one of the paper's models with its learning rates; the structure of its weights is measured on the way."""
    run = Training(transformer.model, TASK, snapshots=SNAPSHOTS.get(transformer, ()), contrast_every=20)
    return Experiment(transformer.name, run, MORE.get(transformer, RUNS), few=FEW)
