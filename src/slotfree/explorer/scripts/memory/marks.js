// Marks of visible units, told apart by colour and by shape: hits are full squares, misses hollow, false ones crosses.

import { element } from "./controls.js";
import { Grid } from "./memory/grid.js";
import { colour } from "./theme.js";

export const HIT = 1;
export const MISS = 2;
export const FALSE = 3;

/** Draw a mark in a cell whose corner is (x, y). */
export function drawMark(context, mark, x, y, cell) {
  const gap = cell * 0.12;
  const side = cell - 2 * gap;
  if (mark === HIT) {
    context.fillStyle = colour("hit");
    context.fillRect(x + gap, y + gap, side, side);
  } else if (mark === MISS) {
    context.strokeStyle = colour("muted");
    context.lineWidth = Math.max(1, cell * 0.13);
    context.strokeRect(x + 1.6 * gap, y + 1.6 * gap, side - 1.2 * gap, side - 1.2 * gap);
  } else if (mark === FALSE) {
    context.strokeStyle = colour("false");
    context.lineWidth = Math.max(1.2, cell * 0.24);
    context.beginPath();
    context.moveTo(x + 1.5 * gap, y + 1.5 * gap);
    context.lineTo(x + cell - 1.5 * gap, y + cell - 1.5 * gap);
    context.moveTo(x + cell - 1.5 * gap, y + 1.5 * gap);
    context.lineTo(x + 1.5 * gap, y + cell - 1.5 * gap);
    context.stroke();
  }
}

/** Draw a faint dot in each cell, so that the grid can be seen where it is empty. */
export function drawDots(context, cell, { columns, rows }) {
  context.fillStyle = colour("line");
  context.globalAlpha = 0.6;
  const dot = Math.max(1, cell * 0.16);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      context.fillRect((column + 0.5) * cell - dot / 2, (row + 0.5) * cell - dot / 2, dot, dot);
    }
  }
  context.globalAlpha = 1;
}

/** Return the marks of what came back: {retrieved, pattern}, positions of ones; alone, ones are hits. */
export function marksOf(pattern, retrieved, n = 1000) {
  const marks = new Uint8Array(n);
  for (const j of pattern) marks[j] = retrieved ? MISS : HIT;
  for (const j of retrieved ?? []) marks[j] = marks[j] === MISS ? HIT : FALSE;
  return marks;
}

/** A grid of marks with a caption. */
export class MarkGrid {
  constructor(caption) {
    this.marks = new Uint8Array(1000);
    this.grid = new Grid({ paint: (context, cell, grid) => this.paint(context, cell, grid) });
    this.caption = element("figcaption", {}, caption);
    this.root = element("figure", { class: "marks" }, this.caption, this.grid.canvas);
    this.say(`${caption}: nothing yet`);
  }

  show(marks) {
    this.marks = marks;
    this.grid.draw();
  }

  /** Say what is seen, for those who do not see it. */
  say(words) {
    this.grid.canvas.setAttribute("aria-label", words);
  }

  paint(context, cell, grid) {
    drawDots(context, cell, grid);
    this.marks.forEach((mark, j) => {
      drawMark(context, mark, (j % grid.columns) * cell, Math.floor(j / grid.columns) * cell, cell);
    });
  }
}

/** Return a key of marks: [[mark, words], …]. */
export function markKey(entries) {
  const items = entries.map(([mark, words]) => {
    const grid = new Grid({
      columns: 1, rows: 1, paint: (context, cell) => drawMark(context, mark, 0, 0, cell),
      attributes: { role: "presentation", class: "sample" },
    });
    return element("li", {}, grid.canvas, words);
  });
  return element("ul", { class: "key" }, ...items);
}
