// The first thing that is seen: a memory that forgets, and a tour of six steps through what there is.

import { choice, element } from "./controls.js";
import { decodeOnes, encodeOnes } from "./memory/address.js";
import { digit, face, thickened } from "./memory/glyphs.js";
import { DEFAULTS } from "./memory/kwinner.js";
import { Link } from "./memory/link.js";
import { positions, thinned } from "./memory/patterns.js";
import { Generator, seedFor } from "./memory/random.js";
import { Stage } from "./tour/stage.js";
import { STEPS } from "./tour/steps.js";

const FULL = 1000; // patterns stored before the picture: the memories are full
const HALF = 0.5;
const PICTURES = [["face", "a face"], ...[..."0123456789"].map((name) => [name, `digit ${name}`]), ["own", "my drawing"]];
const { n_hidden, k_hidden, fan_in, learning_rate } = DEFAULTS;
const SETTINGS = { n_hidden, k_hidden, fan_in, learning_rate };
// With this seed the slot is taken after 73 patterns, about the median of all seeds.
const FIRST = { step: 0, picture: "face", drawing: [], seed: 2 };
const CONTROLS = "input, select, textarea, summary, [role=tab], [role=application]";

/** Return the state that texts of the address say; what is unknown or bad is as at first. */
function readState({ step, picture, drawing = "", seed }) {
  const whole = (text, most, usual) => (/^\d+$/.test(text ?? "") && Number(text) <= most ? Number(text) : usual);
  const state = {
    step: whole(step, STEPS.length - 1, FIRST.step),
    picture: PICTURES.some(([name]) => name === picture) ? picture : FIRST.picture,
    drawing: decodeOnes(drawing) ?? [],
    seed: whole(seed, 2 ** 32 - 1, FIRST.seed),
  };
  return state.picture === "own" && state.drawing.length === 0 ? { ...state, picture: FIRST.picture } : state;
}

class Tour {
  /** changed(values) hears what the address is to hold; leave(tab) goes to another tab. */
  constructor(root, values, changed, leave) {
    Object.assign(this, { tell: changed, leave, isShown: true, cue: HALF });
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.playing = !this.isCalm;
    this.stage = new Stage({
      cue: HALF, drawn: (ones) => this.draw(ones),
      share: (cue) => {
        this.cue = cue;
        this.link.send("cue", { cue });
      },
    });
    this.title = element("h2", { id: "tour-title" });
    this.text = element("p", { class: "tour-text" });
    this.said = element("p", { class: "said", id: "tour-said" });
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    const button = (id, text, onclick, kind) => element("button", { type: "button", id, onclick, class: kind }, text);
    this.pause = button("tour-play", "", () => this.play(!this.playing));
    this.jump = button("tour-jump", "", () => this.more());
    this.picture = choice({
      id: "picture", label: "Picture", options: PICTURES, value: "face", changed: (picture) => this.choose({ picture }),
    });
    const again = () => this.choose({ seed: this.state.seed + 1 });
    this.again = button("tour-again", "Again, with other patterns", again);
    this.chips = element("ol", { class: "chips" }, ...STEPS.slice(1).map(({ name }, i) =>
      element("li", {}, element("button", { type: "button", id: `step-${i + 1}`, onclick: () => this.go(i + 1) },
        String(i + 1), element("span", {}, ` ${name}`)))));
    this.next = button("tour-next", "", () => this.go(this.state.step + 1), "main");
    this.back = button("tour-back", "Back", () => this.go(this.state.step - 1));
    this.skip = button("tour-skip", "Skip", () => this.leave("memory"));
    this.root = element("div", { class: "tour" }, this.title, this.stage.root,
      element("div", { class: "below" }, this.said, this.stage.key), this.text,
      element("div", { class: "row" }, this.pause, this.jump, this.again, this.picture.root),
      element("nav", { class: "card steering", "aria-label": "Tour" }, this.chips,
        element("div", { class: "row" }, this.back, this.next, this.skip)), this.live);
    root.append(this.root);
    addEventListener("keydown", (event) => this.key(event));
    this.link = new Link((frame) => this.show(frame), (words) => root.prepend(
      element("p", { class: "card failed", role: "alert" }, `This browser does not let the page start a worker, in ` +
        `which the memories would run (${words}). Another browser may.`)));
    this.set(values);
  }

  values() {
    const { step, picture, drawing, seed } = this.state;
    return {
      ...(step !== FIRST.step && { step }),
      ...(picture !== FIRST.picture && { picture }),
      ...(picture === "own" && { drawing: encodeOnes(drawing) }),
      ...(seed !== FIRST.seed && { seed }),
    };
  }

