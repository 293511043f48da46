// Pictures of weights: cells in blue where they are positive and in orange where they are negative.

import { element } from "./controls.js";
import { holds } from "./attention/words.js";
import { colour } from "./theme.js";

const SHARP = 2; // pixels of the canvas for each of the page
const KEY_CELL = 4;
const TOKEN_CELL = 9;
const VALUE_CELL = 12;
const GAP = 8;
const HEAD = 26;
const SIDE = 22;

/** Return a canvas that can draw itself again, with a text for those who do not see it. */
function picture(width, height, text, draw) {
  const canvas = element("canvas", { width: SHARP * width, height: SHARP * height, role: "img", "aria-label": text });
  canvas.style.width = `${width}px`;
  canvas.redraw = () => {
    const pen = canvas.getContext("2d");
    pen.setTransform(SHARP, 0, 0, SHARP, 0, 0);
    pen.clearRect(0, 0, width, height);
    draw(pen);
  };
  canvas.redraw();
  return canvas;
}

/** The function that gives a number its colour, with full colour at ±scale. */
function shades(scale) {
  const [ground, positive, negative] = ["ground", "blue", "vermilion"].map((name) => rgb(colour(name)));
  return (value) => {
    const share = Math.min(Math.abs(value) / scale, 1);
    const full = value < 0 ? negative : positive;
    return `rgb(${ground.map((part, i) => Math.round(part + share * (full[i] - part))).join(" ")})`;
  };
}

function rgb(hex) {
  return [1, 3, 5].map((first) => parseInt(hex.slice(first, first + 2), 16));
}

/** A vector as a row of cells. */
export function strip(values, scale, text) {
  const [cell, height] = [5, 14];
  return picture(values.length * cell, height, text, (pen) => {
    const shade = shades(scale);
    values.forEach((value, j) => {
      pen.fillStyle = shade(value);
      pen.fillRect(j * cell, 0, cell, height);
    });
    outline(pen, 0, 0, values.length * cell, height);
  });
}

function outline(pen, x, y, width, height) {
  pen.strokeStyle = colour("line");
  pen.lineWidth = 1;
  pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
}

/** The fast weights after so many items, a row for each hidden unit; the rows of some units are marked. */
export function fastWeightsPicture(trace, task, after, marked, scale, text) {
  const { n_hidden, key_dim, n_tokens, n_outputs } = trace.sizes;
  const row = n_hidden > 20 ? 6 : n_hidden > 8 ? 9 : 14;
  const parts = [
    { name: "key", cell: KEY_CELL, n: key_dim, scale, at: (m, j) => trace.W_HK[after][m * key_dim + j] },
    { name: "item", cell: TOKEN_CELL, n: n_tokens, scale: 1, at: (m, d) => trace.W_IH[after][d * n_hidden + m] },
    { name: "value", cell: VALUE_CELL, n: n_outputs, scale: 1, at: (m, o) => trace.W_VH[after][o * n_hidden + m] },
  ];
  const width = parts.reduce((total, { cell, n }) => total + cell * n + GAP, SIDE);
  return picture(width, HEAD + n_hidden * row + 2, text, (pen) => {
    let x = 0;
    for (const part of parts) {
      drawPart(pen, part, x, n_hidden, row);
      x += part.cell * part.n + GAP;
    }
    pen.font = "9px system-ui, sans-serif";
    pen.textAlign = "center";
    const tokens = key_dim * KEY_CELL + GAP;
    task.token_names.forEach((name, d) => pen.fillText(name.at(-1), tokens + (d + 0.5) * TOKEN_CELL, HEAD - 4));
    drawSide(pen, trace, task, after, marked, x - GAP, row);
  });
}

function drawPart(pen, part, x, n_hidden, row) {
  const shade = shades(part.scale);
  for (let m = 0; m < n_hidden; m += 1) {
    for (let j = 0; j < part.n; j += 1) {
      pen.fillStyle = shade(part.at(m, j));
      pen.fillRect(x + j * part.cell, HEAD + m * row, part.cell, row);
    }
  }
  outline(pen, x, HEAD, part.cell * part.n, n_hidden * row);
  pen.fillStyle = colour("muted");
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.fillText(part.name, x, 11);
}

/** At the right of each unit the letter that it holds; marked units have a frame. */
function drawSide(pen, trace, task, after, marked, end, row) {
  pen.textAlign = "left";
  const lettered = row >= 9;
  pen.font = `${lettered ? "bold 10" : "bold 9"}px system-ui, sans-serif`;
  holds(trace, after).forEach((t, m) => {
    const isMarked = marked.includes(m);
    const middle = HEAD + (m + 0.5) * row;
    if (isMarked) {
      pen.strokeStyle = colour("text");
      pen.lineWidth = lettered ? 1.5 : 0.75;
      pen.strokeRect(0.75, HEAD + m * row, end - 1.5, row);
      pen.fillStyle = colour("text");
      pen.beginPath();
      pen.moveTo(end + 1, middle);
      pen.lineTo(end + 6, middle - 3);
      pen.lineTo(end + 6, middle + 3);
      pen.fill();
    }
    if (t >= 0 && (lettered || (isMarked && !marked.includes(m - 1)))) {
      pen.fillStyle = colour(isMarked ? "text" : "muted");
      pen.fillText(task.token_names[trace.items[t]], end + 8, middle + 3.5);
    }
  });
}
