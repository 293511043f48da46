"""Is the query-key rule general? Recall of values by keys, with 64 and 256 values, and what breaks it."""

from slotfree.beyond.contextC4.claims import claims
from slotfree.beyond.contextC4.experiments import EXPERIMENTS
from slotfree.beyond.contextC4.panels import draw
from slotfree.study.item import Item

ITEM = Item(
    name="contextC4",
    title="Is the query-key rule general?",
    text="Values are recalled by keys with the rule unchanged: with 64 or 256 values, 64 keys and 16 pairs it reaches "
    "0.99 in one or two hundred steps, and 0.998 and 0.997 at the end. Exact gradients through slots end at 1.000, and "
    "so does the rule if each item has a slot. It learns that a value does not belong into a key, as exact gradients "
    "do; the MHN rule hardly does, and ends lower where projections are by token, as fixed keys do. Projections need "
    "not give the answer away: by letter they are the best, and redrawn for each sequence as good as if they stay. "
    "What breaks: no projections (0.92), rates that are too low, rates four times as high (after 300 steps), and the "
    "paper's storage. A smaller β slows, a larger one does no harm. Keys that come back are overwritten, where slots "
    "can only guess. "
    'Queries for absent keys are not handled: "none" is the answer to half of them, with exact gradients to four '
    "fifths.",
    alt="Six panels. A: accuracy along training; query-key and MHN rule rise within 75 steps, exact gradients with "
    "fourfold rates within 200, fixed keys slowly. B: the length of value columns of W_K relative to key columns falls "
    "from 1 to 0.16 for the query-key rule and exact gradients, and stays near 1 for the MHN rule. C: accuracy at the "
    "end by kind of projection, lowest without any. D: accuracy against factors of rates and β, falling for a tenth of "
    "the rates, and for ten times the rates with 64 keys. E: right answers for keys shown once and again; slots get "
    "half of the latter. F: right answers for keys shown and for absent ones, which are about half for local rules.",
    experiments=EXPERIMENTS,
    draw=draw,
    claims=claims,
)