  set(values) {
    this.state = readState(values);
    this.cue = HALF;
    this.stage.share.set(HALF);
    this.begin();
  }

  shown(is) {
    this.isShown = is;
    this.pace();
  }

  choose(part) {
    this.state = { ...this.state, ...part };
    if (part.picture === "own" && this.state.drawing.length === 0) this.state.drawing = Array.from(positions(face()));
    this.begin();
    this.tell(this.values());
  }

  /** Go to a step; after the last comes the memory with all its controls. */
  go(step) {
    if (step >= STEPS.length) this.leave("memory");
    else if (step >= 0) this.choose({ step });
  }

  draw(ones) {
    if (ones.length > 0) this.choose({ picture: "own", drawing: ones });
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!this.isShown || event.target.closest?.(CONTROLS) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") this.leave("memory");
    else if (step) this.go(this.state.step + step);
  }

  /** Return the picture as the memories store it: a drawing is made thicker, or thinner, until it has 100 cells. */
  stored() {
    const { picture, drawing, seed } = this.state;
    if (picture === "face") return face();
    if (picture !== "own") return digit(Number(picture));
    const drawn = new Uint8Array(1000);
    for (const j of drawing) drawn[j] = 1;
    return drawing.length > 100 ? thinned(drawn, 100, new Generator(seedFor(seed, "drawing"))) : thickened(drawn);
  }

  /** Show a step from its beginning. */
  begin() {
    const step = STEPS[this.state.step];
    const ones = Array.from(positions(this.stored()));
    this.age = 0;
    this.hasEnded = false;
    this.title.textContent = step.title;
    this.text.textContent = step.text;
    this.said.textContent = "";
    this.stage.pad.set(ones);
    this.stage.set(step);
    this.picture.set(this.state.picture);
    [...this.chips.children].forEach(({ firstChild: chip }, i) => {
      if (i + 1 === this.state.step) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    });
    const isMoving = step.pace > 0;
    for (const control of [this.pause, this.again]) control.hidden = !isMoving;
    this.jump.hidden = !isMoving;
    this.jump.textContent = `${this.leap} more`;
    this.picture.root.hidden = step.shows.includes("theory") || step.shows.includes("attention");
    this.back.hidden = this.skip.hidden = this.state.step === 0;
    this.next.textContent = ["Take the tour", ...STEPS.slice(2).map(() => "Next"), "Now try it all"][this.state.step];
    this.live.textContent = this.state.step ? `Step ${this.state.step} of 6. ${step.title}. ${step.text}` : "";
    const [seed, cue] = [this.state.seed, step.shows.includes("share") ? this.cue : HALF];
    this.settings = { ...SETTINGS, cue };
    const own = [{ index: FULL, ones }];
    this.link.start({ settings: SETTINGS, source: { similarity: "random" }, cue, seed, own, quiet: FULL }, FULL + 1);
    this.link.send("look", { looking: { show: "own", age: 1, unit: 0 } });
    this.pace();
  }

  play(is) {
    if (is && this.hasEnded) return this.begin();
    this.playing = is;
    this.pace();
  }

  /** How many patterns are stored at once for those who do not want to wait, or want no motion. */
  get leap() {
    return STEPS[this.state.step].shows.includes("theory") ? 1000 : 100;
  }

  more() {
    this.play(false);
    this.link.send("store", { n: this.leap });
  }

  pace() {
    const { pace } = STEPS[this.state.step];
    this.pause.textContent = this.hasEnded ? "Once more" : this.playing ? "Pause" : "Play";
    this.link.send("run", { rate: this.playing && this.isShown && !this.hasEnded ? pace : 0 });
  }

  show(frame) {
    const { last, pace, shows } = STEPS[this.state.step];
    this.stage.show(frame, this.settings);
    const { recall } = frame;
    if (recall && shows.includes("ensemble")) this.said.textContent = sentence(recall);
    this.root.dataset.age = recall?.age ?? 0;
    if (!this.hasEnded && pace > 0 && recall && recall.age > last) {
      this.hasEnded = true;
      this.pace();
    }
  }
}

/** Say how much of the picture each memory brings back. */
function sentence({ age, pattern, tally, oneWinner }) {
  const slot = Math.round(oneWinner * pattern.length);
  const when = age === 1 ? "Just stored" : `${(age - 1).toLocaleString("en")} patterns later`;
  const whole = slot === pattern.length ? `all ${slot}` : `${slot}: another pattern has taken its place`;
  return `${when}: of ${pattern.length} cells, the ensemble brings back ${tally.hits}, the slot ${whole}.`;
}

/** Open the tab: {values(), set(values), shown(is)}. */
export function openTour(root, values, changed, leave) {
  return new Tour(root, values, changed, leave);
}
