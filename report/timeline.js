/* The heap over time: a chart with marks, and what was live at a moment.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each interval is drawn from its mean to its maximum, so that the area below
   the lower line is right, and no peak is lost.  */

"use strict";

const CHART_WIDTH = 1000, CHART_HEIGHT = 240, CHART_TOP = 18;

function svg(tag, properties, ...children) {
  const element
    = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties))
    element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/* The start and end of interval INDEX of LINE in nanoseconds. */
function intervalOf(line, index) {
  const length = 2 ** line.shift;
  return [index * length, index + 1 < line.max.length ? (index + 1) * length
    : Math.max(line.end_ns, index * length)];
}

/* The index of the interval of LINE that contains NS. */
function intervalAt(line, ns) {
  return Math.min(line.max.length - 1,
    Math.max(0, Math.floor(ns / 2 ** line.shift)));
}

/* The points of a line through VALUES, as steps. */
function steps(line, values, x, y) {
  return values.map((value, index) => {
    const [start, end] = intervalOf(line, index);
    return x(start) + "," + y(value) + " " + x(end) + "," + y(value);
  }).join(" ");
}

function chart(line) {
  const highest = Math.max(1, line.peak_bytes, ...line.max);
  const longest = Math.max(1, line.end_ns);
  const x = (ns) => (ns / longest * CHART_WIDTH).toFixed(1);
  const y = (bytes) => (CHART_TOP + (CHART_HEIGHT - CHART_TOP)
    * (1 - bytes / highest)).toFixed(1);
  const picture = svg("svg", { class: "chart", role: "img",
    viewBox: "0 0 " + CHART_WIDTH + " " + CHART_HEIGHT,
    preserveAspectRatio: "none",
    "aria-label": "Heap size over " + timeText(line.end_ns) + ": at most "
      + bytesText(line.peak_bytes) + ", " + timeText(line.peak_ns)
      + " after the start" });
  picture.append(svg("polygon", { class: "range",
    points: "0," + CHART_HEIGHT + " " + steps(line, line.max, x, y) + " "
      + CHART_WIDTH + "," + CHART_HEIGHT }));
  picture.append(svg("polygon", { class: "mean",
    points: "0," + CHART_HEIGHT + " " + steps(line, line.mean, x, y) + " "
      + CHART_WIDTH + "," + CHART_HEIGHT }));
  for (const mark of line.marks)
    picture.append(svg("line", { class: "at", x1: x(mark.time_ns),
      x2: x(mark.time_ns), y1: 0, y2: CHART_HEIGHT }));
  const cursor = svg("line", { class: "cursor", x1: 0, x2: 0, y1: 0,
    y2: CHART_HEIGHT });
  picture.append(cursor);
  picture.append(svg("line", { class: "peak", x1: x(line.peak_ns),
    x2: x(line.peak_ns), y1: 0, y2: CHART_HEIGHT }));
  return { picture, move: (ns) => {
    cursor.setAttribute("x1", x(ns));
    cursor.setAttribute("x2", x(ns));
  } };
}

/* What LINE says about the time NS. */
function momentText(line, ns) {
  const index = intervalAt(line, ns);
  return timeText(ns) + ": " + bytesText(line.mean[index]) + " on average, "
    + bytesText(line.max[index]) + " at most within "
    + timeText(2 ** line.shift);
}

/* Links to the flame graphs of the peak and of the marks. */
function momentLinks(line) {
  const link = (by, ...text) => make("a", { href: "#flame?"
    + new URLSearchParams({ by }) }, text);
  const seen = new Set();
  const items = [make("li", {}, link("peak_bytes", "The peak"),
    make("span", {}, bytesText(line.peak_bytes) + " at "
      + timeText(line.peak_ns)))];
  for (const mark of line.marks) {
    const number = profile.marks.findIndex((one) => one.label === mark.label);
    const name = mark.label === "" ? "(no name)" : mark.label;
    if (seen.size >= 12 || seen.has(mark.label))
      continue;
    seen.add(mark.label);
    items.push(make("li", {}, QUANTITIES["mark" + number]
      ? link("mark" + number, "Mark ", make("span", { class: "break" }, name))
      : make("span", { class: "break" }, "Mark " + name),
      make("span", {}, bytesText(mark.bytes) + " at "
        + timeText(mark.time_ns))));
  }
  return make("ul", { class: "list" }, items);
}

/* The chart of the run that STATE selects; null if there is none. */
function timeSection(state) {
  const lines = profile.timelines;
  if (lines.length === 0)
    return null;
  const number = Math.min(lines.length - 1, Math.max(0, Number(state.run) || 0));
  const line = lines[number];
  const { picture, move } = chart(line);
  const text = make("output", { for: "moment" });
  const slider = make("input", { id: "moment", type: "range", min: 0,
    max: 1000, value: Math.round(1000 * line.peak_ns
      / Math.max(1, line.end_ns)),
    oninput: () => place() });
  const place = () => {
    const ns = slider.value / 1000 * line.end_ns;
    move(ns);
    text.textContent = momentText(line, ns);
  };
  place();
  return make("section", {}, make("h2", {}, "Heap over time"),
    lines.length > 1 ? make("div", { class: "row" },
      choice("Run", lines.map((one, i) => [String(i),
        bytesText(one.peak_bytes) + " in " + timeText(one.end_ns)]),
        String(number), (run) => go({ run: run === "0" ? "" : run }))) : null,
    picture,
    make("div", { class: "axis weak" }, make("span", {}, "0"),
      make("span", {}, timeText(line.end_ns))),
    make("label", { class: "moment" }, make("span", { class: "weak" }, "Time "),
      slider, text),
    make("p", { class: "weak" }, "What was live, as flame graphs"),
    momentLinks(line));
}
