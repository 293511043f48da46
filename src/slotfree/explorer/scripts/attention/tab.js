// The attention tab: a context and a query are typed, and each step of the model that answers is shown.

import { choice, element } from "./controls.js";
import { embeddedJson } from "./embedded.js";
import { onTheme } from "./theme.js";
import { exponential } from "./attention/arithmetic.js";
import { BaselineTransformer } from "./attention/baseline.js";
import { CaseSequenceTask } from "./attention/case_sequence.js";
import { MODELS, NOTES, STORAGES, inPython, kindOf, training } from "./attention/choices.js";
import { evictionCard } from "./attention/evicted.js";
import { evictions } from "./attention/eviction.js";
import { EXAMPLES } from "./attention/examples.js";
import { line } from "./attention/maths.js";
import { player } from "./attention/player.js";
import { SlotFreeTransformer } from "./attention/slot_free.js";
import { stages } from "./attention/stages.js";
import { textField } from "./attention/text_field.js";
import { trainedModels } from "./attention/trained.js";
import { stream } from "./attention/uniform.js";
import { itemName, sayStep } from "./attention/words.js";

const DEFAULTS = { context: "bADc", query: "d", model: "query-key", storage: "winner", seed: "0", step: "all" };

/** Open the tab in its panel; main.js says what is returned. */
export function openAttention(root, values, changed) {
  const trained = trainedModels(embeddedJson("trained"));
  const { task } = trained;
  const starts = trained.starts.map((_, n) => [String(n), String(n)]);
  let state = { ...DEFAULTS };
  let trace = null;
  let steps = [];

  const edited = (name) => (value) => edit({ [name]: value });
  const failed = () => (section.inert = true);
  const check = { context: (text) => task.faultOfContext(text), query: (text) => task.faultOfQuery(text) };
  const controls = {
    context: textField({
      id: "context", label: "Context", size: 7, maxlength: 12, check: check.context, changed: edited("context"), failed,
    }),
    query: textField({
      id: "query", label: "Query", size: 3, maxlength: 2, check: check.query, changed: edited("query"), failed,
    }),
    model: choice({ id: "model", label: "Keys", options: MODELS, value: state.model, changed: edited("model") }),
    storage: choice({
      id: "storage", label: "Storage", options: STORAGES, value: state.storage, changed: edited("storage"),
    }),
    seed: choice({ id: "start", label: "Random start", options: starts, value: state.seed, changed: edited("seed") }),
  };
  const notes = element("div", { class: "note" });
  const list = element("ol", { class: "trace" });
  const empty = element("p", { class: "note" }, "Nothing is stored yet. Press “Next step”.");
  const live = element("p", { class: "unseen", "aria-live": "polite" });
  const steering = player((step) => {
    state.step = step === steps.length ? "all" : String(step);
    reveal();
    steps.forEach((each, i) => each.classList.toggle("now", i === step - 1));
    tell();
    steps[step - 1]?.scrollIntoView({ block: "nearest", behavior: isCalm() ? "auto" : "smooth" });
  });
  const section = element("section", { class: "steps", "aria-label": "What happens, step by step" },
    steering.root, live, empty, list);

  /** Take over what a user changed, and show all steps. */
  function edit(some) {
    steering.stop();
    state = { ...state, ...some, step: "all" };
    section.inert = Boolean(controls.context.fault || controls.query.fault);
    update();
    tell();
  }

  /** Say the step that was reached, and keep it in the address. */
  function tell() {
    if (!section.inert) live.textContent = sayStep(trace, task, steering.step, kindOf(state));
    changed({ ...state });
  }

  /** Compute and show what the state says. */
  function update() {
    const kind = kindOf(state);
    const { model, weights, ...told } = trained.models[kind.name];
    controls.storage.root.hidden = kind.isSlots;
    controls.seed.root.hidden = !kind.isRandom;
    notes.replaceChildren(line(kind.keys), line(kind.stores), element("p", {}, training(told, trained.tested)),
      inPython(kind.name, state));
    trace = model.inspect(weights, task, state.context, state.query, trained.starts[Number(state.seed)]);
    steps = stages(trace, task, kind);
    list.replaceChildren(...steps);
    const items = trace.items.map((token) => [task.token_names[token], `store ${itemName(task, token)}`]);
    const asked = task.token_names[trace.asked];
    steering.begin([...items, [asked, `query ${asked}`], ["x̃", "x̃, the reinstated input"], ["y", "answer"]]);
    steering.set(state.step === "all" ? steps.length : Number(state.step));
    reveal();
  }

  /** Show the steps up to the present one. */
  function reveal() {
    steps.forEach((step, i) => {
      step.hidden = i >= steering.step;
    });
    empty.hidden = steering.step > 0;
  }

  /** Show what an address says; what it says wrongly, or not at all, is as at first. */
  function set(wanted) {
    steering.stop();
    const known = (options) => (value) => options.some(([key]) => key === value);
    const fine = {
      context: (text) => !check.context(text),
      query: (text) => !check.query(text),
      model: known(MODELS),
      storage: known(STORAGES),
      seed: known(starts),
      step: (text) => /^\d$/.test(text) && Number(text) < task.context_length + 3,
    };
    const chosen = (name) => (name in wanted && fine[name](wanted[name]) ? wanted[name] : DEFAULTS[name]);
    state = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, chosen(name)]));
    for (const [name, control] of Object.entries(controls)) control.set(state[name]);
    section.inert = false;
    update();
  }

  function choose(wanted) {
    set(wanted);
    tell();
  }

  const examples = element("details", { class: "card examples" },
    element("summary", {}, element("h2", {}, "Examples")),
    element("ul", {}, ...EXAMPLES.map(({ name, values: wanted, shows }) => element("li", {},
      element("button", { type: "button", onclick: () => choose(wanted) }, name),
      element("p", { class: "note" }, shows)))),
  );
  examples.open = matchMedia("(min-width: 60rem)").matches;
  const model = element("details", { class: "model" }, element("summary", {}, element("h2", {}, "The model")),
    controls.model.root, controls.storage.root, controls.seed.root, notes);
  model.open = examples.open;
  const form = element("div", { class: "card" },
    element("h2", {}, "A context and a query"),
    element("div", { class: "fields" }, controls.context.root, controls.query.root),
    element("button", { type: "button", onclick: () => choose({ ...state, ...randomSequence(task), step: "all" }) },
      "Random sequence"),
    model,
  );
  root.append(
    ...NOTES.map((text) => line(text)),
    element("div", { class: "attention" }, element("div", { class: "side" }, form, examples), section),
    evictionCard(),
  );
  onTheme(() => section.querySelectorAll("canvas").forEach((canvas) => canvas.redraw()));
  set(values);
  const shared = { SlotFreeTransformer, BaselineTransformer, CaseSequenceTask, exponential, stream, trained, evictions, EXAMPLES };
  globalThis.slotfree = { ...globalThis.slotfree, attention: { ...shared, trace: () => trace } }; // for the curious
  return {
    values: () => ({ ...state }),
    set,
    shown(is) {
      if (!is) steering.stop();
    },
  };
}

/** Different letters in random cases, and a query for one of them. */
function randomSequence(task) {
  const letters = [...task.letters];
  const context = Array.from({ length: task.context_length }, () => {
    const [letter] = letters.splice(Math.floor(Math.random() * letters.length), 1);
    return Math.random() < 0.5 ? letter : letter.toUpperCase();
  });
  const query = context[Math.floor(Math.random() * context.length)].toLowerCase();
  return { context: context.join(""), query };
}

function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
