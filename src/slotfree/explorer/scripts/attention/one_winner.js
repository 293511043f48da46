// Storages in which one unit stores each item: the paper's, where the largest drive decides which, and a perfect one.

import { largest, product, softmax } from "./attention/arithmetic.js";
import { stream, uniform } from "./attention/uniform.js";

/** Item t is stored by the winner of σ(W_HK k_t [+ W_HI x_t]), whose weights become k_t, v_t and x_t. */
export class OneWinner {
  /** Return fast weights for these sizes. */
  fastWeights(sizes, input_projections) {
    const high = input_projections ? 0 : 0.5; // W_HK ~ U[0, high) before a sequence
    const choose = (h, token) => {
      if (input_projections) h[token] += 1;
      return largest(h);
    };
    return new FastWeights(sizes, high, choose);
  }
}

/** Item t is stored by unit t, whatever the drives are. */
export class Perfect {
  /** Return fast weights for these sizes. */
  fastWeights(sizes, input_projections) {
    return new FastWeights(sizes, input_projections ? 0 : 0.5, (h, token, step) => step);
  }
}

/** W_HK (n_h, N), W_VH (n_outputs, n_h) and W_IH (D, n_h), each row by row. */
export class FastWeights {
  constructor(sizes, high, choose) {
    Object.assign(this, { sizes, high, choose });
  }

  /** Begin a sequence: W_VH, W_IH ~ U[0, 1). */
  start(key) {
    const { n_hidden, key_dim, n_tokens, n_outputs } = this.sizes;
    this.W_VH = uniform(stream(key, 0), 1, n_outputs * n_hidden);
    this.W_IH = uniform(stream(key, 1), 1, n_tokens * n_hidden);
    this.W_HK = uniform(stream(key, 2), this.high, n_hidden * key_dim);
    this.g = new Float64Array(n_hidden);
  }

  /** Show one item: a unit wins and stores it. Return the unit, in a list, and the drives. */
  present(token, k, v, step) {
    const { n_hidden, key_dim, n_tokens } = this.sizes;
    const drives = product(this.W_HK, k);
    const m = this.choose(drives, token, step);
    this.W_HK.set(k, m * key_dim);
    for (let d = 0; d < n_tokens; d += 1) this.W_IH[d * n_hidden + m] = d === token ? 1 : 0;
    v.forEach((value, o) => (this.W_VH[o * n_hidden + m] = value));
    this.g[m] = 1;
    return { winners: [m], drives };
  }

  /** The query step: s = softmax(W_HK q), x̃ = W_IH s, ŷ = W_V x̃, ŷ_val = W_VH s. */
  answer(q, W_V) {
    const drives = product(this.W_HK, q);
    const attention = softmax(drives);
    const reinstated = product(this.W_IH, attention);
    const [output, stored_output] = [product(W_V, reinstated), product(this.W_VH, attention)];
    return { drives, attention, reinstated, output, stored_output };
  }

  /** Copies of the fast weights as they are now. */
  stored() {
    return { W_HK: this.W_HK.slice(), W_VH: this.W_VH.slice(), W_IH: this.W_IH.slice(), g: this.g.slice() };
  }
}
