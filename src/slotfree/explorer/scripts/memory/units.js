// The hidden units: who won, how strong they are, and the weights of one of them.

import { choice, element } from "./controls.js";
import { Grid } from "./memory/grid.js";
import { drawDots } from "./memory/marks.js";
import { colour } from "./theme.js";

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
    this.grid = new Grid({ paint: (...a) => this.paint(...a), attributes: { class: "units", id: "units" } });
    this.grid.canvas.addEventListener("click", (event) => {
      const unit = this.grid.at(event);
      if (unit >= 0 && unit < this.frame?.wins.length) changed({ unit });
    });
    this.input = element("input", {
      id: "unit", type: "number", min: 0, value: state.unit, onchange: () => this.choose(Number(this.input.value)),
    });
    this.words = element("p", { id: "winners" });
    this.about = element("p", { id: "unit-about" });
    this.weights = ["W, from visible units to it", "W', from it to visible units"].map((caption, m) => {
      const grid = new Grid({ paint: (...a) => this.paintWeights(m, ...a) });
      return { grid, root: element("figure", {}, element("figcaption", {}, caption), grid.canvas) };
    });
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
      element("div", { class: "two" }, ...this.weights.map(({ root }) => root)),
      element("p", { class: "note" }, "A square for each connection, as large as its weight, from 0 (a ring) to 1. ",
        "Where there is no connection, there is a faint dot."));
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
    for (const { grid } of this.weights) grid.draw();
    this.words.textContent = winnersWords(frame);
    this.about.textContent = unitWords(frame);
  }

  /** Say what is seen, when nothing moves. */
  rest(frame) {
    this.grid.canvas.setAttribute("aria-label", `${frame.wins.length} hidden units. ${winnersWords(frame)}`);
    const { weights, return_weights } = frame.unit;
    [weights, return_weights].forEach((values, m) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const strong = values.filter((value) => value > 0.5).length;
      this.weights[m].grid.canvas.setAttribute("aria-label",
        `${values.length} weights of unit ${frame.unit.index}, mean ${mean.toFixed(2)}; ${strong} are above one half`);
    });
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

  paintWeights(m, context, cell, grid) {
    drawDots(context, cell, grid);
    if (!this.frame) return;
    const { connections, weights, return_weights } = this.frame.unit;
    const values = m === 0 ? weights : return_weights;
    const [full, ring] = [colour(m === 0 ? "purple" : "green"), colour("muted")];
    connections.forEach((j, q) => {
      const side = cell * (0.25 + 0.7 * values[q]);
      const [x, y] = [((j % grid.columns) + 0.5) * cell, (Math.floor(j / grid.columns) + 0.5) * cell];
      if (values[q] < 0.05) {
        context.strokeStyle = ring;
        context.lineWidth = 1;
        context.strokeRect(x - cell * 0.2, y - cell * 0.2, cell * 0.4, cell * 0.4);
      } else {
        context.fillStyle = full;
        context.fillRect(x - side / 2, y - side / 2, side, side);
      }
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
