// Where patterns come from: random ones, trees, clusters, and cues made of them. A pattern is a Uint8Array.

/** Return 0, 1, …, n − 1. */
function allItems(n) {
  const items = new Uint16Array(n);
  for (let i = 0; i < n; i++) items[i] = i;
  return items;
}

/** Return the ascending positions of the ones of a pattern. */
export function positions(pattern) {
  const ones = new Uint16Array(pattern.length);
  let n = 0;
  for (let j = 0; j < pattern.length; j++) if (pattern[j] === 1) ones[n++] = j;
  return ones.slice(0, n);
}

/** Return the ascending positions of the zeros of a pattern. */
function zerosOf(pattern) {
  const zeros = new Uint16Array(pattern.length);
  let n = 0;
  for (let j = 0; j < pattern.length; j++) if (pattern[j] === 0) zeros[n++] = j;
  return zeros.slice(0, n);
}

/** Return a pattern with ones at some positions. */
export function patternOf(ones, n_visible) {
  const pattern = new Uint8Array(n_visible);
  for (const j of ones) pattern[j] = 1;
  return pattern;
}

/** Draw a pattern uniformly from all with exactly k_visible ones. */
export function randomPattern({ n_visible, k_visible }, rng) {
  const pool = allItems(n_visible);
  rng.shuffleFront(pool, n_visible, k_visible);
  return patternOf(pool.subarray(0, k_visible), n_visible);
}

/** Return a copy of a pattern with n_flips ones switched off, and n_flips zeros switched on. */
export function flipped(pattern, n_flips, rng) {
  const ones = positions(pattern);
  const zeros = zerosOf(pattern);
  rng.shuffleFront(ones, ones.length, n_flips);
  rng.shuffleFront(zeros, zeros.length, n_flips);
  const copy = pattern.slice();
  for (let q = 0; q < n_flips; q++) {
    copy[ones[q]] = 0;
    copy[zeros[q]] = 1;
  }
  return copy;
}

/** Keep a random fraction of a pattern's ones; fraction times their number is rounded, halves upwards. */
export function partialCue(pattern, fraction, rng) {
  const ones = positions(pattern);
  const kept = Math.min(Math.floor(fraction * ones.length + 0.5), ones.length);
  rng.shuffleFront(ones, ones.length, kept);
  return patternOf(ones.subarray(0, kept), pattern.length);
}

/** Return a pattern with k of its ones, drawn at random. */
export function thinned(pattern, k, rng) {
  const ones = positions(pattern);
  rng.shuffleFront(ones, ones.length, k);
  return patternOf(ones.subarray(0, k), pattern.length);
}

/** A tree of patterns in which each child is its parent with b ones and b zeros flipped. Node 0 is the root. */
export class PatternTree {
  constructor(patterns, parent, n_flips) {
    Object.assign(this, { patterns, parent, n_flips });
  }

  /** Grow a tree by the tree-generating Chinese restaurant process: each node there is becomes the parent alike. */
  static grow({ n_nodes = 14000, n_visible = 1000, k_visible = 100, n_flips = 10 }, rng) {
    const patterns = [randomPattern({ n_visible, k_visible }, rng)];
    const parent = new Int32Array(n_nodes).fill(-1);
    for (let i = 1; i < n_nodes; i++) {
      parent[i] = rng.below(i);
      patterns.push(flipped(patterns[parent[i]], n_flips, rng));
    }
    return new PatternTree(patterns, parent, n_flips);
  }

  /** The nodes without children, ascending. */
  get leaves() {
    const childless = new Uint8Array(this.parent.length).fill(1);
    for (let i = 1; i < this.parent.length; i++) childless[this.parent[i]] = 0;
    return Array.from(this.parent.keys()).filter((i) => childless[i]);
  }

  /** The patterns of the leaves: what memories are trained and tested with. */
  get leafPatterns() {
    return this.leaves.map((i) => this.patterns[i]);
  }
}

/** Patterns around random prototypes, each with b ones and b zeros of its prototype flipped. */
export class PatternClusters {
  constructor({ n_clusters = 100, n_visible = 1000, k_visible = 100, n_flips = 10 }, rng) {
    this.n_flips = n_flips;
    this.prototypes = Array.from({ length: n_clusters }, () => randomPattern({ n_visible, k_visible }, rng));
  }

  /** Draw a pattern around one of the prototypes. */
  draw(rng) {
    return flipped(this.prototypes[rng.below(this.prototypes.length)], this.n_flips, rng);
  }
}
