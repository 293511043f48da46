// The card on recognition: ROC curves that grow with the stream.

import { element } from "./controls.js";
import { svg } from "./memory/chart.js";
import { GROUPS } from "./memory/recognition.js";

const SIZE = 320;
const LEFT = 46;
const BOTTOM = 42;
const TOP = 8;
const SIDE = SIZE - LEFT - 10;

const x = (share) => LEFT + SIDE * share;
const y = (share) => TOP + (SIZE - TOP - BOTTOM) * (1 - share);

function names() {
  return GROUPS.map(([first, last]) => `ages ${first} to ${last}`);
}

export class RecognitionCard {
  constructor() {
    this.lines = GROUPS.map((_, g) => svg("polyline", { class: `line memory group-${g}` }));
    this.chart = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", class: "chart roc", "aria-label": "ROC curves" },
      ...frame(), ...this.lines);
    this.rows = ["this memory", "1-winner MHN"].map((name) => {
      const cells = GROUPS.map(() => element("td", {}, "–"));
      return { cells, root: element("tr", {}, element("th", { scope: "row" }, name), ...cells) };
    });
    this.tested = element("p", { class: "note" });
    const head = (text) => element("th", { scope: "col" }, text);
    this.root = element("section", { class: "card recognition", "aria-labelledby": "roc-title" },
      element("h2", { id: "roc-title" }, "Recognition: old or new?"),
      element("div", { class: "beside" }, this.chart, element("div", {},
        element("p", {}, "Call a pattern old if at least so many of its ones come back from its cue. With a strict " +
          "criterion there are few hits and few false alarms, with a loose one many of both: the curve. The area " +
          "under it is the chance that an old pattern does better than one never stored; ½ is guessing."),
        element("ul", { class: "key" }, ...names().map((name, g) => element("li", {},
          svg("svg", { class: "chart", width: 28, height: 12, "aria-hidden": "true" },
            svg("line", { x1: 1, x2: 27, y1: 6, y2: 6, class: `line memory group-${g}` })), name))),
        element("table", { class: "numbers", id: "areas" },
          element("caption", {}, "Area under the ROC curve"),
          element("thead", {}, element("tr", {}, head(""), ...names().map(head))),
          element("tbody", {}, ...this.rows.map(({ root }) => root))), this.tested)));
  }

  show({ recognition }) {
    this.frame = recognition;
    recognition[0].forEach((curve, g) => {
      const points = curve?.points ?? [];
      this.lines[g].setAttribute("points", points.map(([a, h]) => `${x(a).toFixed(1)},${y(h).toFixed(1)}`).join(" "));
    });
    this.rows.forEach(({ cells }, m) => cells.forEach((cell, g) => {
      cell.textContent = recognition[m][g]?.area.toFixed(3) ?? "–";
    }));
    const n = recognition[0].reduce((sum, curve) => sum + (curve?.n ?? 0), 0);
    this.tested.textContent = `${n.toLocaleString("en")} tests of stored patterns so far.`;
  }

  /** Say what is seen, when nothing moves. */
  rest() {
    const said = names().map((name, g) => `${name}: ${this.rows[0].cells[g].textContent}`).join(", ");
    this.chart.setAttribute("aria-label", `ROC curves of this memory, hits by false alarms. Area under them, ${said}`);
  }
}

/** Return axes with their numbers, and the line of guessing. */
function frame() {
  const label = (at, up, text, anchor = "middle") => svg("text", { x: at, y: up, "text-anchor": anchor }, text);
  const middle = y(0.5);
  const upwards = { "text-anchor": "middle", transform: `translate(13 ${middle}) rotate(-90)` };
  return [
    svg("g", { class: "axis" },
      svg("line", { x1: x(0), x2: x(1), y1: y(0), y2: y(0) }), svg("line", { x1: x(0), x2: x(0), y1: y(0), y2: y(1) }),
      ...[0, 0.5, 1].flatMap((share) => [
        label(x(share), y(0) + 17, String(share)), label(x(0) - 6, y(share) + 4, String(share), "end")]),
      label(x(0.5), SIZE - 6, "false alarms (share of new ones)"), svg("text", upwards, "hits (share of old ones)")),
    svg("line", { x1: x(0), x2: x(1), y1: y(0), y2: y(1), class: "level chance" }),
  ];
}
