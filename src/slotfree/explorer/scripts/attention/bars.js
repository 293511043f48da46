// Bars and cells, made of elements: they follow the width and the theme by themselves.

import { element } from "./controls.js";
import { two } from "./attention/maths.js";

/**
 * Return upright bars for numbers from 0 to 1; each has a label below it, and a number above it if there is room.
 * Bars for which `isMain(i)` is true are in full colour.
 */
export function bars(values, labels, text, isMain, numbered = values.length <= 16) {
  const each = Array.from(values, (value, i) => {
    const height = `${100 * Math.min(Math.max(value, 0), 1)}%`;
    const bar = element("i", { style: `height: ${height}`, class: isMain(i) ? "main" : false });
    const number = numbered ? element("span", { class: "number" }, two(value)) : "";
    const room = element("div", { class: "room" }, number, bar);
    return element("div", { class: "bar" }, room, element("b", {}, labels[i]));
  });
  return element("div", { class: `bars${numbered ? "" : " narrow"}`, role: "img", "aria-label": text }, ...each);
}

/** Return level bars, each with its name and its number. */
export function levels(values, names, isMain) {
  const each = Array.from(values, (value, i) => [
    element("span", {}, names[i]),
    element("div", { class: "level" }, element("i", {
      style: `width: ${100 * Math.min(Math.max(value, 0), 1)}%`,
      class: isMain(i) ? "main" : false,
    })),
    element("span", { class: "number" }, two(value)),
  ]);
  return element("div", { class: "levels" }, ...each.flat());
}

/** Return the one-hot vector of a token: a cell for each token, with its name, of which one is on. */
export function oneHot(names, token) {
  const cells = names.map((name, d) => element("span", { class: d === token ? "on" : false }, name));
  const text = `A vector of ${names.length} numbers: 1 at ${names[token]}, 0 elsewhere`;
  return element("div", { class: "one-hot", role: "img", "aria-label": text }, ...cells);
}
