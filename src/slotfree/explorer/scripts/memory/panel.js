// The controls: presets, the stream, the memory, its patterns.

import { choice, element, slider } from "./controls.js";
import { STOPS } from "./memory/address.js";
import { nConnections } from "./memory/kwinner.js";
import { PRESETS, presetOf } from "./memory/presets.js";

const UNBOUNDED = STOPS.speed.at(-1);
const SIMILARITY = [["random", "random"], ["tree", "leaves of a tree"], ["clusters", "clusters"], ["digits", "digits"]];

/** The panel at the side. */
export class Panel {
  /** changed(part) with what the user changed of the state; act(what): "play", "one", "many" or "reset". */
  constructor(state, changed, act) {
    this.preset = choice({
      id: "preset", label: "Preset", value: presetOf(state),
      options: [["", "settings of my own"], ...Object.entries(PRESETS).map(([key, { label }]) => [key, label])],
      changed: (key) => changed(key ? { ...PRESETS[key].settings, ...PRESETS[key].source } : {}),
    });
    this.shows = element("p", { class: "note", id: "preset-shows" });
    this.play = element("button", { id: "play", class: "main", onclick: () => act("play") });
    const button = (id, text, what) => element("button", { id, onclick: () => act(what) }, text);
    this.one = button("step", "Store one", "one");
    this.many = button("many", "Store 1000", "many");
    this.counted = element("p", { id: "stored" });
    const stop = (id, label, say) =>
      slider({ id, label, values: STOPS[id], value: state[id], changed: (value) => changed({ [id]: value }), say });
    this.sliders = {
      speed: stop("speed", "Patterns per second", (speed) => (speed === UNBOUNDED ? "all it can" : String(speed))),
      n_hidden: stop("n_hidden", "Hidden units, n_h"),
      k_hidden: stop("k_hidden", "Winners among them, k_h"),
      fan_in: stop("fan_in", "Fan-in, f", (f) => `${f} (${nConnections({ fan_in: f, n_visible: 1000 })} of 1000)`),
      learning_rate: stop("learning_rate", "Learning rate, ε"),
      cue: stop("cue", "Cue: share of the ones", (cue) => `${Math.round(100 * cue)} %`),
      n_flips: stop("n_flips", "Bits flipped, b (fewer: more alike)", (b) => `${b} of 100 ones`),
    };
    this.similarity = choice({
      id: "similarity", label: "Patterns", options: SIMILARITY, value: state.similarity,
      changed: (similarity) => changed({ similarity }),
    });
    this.seed = element("input", {
      id: "seed", type: "number", min: 0, max: 2 ** 32 - 1, step: 1,
      onchange: () => changed({ seed: Math.min(Math.max(Math.floor(Number(this.seed.value)) || 0, 0), 2 ** 32 - 1) }),
    });
    this.size = element("p", { class: "note", id: "size" });
    const s = this.sliders;
    this.root = element("div", { class: "card panel", role: "group", "aria-label": "Controls" },
      element("div", { class: "row buttons" }, this.play, this.one, this.many, button("reset", "Reset", "reset")),
      this.counted);
    this.controls = element("details", { class: "controls" }, element("summary", {}, "All controls"),
      this.preset.root, this.shows, s.speed.root,
      element("h2", {}, "Memory"), s.n_hidden.root, s.k_hidden.root, s.fan_in.root, s.learning_rate.root, this.size,
      element("h2", {}, "Patterns and cues"), this.similarity.root, s.n_flips.root, s.cue.root,
      element("div", { class: "row" }, element("label", { for: "seed" }, "Seed"), this.seed,
        element("button", { onclick: () => changed({ seed: Math.floor(Math.random() * 10000) }) }, "Another")));
    const wide = matchMedia("(min-width: 60rem)"); // folded on a phone: the picture comes first
    const fold = () => (this.controls.open = wide.matches);
    wide.addEventListener("change", fold);
    fold();
    this.root.append(this.controls);
    this.set(state);
  }

  set(state) {
    for (const [name, control] of Object.entries(this.sliders)) control.set(state[name]);
    this.similarity.set(state.similarity);
    this.preset.set(presetOf(state));
    this.seed.value = state.seed;
    const preset = PRESETS[presetOf(state)];
    this.shows.textContent = preset ? preset.shows(preset.facts) : "";
    this.sliders.n_flips.root.hidden = !["tree", "clusters"].includes(state.similarity);
    this.size.textContent = `${(state.n_hidden * nConnections({ ...state, n_visible: 1000 })).toLocaleString("en")} ` +
      "connections; 1000 visible units, of which 100 are on.";
    this.playing(state.playing);
  }

  playing(is) {
    this.play.textContent = is ? "Pause" : "Play";
  }

  show({ stored, ended }) {
    this.counted.textContent = `${stored.toLocaleString("en")} ${stored === 1 ? "pattern" : "patterns"} stored.` +
      (ended ? " All leaves of this tree are stored: reset to begin again." : "");
    for (const button of [this.play, this.one, this.many]) button.disabled = ended;
  }
}
