// Recognition: old or new? A pattern is called old if at least so many of its ones come back from its cue.

/** The ages of the old patterns, in groups: first and last age. */
export const GROUPS = [[1, 50], [51, 200], [201, 1000]];

const STEPS = 100; // of the criterion

/** Counts of accuracies, of old patterns by group of ages and of new ones, and the ROC curves that they make. */
export class Recognition {
  constructor() {
    this.old = GROUPS.map(() => new Uint32Array(STEPS + 1));
    this.new = new Uint32Array(STEPS + 1);
  }

  /** Count the accuracy for a stored pattern of an age. */
  addOld(age, accuracy) {
    const group = GROUPS.findIndex(([first, last]) => first <= age && age <= last);
    if (group >= 0) this.old[group][Math.round(STEPS * accuracy)]++;
  }

  addNew(accuracy) {
    this.new[Math.round(STEPS * accuracy)]++;
  }

  /** Return the ROC curve of each group, or null where nothing has been tested. */
  curves() {
    return this.old.map((counts) => roc(counts, this.new));
  }
}

/**
 * Return {points, area, n}: [false alarms, hits] for each criterion from the strictest on, as shares of new and old
 * patterns; the area, P(old > new) + ½ P(old = new); and the number of old ones. Null without old or new ones.
 */
export function roc(old, fresh) {
  const [nOld, nNew] = [old, fresh].map((counts) => counts.reduce((a, b) => a + b, 0));
  if (nOld === 0 || nNew === 0) return null;
  const points = [[0, 0]];
  let [alarms, hits, area] = [0, 0, 0];
  for (let c = old.length - 1; c >= 0; c--) {
    if (old[c] === 0 && fresh[c] === 0) continue;
    area += fresh[c] * (hits + old[c] / 2);
    alarms += fresh[c];
    hits += old[c];
    points.push([alarms / nNew, hits / nOld]);
  }
  return { points, area: area / (nOld * nNew), n: nOld };
}
