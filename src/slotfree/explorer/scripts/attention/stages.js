// The steps of a sequence as elements: one for each item, then the query, the reinstated input and the answer.

import { element } from "./controls.js";
import { bars, levels, oneHot } from "./attention/bars.js";
import { line, two } from "./attention/maths.js";
import { fastWeightsPicture, strip } from "./attention/pictures.js";
import { answerOf, attentionByItem, holds, itemName, verdict } from "./attention/words.js";
import { whatIsRight, whatWasLost, whoIsAttended, whoStored } from "./attention/words.js";

/** Return the steps; `kind` is {isSlots, isPerfect, isDistributed, hasProjections}. */
export function stages(trace, task, kind) {
  const all = [...trace.keys, trace.query].flatMap((key) => [...key]);
  const scale = Math.max(...all.map(Math.abs));
  const view = { trace, task, kind, scale };
  const items = trace.items.map((_, t) => itemStage(view, t));
  return [...items, queryStage(view), inputStage(view), answerStage(view)];
}

function stage(badge, title, ...children) {
  const heading = element("h3", {}, element("span", { class: "badge", "aria-hidden": "true" }, badge), title);
  return element("li", { class: "card stage" }, heading, ...children);
}

function note(text) {
  return line(text, "p", { class: "note" });
}

function vector(label, picture) {
  return element("div", { class: "vector" }, line(label, "span"), picture);
}

function itemStage({ trace, task, kind, scale }, t) {
  const token = trace.items[t];
  const name = task.token_names[token];
  const [lower, upper] = trace.values[t];
  const text = `The key of ${name}: ${trace.sizes.key_dim} numbers`;
  const vectors = element("div", { class: "vectors" },
    vector("item `x`", oneHot(task.token_names, token)),
    vector("key `k = W_K x`", strip(trace.keys[t], scale, text)),
    vector("value `v = W_V x`", element("span", {}, `${two(lower)} lower, ${two(upper)} upper`)),
  );
  const title = `Item ${t + 1}: ${itemName(task, token)}`;
  if (kind.isSlots) {
    const words = "which is its own. Nothing is overwritten, and each further item needs a further slot.";
    return stage(name, title, vectors, line(`Kept in slot ${t}, ${words}`));
  }
  const lost = whatWasLost(trace, task, t);
  return stage(name, title, vectors,
    element("p", { class: "stored" }, whoStored(trace, t, kind.isPerfect)),
    lost ? element("p", { class: "lost" }, lost) : "",
    beforeAndAfter(trace, task, t, scale),
    t === 0 ? legend(kind) : "",
  );
}

function legend(kind) {
  const drives = kind.drives ? `The drives are \`${kind.drives}\`. ` : "";
  const stored = kind.isDistributed ? "the parts of `k` that they see, `x` and `v`" : "`k`, `x` and `v`";
  return note(`${drives}Where the item is stored, the weights become ${stored}. Each row is a hidden unit: its ` +
    "weights from the key, `W_HK`, to the item, `W_IH`, and to the value, `W_VH`. Blue is positive, orange negative, " +
    "the deeper the larger. At the right: the letter that a unit holds.");
}

function beforeAndAfter(trace, task, t, scale) {
  const marked = trace.winners[t];
  const units = marked.join(", ");
  const name = task.token_names[trace.items[t]];
  const before = fastWeightsPicture(trace, task, t, marked, scale, `Fast weights before: a row for each of ${
    trace.sizes.n_hidden} units; the marked ones, ${units}, are about to change`);
  const after = fastWeightsPicture(trace, task, t + 1, marked, scale, `Fast weights after: the marked units, ${
    units}, hold the key, the item and the value of ${name}`);
  return element("div", { class: "pair" },
    element("figure", {}, element("figcaption", {}, "before"), before),
    element("figure", {}, element("figcaption", {}, "after"), after),
  );
}

