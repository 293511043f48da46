// A distributed context: k units store each item, and each of them sees part of its key.

import { exponential, softmax } from "./attention/arithmetic.js";
import { stream, uniform } from "./attention/uniform.js";
import { turn } from "./memory/winners.js";

const KEYS = 2; // numbers of streams, as the library has them
const TIES = 4;
const HIGHEST_KEY = 0.5; // W_HK ~ U[0, 0.5) at the start, without projections
const ELSEWHERE = { item_fan_out: 1, normalise: true, reading: "all", start: "zero", address: null }; // others: in Python only

/** Item t is stored by the k units with the largest drives, h = W_HK k_t + γ f P x_t. */
export class Winners {
  constructor({ k = 3, rate = 1, projection_gain = 3, beta = null, ...others }) {
    for (const [name, value] of Object.entries(ELSEWHERE)) {
      if ((others[name] ?? value) !== value) throw new Error(`Winners: ${name} must be ${value} on this page`);
    }
    Object.assign(this, { k, rate, projection_gain, beta });
  }

  /** Return fast weights; `inputs`, the components that each unit sees, and `projected`, the units of each token. */
  fastWeights(sizes, input_projections, { inputs, projected }) {
    return new DistributedWeights(this, sizes, inputs, input_projections ? projected : null);
  }
}

/** Fast weights of the connections there are: keys (n_h, m), values (n_h, n_outputs) and items (n_h, D). */
export class DistributedWeights {
  constructor(storage, sizes, inputs, projected) {
    const f = inputs[0].length / sizes.key_dim;
    Object.assign(this, { sizes, inputs, projected, k: storage.k, rate: storage.rate });
    this.beta = storage.beta ?? 1 / (f * storage.rate);
    this.gain = storage.projection_gain * f;
  }

  /** Begin a sequence: all is 0, but for W_HK if there are no projections. */
  start(key) {
    const { n_hidden, n_tokens, n_outputs } = this.sizes;
    const seen = this.inputs[0].length;
    const keys = uniform(stream(key, KEYS), this.projected ? 0 : HIGHEST_KEY, n_hidden * seen);
    this.keys = this.inputs.map((_, m) => keys.slice(m * seen, (m + 1) * seen));
    this.values = this.inputs.map(() => new Float64Array(n_outputs));
    this.items = this.inputs.map(() => new Float64Array(n_tokens));
    this.g = new Float64Array(n_hidden);
    this.ties = stream(key, TIES);
    this.live = []; // units that hold something, in the order in which they began to
    this.seen = []; // tokens that were shown
  }

  /** (W_HK k)_m, over the components that the unit sees. */
  drive(m, k) {
    return this.inputs[m].reduce((total, component, i) => total + this.keys[m][i] * k[component], 0);
  }

  /** Show one item: k units win and store it. Return them and the drives. */
  present(token, k, v, step) {
    const projected = this.projected ? this.projected[token].filter((m) => m >= 0) : [];
    const drives = new Float64Array(this.sizes.n_hidden);
    projected.forEach((m) => (drives[m] += this.gain));
    drives.forEach((_, m) => (drives[m] += this.drive(m, k)));
    const winners = this.choose(drives, projected, stream(this.ties, step));
    winners.forEach((m) => this.hold(m, token, k, v));
    if (!this.seen.includes(token)) this.seen.push(token);
    return { winners, drives };
  }

  /** The k units with the largest drives; units that hold nothing and have no drive come last. */
  choose(h, projected, tie) {
    const all = [...h.keys()];
    const near = this.projected ? [...new Set([...projected, ...this.live])] : all;
    const found = strongest(h, near, this.k, tie);
    const enough = found.length === this.k && h[found[weakest(h, found, tie)]] > 0;
    return enough || near.length === h.length ? found : strongest(h, [...new Set([...near, ...all])], this.k, tie);
  }

  /** Store in one unit: W_HK += ε (k − W_HK), W_VH += ε (v − W_VH), W_IH += ε (x − W_IH), g += ε (1 − g). */
  hold(m, token, k, v) {
    const { rate, g } = this;
    const moved = (old, wanted) => (1 - rate) * old + rate * wanted;
    if (!this.live.includes(m)) this.live.push(m);
    this.keys[m] = this.keys[m].map((old, i) => moved(old, k[this.inputs[m][i]]));
    this.values[m] = this.values[m].map((old, o) => moved(old, v[o]));
    this.items[m] = this.items[m].map((old, d) => moved(old, d === token ? 1 : 0));
    g[m] = moved(g[m], 1);
  }

  /** The query step: s = softmax(β W_HK q), Z = g·s, x̃ = W_IH s/Z, ŷ = W_V x̃, ŷ_val = W_VH s/Z. */
  answer(q, W_V) {
    const { n_tokens, n_outputs } = this.sizes;
    const drives = Float64Array.from(this.inputs, (_, m) => this.drive(m, q));
    const top = Math.max(...this.live.map((m) => drives[m]));
    const raised = this.live.map((m) => exponential(this.beta * (drives[m] - top)));
    const Z = this.live.reduce((total, m, i) => total + raised[i] * this.g[m], 0);
    const [reinstated, stored_output] = [new Float64Array(n_tokens), new Float64Array(n_outputs)];
    this.live.forEach((m, i) => {
      const weight = raised[i] * (1 / Z);
      this.seen.forEach((d) => (reinstated[d] += weight * this.items[m][d]));
      stored_output.forEach((_, o) => (stored_output[o] += weight * this.values[m][o]));
    });
    const output = Float64Array.from(stored_output, (_, o) =>
      this.seen.reduce((total, d) => total + W_V[o * n_tokens + d] * reinstated[d], 0),
    );
    return { drives, attention: softmax(drives, this.beta), reinstated, output, stored_output };
  }

  /** Copies of the fast weights as the equations have them, row by row, with 0 where there is no connection. */
  stored() {
    const { n_hidden, key_dim, n_tokens, n_outputs } = this.sizes;
    const W_HK = new Float64Array(n_hidden * key_dim);
    this.inputs.forEach((seen, m) => seen.forEach((j, i) => (W_HK[m * key_dim + j] = this.keys[m][i])));
    return { W_HK, W_VH: turned(this.values, n_outputs), W_IH: turned(this.items, n_tokens), g: this.g.slice() };
  }
}

/** The n columns of some rows, one after the other. */
function turned(rows, n) {
  return Float64Array.from({ length: n * rows.length }, (_, i) => rows[i % rows.length][Math.floor(i / rows.length)]);
}

/** Whether unit a has the larger drive; of equal ones, the larger turn in this tie. */
function beats(h, a, b, tie) {
  const place = (unit) => turn(Number(tie >> 32n), Number(tie & 0xffffffffn), unit);
  return h[a] === h[b] ? place(a) > place(b) : h[a] > h[b];
}

/** The place of the unit that every other beats. */
function weakest(h, units, tie) {
  return units.reduce((place, unit, i) => (beats(h, units[place], unit, tie) ? i : place), 0);
}

/** The k of some units with the largest drives, in the library's order. */
function strongest(h, units, k, tie) {
  const found = units.slice(0, k);
  for (const unit of units.slice(k)) {
    const last = weakest(h, found, tie);
    if (beats(h, unit, found[last], tie)) found[last] = unit;
  }
  return found;
}
