// The theory's curves: a table that the library computed for every stop of the sliders (explorer/theory.py).

import { embeddedBytes } from "./embedded.js";

/** The stops of the sliders: the table has a curve for these settings, the last changing fastest. */
export const GRID = {
  n_hidden: [100, 200, 500, 1000, 2000, 4000],
  k_hidden: [1, 2, 5, 10, 20, 50, 100, 200],
  fan_in: [0.02, 0.05, 0.1, 0.2, 0.5, 1],
  learning_rate: [0.1, 0.2, 0.3, 0.5, 0.7, 1],
  cue: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
};
const STEPS = 250; // of the values, from 0 to 1
const NO_CURVE = 255;
const K_VISIBLE = 100;
const LEAST_INPUTS = 2; // of a hidden unit that a cue makes active on average: with fewer the theory may be wrong

/** The table, made of its bytes. */
export class TheoryTable {
  constructor(buffer) {
    const view = new DataView(buffer);
    const n = view.getUint16(0, true);
    this.ages = Float64Array.from({ length: n }, (_, i) => view.getUint16(2 + 2 * i, true));
    this.values = new Uint8Array(buffer.slice(2 + 2 * n)); // by plane: the baseline, then the ages
    this.nCurves = this.values.length / (n + 1);
    // Each plane is stored as its difference from the one before, modulo 256, as bytes are.
    for (let i = this.nCurves; i < this.values.length; i++) this.values[i] += this.values[i - this.nCurves];
  }

  /** Return the table that is in this page. */
  static async load() {
    return new TheoryTable(await embeddedBytes("theory"));
  }

  /**
   * Return a curve, {ages, accuracy, baseline}, or null where there is none. The ages are so close that lines between
   * them are within 0.01 of the prediction, whether age or log age is drawn.
   */
  curve(settings) {
    const place = placeOf(settings);
    if (place < 0 || this.values[place] === NO_CURVE) return null;
    const accuracy = this.ages.map((_, i) => this.values[place + (i + 1) * this.nCurves] / STEPS);
    return { ages: this.ages, accuracy, baseline: this.values[place] / STEPS };
  }
}

/** Return the place of settings in the table, -1 if they are not on the grid. */
function placeOf(settings) {
  let place = 0;
  for (const [name, stops] of Object.entries(GRID)) {
    const stop = stops.indexOf(settings[name]);
    if (stop < 0) return -1;
    place = place * stops.length + stop;
  }
  return place;
}

/** Return, in a sentence, why there is no curve for settings. */
export function whyNoCurve({ n_hidden, k_hidden, fan_in, cue }) {
  if (k_hidden > n_hidden) return `No theory: ${k_hidden} of ${n_hidden} hidden units cannot win.`;
  const inputs = fan_in * Math.round(cue * K_VISIBLE);
  if (inputs < LEAST_INPUTS) {
    return `No theory: it is made for cues that give a hidden unit at least ${LEAST_INPUTS} active inputs on average, `
      + `and this one gives ${Number(inputs.toPrecision(2))}.`;
  }
  return "No theory: it does not hold for these settings.";
}
