"""One run: a memory between fixed embeddings is trained on one task, and scored."""

import numpy as np
import torch
from references import MODELS
from tasks import AGES, SIZE, STREAM, TASKS, embeddings
from torch import nn
from torch.nn.functional import cross_entropy

SCALE = 16.0  # of the cosine with the embedding of each value
VALIDATION, TEST = 10**6, 10**7  # seeds of sequences that are not trained on


class Net(nn.Module):
    """A memory, and what it reads as a value."""

    def __init__(self, memory):
        super().__init__()
        self.memory, self.W_O = memory, nn.Linear(SIZE, SIZE, bias=False)

    def forward(self, batch):
        read = self.W_O(self.memory.read(batch.queries, self.memory.write(batch.items)))
        return SCALE * nn.functional.normalize(read, dim=2) @ embeddings()[1].T


def rate_at(step, steps):
    """A tenth of the steps to warm up, then a cosine to a tenth."""
    begin = steps / 10
    if step < begin:
        return (step + 1) / begin
    return 0.55 + 0.45 * float(np.cos(np.pi * (step - begin) / (steps - begin)))


def train_run(model, task, floats, rate, seed, steps, size, stream=False):
    """Return accuracies on validation and test sequences, the latter by age too, and the loss along training.

    With ``stream``, ages are those of a stream, in which each key comes once, though it was not trained on. A run that
    diverges has the accuracies of guessing, 1/64, and ``diverged`` 1.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    net, task = Net(MODELS[model](floats)), TASKS[task]
    optimiser = torch.optim.Adam(net.parameters(), rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: rate_at(step, steps))
    made, losses, diverged = torch.Generator().manual_seed(seed), np.full(steps, np.nan), 0
    try:
        for step in range(steps):
            batch = task.batch(size, made)
            loss = cross_entropy(net(batch).transpose(1, 2), batch.targets) + getattr(net.memory, "extra", 0.0)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True)
            optimiser.step()
            schedule.step()
            losses[step] = float(loss.detach())
    except (FloatingPointError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "non-finite" not in str(error):
            raise
        diverged = 1
    validation, _ = scored(net, task, VALIDATION + seed, size) if not diverged else (1 / 64, None)
    test, ages = scored(net, task, TEST + seed, size) if not diverged else (1 / 64, np.full(len(AGES), 1 / 64))
    if stream and not diverged:
        _, ages = scored(net, TASKS[STREAM], TEST + seed, size)
    one = net.memory
    numbers = {
        "validation": validation,
        "test": test,
        "diverged": diverged,
        "floats": one.floats,
        "touched": one.touched,
    }
    return {name: np.array([value], float) for name, value in numbers.items()} | {"ages": ages, "losses": losses}


@torch.no_grad()
def scored(net, task, seed, size, batches=8):
    """Accuracy, and accuracy in bins of ages, NaN where nothing was asked."""
    made, right, ages = torch.Generator().manual_seed(seed), [], []
    for _ in range(batches):
        batch = task.batch(size, made)
        right.append((net(batch).argmax(2) == batch.targets).flatten())
        ages.append(batch.ages.flatten())
    right, ages = torch.cat(right).double().numpy(), torch.cat(ages).numpy()
    bins = np.searchsorted(AGES, ages, side="right") - 1
    counts = np.bincount(bins, minlength=len(AGES))
    sums = np.bincount(bins, right, minlength=len(AGES))
    return float(right.mean()), np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
