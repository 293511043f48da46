// Steps, one after the other: buttons for each, for the next, for all, and for beginning again.

import { element } from "./controls.js";

const PACE = 1100; // milliseconds for each step

/**
 * Return {root, step, set(n), begin(names), stop()}; `names` has [short, long] for each step. `changed(n)` is called
 * when a user goes to step n, and while all steps are played.
 */
export function player(changed) {
  const chips = element("ol", { class: "chips" });
  const next = element("button", { type: "button", class: "main", onclick: () => go(control.step + 1) }, "Next step");
  const all = element("button", { type: "button", onclick: () => (timer ? control.stop() : play()) }, "All");
  const again = element("button", { type: "button", onclick: () => go(0) }, "Again");
  let timer = 0;
  let last = 0;

  const control = {
    root: element("div", { class: "player" }, chips, element("div", { class: "row" }, next, all, again)),
    step: 0,
    set(step) {
      control.step = Math.min(Math.max(step, 0), last);
      [...chips.children].forEach(({ firstChild: chip }, i) => {
        chip.classList.toggle("done", i < control.step);
        if (i === control.step - 1) chip.setAttribute("aria-current", "step");
        else chip.removeAttribute("aria-current");
      });
      next.disabled = control.step === last;
      again.disabled = control.step === 0;
    },
    begin(names) {
      last = names.length;
      chips.replaceChildren(...names.map(([short, long], i) => {
        const attributes = { type: "button", "aria-label": `Step ${i + 1}: ${long}`, onclick: () => go(i + 1) };
        return element("li", {}, element("button", attributes, short));
      }));
    },
    stop() {
      clearInterval(timer);
      timer = 0;
      all.textContent = "All";
    },
  };

  function go(step) {
    control.stop();
    const focused = document.activeElement;
    control.set(step);
    if (focused === next && next.disabled) again.focus(); // a button that cannot be pressed would lose the focus
    if (focused === again) next.focus();
    changed(control.step);
  }

  function play() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      go(last);
      return;
    }
    if (control.step === last) control.set(0);
    const tick = () => {
      control.set(control.step + 1);
      changed(control.step);
      if (control.step === last) control.stop();
    };
    timer = setInterval(tick, PACE);
    all.textContent = "Stop";
    tick();
  }

  return control;
}
