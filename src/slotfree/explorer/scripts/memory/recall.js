// What was stored, the cue, and what came back, for a pattern that can be chosen.

import { choice, element, slider } from "./controls.js";
import { STOPS } from "./memory/address.js";
import { FALSE, HIT, MISS, MarkGrid, markKey, marksOf } from "./memory/marks.js";

/** The card with the three grids. */
export class RecallCard {
  /** changed(part) is called with what the user has changed of the state: {show, age, index}. */
  constructor(state, changed) {
    this.index = 0; // of the pattern that is shown
    this.stored = new MarkGrid("Stored");
    this.cue = new MarkGrid("Cue");
    this.retrieved = new MarkGrid("Came back");
    this.which = choice({
      id: "show", label: "Recall", value: state.show,
      options: [["age", "the pattern of this age"], ["follow", "this one pattern, as it ages"], ["own", "my drawing"]],
      changed: (show) => changed({ show, index: this.index }),
    });
    this.age = slider({
      id: "age", label: "Age of the pattern", values: STOPS.age, value: state.age,
      changed: (age) => changed({ age, show: "age" }), say: (age) => (age === 1 ? "1 (the newest)" : String(age)),
    });
    this.result = element("p", { id: "result", class: "result" });
    this.root = element("section", { class: "card recall", "aria-labelledby": "recall-title" },
      element("h2", { id: "recall-title" }, "One memory"),
      element("div", { class: "three" }, this.stored.root, this.cue.root, this.retrieved.root),
      markKey([[HIT, "right"], [MISS, "missing"], [FALSE, "wrong"]]),
      this.result,
      element("div", { class: "choose" }, this.which.root, this.age.root));
  }

  set(state) {
    this.which.set(state.show);
    this.age.set(state.age);
  }

  show({ recall, stored }, state) {
    if (!recall) {
      for (const grid of [this.stored, this.cue, this.retrieved]) grid.show(new Uint8Array(1000));
      this.result.textContent = missing(state, stored);
      return;
    }
    this.index = recall.index;
    this.stored.show(marksOf(recall.pattern));
    this.cue.show(marksOf(recall.cue));
    this.retrieved.show(marksOf(recall.pattern, recall.retrieved));
    this.result.textContent = sentence(recall);
  }

  /** Say what is seen, when nothing moves. */
  rest({ recall }) {
    this.stored.say(recall ? `Stored pattern with ${recall.pattern.length} ones` : "No pattern");
    this.cue.say(recall ? `Cue with ${recall.cue.length} of these ones` : "No cue");
    this.retrieved.say(recall ? sentence(recall) : "Nothing came back");
  }
}

function missing({ show }, stored) {
  if (stored === 0) return "Nothing is stored yet.";
  return show === "own" ? "You have not stored a drawing yet." : "There is no pattern of this age.";
}

/** Say how well a pattern came back. */
export function sentence({ age, isOwn, pattern, tally, accuracy, oneWinner }) {
  const subject = isOwn ? "Your pattern" : "The pattern";
  return `${subject} of age ${age.toLocaleString("en")}: ${tally.hits} of ${pattern.length} ones came back ` +
    `(${Math.round(100 * accuracy)} %), ${tally.false} wrong. The 1-winner MHN: ${Math.round(100 * oneWinner)} %.`;
}
