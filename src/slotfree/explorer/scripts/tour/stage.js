// What is seen on the tour: the picture, its cue, what two memories make of it, their units, and curves.

import { element, slider } from "./controls.js";
import { STOPS } from "./memory/address.js";
import { Chart } from "./memory/chart.js";
import { sample } from "./memory/curve.js";
import { Grid } from "./memory/grid.js";
import { FALSE, HIT, MarkGrid, markKey, marksOf } from "./memory/marks.js";
import { DrawingPad } from "./memory/pad.js";
import { OLDEST } from "./memory/retention.js";
import { TheoryTable } from "./theory.js";
import { colour } from "./theme.js";
import { attentionScene } from "./tour/attention.js";

const LONGEST = 500; // age at which the fading ends
const SHARE = "share of its cells that come back";

/** Return a picture of hidden units of which some won. */
function unitsGrid(columns, rows, label) {
  let winners = [];
  const paint = (context, cell) => {
    context.fillStyle = colour("line");
    const side = Math.max(cell * 0.8, cell - 2);
    for (let i = 0; i < columns * rows; i++) {
      context.fillRect((i % columns) * cell, Math.floor(i / columns) * cell, side, side);
    }
    context.fillStyle = colour("vermilion");
    for (const i of winners) context.fillRect((i % columns) * cell, Math.floor(i / columns) * cell, side, side);
  };
  const grid = new Grid({ columns, rows, paint, attributes: { "aria-label": label, class: "plain" } });
  grid.show = (now) => {
    winners = now;
    grid.draw();
  };
  return grid;
}

/** Return a key for lines of a chart: [[class, words, marker], …]. */
function lineKey(entries) {
  return element("ul", { class: "key" },
    ...entries.map(([kind, words, shape]) => element("li", { "data-line": kind }, sample(kind, shape), words)));
}

export class Stage {
  /** drawn(ones) hears what a visitor draws; share(cue) what part is to be the cue. */
  constructor({ drawn, share, cue }) {
    this.pad = new DrawingPad({
      id: "tour-drawing", label: "The picture, 40 by 25 cells, to be drawn on", help: "tour-help",
      told: () => {}, drawn: () => drawn(this.pad.ones),
    });
    this.cue = new MarkGrid("The cue");
    this.ensemble = new MarkGrid("");
    this.ensemble.caption.append(element("b", {}, "Ensemble"), " of 50 units: what comes back");
    this.slot = new MarkGrid("");
    this.slot.caption.append(element("b", {}, "Slot"), ", one unit: what comes back");
    this.many = unitsGrid(80, 25, "2000 hidden units; the 50 that won are marked");
    this.few = unitsGrid(20, 5, "100 hidden units; the one that won is marked");
    const axis = { xLabel: "age: how many patterns ago it was stored", yLabel: SHARE };
    this.fading = new Chart({ oldest: LONGEST, ...axis, height: 300 });
    this.retention = new Chart({ oldest: OLDEST, ...axis, height: 330 });
    this.share = slider({
      id: "tour-cue", label: "The cue: share of the picture", values: STOPS.cue, value: cue, changed: share,
      say: (part) => `${Math.round(100 * part)} %`,
    });
    TheoryTable.load().then((table) => (this.table = table));
    const figure = (words, ...parts) => element("figure", {}, element("figcaption", {}, words), ...parts);
    this.parts = {
      ensemble: this.ensemble.root,
      slot: this.slot.root,
      stored: element("div", { class: "own-picture" }, figure("The picture: draw on it, too", this.pad.grid.canvas, this.pad.said),
        element("p", { class: "note", id: "tour-help" }, "With mouse, finger, or arrow keys and space bar.")),
      cue: this.cue.root,
      units: element("div", {}, figure("Ensemble: 50 of 2000 hidden units hold it", this.many.canvas),
        figure("Slot: one of 100 hidden units holds it", this.few.canvas)),
      share: this.share.root,
      fading: element("div", {}, this.fading.root, lineKey([["memory", "ensemble"], ["one", "slot"],
        ["level memory", "never stored"]])),
      theory: element("div", {}, this.retention.root, lineKey([["memory", "measured, ± 2 s.e.", "circle"],
        ["theory", "theory"], ["level memory", "never stored"]])),
      attention: element("div", {}),
    };
    this.key = markKey([[HIT, "right"], [FALSE, "wrong"]]);
    this.root = element("div", { class: "stage-of-tour" }, ...Object.values(this.parts));
  }

  /** Show the parts of a step. */
  set({ shows }) {
    this.shows = shows;
    this.trail = [];
    this.retention.show({ series: [], levels: [] });
    this.fading.show({ series: [], levels: [] });
    for (const [name, part] of Object.entries(this.parts)) part.hidden = !shows.includes(name);
    this.parts.fading.querySelector("[data-line=one]").hidden = !shows.includes("both");
    this.key.hidden = !shows.includes("ensemble");
    this.root.dataset.shows = shows.join(" ");
    if (shows.includes("attention") && !this.parts.attention.firstChild) this.parts.attention.append(attentionScene());
  }

  /** Show a frame of the simulation; settings are those of the ensemble, with the cue. */
  show({ recall, curves }, settings) {
    if (!recall) return;
    const { pattern, cue, retrieved, oneRetrieved, age, accuracy, oneWinner } = recall;
    this.cue.show(marksOf(cue));
    this.ensemble.show(withoutMisses(pattern, retrieved));
    this.slot.show(withoutMisses(pattern, oneRetrieved));
    this.ensemble.say(`${recall.tally.hits} of ${pattern.length} cells came back`);
    this.slot.say(`${Math.round(oneWinner * pattern.length)} of ${pattern.length} cells came back`);
    this.cue.say(`Cue with ${cue.length} cells of the picture`);
    this.many.show(recall.winners);
    this.few.show(recall.oneWinners);
    if (age <= LONGEST && age > (this.trail.at(-1)?.age ?? 0)) this.trail.push({ age, accuracy, oneWinner });
    const level = curves[0].baseline.n > 0 ? [{ value: curves[0].baseline.mean, class: "memory" }] : [];
    if (this.shows.includes("fading")) this.showFading(level);
    if (this.shows.includes("theory")) this.showTheory(curves[0], settings, level);
  }

  showFading(levels) {
    const points = (name) => this.trail.map((one) => ({ age: one.age, mean: one[name] }));
    const slot = this.shows.includes("both") ? [{ points: points("oneWinner"), class: "one" }] : [];
    this.fading.show({ series: [...slot, { points: points("accuracy"), class: "memory" }], levels });
  }

  showTheory(measured, settings, levels) {
    const curve = this.table?.curve(settings);
    const ages = curve ? Array.from(curve.ages, (age, i) => ({ age, mean: curve.accuracy[i] })) : [];
    const theory = { points: ages.filter(({ age }) => age <= OLDEST), class: "theory" };
    this.retention.show({ series: [theory, { points: measured.points, class: "memory", marker: "circle" }], levels });
  }
}

/** Return marks of what came back alone: the picture that is missing is not drawn, so that one sees it go. */
function withoutMisses(pattern, retrieved) {
  const wanted = new Set(pattern);
  const marks = new Uint8Array(1000);
  for (const j of retrieved) marks[j] = wanted.has(j) ? HIT : FALSE;
  return marks;
}
