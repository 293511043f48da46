// A pattern of one's own: draw it, store it, store others on top, recall it.

import { element } from "./controls.js";
import { COLUMNS, Grid, ROWS } from "./memory/grid.js";
import { FALSE, HIT, MISS, MarkGrid, drawDots, drawMark, markKey, marksOf } from "./memory/marks.js";
import { filledUp, patternOf, positions } from "./memory/patterns.js";
import { Generator, seedFor } from "./memory/random.js";
import { sentence } from "./memory/recall.js";
import { colour } from "./theme.js";

const ONES = 100; // k_v
const MIDDLE = (ROWS >> 1) * COLUMNS + (COLUMNS >> 1);
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return a face of 100 ones, for those who do not want to draw. */
function face() {
  const pattern = new Uint8Array(COLUMNS * ROWS);
  const set = (x, y) => (pattern[Math.round(y) * COLUMNS + Math.round(x)] = 1);
  const arc = (first, last, middle, radius) => {
    for (let a = first; a <= last; a += 2) {
      set(20 + radius * Math.cos((a * Math.PI) / 180), middle + radius * Math.sin((a * Math.PI) / 180));
    }
  };
  arc(0, 358, 12, 10.5);
  arc(20, 160, 12.6, 6);
  for (const x of [15, 16, 24, 25]) for (const y of [7, 8, 9]) set(x, y);
  set(20, 12);
  return pattern;
}

/** The card for drawing. */
export class DrawingCard {
  /** changed(part) with {drawing}; act(what): "store", "cover" or "recall". */
  constructor(state, changed, act) {
    this.changed = changed;
    this.pattern = patternOf(state.drawing, COLUMNS * ROWS);
    this.cursor = MIDDLE;
    this.age = null;
    this.rng = new Generator(seedFor(state.seed, "drawing"));
    this.grid = new Grid({
      paint: (...a) => this.paint(...a),
      attributes: {
        id: "drawing", role: "application", tabindex: 0, class: "draw", "aria-describedby": "drawing-help",
        "aria-label": "Drawing of 40 by 25 cells",
      },
    });
    this.listen();
    this.count = element("p", { id: "count" });
    this.said = element("p", { class: "unseen", "aria-live": "polite" });
    this.result = element("p", { id: "own-result" });
    this.back = new MarkGrid("What came back");
    const button = (id, text, pressed, kind = "") => element("button", { id, onclick: pressed, class: kind }, text);
    this.fill = button("fill", "Fill up to 100", () => this.put(filledUp(this.pattern, ONES, this.rng)));
    this.store = button("store-own", "Store it", () => act("store"), "main");
    this.cover = button("cover", "Store 100 others on top", () => act("cover"));
    this.recall = button("recall-own", "Recall it", () => act("recall"));
    this.root = element("section", { class: "card drawing", "aria-labelledby": "drawing-title" },
      element("h2", { id: "drawing-title" }, "A pattern of your own"),
      element("p", { class: "note", id: "drawing-help" },
        "Draw with mouse or finger. By keyboard: arrows move, the space bar switches a cell."),
      element("div", { class: "own" },
        element("div", {},
          element("div", { class: "two" },
            element("figure", {}, element("figcaption", {}, "Your pattern"), this.grid.canvas), this.back.root),
          markKey([[HIT, "right"], [MISS, "missing"], [FALSE, "wrong"]]), this.result, this.said),
        element("div", {}, this.count,
          element("div", { class: "row" }, this.fill, button("face", "Draw a face", () => this.put(face())),
            button("clear", "Clear", () => this.put(new Uint8Array(COLUMNS * ROWS)))),
          element("div", { class: "row" }, this.store, this.cover, this.recall))));
    this.told();
  }

  get ones() {
    return Array.from(positions(this.pattern));
  }

  set(state) {
    this.pattern = patternOf(state.drawing, COLUMNS * ROWS);
    this.cursor = MIDDLE;
    this.rng = new Generator(seedFor(state.seed, "drawing"));
    this.told();
  }

  put(pattern) {
    this.pattern = pattern;
    this.told();
    this.changed({ drawing: this.ones });
  }

  listen() {
    const { canvas } = this.grid;
    let pen = null; // what a stroke writes: the first cell decides
    const write = (event) => {
      const cell = this.grid.at(event);
      if (cell < 0) return;
      pen ??= 1 - this.pattern[cell];
      this.cursor = cell;
      this.pattern[cell] = pen;
      this.told();
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      write(event);
    });
    canvas.addEventListener("pointermove", (event) => pen !== null && write(event));
    const end = () => {
      if (pen === null) return;
      pen = null;
      this.changed({ drawing: this.ones });
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => this.grid.draw());
    canvas.addEventListener("blur", () => this.grid.draw());
  }

  key(event) {
    const [x, y] = [this.cursor % COLUMNS, Math.floor(this.cursor / COLUMNS)];
    if (MOVES[event.key]) {
      const [dx, dy] = MOVES[event.key];
      const clamp = (value, n) => Math.min(Math.max(value, 0), n - 1);
      this.cursor = clamp(y + dy, ROWS) * COLUMNS + clamp(x + dx, COLUMNS);
    } else if (event.key === " " || event.key === "Enter") {
      this.pattern[this.cursor] ^= 1;
      this.changed({ drawing: this.ones });
    } else return;
    event.preventDefault();
    this.told();
    const [column, row] = [(this.cursor % COLUMNS) + 1, Math.floor(this.cursor / COLUMNS) + 1];
    this.said.textContent = `Row ${row}, column ${column}, ${this.pattern[this.cursor] ? "on" : "off"}`;
  }

  /** Draw, and say how many ones there are. */
  told() {
    this.grid.draw();
    const n = this.ones.length;
    const rest = n > ONES ? "some of yours will be missing" : "the others will be wrong";
    const other = n > 0 && n !== ONES ? ` The memory always recalls ${ONES}, so ${rest}.` : "";
    this.count.textContent = `${n} of ${ONES} ones are set.${other}`;
    this.fill.textContent = n > ONES ? `Thin to ${ONES} at random` : `Fill up to ${ONES} at random`;
    this.fill.disabled = n === ONES;
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
    } else if (ownAge === null) this.back.show(new Uint8Array(COLUMNS * ROWS));
  }

  /** Say what is seen, when nothing moves. */
  rest({ ownAge, recall }) {
    if (ownAge === null) this.result.textContent = "";
    else if (recall?.isOwn) this.result.textContent = sentence(recall);
    else this.result.textContent = `Your pattern is stored; its age is ${ownAge.toLocaleString("en")}.`;
    this.back.say(recall?.isOwn ? sentence(recall) : "Nothing was recalled");
  }

  paint(context, cell, grid) {
    drawDots(context, cell, grid);
    const place = (j) => [(j % COLUMNS) * cell, Math.floor(j / COLUMNS) * cell];
    this.pattern.forEach((x, j) => x && drawMark(context, HIT, ...place(j), cell));
    if (document.activeElement !== grid.canvas) return;
    const [x, y] = place(this.cursor);
    context.strokeStyle = colour("focus");
    context.lineWidth = 2;
    context.strokeRect(x - 1, y - 1, cell + 2, cell + 2);
  }
}
