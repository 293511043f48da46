// Equations as text: what follows an underscore is set low.

import { element } from "./controls.js";

/** An equation such as "k = W_K x" as an element. */
function maths(text) {
  const parts = text.split(/_(\w+)/).map((part, i) => (i % 2 ? element("sub", {}, part) : part));
  return element("span", { class: "maths" }, ...parts);
}

/** Return an element with words and equations; what stands between backquotes is an equation. */
export function line(text, name = "p", attributes = {}) {
  const parts = text.split("`").map((part, i) => (i % 2 ? maths(part) : part));
  return element(name, attributes, ...parts);
}

/** A number with two decimals, without a sign before 0.00. */
export function two(value) {
  return value.toFixed(2).replace(/^-(0\.0+)$/, "$1").replace("-", "−");
}
