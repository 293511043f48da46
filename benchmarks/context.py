"""Speed of training with a distributed context, as ratios within one run.

    python benchmarks/context.py [--out bench/context.json]

The Case Sequence Task of four letters, query-key rule, batches of 64, one thread. Against a plain NumPy version, which
has whole matrices, the batch in front and no loop over sequences; and against our own training with one winner. Times
are medians over rounds in which the contestants take turns. Exit code 1 if a stated floor is missed.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

import measure  # before NumPy
import numpy as np
from einsum import Outcome, Rival, softmax

import slotfree as sf
from slotfree.attention.training import initial_weights, plan_training
from slotfree.attention.weights import to_slow
from slotfree.kernels.attention.training import Scores

TASK = sf.CaseSequenceTask(n_letters=4, context_length=4)
BATCH = 64
ONE_WINNER = sf.SlotFreeTransformer("query-key")
MODELS = {
    "10 of 160 units, f = 0.1": sf.SlotFreeTransformer(
        n_hidden=160, storage=sf.Winners(k=10, fan_in=0.1, projection_gain=3.0)
    ),
    "3 of 50 units, f = 0.1": sf.SlotFreeTransformer(
        n_hidden=50, storage=sf.Winners(k=3, fan_in=0.1, projection_gain=3.0)
    ),
    "3 of 50 units, f = 0.1, no projections": sf.SlotFreeTransformer(
        input_projections=False, n_hidden=50, storage=sf.Winners(k=3, fan_in=0.1, projection_gain=3.0)
    ),
}
LARGE = "10 of 160 units, f = 0.1"
FLOOR, MOST = 10, 3


class PlainWinners(Rival):
    """A distributed context over whole matrices, with connections as masks, and the batch in front."""

    def __init__(self, model, task, weights, rates, batch_size=64, seed=0):
        super().__init__(model, task, to_slow(weights), rates, batch_size, seed)
        fast = model.engine(task, 0, weights.drawn_by).fast
        self.sees = np.zeros((model.units, model.key_dim))
        np.put_along_axis(self.sees, fast.inputs, 1.0, axis=1)
        self.P = np.zeros((task.n_tokens, model.units))
        for token in range(task.n_item_tokens):
            self.P[token, fast.projected[token]] = fast.gain
        self.beta, self.eps = fast.beta, fast.rate

    def draw_fast_weights(self):
        """HK of a batch; all else begins at 0."""
        HK = np.zeros((self.batch_size, self.model.units, self.model.key_dim))
        if not self.model.input_projections:
            HK = 0.5 * self.rng.random(HK.shape) * self.sees
        return (HK,)

    def gradients(self, context, query, target, HK):
        shape = HK.shape[:2]
        VH, IH, g = np.zeros((*shape, 2)), np.zeros((*shape, self.task.n_tokens)), np.zeros(shape)
        rows = np.arange(len(query))[:, None]
        for token in context.T:
            x = self.one_hot[token]
            k, v = np.einsum("bd,dn->bn", x, self.K), np.einsum("bd,od->bo", x, self.V)
            h = np.einsum("bhn,bn->bh", HK, k) + self.P[token]
            a = np.zeros(shape)
            a[rows, np.argpartition(h, -self.model.storage.k, axis=1)[:, -self.model.storage.k :]] = self.eps
            HK += a[:, :, None] * self.sees * (k[:, None] - HK)
            VH += a[:, :, None] * (v[:, None] - VH)
            IH += a[:, :, None] * (x[:, None] - IH)
            g += a * (1 - g)
        x_q, y = self.one_hot[query], self.targets[target]
        q = np.einsum("bd,dn->bn", x_q, self.Q)
        s = softmax(self.beta * np.einsum("bhn,bn->bh", HK, q))
        s /= np.einsum("bh,bh->b", g, s)[:, None]
        x, y_val = np.einsum("bhd,bh->bd", IH, s), np.einsum("bho,bh->bo", VH, s)
        y_hat = np.einsum("od,bd->bo", self.V, x)
        error = y_hat - y
        outputs = np.einsum("od,bhd->bho", self.V, IH) - g[:, :, None] * y_hat[:, None]
        c = 2 * self.beta * s * np.einsum("bo,bho->bh", error, outputs)
        grad_Q = np.einsum("bd,bn->dn", x_q, np.einsum("bh,bhn->bn", c, HK))
        grad_K = 2 * np.einsum("bd,bn->dn", x, np.einsum("bd,dn->bn", x, self.K) - q)
        grad_V = 2 * np.einsum("bo,bd->od", error, x)
        return Outcome(grad_Q, grad_K, grad_V, *self.score(y_val, y, target))


def rival(model, weights):
    """The NumPy version of a model, with the model's learning rates."""
    return PlainWinners(model, TASK, weights, plan_training(model, TASK).rates, BATCH)


