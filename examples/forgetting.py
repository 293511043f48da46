"""How two memories of the same size forget: the K-winner MHN and the 1-winner MHN.

    python examples/forgetting.py [--runs 40] [--out results]

Each run stores 4000 random patterns in one pass and tests the newest 1000 of them, from whole and from half
cues, against patterns that were never stored. Writes forgetting.png and forgetting.svg.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

import slotfree as sf

matplotlib.use("Agg")
from matplotlib import pyplot as plt

MODELS = {
    "K-winner MHN": {"n_hidden": 2000, "k_hidden": 50, "fan_in": 0.05, "learning_rate": 0.3},
    "1-winner MHN": {"n_hidden": 100, "k_hidden": 1, "fan_in": 1, "learning_rate": 1},
}
COLOURS = {"K-winner MHN": "#D55E00", "1-winner MHN": "#0072B2"}
CUES = (1.0, 0.5)
AGES = np.arange(1, 1001)
EDGES = np.unique(np.geomspace(1, 1001, 25).round().astype(int))  # neighbouring ages, averaged for the picture


def one_run(model, seed):
    """Accuracy of one run: (cue, stored or never stored, age)."""
    seeds = np.random.SeedSequence(seed).spawn(5)
    memory = sf.KWinnerMHN(**model, seed=seeds[0])
    stored = sf.random_patterns(4000, seed=seeds[1])
    memory.store(stored)
    newest_first = stored[::-1][: len(AGES)]
    pseudo = sf.random_patterns(len(AGES), seed=seeds[2])
    accuracy = np.empty((len(CUES), 2, len(AGES)))
    for c, cue in enumerate(CUES):
        for kind, patterns in enumerate((newest_first, pseudo)):
            recalled = memory.retrieve(sf.partial_cues(patterns, cue, seed=seeds[3 + kind]))
            accuracy[c, kind] = (recalled & patterns).sum(axis=1) / patterns.sum(axis=1)
    return accuracy


def draw(results, runs, path):
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), sharey=True, layout="constrained")
    centres = np.sqrt(EDGES[:-1] * (EDGES[1:] - 1))
    widths = np.diff(EDGES)
    for c, axis in enumerate(axes):
        for name, accuracy in results.items():
            stored, pseudo = accuracy[:, c, 0], accuracy[:, c, 1]
            binned = np.add.reduceat(stored, EDGES[:-1] - 1, axis=1) / widths
            mean, error = binned.mean(axis=0), binned.std(axis=0, ddof=1) / np.sqrt(runs)
            axis.fill_between(centres, mean - error, mean + error, color=COLOURS[name], alpha=0.3, lw=0)
            axis.plot(centres, mean, ".-", color=COLOURS[name], lw=1.4, label=f"{name}, stored")
            axis.axhline(pseudo.mean(), color=COLOURS[name], lw=1.2, ls="--", label=f"{name}, never stored")
        axis.set_xscale("log")
        axis.set_xlabel("age (1 = newest)")
        axis.set_title(f"{CUES[c]:.0%} cues")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("accuracy (share of ones recalled)")
    axes[0].set_ylim(0, 1.03)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False, fontsize=9)
    figure.suptitle(f"Same number of weights, different forgetting (mean ± s.e., {runs} runs)", fontsize=11)
    path.mkdir(parents=True, exist_ok=True)
    for suffix in ("png", "svg"):
        figure.savefig(path / f"forgetting.{suffix}", dpi=160)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40, help="independent runs of each model, at least 2")
    parser.add_argument("--out", type=Path, default=Path("results"), help="directory for the pictures")
    arguments = parser.parse_args()
    if arguments.runs < 2:
        parser.error(f"argument --runs: must be at least 2, not {arguments.runs}")

    results = {
        name: np.array([one_run(model, seed) for seed in range(arguments.runs)]) for name, model in MODELS.items()
    }
    print("model         cue   never stored   age 1     10     30    100    300   1000")
    for name, accuracy in results.items():
        for c, cue in enumerate(CUES):
            # Ages are averaged with their neighbours within a tenth, as single ones are noisy.
            by_age = [accuracy[:, c, 0, abs(AGES - age) <= age // 10].mean() for age in (1, 10, 30, 100, 300, 1000)]
            numbers = "  ".join(f"{value:5.3f}" for value in by_age)
            print(f"{name}  {cue:4.0%}          {accuracy[:, c, 1].mean():5.3f}   {numbers}")
    draw(results, arguments.runs, arguments.out)
    print(f"written to {arguments.out / 'forgetting.png'} and .svg")


if __name__ == "__main__":
    main()
