// The slot-free transformer: its context is stored, item by item, in fast weights.

import { OneWinner, Perfect } from "./attention/one_winner.js";
import { stream } from "./attention/uniform.js";
import { Winners } from "./attention/winners.js";

/** The storage that the settings of a model name or describe. */
export function storageOf(told) {
  if (told === "winner") return new OneWinner();
  if (told === "perfect") return new Perfect();
  if (told.is === "Winners") return new Winners(told);
  throw new Error(`storage must be winner, perfect or Winners on this page, not ${told.is ?? told}`);
}

/** W x for a one-hot x: a column of a matrix that is kept row by row. */
export function column(W, n_columns, token) {
  return Float64Array.from({ length: W.length / n_columns }, (_, row) => W[row * n_columns + token]);
}

/** Settings are those of Python: key_rule, input_projections, key_dim, n_hidden and storage. */
export class SlotFreeTransformer {
  constructor({ key_rule, input_projections, key_dim, n_hidden, storage }) {
    Object.assign(this, { key_rule, input_projections, key_dim, n_hidden, storage: storageOf(storage) });
  }

  /**
   * Run one sequence step by step, and return what can be seen inside, named as in Python; besides, the keys and values
   * of items, the query, and the drives of units. `key` draws the fast weights that are there before the context.
   */
  inspect(weights, task, context, query, key) {
    const { items, query: asked, target } = task.sequence(context, query);
    const { key_dim, n_hidden } = this;
    const { n_tokens, n_outputs } = task;
    const sizes = { key_dim, n_hidden, n_tokens, n_outputs };
    const fast = this.storage.fastWeights(sizes, this.input_projections, weights);
    fast.start(stream(key, 0));
    const stored = [fast.stored()];
    const trace = { sizes, items, asked, target, keys: [], values: [], winners: [], drives: [] };
    items.forEach((token, step) => {
      const [k, v] = [column(weights.W_K, n_tokens, token), column(weights.W_V, n_tokens, token)];
      const { winners, drives } = fast.present(token, k, v, step);
      stored.push(fast.stored());
      trace.keys.push(k);
      trace.values.push(v);
      trace.winners.push(winners);
      trace.drives.push(drives);
    });
    const q = column(weights.W_Q, n_tokens, asked);
    const { drives: query_drives, ...reply } = fast.answer(q, weights.W_V);
    const parts = ["W_HK", "W_VH", "W_IH", "g"].map((name) => [name, stored.map((each) => each[name])]);
    const answered_by = reply.stored_output;
    return { ...trace, ...Object.fromEntries(parts), query: q, query_drives, ...reply, answered_by };
  }
}
