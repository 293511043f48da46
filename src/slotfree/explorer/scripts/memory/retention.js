// How well a memory retrieves patterns of every age: the paper's protocol, and a meter that goes along with a stream.

import { KWinnerMHN } from "./memory/kwinner.js";
import { Tally, accuracy, ageEdges, binnedDPrime } from "./memory/metrics.js";
import { partialCue } from "./memory/patterns.js";
import { Generator, seedFor } from "./memory/random.js";
import { sourceOf } from "./memory/sources.js";

/** The oldest patterns that are tested. */
export const OLDEST = 2000;

const SETTLED = 4; // wins of a unit, times ε, after which little is left of its first weights
const LEAST_STORED = 1000;

/** Return after how many patterns a new memory is in its steady state: each unit has won 4/ε times, on average. */
export function settling({ n_hidden, k_hidden, learning_rate }) {
  return Math.max(LEAST_STORED, Math.ceil(((SETTLED / learning_rate) * n_hidden) / k_hidden));
}

/** Return the accuracy for one pattern from a cue that keeps a fraction of its ones. */
export function tested(memory, pattern, cue, rng) {
  return accuracy(memory.retrieve(cue === 1 ? pattern : partialCue(pattern, cue, rng)), pattern);
}

/**
 * One run of the protocol: store n_stored patterns, freeze the weights, retrieve the newest n_tested and as many that
 * were never stored. Return their accuracies, {real, pseudo}; real[0] is that of the newest, age 1.
 */
export function retention(settings, options = {}) {
  const { source = { similarity: "random" }, n_stored = 4000, n_tested = 1000, cue = 1, seed } = options;
  const memory = new KWinnerMHN(settings, { seed: seedFor(seed, "memory") });
  const patterns = sourceOf(source, memory.settings, seedFor(seed, "patterns"));
  const rng = new Generator(seedFor(seed, "cues"));
  const newest = [];
  for (let t = 0; t < n_stored; t++) {
    const pattern = patterns.next();
    memory.store(pattern);
    if (t >= n_stored - n_tested) newest.unshift(pattern);
  }
  const real = Float64Array.from(newest, (pattern) => tested(memory, pattern, cue, rng));
  const pseudo = Float64Array.from({ length: n_tested }, () => tested(memory, patterns.never(), cue, rng));
  return { real, pseudo };
}

/** Accuracies by bins of ages, and for patterns never stored. */
export class Meter {
  constructor(oldest = OLDEST) {
    this.edges = ageEdges(oldest);
    this.bins = this.edges.slice(1).map(() => new Tally());
    this.baseline = new Tally();
  }

  add(age, value) {
    this.bins[this.binOf(age)].add(value);
  }

  /** Return the bin of an age. */
  binOf(age) {
    let bin = 0;
    while (bin + 2 < this.edges.length && this.edges[bin + 1] <= age) bin++;
    return bin;
  }

  /**
   * Return {baseline: {mean, error, n}, points}, a point for each bin that has been tested: first and last age, their
   * mean, the accuracy with its standard error, R.D. and d'.
   */
  curve() {
    const { mean: baseline, square: baseline_square, error, n } = this.baseline;
    const points = this.bins.flatMap((bin, i) => {
      if (bin.n === 0) return [];
      const [first, last] = [this.edges[i], this.edges[i + 1] - 1];
      const dPrime = binnedDPrime({ accuracy: bin.mean, square: bin.square, baseline, baseline_square });
      const raw = bin.mean - baseline;
      return [{ first, last, age: (first + last) / 2, mean: bin.mean, error: bin.error, n: bin.n, raw, dPrime }];
    });
    return { baseline: { mean: baseline, error, n }, points };
  }
}
