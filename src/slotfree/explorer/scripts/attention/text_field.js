// A text that is checked while it is typed.

import { element } from "./controls.js";

/**
 * Return {root, fault, set(text)}. `check(text)` says what is wrong with a text, or nothing; `changed(text)` is called
 * with each that is right, and `failed()` when it is wrong.
 */
export function textField({ id, label, size, maxlength, check, changed, failed }) {
  const message = element("p", { class: "fault", id: `${id}-fault`, "aria-live": "polite" });
  const input = element("input", {
    id, type: "text", size, maxlength, "aria-describedby": message.id, enterkeyhint: "done", // and no help with letters
    autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
  });
  const control = {
    root: element("div", { class: "field" }, element("label", { for: id }, label), input, message),
    fault: "",
    set(text) {
      input.value = text;
      judge();
    },
  };
  function judge() {
    control.fault = check(input.value);
    message.textContent = control.fault;
    input.setAttribute("aria-invalid", String(control.fault !== ""));
  }
  input.addEventListener("input", () => {
    judge();
    if (control.fault) failed();
    else changed(input.value);
  });
  return control;
}
