// The K-winner modern Hopfield network: h = Wx, z = the k_h largest, v = W'z, x_out = the k_v largest.
//
// Only active units and existing connections are touched. Weights are float32 and drives are their sums in float64, in
// ascending order of the active units, and each step of learning is rounded to float32: the same bits as in Python.

import { Generator } from "./memory/random.js";
import { WinnersRoom, kWinners } from "./memory/winners.js";

/** The settings of the main text's K-winner. */
export const DEFAULTS = {
  n_visible: 1000, n_hidden: 2000, k_visible: 100, k_hidden: 50, fan_in: 0.05, learning_rate: 0.3,
};

/** Return connections of each hidden unit, f n_v, halves upwards. */
export function nConnections({ fan_in, n_visible }) {
  return Math.floor(fan_in * n_visible + 0.5);
}

/** A sparse distributed memory of fixed capacity that keeps patterns in connection weights. */
export class KWinnerMHN {
  /**
   * Draw connections and weights from a seed, or take them: {connections, weights, return_weights}, each in the order
   * (n_hidden, f n_visible), rows of connections ascending.
   */
  constructor(settings = {}, { seed, arrays } = {}) {
    this.settings = checked({ ...DEFAULTS, ...settings });
    const { n_visible, n_hidden } = this.settings;
    this.m = nConnections(this.settings);
    this.n_stored = 0;
    this.inputs = arrays ? Uint16Array.from(arrays.connections) : drawConnections(new Generator(seed), this);
    this.layOut();
    const rng = arrays ? null : new Generator(seed ^ 0x5bd1e995);
    this.back = arrays ? Float32Array.from(arrays.return_weights) : uniform(rng, this.inputs.length);
    this.forward = arrays ? this.byVisible(arrays.weights) : uniform(rng, this.inputs.length);
    this.active = new Uint16Array(n_visible);
    this.h = new Float64Array(n_hidden);
    this.v = new Float64Array(n_visible);
    this.z = new Uint16Array(this.settings.k_hidden);
    this.x_out = new Uint16Array(this.settings.k_visible);
    this.roomHidden = new WinnersRoom(n_hidden);
    this.roomVisible = new WinnersRoom(n_visible);
  }

  /** Store a pattern (n_visible,) of zeros and ones; return the ascending indices of the winners. */
  store(pattern) {
    this.code(pattern);
    const { inputs, back, forward, place, m, z } = this;
    const eps = Math.fround(this.settings.learning_rate);
    for (let a = 0; a < z.length; a++) {
      for (let q = z[a] * m, end = q + m; q < end; q++) {
        const x = pattern[inputs[q]];
        const p = place[q];
        back[q] = Math.fround(back[q] + Math.fround(eps * Math.fround(x - back[q])));
        forward[p] = Math.fround(forward[p] + Math.fround(eps * Math.fround(x - forward[p])));
      }
    }
    this.n_stored++;
    return z.slice();
  }

  /** Return what a cue recalls, (n_visible,); the memory stays as it is. */
  retrieve(cue) {
    this.code(cue);
    const { inputs, back, m, z, v } = this;
    v.fill(0);
    for (let a = 0; a < z.length; a++) {
      for (let q = z[a] * m, end = q + m; q < end; q++) v[inputs[q]] += back[q];
    }
    kWinners(v, this.settings.k_visible, z, z.length, this.x_out, this.roomVisible);
    const retrieved = new Uint8Array(this.settings.n_visible);
    for (const j of this.x_out) retrieved[j] = 1;
    return retrieved;
  }

  /** Return the hidden code of a cue, (n_hidden,). */
  hidden(cue) {
    const code = new Uint8Array(this.settings.n_hidden);
    for (const i of this.winners(cue)) code[i] = 1;
    return code;
  }

  /** Return the ascending indices of the winners of a cue, (k_hidden,). */
  winners(cue) {
    this.code(cue);
    return this.z.slice();
  }

  /** Return the drives h = Wx of a cue, (n_hidden,). */
  drives(cue) {
    this.drive(cue);
    return this.h.slice();
  }

  /** Return connections and weights, {connections, weights, return_weights}, in the order of the hidden units. */
  arrays() {
    const weights = new Float32Array(this.forward.length);
    for (let q = 0; q < weights.length; q++) weights[q] = this.forward[this.place[q]];
    return { connections: this.inputs.slice(), weights, return_weights: this.back.slice() };
  }

