// The hidden units: who won, how strong they are, and the weights of one of them.

import { choice, element } from "./controls.js";
import { Grid } from "./memory/grid.js";
import { drawDots } from "./memory/marks.js";
import { colour } from "./theme.js";

const LABEL = { "aria-label": "Nothing is stored yet" }; // until there is more to say

/** Return columns and rows for n units, about as wide as the grid of visible units. */
function shapeOf(n) {
  const columns = Math.ceil(Math.sqrt(1.6 * n));
  return [columns, Math.ceil(n / columns)];
}

/** The card with the hidden units. */
export class UnitsCard {
  /** changed(part) is called with what the user has changed of the state: {unit, shade}. */
  constructor(state, changed) {
    this.changed = changed;
    this.frame = null;
    this.shade = choice({
      id: "shade", label: "Darkness shows", value: state.shade,
      options: [["drive", "drive by the cue"], ["wins", "how often each has won"]],
      changed: (shade) => changed({ shade }),
    });
    this.grid = new Grid({ paint: (...a) => this.paint(...a), attributes: { class: "units", id: "units", ...LABEL } });
    this.grid.canvas.addEventListener("click", (event) => {
      const unit = this.grid.at(event);
      if (unit >= 0 && unit < this.frame?.wins.length) changed({ unit });
    });
    this.input = element("input", {
      id: "unit", type: "number", min: 0, value: state.unit, onchange: () => this.choose(Number(this.input.value)),
    });
    this.words = element("p", { id: "winners" });
    this.about = element("p", { id: "unit-about" });
    this.weights = new Grid({ paint: (...a) => this.paintWeights(...a), attributes: { id: "weights", ...LABEL } });
    this.root = element("section", { class: "card", "aria-labelledby": "units-title" },
      element("h2", { id: "units-title" }, "Hidden units"),
      this.shade.root, this.grid.canvas,
      element("ul", { class: "key" },
        element("li", {}, element("span", { class: "ring", "aria-hidden": "true" }), "won when it was stored"),
        element("li", {}, element("span", { class: "spot", "aria-hidden": "true" }), "wins for the cue")),
      this.words,
      element("div", { class: "row" }, element("label", { for: "unit" }, "Unit"), this.input,
        element("button", { id: "next-winner", onclick: () => this.nextWinner() }, "Next winner")),
      this.about,
      element("figure", {}, element("figcaption", {}, "Its weights, where the visible units are"), this.weights.canvas),
      element("ul", { class: "key" },
        element("li", {}, element("span", { class: "bar up", "aria-hidden": "true" }), "left: W, to it"),
        element("li", {}, element("span", { class: "bar down", "aria-hidden": "true" }), "right: W', back from it")),
      element("p", { class: "note" }, "Bars are as high as the weights, from 0 to 1. A faint dot: no connection."));
  }

  set(state) {
    this.shade.set(state.shade);
    this.input.value = state.unit;
  }

  choose(unit) {
    const most = (this.frame?.wins.length ?? 1) - 1;
    this.changed({ unit: Math.min(Math.max(Math.floor(unit) || 0, 0), most) });
  }

  nextWinner() {
    const winners = this.frame?.recall?.cueWinners ?? [];
    if (winners.length > 0) this.choose(winners.find((unit) => unit > Number(this.input.value)) ?? winners[0]);
  }

  show(frame, state) {
    this.frame = frame;
    this.shadeBy = state.shade;
    this.grid.resize(...shapeOf(frame.wins.length));
    this.input.max = frame.wins.length - 1;
    this.grid.draw();
    this.weights.draw();
    this.words.textContent = winnersWords(frame);
    this.about.textContent = unitWords(frame);
  }

  /** Say what is seen, when nothing moves. */
  rest(frame) {
    this.grid.canvas.setAttribute("aria-label", `${frame.wins.length} hidden units. ${winnersWords(frame)}`);
    const { index, weights, return_weights } = frame.unit;
    const [to, from] = [weights, return_weights].map((values) => values.filter((value) => value > 0.5).length);
    this.weights.canvas.setAttribute("aria-label",
      `Unit ${index} has ${weights.length} connections; above one half are ${to} weights to it and ${from} from it`);
  }

  paint(context, cell, { columns }) {
    if (!this.frame) return;
    const { recall, wins, unit } = this.frame;
    const values = this.shadeBy === "wins" || !recall ? wins : recall.drives;
    let [least, greatest] = [Infinity, -Infinity];
    for (const value of values) [least, greatest] = [Math.min(least, value), Math.max(greatest, value)];
    const place = (i) => [(i % columns) * cell, Math.floor(i / columns) * cell];
    const gap = cell * 0.08;
    context.fillStyle = colour("blue");
    values.forEach((value, i) => {
      const [x, y] = place(i);
      context.globalAlpha = 0.08 + (greatest > least ? (0.72 * (value - least)) / (greatest - least) : 0);
      context.fillRect(x + gap, y + gap, cell - 2 * gap, cell - 2 * gap);
    });
    context.globalAlpha = 1;
    context.strokeStyle = colour("vermilion");
    context.lineWidth = Math.max(1.3, cell * 0.16);
    for (const i of recall?.winners ?? []) {
      const [x, y] = place(i);
      context.strokeRect(x + cell * 0.1, y + cell * 0.1, cell * 0.8, cell * 0.8);
    }
    context.fillStyle = colour("text");
    for (const i of recall?.cueWinners ?? []) {
      const [x, y] = place(i);
      context.beginPath();
      context.arc(x + cell / 2, y + cell / 2, Math.max(1.3, cell * 0.22), 0, 2 * Math.PI);
      context.fill();
    }
    const [x, y] = place(unit.index);
    context.strokeStyle = colour("focus");
    context.lineWidth = 2.5;
    context.strokeRect(x - 2, y - 2, cell + 4, cell + 4);
  }

  /** Draw two bars for each connection, on a base line that shows where one is. */
  paintWeights(context, cell, grid) {
    drawDots(context, cell, grid);
    if (!this.frame) return;
    const { connections, weights, return_weights } = this.frame.unit;
    const [base, up, down] = [colour("muted"), colour("purple"), colour("green")];
    const bar = cell * 0.4;
    connections.forEach((j, q) => {
      const [x, y] = [(j % grid.columns) * cell + cell * 0.08, (Math.floor(j / grid.columns) + 0.95) * cell];
      context.fillStyle = base;
      context.fillRect(x, y - 1, 2 * bar, 1);
      context.fillStyle = up;
      context.fillRect(x, y, bar, -0.9 * cell * weights[q]);
      context.fillStyle = down;
      context.fillRect(x + bar, y, bar, -0.9 * cell * return_weights[q]);
    });
  }
}

function winnersWords({ recall }) {
  if (!recall) return "";
  const stored = new Set(recall.winners);
  const again = recall.cueWinners.filter((unit) => stored.has(unit)).length;
  return `Of ${stored.size} ${stored.size === 1 ? "unit" : "units"} that won when it was stored, ${again} ` +
    `${again === 1 ? "wins" : "win"} again for the cue.`;
}

function unitWords({ unit, recall }) {
  const drive = recall ? ` Its drive by the cue is ${recall.drives[unit.index].toFixed(2)}.` : "";
  return `Unit ${unit.index} has ${unit.connections.length} connections and has won ${unit.wins} ` +
    `${unit.wins === 1 ? "time" : "times"}.${drive}`;
}