def check_rival(model, weights):
    """With the same weights, sequences and initial fast weights, gradients must be ours to 1e-9."""
    sequences = TASK.batch(BATCH, seed=1)
    engine = model.engine(TASK, 2, weights.drawn_by)
    scores = Scores(np.empty(1), np.empty(1))
    engine.train(to_slow(weights), sequences.batches(BATCH), np.zeros(3), scores)
    HK = np.array([engine.start(b).W_HK for b in range(BATCH)])
    theirs = rival(model, weights).gradients(sequences.context, sequences.query, sequences.target, HK)
    apart = max(np.abs(a - b).max() for a, b in zip((*engine.gradient, *scores), theirs, strict=True))
    if not apart <= 1e-9:
        raise SystemExit(f"the NumPy version of {model} is no fair rival: its gradients are {apart:.1g} from ours")


def against_numpy(model, rounds=9, steps=400, rival_steps=10):
    """Seconds per training step of slotfree, of the NumPy version, and of slotfree with one winner."""
    plan, one_winner = (plan_training(each, TASK, steps, BATCH) for each in (model, ONE_WINNER))
    before = initial_weights(model, TASK, seed=0)
    check_rival(model, before)
    contestants = {
        "slotfree": partial(plan, np.random.SeedSequence(0)),
        "one winner": partial(one_winner, np.random.SeedSequence(0)),
        "plain": partial(rival(model, before).train, rival_steps),
    }
    for contestant in contestants.values():
        contestant()  # compiled before it is timed
    times = measure.take_turns(contestants, rounds)
    return {name: value / (rival_steps if name == "plain" else steps) for name, value in times.items()}


def judge(steps):
    """Each requirement, what was measured, and whether it holds."""
    ratios = {name: times["plain"] / times["slotfree"] for name, times in steps.items()}
    rows = [(f"{name}: times as fast as plain NumPy", f"≥ {FLOOR}", r, r >= FLOOR) for name, r in ratios.items()]
    slower = steps[LARGE]["slotfree"] / steps[LARGE]["one winner"]
    rows.append((f"{LARGE}: times the step of one winner", f"≤ {MOST}", slower, slower <= MOST))
    return [measure.verdict(*row) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("bench/context.json"), help="where to write JSON")
    arguments = parser.parse_args()
    steps = {name: against_numpy(model) for name, model in MODELS.items()}
    rows = [("µs per training step, one thread", "slotfree", "one winner", "plain NumPy", "ratio to NumPy")]
    for name, times in steps.items():
        cells = [f"{times[contestant] * 1e6:.1f}" for contestant in ("slotfree", "one winner", "plain")]
        rows.append((name, *cells, f"{times['plain'] / times['slotfree']:.1f}×"))
    print(measure.table(rows), end="\n\n")
    return measure.conclude(arguments.out, {"seconds per step": steps}, judge(steps))


if __name__ == "__main__":
    sys.exit(main())
