// The state of the tab, and how it is written in the address.

import { positions } from "./memory/patterns.js";
import { GRID } from "./theory.js";

/** The stops of the sliders; those of the memory are those of the table of predictions. */
export const STOPS = {
  ...GRID,
  n_flips: [5, 10, 15, 20, 30],
  speed: [1, 5, 20, 100, 500, 100000], // patterns per second; the last is as many as the machine can
  age: [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000],
};

const CHOICES = {
  similarity: ["random", "tree", "clusters", "digits"], show: ["age", "follow", "own"], shade: ["drive", "wins"],
};
const WHOLE = { seed: 2 ** 32 - 1, stored: 50000, index: 10 ** 9, unit: 4000 }; // with the largest that is allowed

/** The state in which the tab opens first. */
export const DEFAULT_STATE = {
  n_hidden: 2000, k_hidden: 50, fan_in: 0.05, learning_rate: 0.3, cue: 1, similarity: "random", n_flips: 10, seed: 1,
  speed: 100, playing: true, stored: 0, show: "age", age: 1, index: 0, unit: 0, shade: "drive", own: [], drawing: [],
};

/** Return the state that texts of the address say; what is unknown or bad is as in the default. */
export function readState(values) {
  const state = { ...DEFAULT_STATE };
  for (const [name, stops] of Object.entries(STOPS)) {
    if (stops.includes(Number(values[name]))) state[name] = Number(values[name]);
  }
  for (const [name, options] of Object.entries(CHOICES)) if (options.includes(values[name])) state[name] = values[name];
  for (const [name, most] of Object.entries(WHOLE)) {
    if (/^\d+$/.test(values[name] ?? "") && Number(values[name]) <= most) state[name] = Number(values[name]);
  }
  state.k_hidden = Math.min(state.k_hidden, state.n_hidden);
  state.unit = Math.min(state.unit, state.n_hidden - 1);
  if (values.playing === "0") state.playing = false;
  state.drawing = decodeOnes(values.drawing ?? "") ?? [];
  state.own = (values.own ?? "").split(".").flatMap((text) => {
    const [index, bits = ""] = text.split("-");
    const ones = decodeOnes(bits);
    return /^\d+$/.test(index) && ones && ones.length > 0 ? [{ index: Number(index), ones }] : [];
  });
  return state;
}

/** Return the state as texts; what is as in the default is left out. */
export function writeState(state) {
  const values = {};
  for (const name of [...Object.keys(STOPS), ...Object.keys(CHOICES), ...Object.keys(WHOLE)]) {
    if (state[name] !== DEFAULT_STATE[name]) values[name] = String(state[name]);
  }
  if (!state.playing) values.playing = "0";
  if (state.drawing.length > 0) values.drawing = encodeOnes(state.drawing);
  if (state.own.length > 0) values.own = state.own.map(({ index, ones }) => `${index}-${encodeOnes(ones)}`).join(".");
  return values;
}

/** Return positions of ones, below 1000, as a string that an address can hold: their bits, six to a letter. */
export function encodeOnes(ones) {
  const bytes = new Uint8Array(125);
  for (const j of ones) bytes[j >> 3] |= 1 << (j & 7);
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "*").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the positions that a string holds, or null. */
export function decodeOnes(text) {
  if (!/^[A-Za-z0-9*_]{167}$/.test(text)) return null;
  const bytes = atob(text.replaceAll("*", "+").replaceAll("_", "/"));
  const pattern = new Uint8Array(1000);
  for (let j = 0; j < 1000; j++) pattern[j] = (bytes.charCodeAt(j >> 3) >> (j & 7)) & 1;
  return Array.from(positions(pattern));
}
