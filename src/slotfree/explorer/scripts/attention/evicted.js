// The card on eviction: two rules side by side, items from top to bottom, time from left to right.

import { element, slider } from "./controls.js";
import { evictions } from "./attention/eviction.js";
import { textField } from "./attention/text_field.js";
import { listed } from "./attention/words.js";
import { Grid } from "./memory/grid.js";
import { colour } from "./theme.js";

const RULES = [
  ["match", "Match: the units with the largest drives"],
  ["oldest", "Oldest: the units that match, or else those written longest ago"],
];
const FIRST = "ABCDEFAGHIJKA";
const MOST = 20;

function faultOf(text) {
  if (/^[A-Za-z]+$/.test(text) && text.length <= MOST) return "";
  return `Type 1 to ${MOST} letters, each an item: ${FIRST}.`;
}

/** Return the picture of one rule: {root, show(found, letters)}. */
function picture(name) {
  let shown = { items: [], held: [] };
  const paint = (context, cell) => {
    context.font = `${Math.min(0.72 * cell, 15)}px system-ui, sans-serif`;
    context.textAlign = "center";
    const letter = (text, column, row) => context.fillText(text, (column + 0.5) * cell, (row + 0.75) * cell);
    context.fillStyle = colour("muted");
    shown.items.forEach((item, row) => letter(item, 0, row + 1));
    shown.letters?.forEach((item, time) => letter(item, time + 1, 0));
    shown.held.forEach((shares, time) => shares.forEach((share, row) => {
      context.fillStyle = colour("blue");
      context.globalAlpha = share;
      context.fillRect((time + 1.06) * cell, (row + 1.06) * cell, 0.88 * cell, 0.88 * cell);
      context.globalAlpha = 1;
      if (share > 0 || !(shown.held[time - 1]?.[row] > 0)) return;
      context.fillStyle = colour("vermilion");
      letter("✕", time + 1, row + 1);
    }));
  };
  const grid = new Grid({ columns: 2, rows: 2, paint });
  const words = element("p");
  return {
    root: element("figure", {}, element("figcaption", {}, name), grid.canvas, words),
    show(found, letters, n_hidden) {
      shown = { ...found, letters };
      grid.resize(letters.length + 1, found.items.length + 1);
      grid.draw();
      words.textContent = whatHappened(found, n_hidden);
      grid.canvas.setAttribute("aria-label", `${name}. ${words.textContent}`);
    },
  };
}

/** Say which items are gone in the end, and how many units are still empty. */
function whatHappened({ items, held, units }, n_hidden) {
  const gone = items.filter((_, i) => held.at(-1)[i] === 0);
  const unused = n_hidden - new Set(units.flat()).size;
  const what = gone.length ? `${listed(gone)} ${gone.length > 1 ? "are" : "is"} gone` : "Nothing is lost";
  const empty = unused ? `${unused} of ${n_hidden} units ${unused > 1 ? "are" : "is"} still empty` : "no unit is empty";
  return `${what}; ${empty}.`;
}

/** Return the card. */
export function evictionCard() {
  const state = { letters: FIRST, n_hidden: 8, k: 1 };
  const pictures = RULES.map(([rule, name]) => [rule, picture(name)]);
  const changed = (name) => (value) => {
    state[name] = value;
    show();
  };
  const range = (most) => Array.from({ length: most }, (_, i) => i + 1);
  const field = textField({
    id: "items", label: "Items", size: 20, maxlength: 24, check: faultOf, changed: changed("letters"), failed: () => {},
  });
  field.set(FIRST);
  const controls = ["n_hidden", "k"].map((name, i) => slider({
    id: `evict-${name}`, label: ["Units", "Units for each item"][i], values: range([16, 4][i]), value: state[name],
    changed: changed(name),
  }));
  const show = () => {
    const letters = [...state.letters];
    const k = Math.min(state.k, state.n_hidden);
    for (const [rule, each] of pictures) {
      each.show(evictions(letters, { rule, n_hidden: state.n_hidden, k }), letters, state.n_hidden);
    }
  };
  show();
  return element("section", { class: "card eviction", "aria-labelledby": "eviction-title" },
    element("h2", { id: "eviction-title" }, "Who is evicted?"),
    element("p", {}, "With more items than units, some must go. Which, is decided by the rule that finds units for a " +
      "new item, its address. Each letter is an item with a key of its own, drawn at random; one that comes again has " +
      "the same key. Time goes from left to right; a cross is where an item is lost."),
    element("div", { class: "fields" }, field.root, ...controls.map(({ root }) => root)),
    element("div", { class: "pair" }, ...pictures.map(([, each]) => each.root)));
}