  /** Return the connections and weights of one hidden unit, as `arrays` does. */
  unit(i) {
    const [begin, end] = [i * this.m, (i + 1) * this.m];
    const weights = Float32Array.from(this.place.subarray(begin, end), (p) => this.forward[p]);
    return { connections: this.inputs.slice(begin, end), weights, return_weights: this.back.slice(begin, end) };
  }

  /** Leave h = Wx in this.h; return how many inputs are active. */
  drive(x) {
    const { active, h, start, units, forward } = this;
    let n = 0;
    for (let j = 0; j < x.length; j++) if (x[j] === 1) active[n++] = j;
    h.fill(0);
    if (this.m === x.length) { // all units are connected: the same sums without looking units up
      for (let a = 0; a < n; a++) {
        for (let i = 0, p = start[active[a]]; i < h.length; i++, p++) h[i] += forward[p];
      }
      return n;
    }
    for (let a = 0; a < n; a++) {
      for (let p = start[active[a]], end = start[active[a] + 1]; p < end; p++) h[units[p]] += forward[p];
    }
    return n;
  }

  /** Leave the winners of a cue in this.z. */
  code(x) {
    kWinners(this.h, this.settings.k_hidden, this.active, this.drive(x), this.z, this.roomHidden);
  }

  /**
   * Lay the connections out by visible unit, too: `start`, where its synapses begin in `units` and `forward`; and
   * `place`, where the connections of hidden units stand there. Rows of inputs become ascending.
   */
  layOut() {
    const { n_visible, n_hidden } = this.settings;
    const { inputs, m } = this;
    this.start = new Uint32Array(n_visible + 1);
    this.units = new Uint16Array(inputs.length);
    this.place = new Uint32Array(inputs.length);
    for (const j of inputs) this.start[j + 1]++;
    for (let j = 0; j < n_visible; j++) this.start[j + 1] += this.start[j];
    const free = this.start.slice(0, n_visible);
    for (let q = 0; q < inputs.length; q++) this.units[free[inputs[q]]++] = Math.floor(q / m);
    const filled = Uint32Array.from({ length: n_hidden }, (_, i) => i * m);
    for (let j = 0; j < n_visible; j++) {
      for (let p = this.start[j]; p < this.start[j + 1]; p++) {
        const q = filled[this.units[p]]++;
        inputs[q] = j;
        this.place[q] = p;
      }
    }
  }

  /** Return weights in the order of the visible units from those in the order of the hidden units. */
  byVisible(weights) {
    const forward = new Float32Array(weights.length);
    for (let q = 0; q < weights.length; q++) forward[this.place[q]] = weights[q];
    return forward;
  }
}

/** Return the inputs of each hidden unit, drawn without replacement, independently per unit. */
function drawConnections(rng, { settings: { n_visible, n_hidden }, m }) {
  const pool = Uint16Array.from({ length: n_visible }, (_, j) => j);
  const inputs = new Uint16Array(n_hidden * m);
  for (let i = 0; i < n_hidden; i++) {
    rng.shuffleFront(pool, n_visible, m);
    inputs.set(pool.subarray(0, m), i * m);
  }
  return inputs;
}

/** Return weights that are uniform in [0, 1). */
function uniform(rng, n) {
  const weights = new Float32Array(n);
  for (let q = 0; q < n; q++) weights[q] = rng.random();
  return weights;
}

/** Return settings, or say which of them is wrong. */
function checked(settings) {
  const { n_visible, n_hidden, k_visible, k_hidden, fan_in, learning_rate } = settings;
  const whole = (name, value, most) => {
    if (!(Number.isInteger(value) && value >= 1 && value <= most)) {
      throw new RangeError(`${name} must be an integer from 1 to ${most}, not ${value}`);
    }
  };
  whole("n_visible", n_visible, 65536);
  whole("n_hidden", n_hidden, 65536);
  whole("k_visible", k_visible, n_visible);
  whole("k_hidden", k_hidden, n_hidden);
  for (const [name, value] of Object.entries({ fan_in, learning_rate })) {
    if (!(value > 0 && value <= 1)) throw new RangeError(`${name} must be above 0 and at most 1, not ${value}`);
  }
  if (nConnections(settings) === 0) throw new RangeError(`fan_in must give each unit a connection, not ${fan_in}`);
  return settings;
}