function queryStage({ trace, task, kind, scale }) {
  const name = task.token_names[trace.asked];
  const held = holds(trace);
  const labels = held.map((t) => (t < 0 ? "·" : task.token_names[trace.items[t]]));
  const { shares, rest } = attentionByItem(trace);
  const places = kind.isSlots ? "slots" : "hidden units";
  const equation = kind.isSlots ? "s = softmax(β K q)" : `s = softmax(${kind.isDistributed ? "β " : ""}W_HK q)`;
  const best = Math.max(...shares);
  const of = trace.items.map((token, t) => `${task.token_names[token]} ${two(shares[t])}`);
  const unused = held.includes(-1) ? [`units that stored nothing ${two(rest)}`] : [];
  return stage(name, `Query: which case had ${task.letters[trace.asked - 2 * task.n_letters]}?`,
    element("div", { class: "vectors" },
      vector("query `x_q`", oneHot(task.token_names, trace.asked)),
      vector("`q = W_Q x_q`", strip(trace.query, scale, `The query vector: ${trace.sizes.key_dim} numbers`)),
    ),
    line(`Attention, \`${equation}\`: each of the ${held.length} ${places} is attended as much as the key it holds ` +
      `fits the query. ${whoIsAttended(trace, task)}`),
    bars(trace.attention, labels, `Attention over ${held.length} ${places}. By item: ${[...of, ...unused].join(", ")}`,
      (m) => held[m] >= 0 && shares[held[m]] === best),
    note(`Below each bar: the letter that is held there${unused.length ? "; · is a unit that stored nothing" : ""}.`),
    sumTable(trace, task, shares, unused.length ? rest : null),
  );
}

function sumTable(trace, task, shares, rest) {
  const names = trace.items.map((token) => task.token_names[token]);
  const numbers = shares.map(two);
  const row = (head, cells) => element("tr", {}, element("th", { scope: "row" }, head),
    ...cells.map((text) => element("td", {}, text)));
  return element("table", {}, element("tbody", {},
    row("what is held", rest === null ? names : [...names, "nothing"]),
    row("attention", rest === null ? numbers : [...numbers, two(rest)]),
  ));
}

function inputStage({ trace, task, kind }) {
  const values = Array.from(trace.reinstated);
  const best = Math.max(...values);
  const told = values.map((value, d) => `${task.token_names[d]} ${two(value)}`).join(", ");
  const words = kind.isSlots
    ? "The items, each as much as it is attended: `x̃ = Σ_t s_t x_t`."
    : `What the attended units hold is put back into the input layer, as if it were seen again: \`x̃ = W_IH s\`${
      kind.isDistributed ? " / `g·s`" : ""}.`;
  const random = kind.isSlots || kind.isDistributed || kind.isPerfect
    ? ""
    : " Units that stored nothing still have their random weights, and add to all tokens.";
  return stage("x̃", "Reinstated input", line(words + random),
    bars(values, task.token_names, `Reinstated input: ${told}`, (d) => values[d] === best));
}

function answerStage({ trace, task, kind }) {
  const { answer, right } = answerOf(trace);
  const equation = kind.isSlots ? "ŷ = Σ_t s_t v_t" : kind.isDistributed ? "ŷ_val = W_VH s / g·s" : "ŷ_val = W_VH s";
  const learnt = Array.from(trace.output, two).join(", ");
  const trained = kind.isSlots ? "" : note(`Learning uses what is reinstated instead: \`ŷ = W_V x̃\` = ${learnt}.`);
  const judged = right === null ? "open" : right ? "right" : "wrong";
  const result = element("p", { class: `verdict ${judged}` }, verdict(trace));
  return stage("y", "Answer", result,
    levels(trace.answered_by, ["lower case", "upper case"], (o) => o === answer),
    element("p", {}, whatIsRight(trace, task)),
    note(`The values of what is attended, added up: \`${equation}\`. The larger one is the answer. Nothing forces ` +
      "the two to be probabilities, but in a trained model they come close."),
    trained,
  );
}
