// A canvas of cells, drawn sharply at whatever width it has, and again when width or colours change.

import { element } from "./controls.js";
import { COLUMNS, ROWS } from "./memory/shape.js";
import { onTheme } from "./theme.js";

export class Grid {
  /** paint(context, cell, grid) draws all cells; cell is their width in pixels of the style sheet. */
  constructor({ columns = COLUMNS, rows = ROWS, paint, attributes = {} }) {
    Object.assign(this, { columns, rows, paint });
    this.canvas = element("canvas", { role: "img", ...attributes });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    onTheme(() => this.draw());
  }

  /** Change the number of cells. */
  resize(columns, rows) {
    Object.assign(this, { columns, rows });
    this.canvas.style.aspectRatio = `${columns} / ${rows}`;
  }

  draw() {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    this.canvas.style.aspectRatio = `${this.columns} / ${this.rows}`;
    const cell = width / this.columns;
    const ratio = globalThis.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(cell * this.rows * ratio)];
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, cell * this.rows);
    this.paint(context, cell, this);
  }

  /** Return the cell at a pointer's place. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.rows);
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return -1;
    return row * this.columns + column;
  }
}
