// The models that can be chosen, and what the page says about each.

import { element } from "./controls.js";

/** How keys are learnt. */
export const MODELS = [
  ["query-key", "QK: keys move towards queries"],
  ["mhn", "MHN: keys learn from the error they cause"],
  ["fixed", "Fixed: keys stay random"],
  ["slots", "Slots: an ordinary transformer"],
];

/** Where items are stored. */
export const STORAGES = [
  ["winner", "1 winner, as in the paper"],
  ["no-projections", "1 winner, without input projections"],
  ["winners", "3 winners of 40 thin units"],
  ["perfect", "Perfect: item t in unit t"],
];

const KEY_RULES = {
  "query-key":
    "After each query, the key of what was reinstated, `W_K x̃`, moves towards the query `q`: it should have fitted.",
  mhn:
    "After each query, the key of what was reinstated, `W_K x̃`, asks in turn, and `W_K` follows the gradient of the " +
    "error of that answer.",
  fixed: "`W_K` stays as it was drawn at random; only `W_Q` and `W_V` learn.",
  slots: "Every item is kept in a slot. `W_Q`, `W_K` and `W_V` follow the gradient through all of them.",
};

const RULES_OF_STORAGE = {
  winner:
    "The unit with the largest drive, `W_HK k + W_HI x`, replaces its weights by the item. `W_HI`, the input " +
    "projections, gives each token a unit of its own, which wins unless another holds a key that fits better.",
  "no-projections":
    "The unit with the largest drive, `W_HK k`, replaces its weights by the item. All weights are random at first, " +
    "and items meet in the same unit now and then.",
  winners:
    "The 3 units with the largest drives, `W_HK k + γ f P x`, store the item. `P` sends each token to 3 " +
    "units, and each unit sees 10 of the 50 components of keys. All weights are 0 at first, and units that stored " +
    "nothing take no part in what is read.",
  perfect: "Item t goes to unit t, so that nothing is overwritten: slots by another name.",
};

const DRIVES = {
  winner: "h = W_HK k + W_HI x",
  "no-projections": "h = W_HK k",
  winners: "h = W_HK k + γ f P x",
};

/** What the tab is about. */
export const NOTES = [
  "A transformer answers from its context, and usually keeps each item of it in a slot of its own. Here there are no " +
    "slots: items are written into fast weights of hidden units that they share, and a query reads what is left there.",
  "The task: letters come in lower or upper case, one after the other. Then a query names a letter: in which case " +
    "was it? Type a context and a query, or take an example, and go through it step by step.",
];

/** What is known of the chosen model. */
export function kindOf({ model, storage }) {
  const isSlots = model === "slots";
  return {
    name: isSlots ? model : `${model}/${storage}`,
    keys: KEY_RULES[model],
    stores: isSlots ? "" : RULES_OF_STORAGE[storage],
    drives: DRIVES[storage], // undefined where they decide nothing
    isSlots,
    isPerfect: !isSlots && storage === "perfect",
    isDistributed: !isSlots && storage === "winners",
    isRandom: !isSlots && storage !== "perfect", // initial weights are, or which of equal drives win
  };
}

/** How a model was trained, and how good it is. */
export function training(told, tested) {
  const { iterations, batch_size } = told.settings;
  const steps = iterations.toLocaleString("en");
  const accuracy = told.accuracy === 1 ? "all" : `${(100 * told.accuracy).toFixed(1)} %`;
  return (
    `Trained by sf.train with seed ${told.seed}: its first run, ${steps} batches of ${batch_size} sequences. It ` +
    `answers ${accuracy} of the 1,536 sequences with four different letters right, over ${tested} random starts.`
  );
}

/** The same in Python, as an element. */
export function inPython(name, { context, query, seed }) {
  const given = name === "slots" ? "" : `, seed=${seed}`;
  const code = [
    "from slotfree.explorer import trained",
    `model, weights = trained.load("${name}")`,
    `model.inspect(weights, trained.TASK, "${context}", "${query}"${given})`,
  ].join("\n");
  const shown = element("pre", { tabindex: 0 }, element("code", {}, code));
  return element("details", {}, element("summary", {}, "The same in Python"), shown);
}
