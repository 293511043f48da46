// Which items are evicted when there are more of them than units: by the rule that finds the units of a new item.

import { Generator, seedFor } from "./memory/random.js";

const GAMMA = 0.5; // a unit matches a key k if its drive W k exceeds γ |k|²

/** Return the units of a key by rule; `weights` are the keys that units hold, `written` when each was written last. */
const RULES = {
  match: (drives, k) => best(drives, k),
  oldest: (drives, k, length, written) => {
    const matching = best(drives, k);
    return matching.every((m) => drives[m] > GAMMA * length) ? matching : best(written.map((time) => -time), k);
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
    const winners = RULES[rule](weights.map(dot), k, dot(key), written);
    for (const m of winners) [units[m], weights[m], written[m]] = [letter, key, time];
    chosen.push(winners);
    return items.map((item) => units.filter((each) => each === item).length / k);
  });
  return { items, held, units: chosen };
}
