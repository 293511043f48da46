// Patterns that can be recognised: a face and digits of our own drawing, each made of exactly as many cells as asked for.
//
// A glyph is a set of pen strokes. Its cells are those closest to the strokes, so that the pen is as thick as the number
// of cells needs, and no cell lies apart.

import { COLUMNS, ROWS } from "./memory/shape.js";

const ONES = 100; // k_v

/** Return the points of an arc around (x, y), from one angle to another, in degrees; 90 is downwards. */
function arc(x, y, [across, down], first, last) {
  const n = Math.ceil(Math.abs(last - first) / 15);
  return Array.from({ length: n + 1 }, (_, i) => {
    const angle = ((first + ((last - first) * i) / n) * Math.PI) / 180;
    return [x + across * Math.cos(angle), y + down * Math.sin(angle)];
  });
}

// In a box 10 wide and 16 high.
const SIX = [arc(5, 11, [5, 5], 0, 360), [[0, 11], [0.6, 7], [2.2, 4], [4.4, 1.8], [7.5, 0]]];
const DIGITS = [
  [arc(5, 8, [5, 8], 0, 360)],
  [[[1, 4], [6, 0], [6, 16]], [[2, 16], [10, 16]]],
  [[...arc(5, 4.8, [4.8, 4.8], -165, 30), [0, 16], [10, 16]]],
  [arc(4.6, 4, [4.6, 4], -150, 90), arc(4.4, 12, [5.4, 4], -90, 155)],
  [[[7.5, 16], [7.5, 0], [0, 11], [10, 11]]],
  [[[9, 0], [1.2, 0], [0.6, 7.2]], arc(4.6, 10.8, [5.2, 5.2], -140, 145)],
  SIX,
  [[[0, 0], [10, 0], [4, 16]]],
  [arc(5, 3.8, [4.1, 3.8], 0, 360), arc(5, 11.8, [5, 4.2], 0, 360)],
  SIX.map((stroke) => stroke.map(([x, y]) => [10 - x, 16 - y])),
];
const FACE = [
  arc(19.5, 12, [10.3, 10.3], 0, 360), arc(19.5, 12.2, [5.9, 5.6], 25, 155),
  [[15.5, 7], [15.5, 9]], [[23.5, 7], [23.5, 9]],
];

/** Return the distance of a place from the nearest stroke. */
function distance(strokes, x, y) {
  let least = Infinity;
  for (const stroke of strokes) {
    for (let i = 0; i < stroke.length; i++) {
      const [[ax, ay], [bx, by]] = [stroke[i], stroke[Math.min(i + 1, stroke.length - 1)]];
      const [dx, dy] = [bx - ax, by - ay];
      const along = dx || dy ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0), 1) : 0;
      least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
    }
  }
  return least;
}

/** Return a pattern of the n cells that are closest to some strokes; of equally close ones, the first. */
function closest(strokes, n = ONES) {
  const far = Array.from({ length: COLUMNS * ROWS }, (_, j) =>
    Math.round(1e6 * distance(strokes, j % COLUMNS, Math.floor(j / COLUMNS))));
  const order = far.map((_, j) => j).sort((a, b) => far[a] - far[b] || a - b);
  const pattern = new Uint8Array(far.length);
  for (const j of order.slice(0, n)) pattern[j] = 1;
  return pattern;
}

/** Return the face. */
export function face() {
  return closest(FACE);
}

/** Return a digit in the middle, or with its box moved, widened and slanted: {x, y, size, slant}. */
export function digit(number, { x = 15, y = 4, size = 1, slant = 0 } = {}) {
  const moved = ([a, b]) => [x + size * (a + slant * (8 - b)), y + size * b];
  return closest(DIGITS[number].map((stroke) => stroke.map(moved)));
}

/** Draw a digit at random: which it is, where, how large and how slanted. */
export function someDigit(rng) {
  const part = (least, most) => least + (most - least) * rng.random();
  return digit(rng.below(10), {
    x: part(3, COLUMNS - 14), y: part(2, ROWS - 19), size: part(0.85, 1.05), slant: part(-0.2, 0.2),
  });
}

/** Return a drawing with exactly n ones, if it has fewer: the cells closest to it are added. */
export function thickened(pattern, n = ONES) {
  const points = [];
  pattern.forEach((x, j) => x && points.push([[j % COLUMNS, Math.floor(j / COLUMNS)]]));
  return points.length < n ? closest(points, n) : pattern;
}
