// A pattern of one's own: draw it, store it, store others on top, recall it.

import { element } from "./controls.js";
import { digit, face, thickened } from "./memory/glyphs.js";
import { FALSE, HIT, MISS, MarkGrid, markKey, marksOf } from "./memory/marks.js";
import { DrawingPad } from "./memory/pad.js";
import { positions, thinned } from "./memory/patterns.js";
import { Generator, seedFor } from "./memory/random.js";
import { sentence } from "./memory/recall.js";

const ONES = 100; // k_v

/** The card for drawing. */
export class DrawingCard {
  /** changed(part) with {drawing}; act(what): "store", "cover" or "recall". */
  constructor(state, changed, act) {
    this.changed = changed;
    this.age = null;
    this.count = element("p", { id: "count" });
    this.result = element("p", { id: "own-result" });
    this.back = new MarkGrid("What came back");
    const button = (id, text, pressed, kind = "") => element("button", { id, onclick: pressed, class: kind }, text);
    this.fill = button("fill", "", () => this.put(this.withAllOnes()));
    this.store = button("store-own", "Store it", () => act("store"), "main");
    this.cover = button("cover", "Store 100 others on top", () => act("cover"));
    this.recall = button("recall-own", "Recall it", () => act("recall"));
    this.pad = new DrawingPad({
      id: "drawing", label: "Drawing of 40 by 25 cells", help: "drawing-help",
      told: () => this.told(), drawn: () => changed({ drawing: this.ones }),
    });
    let next = 0;
    this.root = element("section", { class: "card drawing", "aria-labelledby": "drawing-title" },
      element("h2", { id: "drawing-title" }, "A pattern of your own"),
      element("p", { class: "note", id: "drawing-help" },
        "Draw with mouse or finger. By keyboard: arrows move, the space bar switches a cell."),
      element("div", { class: "own" },
        element("div", {},
          element("div", { class: "two" },
            element("figure", {}, element("figcaption", {}, "Your pattern"), this.pad.grid.canvas), this.back.root),
          markKey([[HIT, "right"], [MISS, "missing"], [FALSE, "wrong"]]), this.result, this.pad.said),
        element("div", {}, this.count,
          element("div", { class: "row" }, this.fill, button("face", "Draw a face", () => this.put(face())),
            button("digit", "Draw a digit", () => this.put(digit(next++ % 10))),
            button("clear", "Clear", () => this.put([]))),
          element("div", { class: "row" }, this.store, this.cover, this.recall))));
    this.set(state);
  }

  get ones() {
    return this.pad.ones;
  }

  set(state) {
    this.rng = new Generator(seedFor(state.seed, "drawing"));
    this.pad.set(state.drawing);
  }

  put(pattern) {
    this.pad.set(positions(pattern));
    this.changed({ drawing: this.ones });
  }

  /** Return the drawing with a thicker pen, or with as many of its ones as a pattern has. */
  withAllOnes() {
    return this.ones.length < ONES ? thickened(this.pad.pattern, ONES) : thinned(this.pad.pattern, ONES, this.rng);
  }

  /** Say how many ones there are. */
  told() {
    const n = this.ones.length;
    const rest = n > ONES ? "some of yours will be missing" : "the others will be wrong";
    const other = n > 0 && n !== ONES ? ` The memory always recalls ${ONES}, so ${rest}.` : "";
    this.count.textContent = `${n} of ${ONES} ones are set.${other}`;
    this.fill.textContent = n > ONES ? `Thin to ${ONES} at random` : `Thicken to ${ONES}`;
    this.fill.disabled = n === ONES || n === 0;
    this.store.disabled = n === 0;
    this.buttons();
  }

  buttons() {
    this.cover.disabled = this.age === null;
    this.recall.disabled = this.age === null;
  }

  show({ ownAge, recall }) {
    this.age = ownAge;
    this.buttons();
    if (recall?.isOwn) {
      this.back.show(marksOf(recall.pattern, recall.retrieved));
    } else if (ownAge === null) this.back.show(new Uint8Array(1000));
  }

  /** Say what is seen, when nothing moves. */
  rest({ ownAge, recall }) {
    if (ownAge === null) this.result.textContent = "";
    else if (recall?.isOwn) this.result.textContent = sentence(recall);
    else this.result.textContent = `Your pattern is stored; its age is ${ownAge.toLocaleString("en")}.`;
    this.back.say(recall?.isOwn ? sentence(recall) : "Nothing was recalled");
  }
}
