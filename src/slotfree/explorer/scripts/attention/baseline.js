// The baseline: a minimal transformer, which keeps every item of the context in a slot.

import { dot, softmax } from "./attention/arithmetic.js";
import { column } from "./attention/slot_free.js";

/** Softmax attention over the context, ŷ = Σ_t softmax_t(β qᵀ k_t) v_t; settings are those of Python. */
export class BaselineTransformer {
  constructor({ key_dim, beta }) {
    this.key_dim = key_dim;
    this.beta = beta ?? 1 / Math.sqrt(key_dim);
  }

  /** Run one sequence, and return what can be seen inside. Nothing in it is random. */
  inspect(weights, task, context, query) {
    const { items, query: asked, target } = task.sequence(context, query);
    const { n_tokens, n_outputs } = task;
    const keys = items.map((token) => column(weights.W_K, n_tokens, token));
    const values = items.map((token) => column(weights.W_V, n_tokens, token));
    const q = column(weights.W_Q, n_tokens, asked);
    const query_drives = Float64Array.from(keys, (k) => dot(k, 0, q));
    const attention = softmax(query_drives, this.beta);
    const reinstated = new Float64Array(n_tokens);
    items.forEach((token, t) => (reinstated[token] += attention[t]));
    const output = Float64Array.from({ length: n_outputs }, (_, o) =>
      values.reduce((total, v, t) => total + v[o] * attention[t], 0),
    );
    const winners = items.map((_, t) => [t]); // the slot of each item
    const sizes = { key_dim: this.key_dim, n_hidden: items.length, n_tokens, n_outputs };
    const trace = { sizes, items, asked, target, keys, values, winners, query: q, query_drives };
    return { ...trace, attention, reinstated, output, answered_by: output };
  }
}
