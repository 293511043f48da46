// The tab of the memory: what the user sees, and what the worker is asked to do.

import { element } from "./controls.js";
import { STOPS, readState, writeState } from "./memory/address.js";
import { CurveCard } from "./memory/curve.js";
import { DrawingCard } from "./memory/drawing.js";
import { digit, face, someDigit, thickened } from "./memory/glyphs.js";
import { KWinnerMHN } from "./memory/kwinner.js";
import { Link } from "./memory/link.js";
import { ageEdges, accuracy, binnedDPrime, dPrime, rawDifference } from "./memory/metrics.js";
import { Panel } from "./memory/panel.js";
import { PatternClusters, PatternTree, partialCue, positions, randomPattern, thinned } from "./memory/patterns.js";
import { PRESETS } from "./memory/presets.js";
import { Generator, seedFor } from "./memory/random.js";
import { RecallCard } from "./memory/recall.js";
import { roc } from "./memory/recognition.js";
import { Meter, retention, settling } from "./memory/retention.js";
import { RecognitionCard } from "./memory/roc.js";
import { sourceOf } from "./memory/sources.js";
import { UnitsCard } from "./memory/units.js";
import { WinnersRoom, hashInputs, kWinners, turn } from "./memory/winners.js";

// For the tests, and for the curious.
globalThis.slotfree = Object.assign(globalThis.slotfree ?? {}, {
  KWinnerMHN, Meter, PatternTree, PatternClusters, randomPattern, partialCue, thinned, positions, retention, settling,
  accuracy, rawDifference, dPrime, binnedDPrime, ageEdges, Generator, seedFor, WinnersRoom, hashInputs, kWinners, turn,
  sourceOf, PRESETS, digit, face, someDigit, thickened, roc,
});

const RESTARTS = ["n_hidden", "k_hidden", "fan_in", "learning_rate", "similarity", "n_flips", "seed"];
const LOOKS = ["show", "age", "index", "unit"];

class MemoryTab {
  constructor(root, values, changed) {
    this.state = readState(values);
    this.tell = changed;
    this.isShown = true;
    const change = (part) => this.change(part);
    this.panel = new Panel(this.state, change, (what) => this.act(what));
    this.recall = new RecallCard(this.state, change);
    this.units = new UnitsCard(this.state, change);
    this.curve = new CurveCard(() => this.send("test"));
    this.drawing = new DrawingCard(this.state, change, (what) => this.actOwn(what));
    this.recognition = new RecognitionCard();
    this.status = element("p", { class: "unseen", id: "memory-status", "aria-live": "polite" });
    this.cards = [this.recall, this.units, this.curve, this.recognition, this.drawing];
    this.root = element("div", { class: "memory" }, this.panel.root, element("div", { class: "cards" },
      this.recall.root, this.curve.root, this.units.root, this.recognition.root, this.drawing.root), this.status);
    root.append(this.root);
    this.link = new Link((frame) => this.show(frame), (words) => this.fail(root, words));
    this.start(this.state.stored);
  }

  values() {
    return writeState(this.state);
  }

  set(values) {
    this.state = readState(values);
    for (const part of [this.panel, this.recall, this.units, this.drawing]) part.set(this.state);
    this.start(this.state.stored);
  }

  shown(is) {
    this.isShown = is;
    this.pace();
  }

  /** Begin a new simulation and bring it to a number of patterns. */
  start(stored) {
    const { n_hidden, k_hidden, fan_in, learning_rate, similarity, n_flips, cue, seed, own } = this.state;
    const settings = { n_hidden, k_hidden, fan_in, learning_rate };
    this.root.dataset.busy = true;
    this.link.start({ settings, source: { similarity, n_flips }, cue, seed, own }, stored);
    this.look();
    this.pace();
  }

  /** Send a message; until a frame has heard it, what is shown is not the last word. */
  send(what, rest) {
    this.root.dataset.busy = true;
    this.link.send(what, rest);
  }

  /** Tell the worker how fast to store, and whether to stop what it stores at once. */
  pace(halt = false) {
    this.send("run", { rate: this.state.playing && this.isShown ? this.state.speed : 0, halt });
  }

  look() {
    const { show, age, index, unit } = this.state;
    this.send("look", { looking: { show, age, index, unit } });
  }

  /** Take over what the user changed. */
  change(part) {
    const state = { ...this.state, ...part };
    const isNew = (name) => state[name] !== this.state[name];
    if (state.k_hidden > state.n_hidden) {
      state.k_hidden = "k_hidden" in part ? largest(STOPS.k_hidden, this.state.n_hidden) : state.n_hidden;
    }
    const restarts = RESTARTS.some(isNew);
    const [paces, cues, looks] = [isNew("speed"), isNew("cue"), LOOKS.some(isNew)];
    if (restarts) Object.assign(state, { stored: 0, own: [], unit: Math.min(state.unit, state.n_hidden - 1) });
    this.state = state;
    for (const one of [this.panel, this.recall, this.units]) one.set(state);
    if (restarts) this.start(0);
    else {
      if (paces) this.pace();
      if (cues) this.send("cue", { cue: state.cue });
      if (looks) this.look();
      if ("shade" in part && this.frame) this.show(this.frame);
    }
    this.tell(this.values());
  }

  act(what) {
    if (what === "play") {
      this.play(!this.state.playing);
    } else if (what === "reset") {
      Object.assign(this.state, { stored: 0, own: [] });
      this.start(0);
      this.say("The memory is empty again.");
    } else {
      this.play(false);
      this.send("store", { n: what === "one" ? 1 : 1000 });
    }
  }

  actOwn(what) {
    this.play(false);
    this.change({ show: "own" });
    if (what === "store") this.send("own", { ones: this.drawing.ones });
    if (what === "cover") this.send("store", { n: 100 });
    this.look();
  }

  play(is) {
    this.state.playing = is;
    this.panel.playing(is);
    this.pace(!is);
    if (!is) this.tell(this.values());
  }

  show(frame) {
    this.frame = frame;
    Object.assign(this.state, { stored: frame.stored, own: frame.own.map(({ index, ones }) => ({ index, ones })) });
    this.panel.show(frame);
    for (const card of this.cards) card.show(frame, this.state);
    const isBusy = frame.busy || frame.heard < this.link.sent;
    if (!isBusy) this.rest(frame);
    this.root.dataset.busy = isBusy;
  }

  /** Nothing moves: say what there is, and write the address. */
  rest(frame) {
    for (const card of this.cards) card.rest(frame);
    this.say(`${this.panel.counted.textContent} ${this.recall.result.textContent}`);
    if (frame.ended && this.state.playing) this.play(false);
    this.tell(this.values());
  }

  say(words) {
    this.status.textContent = words;
  }

  fail(root, words) {
    root.prepend(element("p", { class: "card failed", role: "alert" },
      `This browser does not let the page start a worker, in which the memory would run (${words}). ` +
      "Another browser may."));
  }
}

/** Return the largest stop that is not above a limit. */
function largest(stops, limit) {
  return Math.max(...stops.filter((stop) => stop <= limit));
}

/** Open the tab: {values(), set(values), shown(is)}. */
export function openMemory(root, values, changed) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const first = still && Object.keys(values).length === 0 ? { playing: "0" } : values;
  return new MemoryTab(root, first, changed);
}
