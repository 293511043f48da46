// The last step of the tour: one sequence, and which units the query attends to.

import { element } from "./controls.js";
import { embeddedJson } from "./embedded.js";
import { bars, levels } from "./attention/bars.js";
import { trainedModels } from "./attention/trained.js";
import { attentionByItem, holds, verdict, whoIsAttended } from "./attention/words.js";

/** Return the scene: what units hold, the attention over them, and the answer. */
export function attentionScene() {
  const { models, task, starts } = trainedModels(embeddedJson("trained"));
  const { model, weights } = models["query-key/winner"];
  const trace = model.inspect(weights, task, "bADc", "d", starts[0]);
  const held = holds(trace).map((t) => (t < 0 ? "·" : task.token_names[trace.items[t]]));
  const { shares } = attentionByItem(trace);
  const told = trace.items.map((token, t) => `${task.token_names[token]} ${Math.round(100 * shares[t])} %`).join(", ");
  const best = Math.max(...trace.attention);
  return element("div", { class: "tour-attention" },
    element("p", { class: "said" }, `Units, what each holds, and how much the query attends to it. ${
      whoIsAttended(trace, task)}`),
    bars(trace.attention, held, `Attention over ${held.length} units, by what they hold: ${told}`,
      (m) => trace.attention[m] === best),
    element("p", { class: "said" }, `The answer: ${verdict(trace)}.`),
    levels(trace.answered_by, ["lower case", "upper case"], (o) => trace.answered_by[o] === Math.max(...trace.answered_by)),
  );
}
