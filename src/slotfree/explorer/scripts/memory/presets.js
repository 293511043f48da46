// The memories of the paper, by their names there, and what each shows.
//
// `facts` are numbers of the sentences: accuracy of the newest pattern, accuracy for patterns never stored, and after
// how many newer patterns R.D. has halved. The tests compare them with the library.

const K_WINNER = { n_hidden: 2000, k_hidden: 50, fan_in: 0.05, learning_rate: 0.3 };
const RANDOM = { similarity: "random", n_flips: 10 };

/** Presets by key: {label, settings, source, facts, shows}. */
export const PRESETS = {
  kwinner: {
    label: "K-winner (main text)",
    settings: K_WINNER,
    source: RANDOM,
    facts: { initial_accuracy: 0.85, baseline: 0.52, half_life: 124 },
    shows: (f) =>
      "Each pattern is spread over 50 of 2000 units. It does not come back whole, new ones with " +
      `${f.initial_accuracy} of their ones, but it fades slowly: what is beyond the baseline (R.D.) halves in ` +
      `${f.half_life} patterns.`,
  },
  onewinner: {
    label: "1-winner MHN",
    settings: { n_hidden: 100, k_hidden: 1, fan_in: 1, learning_rate: 1 },
    source: RANDOM,
    facts: { initial_accuracy: 1.0, baseline: 0.18, half_life: 69 },
    shows: (f) =>
      "Each pattern replaces what one of 100 units held. A new pattern comes back whole, until its unit is " +
      `overwritten: then it is gone at once. R.D. halves in ${f.half_life} patterns.`,
  },
  graded: {
    label: "graded MHN",
    settings: { n_hidden: 100, k_hidden: 1, fan_in: 1, learning_rate: 0.3 },
    source: RANDOM,
    facts: { initial_accuracy: 0.74, baseline: 0.16, half_life: 125 },
    shows: (f) =>
      "As the 1-winner MHN, but its unit moves only three tenths of the way to a pattern, and so holds a blend of " +
      `several. New patterns come back worse (${f.initial_accuracy}), and R.D. halves more slowly, in ${f.half_life}.`,
  },
  wide: {
    label: "K-winner, wider fan-in",
    settings: { ...K_WINNER, n_hidden: 1000, fan_in: 0.1 },
    source: RANDOM,
    facts: { initial_accuracy: 0.91, baseline: 0.44, half_life: 67 },
    shows: (f) =>
      "Half as many units with twice as many connections each: as many weights as in the main text. New patterns " +
      `come back better (${f.initial_accuracy}), but R.D. halves sooner, in ${f.half_life} patterns.`,
  },
  slow: {
    label: "K-winner, slower",
    settings: { ...K_WINNER, learning_rate: 0.2 },
    source: RANDOM,
    facts: { initial_accuracy: 0.8, baseline: 0.52, half_life: 193 },
    shows: (f) =>
      `Smaller steps of learning: new patterns come back worse (${f.initial_accuracy}) and fade more slowly; R.D. ` +
      `halves in ${f.half_life} patterns.`,
  },
  "tree-5": {
    label: "K-winner on a tree, b = 5",
    settings: K_WINNER,
    source: { similarity: "tree", n_flips: 5 },
    facts: { initial_accuracy: 0.84, baseline: 0.74 },
    shows: (f) =>
      "Patterns are leaves of one tree and much alike. Those never stored come back nearly as well " +
      `(${f.baseline}) as those just stored (${f.initial_accuracy}), so R.D. is small; here the 1-winner MHN has the ` +
      "higher d', mean over all ages.",
  },
  "tree-10": {
    label: "K-winner on a tree, b = 10",
    settings: K_WINNER,
    source: { similarity: "tree", n_flips: 10 },
    facts: { initial_accuracy: 0.79, baseline: 0.6 },
    shows: (f) =>
      "Leaves of one tree; each child differs from its parent in 10 of its 100 ones. The memory learns what they " +
      `share: leaves never stored come back with ${f.baseline} of their ones, more than random patterns never stored.`,
  },
  "tree-30": {
    label: "K-winner on a tree, b = 30",
    settings: K_WINNER,
    source: { similarity: "tree", n_flips: 30 },
    facts: { initial_accuracy: 0.84, baseline: 0.51 },
    shows: (f) =>
      `Leaves that are little alike: new ones come back with ${f.initial_accuracy} of their ones, those never stored ` +
      `with ${f.baseline}, nearly as random patterns do.`,
  },
};

/** Return the key of the preset that has these settings and source, or "". */
export function presetOf(state) {
  const same = ([, { settings, source }]) =>
    Object.entries(settings).every(([name, value]) => state[name] === value) &&
    state.similarity === source.similarity &&
    (source.similarity === "random" || state.n_flips === source.n_flips);
  return Object.entries(PRESETS).find(same)?.[0] ?? "";
}
