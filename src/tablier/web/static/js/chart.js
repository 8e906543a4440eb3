// Line charts in SVG: axes with round numbers, one line per series, clickable dots.

import { s } from "./dom.js";
import { brief, number } from "./i18n.js";

/** @typedef {{points: [number, number][], name?: string, colour?: number}} Series */

const PAD = { left: 46, right: 12, top: 12, bottom: 26 };

/** Round numbers from `low` to `high`, about `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const found = [];
  const last = high + step * 1e-6;
  for (let n = Math.ceil(low / step); n * step <= last; n++) found.push(Number((n * step).toPrecision(12)));
  return found;
}

/**
 * Draws `series` in a chart of this size.
 * `range` [low, high] fixes the y axis, `even` emphasizes the grid line at that value, `format` formats y values.
 * @param {{series: Series[], width?: number, height?: number, range?: [number, number], even?: number,
 *   format?: (value: number) => string, area?: boolean, label: string, onpick?: (x: number) => void}} drawn
 */
export function chart({ series, width = 600, height = 220, range, even, format, area = false, label, onpick }) {
  const write = format ?? brief;
  const all = series.flatMap(({ points }) => points);
  const xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  let [y0, y1] = range ?? [Math.min(...ys), Math.max(...ys)];
  if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
  const px = (x) => PAD.left + ((x - x0) / (x1 - x0 || 1)) * (width - PAD.left - PAD.right);
  const py = (y) => height - PAD.bottom - ((y - y0) / (y1 - y0)) * (height - PAD.top - PAD.bottom);
  const svg = s("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const y of ticks(y0, y1, 4)) {
    svg.append(s("path", { d: `M${PAD.left} ${py(y)}H${width - PAD.right}`, class: y === even ? "grid even" : "grid" }),
      s("text", { x: PAD.left - 7, y: py(y) + 4, "text-anchor": "end" }, write(y)));
  }
  for (const x of ticks(x0, x1, Math.max(2, Math.floor(width / 70))).filter(Number.isInteger)) {
    svg.append(s("text", { x: px(x), y: height - 7, "text-anchor": "middle" }, number(x)));
  }
  series.forEach(({ points, colour = 0 }) => {
    const way = points.map(([x, y], n) => `${n ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("");
    const base = py(even ?? y0);
    const under = `${way}L${px(points[points.length - 1][0])} ${base}L${px(points[0][0])} ${base}z`;
    if (area) svg.append(s("path", { d: under, class: "area" }));
    svg.append(s("path", { d: way, class: `line c${colour}` }));
  });
  const cursor = s("path", { class: "now" });
  svg.append(cursor);
  if (onpick) {
    svg.addEventListener("click", (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse()).x;
      onpick(all.reduce((best, point) => (Math.abs(px(point[0]) - at) < Math.abs(px(best[0]) - at) ? point : best))[0]);
    });
  }
  return {
    svg,
    /** Moves the cursor to x; hides it if x is out of range. */
    at(x) {
      cursor.setAttribute("d", x < x0 || x > x1 ? "" : `M${px(x)} ${PAD.top}V${height - PAD.bottom}`);
    },
    /** Adds dots: [[x, y], ...]. */
    dots(points) {
      for (const [x, y] of points) svg.append(s("circle", { cx: px(x), cy: py(y), r: 5, class: "dot" }));
    },
  };
}
