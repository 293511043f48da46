// Which items are evicted when there are more of them than units: by the rule that finds the units of a new item.

import { Generator, seedFor } from "./memory/random.js";

const MOST_CHANCE = 0.9; // so that an equal key still matches

/** Return γ = ½ (1 + min(0.9, √(2 ln(n_h/k)/N))): half-way between the best match by chance and that of an equal key. */
function leastMatch(n_hidden, k, key_dim) {
  return (1 + Math.min(MOST_CHANCE, Math.sqrt((2 * Math.log(n_hidden / k)) / key_dim))) / 2;
}

/** Return the k units of a key by rule, by their drives W k; `written` is when each was written last, −1 for never. */
const RULES = {
  match: (drives, k) => best(drives, k),
  // Match or oldest: the units with the largest drives if their mean exceeds γ |k|², else those written longest ago.
  oldest: (drives, k, threshold, written) => {
    const matching = best(drives.map((drive, m) => (written[m] < 0 ? -Infinity : drive)), k);
    const mean = matching.reduce((sum, m) => sum + (written[m] < 0 ? -Infinity : drives[m]), 0) / k;
    return mean > threshold ? matching : best(written.map((time) => -time), k);
  },
};

/** Return the k places with the largest values; of equal ones, the first. */
function best(values, k) {
  return values.map((_, m) => m).sort((a, b) => values[b] - values[a] || a - b).slice(0, k);
}

/** Return a key of n components for a letter: each +1 or −1, at random. */
function keyOf(letter, n, seed) {
  const rng = new Generator(seedFor(seed, "key", letter));
  return Array.from({ length: n }, () => (rng.below(2) ? 1 : -1));
}

/**
 * Write letters, one after the other, each to k of some units, whose weights become its key. Return {held, units}: for
 * each time and item, the share of its k units that hold it still; and the units of each item. An item is known by its
 * letter, and a letter that comes again is the same item.
 */
export function evictions(letters, { rule, n_hidden, k, key_dim = 24, seed = 0, keys = {} }) {
  const units = Array.from({ length: n_hidden }, () => null); // the letter that each holds
  const weights = units.map(() => new Array(key_dim).fill(0));
  const written = units.map(() => -1);
  const items = [...new Set(letters)];
  const chosen = [];
  const held = letters.map((letter, time) => {
    const key = keys[letter] ?? keyOf(letter, key_dim, seed);
    const dot = (w) => w.reduce((sum, value, j) => sum + value * key[j], 0);
    const winners = RULES[rule](weights.map(dot), k, leastMatch(n_hidden, k, key_dim) * dot(key), written);
    for (const m of winners) [units[m], weights[m], written[m]] = [letter, key, time];
    chosen.push(winners);
    return items.map((item) => units.filter((each) => each === item).length / k);
  });
  return { items, held, units: chosen };
}
