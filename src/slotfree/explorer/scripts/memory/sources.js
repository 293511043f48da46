// A stream of patterns to store, and patterns of the same kind that are never stored.

import { someDigit } from "./memory/glyphs.js";
import { PatternClusters, PatternTree, randomPattern } from "./memory/patterns.js";
import { Generator, seedFor } from "./memory/random.js";

const NEVER_STORED = 1000; // leaves of a tree that are kept apart

/** Return a source of a kind, "random", "tree", "clusters" or "digits": {next(), never(), left()}. */
export function sourceOf({ similarity, n_flips }, settings, seed) {
  const size = { n_visible: settings.n_visible, k_visible: settings.k_visible };
  const make = { random: randomSource, tree: treeSource, clusters: clusterSource, digits: digitSource }[similarity];
  return make({ ...size, n_flips }, seed);
}

function randomSource(size, seed) {
  const [stored, never] = [new Generator(seedFor(seed, "stored")), new Generator(seedFor(seed, "never stored"))];
  return { next: () => randomPattern(size, stored), never: () => randomPattern(size, never), left: () => Infinity };
}

/** The leaves of one tree in random order, each stored at most once, as in the paper. */
function treeSource(size, seed) {
  const rng = new Generator(seedFor(seed, "tree"));
  const leaves = PatternTree.grow(size, rng).leafPatterns;
  rng.shuffleFront(leaves, leaves.length, leaves.length);
  const apart = leaves.splice(0, NEVER_STORED);
  let stored = 0;
  let asked = 0;
  return {
    next: () => leaves[stored++],
    never: () => apart[asked++ % NEVER_STORED],
    left: () => leaves.length - stored,
  };
}

function clusterSource(size, seed) {
  const clusters = new PatternClusters(size, new Generator(seedFor(seed, "prototypes")));
  const [stored, never] = [new Generator(seedFor(seed, "stored")), new Generator(seedFor(seed, "never stored"))];
  return { next: () => clusters.draw(stored), never: () => clusters.draw(never), left: () => Infinity };
}

/** Digits as a hand writes them, somewhere on the grid; none is kept apart, as hardly two are alike. */
function digitSource(size, seed) {
  const [stored, never] = [new Generator(seedFor(seed, "stored")), new Generator(seedFor(seed, "never stored"))];
  return { next: () => someDigit(stored), never: () => someDigit(never), left: () => Infinity };
}
