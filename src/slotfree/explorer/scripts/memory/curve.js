// The retention curve as it grows, with the theory behind it and the 1-winner MHN for comparison.

import { element } from "./controls.js";
import { Chart, marker, svg } from "./memory/chart.js";
import { OLDEST } from "./memory/retention.js";
import { TheoryTable, whyNoCurve } from "./theory.js";

const CHANCE = 0.1; // s_v: as many ones of a pattern are among any k_v units, on average

/** Return a number with some digits, or a dash where there is none. */
function number(value, digits = 2) {
  if (value === undefined || Number.isNaN(value)) return "–";
  return Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : value > 0 ? "∞" : "−∞";
}

/** The card with the curve. */
export class CurveCard {
  /** test() is called when all ages are to be tested at once. */
  constructor(test) {
    const [xLabel, yLabel] = ["age (patterns; the newest is 1)", "accuracy (share of ones)"];
    this.chart = new Chart({ oldest: OLDEST, xLabel, yLabel });
    this.theory = null;
    this.theoryKey = element("li", {}, sample("theory"), "theory of it");
    this.filling = element("p", { class: "note", id: "filling" });
    this.title = element("caption");
    this.rows = ["this memory", "1-winner MHN"].map((name) => {
      const cells = ["accuracy", "baseline", "raw", "d-prime"].map((what) => element("td", { "data-what": what }));
      return { cells, root: element("tr", {}, element("th", { scope: "row" }, name), ...cells) };
    });
    this.all = element("tbody");
    this.root = element("section", { class: "card curve", "aria-labelledby": "curve-title" },
      element("h2", { id: "curve-title" }, "Retention"),
      this.chart.root,
      element("ul", { class: "key" },
        element("li", {}, sample("memory", "circle"), "this memory, ± 2 s.e."), this.theoryKey,
        element("li", {}, sample("one", "square"), "1-winner MHN"),
        element("li", {}, sample("level memory"), sample("level one"), "never stored"),
        element("li", {}, sample("level chance"), "chance")),
      this.filling,
      element("div", { class: "row" }, element("button", { id: "test", onclick: test }, "Test 1000 ages now"),
        element("span", { class: "note" }, "with weights as they are, and 1000 patterns never stored")),
      element("table", { class: "numbers", id: "numbers" }, this.title,
        element("thead", {}, element("tr", {}, ...columns("", "accuracy", "never stored", "R.D.", "d'"))),
        element("tbody", {}, ...this.rows.map((row) => row.root))),
      element("details", {}, element("summary", {}, "What R.D. and d' are, and all numbers"), explanation(),
        element("table", { class: "numbers", id: "all-numbers" },
          element("caption", {}, "Accuracy by age, with its standard error and the number of tests"),
          element("thead", {},
            element("tr", {}, ...columns("age", "this memory", "R.D.", "d'", "1-winner MHN", "tests"))),
          this.all)));
    TheoryTable.load().then((table) => {
      this.table = table;
      this.again?.();
    });
  }

  /** Show the curves of a frame; state says which memory it is, and which age is marked. */
  show(frame, state) {
    this.again = () => this.show(frame, state);
    const theory = state.similarity === "random" ? (this.table?.curve(state) ?? null) : null;
    const [memory, one] = frame.curves;
    const age = frame.recall?.age ?? state.age;
    this.theoryKey.hidden = theory === null;
    this.chart.show({
      series: [
        { points: theory ? theoryPoints(theory) : [], class: "theory" },
        { points: one.points, class: "one", marker: "square" },
        { points: memory.points, class: "memory", marker: "circle" },
      ],
      levels: [
        { value: CHANCE, class: "chance" },
        ...[[memory, "memory"], [one, "one"]].flatMap(([{ baseline }, kind]) =>
          baseline.n > 0 ? [{ value: baseline.mean, class: kind }] : []),
      ],
      at: age >= 1 && age <= OLDEST ? age : null,
    });
    this.filling.textContent = words(frame, state, theory, this.table);
    this.numbers(frame.curves, age);
  }

  /** Fill the table for the bin that has an age. */
  numbers(curves, age) {
    const points = curves.map((curve) => curve.points.find(({ first, last }) => first <= age && age <= last));
    const [of] = points;
    const ages = of && (of.first === of.last ? `age ${of.first}` : `ages ${of.first} to ${of.last}`);
    this.title.textContent = `Patterns of ${ages ?? "this age: no tests yet"}`;
    this.rows.forEach(({ cells }, m) => {
      const point = points[m] ?? {};
      cells[0].textContent = point.n ? `${number(point.mean)} ± ${number(point.error, 3)}` : "–";
      cells[1].textContent = number(curves[m].baseline.mean);
      cells[2].textContent = number(point.raw);
      cells[3].textContent = number(point.dPrime, 1);
    });
  }

  /** Say what is seen, and fill the table of all numbers; when nothing moves. */
  rest({ curves: [memory, one] }) {
    const said = memory.points.filter((_, i) => i % 6 === 0).map((p) => `age ${p.age}: ${number(p.mean)}`).join(", ");
    this.chart.root.setAttribute("aria-label",
      `Accuracy by age. This memory ${said || "has not been tested"}; never stored ${number(memory.baseline.mean)}.`);
    this.all.replaceChildren(...memory.points.map((p, i) => {
      const accuracy = `${number(p.mean, 3)} ± ${number(p.error, 3)}`;
      const cells = [accuracy, number(p.raw, 3), number(p.dPrime), number(one.points[i]?.mean, 3), String(p.n)];
      const ages = p.first === p.last ? String(p.first) : `${p.first}–${p.last}`;
      return element("tr", {}, element("th", { scope: "row" }, ages),
        ...cells.map((text) => element("td", {}, text)));
    }));
  }
}

function columns(...names) {
  return names.map((name) => element("th", { scope: "col" }, name));
}

function theoryPoints({ ages, accuracy }) {
  return Array.from(ages, (age, i) => ({ age, mean: accuracy[i] })).filter(({ age }) => age <= OLDEST);
}

/** Say how far the measurement is, and whether there is a theory. */
function words({ stored, settled }, state, theory, table) {
  const when = `tests begin anew when ${settled.toLocaleString("en")} patterns are stored`;
  const filling = stored < settled ? `The memory is still filling up: ${when}. ` : "";
  const lacks = state.similarity === "random" ? whyNoCurve(state) : "The theory is for random patterns.";
  return filling + (theory || !table ? "" : lacks);
}

/** Return a piece of a line, for the key. */
export function sample(kind, shape) {
  const drawn = svg("svg", { viewBox: "0 0 28 12", width: 28, height: 12, "aria-hidden": "true", class: "chart" });
  const line = kind.startsWith("level") ? kind : `line ${kind}`;
  drawn.append(svg("line", { x1: 1, x2: 27, y1: 6, y2: 6, class: line }));
  if (shape) drawn.append(marker(shape, 14, 6, 3, { class: `dot ${kind}` }));
  return drawn;
}

function explanation() {
  return element("p", {},
    "Accuracy is the share of a pattern's ones that come back from its cue. R.D., the raw difference, is the " +
    "accuracy for stored patterns less that for patterns of the same kind never stored: what the memory knows of a " +
    "pattern beyond what any such pattern would get. d' is R.D. over the spread of that difference for single " +
    "patterns, as in the paper: how surely one stored pattern can be told from one never stored. (Signal detection " +
    "has a d' that is about √2 times as large.) Where patterns are alike, those never stored come back well too, so " +
    "both are small even if accuracy is high. Tests go on as patterns are stored, two ages after each one, and the " +
    "standard error takes them as independent.");
}
