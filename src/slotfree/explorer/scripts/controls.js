// Elements that all parts of the page use.

/** Return a new element with attributes and children; an attribute that begins with "on" is a listener. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") made.style.cssText = value; // the page's policy refuses the attribute
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/**
 * Return a slider over a list of values: {root, value, set(value)}. `changed(value)` is called when a user moves it.
 * The screen reader says what `say(value)` returns.
 */
export function slider({ id, label, values, value, changed, say = String }) {
  const shown = element("output", { id: `${id}-value`, for: id });
  const input = element("input", { id, type: "range", min: 0, max: values.length - 1, step: 1 });
  const control = {
    root: element("div", { class: "slider" }, element("label", { for: id }, label), shown, input),
    value,
    set(wanted) {
      const place = nearest(values, wanted);
      control.value = values[place];
      input.value = place;
      shown.textContent = say(control.value);
      input.setAttribute("aria-valuetext", shown.textContent);
    },
  };
  input.addEventListener("input", () => {
    control.set(values[Number(input.value)]);
    changed(control.value);
  });
  control.set(value);
  return control;
}

/** Return the place of the value in a list that is next to a wanted one. */
function nearest(values, wanted) {
  let best = 0;
  values.forEach((value, i) => {
    if (Math.abs(value - wanted) < Math.abs(values[best] - wanted)) best = i;
  });
  return best;
}

/** Return a labelled choice: {root, value, set(value)}; options are [value, text]. */
export function choice({ id, label, options, value, changed }) {
  const input = element("select", { id }, ...options.map(([key, text]) => element("option", { value: key }, text)));
  const control = {
    root: element("div", { class: "row" }, element("label", { for: id }, label), input),
    value,
    set(wanted) {
      control.value = options.some(([key]) => key === wanted) ? wanted : options[0][0];
      input.value = control.value;
    },
  };
  input.addEventListener("change", () => {
    control.value = input.value;
    changed(control.value);
  });
  control.set(value);
  return control;
}
