// A grid of cells to draw on, with a mouse, a finger or the keyboard.

import { element } from "./controls.js";
import { Grid } from "./memory/grid.js";
import { HIT, drawDots, drawMark } from "./memory/marks.js";
import { patternOf, positions } from "./memory/patterns.js";
import { COLUMNS, ROWS } from "./memory/shape.js";
import { colour } from "./theme.js";

const MIDDLE = (ROWS >> 1) * COLUMNS + (COLUMNS >> 1);
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class DrawingPad {
  /** help: the id of the words that say how to draw. told() hears of each cell; drawn() of each finished stroke. */
  constructor({ id, label, help, told, drawn }) {
    Object.assign(this, { told, drawn });
    this.pattern = new Uint8Array(COLUMNS * ROWS);
    this.cursor = MIDDLE;
    this.grid = new Grid({
      paint: (...a) => this.paint(...a),
      attributes: { id, role: "application", tabindex: 0, class: "draw", "aria-describedby": help, "aria-label": label },
    });
    this.said = element("p", { class: "unseen", "aria-live": "polite" });
    this.listen();
  }

  get ones() {
    return Array.from(positions(this.pattern));
  }

  /** Show a drawing, by the positions of its ones. */
  set(ones) {
    this.pattern = patternOf(ones, COLUMNS * ROWS);
    this.cursor = MIDDLE;
    this.changed();
  }

  changed() {
    this.grid.draw();
    this.told();
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
      this.changed();
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      write(event);
    });
    canvas.addEventListener("pointermove", (event) => pen !== null && write(event));
    const end = () => {
      if (pen === null) return;
      pen = null;
      this.drawn();
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
      this.drawn();
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.changed();
    const [column, row] = [(this.cursor % COLUMNS) + 1, Math.floor(this.cursor / COLUMNS) + 1];
    this.said.textContent = `Row ${row}, column ${column}, ${this.pattern[this.cursor] ? "on" : "off"}`;
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
