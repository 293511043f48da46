// A chart of values from 0 to 1 against age, which has a logarithmic axis. Drawn as SVG at the width that it has.

const SPACE = "http://www.w3.org/2000/svg";
const MARGIN = { left: 48, right: 12, top: 10, bottom: 44 };

/** Return an SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Return the shape of a marker, "circle" or "square", around a place. */
export function marker(shape, x, y, size, attributes) {
  if (shape === "circle") return svg("circle", { cx: x, cy: y, r: size, ...attributes });
  return svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, ...attributes });
}

export class Chart {
  /** oldest: the end of the axis of ages. xLabel, yLabel: what the axes show, with units. */
  constructor({ oldest, xLabel, yLabel, height = 400 }) {
    Object.assign(this, { oldest, xLabel, yLabel, height });
    this.root = svg("svg", { role: "img", class: "chart", height, "aria-label": `${yLabel} by ${xLabel}` });
    this.parts = { series: [], levels: [], at: null };
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  /**
   * series: [{points: [{age, mean, error?}], class, marker?}], in the order in which they are drawn; a band shows ± 2
   * errors. levels: horizontal lines, [{value, class}]. at: an age that is marked.
   */
  show(parts) {
    this.parts = parts;
    this.draw();
  }

  draw() {
    const width = this.root.clientWidth || this.root.parentElement?.clientWidth;
    if (!width) return;
    this.root.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.right = width - MARGIN.right;
    const { series, levels, at } = this.parts;
    this.root.replaceChildren(
      ...this.axes(),
      ...(at ? [svg("line", { x1: this.x(at), x2: this.x(at), y1: this.y(0), y2: this.y(1), class: "at" })] : []),
      ...levels.map(({ value, class: kind }) =>
        svg("line", { x1: MARGIN.left, x2: this.right, y1: this.y(value), y2: this.y(value), class: `level ${kind}` })),
      ...series.flatMap((one) => this.curve(one)),
    );
  }

  x(age) {
    return MARGIN.left + 8 + ((this.right - MARGIN.left - 8) * Math.log(age)) / Math.log(this.oldest);
  }

  y(value) {
    return this.height - MARGIN.bottom - (this.height - MARGIN.bottom - MARGIN.top) * value;
  }

  axes() {
    const bottom = this.y(0);
    const ages = [1, 10, 100, 1000].filter((age) => age <= this.oldest);
    const minor = ages.flatMap((age) => [2, 3, 4, 5, 6, 7, 8, 9].map((n) => n * age));
    const tick = (age, length) => svg("line", { x1: this.x(age), x2: this.x(age), y1: bottom, y2: bottom + length });
    const label = (x, y, text, anchor = "middle") => svg("text", { x, y, "text-anchor": anchor }, text);
    const middle = (MARGIN.left + this.right) / 2;
    const side = (this.height - MARGIN.bottom + MARGIN.top) / 2;
    const upwards = { "text-anchor": "middle", transform: `translate(13 ${side}) rotate(-90)` };
    const values = [0, 0.2, 0.4, 0.6, 0.8, 1];
    return [
      svg("g", { class: "grid" }, ...values.map((value) =>
        svg("line", { x1: MARGIN.left, x2: this.right, y1: this.y(value), y2: this.y(value) }))),
      svg("g", { class: "axis" },
        svg("line", { x1: MARGIN.left, x2: this.right, y1: bottom, y2: bottom }),
        ...ages.map((age) => tick(age, 6)),
        ...minor.filter((age) => age <= this.oldest).map((age) => tick(age, 3)),
        ...ages.map((age) => label(this.x(age), bottom + 19, String(age))),
        ...values.map((value) => label(MARGIN.left - 6, this.y(value) + 4, value.toFixed(1), "end")),
        label(middle, this.height - 6, this.xLabel), svg("text", upwards, this.yLabel)),
    ];
  }

  /** Return the band, the line and the markers of one series. */
  curve({ points, class: kind, marker: shape }) {
    const place = (age, value) => `${this.x(age).toFixed(1)},${this.y(value).toFixed(1)}`;
    const line = points.map(({ age, mean }) => place(age, mean)).join(" ");
    const sure = points.filter(({ error }) => error >= 0);
    const above = sure.map(({ age, mean, error }) => place(age, Math.min(mean + 2 * error, 1)));
    const below = sure.map(({ age, mean, error }) => place(age, Math.max(mean - 2 * error, 0))).reverse();
    const dot = ({ age, mean }) => marker(shape, this.x(age), this.y(mean), 3, { class: `dot ${kind}` });
    return [
      svg("polygon", { points: [...above, ...below].join(" "), class: `band ${kind}` }),
      svg("polyline", { points: line, class: `line ${kind}` }),
      ...(shape ? points.map(dot) : []),
    ];
  }
}
