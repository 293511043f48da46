// How well what a memory retrieves agrees with the pattern, how much of that is beyond the baseline, how reliably.

const ROUNDING = 1e-12; // accuracies are fractions of integers: a smaller spread is none
const PER_DECADE = 8; // bins of ages

/** Return ρ = |retrieved ∩ pattern| / |pattern|, the accuracy. */
export function accuracy(retrieved, pattern) {
  let hits = 0;
  let ones = 0;
  for (let j = 0; j < pattern.length; j++) {
    ones += pattern[j];
    hits += pattern[j] & retrieved[j];
  }
  return hits / ones;
}

/** Return how many ones were recalled rightly, are missing, and should not be there. */
export function tally(retrieved, pattern) {
  const count = { hits: 0, misses: 0, false: 0 };
  for (let j = 0; j < pattern.length; j++) {
    if (pattern[j]) count[retrieved[j] ? "hits" : "misses"]++;
    else if (retrieved[j]) count.false++;
  }
  return count;
}

/** Return R.D., the mean of δ = ρ(real) − ρ(pseudo) over the runs of a sample. */
export function rawDifference(differences) {
  return differences.reduce((sum, value) => sum + value, 0) / differences.length;
}

/** Return d' = mean δ / std δ (population) over the runs of a sample; infinite, or 0, where all δ are the same. */
export function dPrime(differences) {
  const mean = rawDifference(differences);
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / differences.length;
  const spread = Math.sqrt(variance) > ROUNDING ? Math.sqrt(variance) : 0;
  return spread === 0 && mean === 0 ? 0 : mean / spread;
}

/** Return d' of a bin of ages: R.D. over the spread of single δ, from means and means of squares of accuracies. */
export function binnedDPrime({ accuracy: mean, square, baseline, baseline_square }) {
  return (mean - baseline) / Math.sqrt(square - mean ** 2 + baseline_square - baseline ** 2);
}

/** Return the first age of each bin, in about equal ratios, and the age after the last bin: 1, 2, 3, …, last + 1. */
export function ageEdges(last) {
  const n = Math.max(Math.ceil(PER_DECADE * Math.log10(last + 1)) + 1, 2);
  const edges = Array.from({ length: n }, (_, i) => Math.round((last + 1) ** (i / (n - 1))));
  return edges.filter((edge, i) => i === 0 || edge > edges[i - 1]);
}

/** A sum that knows its mean and standard error. */
export class Tally {
  constructor() {
    this.n = 0;
    this.sum = 0;
    this.sumOfSquares = 0;
  }

  add(value) {
    this.n++;
    this.sum += value;
    this.sumOfSquares += value * value;
  }

  get mean() {
    return this.sum / this.n;
  }

  get square() {
    return this.sumOfSquares / this.n;
  }

  /** The standard error of the mean (ddof 1); NaN with fewer than two values. */
  get error() {
    return Math.sqrt(Math.max(this.square - this.mean ** 2, 0) / (this.n - 1));
  }
}
