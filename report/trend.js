/* Sites of heap profiles over many runs: the total as a chart, and a small chart
   for each site.
   SPDX-License-Identifier: GPL-3.0-or-later

     #KEY=VALUE&...     by: growth, last, most or name; q: the text searched for  */

"use strict";

const data = JSON.parse(document.getElementById("profile").textContent);
const STEP = 100;               /* sites that are shown, and then added */
const TEXTS = { bytes: bytesText, live_bytes: bytesText, peak: bytesText,
  lost_bytes: bytesText,
  lifetime: timeText };
const LABELS = { allocations: "allocations", bytes: "bytes",
  accesses: "accesses", lifetime: "total lifetime of blocks",
  live_blocks: "blocks never freed", live_bytes: "bytes never freed",
  peak: "bytes live at the peak", temporary: "temporary blocks",
  lost_blocks: "blocks lost", lost_bytes: "bytes lost" };
const SORTS = [["growth", "growth"], ["last", "last number"],
  ["most", "greatest number"], ["name", "name"]];
const UNKNOWN = -1;

const content = document.getElementById("content");
const search = document.getElementById("search");
const textOf = TEXTS[data.value] || numberText;

function readState() {
  const state = { by: "growth", q: "" };
  for (const [key, value] of new URLSearchParams(location.hash.slice(1)))
    if (key in state)
      state[key] = value;
  return state;
}

function go(changes) {
  const query = new URLSearchParams(Object.assign(readState(), changes));
  history.replaceState(null, "", "#" + query);
  show();
}

function valueText(value) {
  return value === null ? "not in this profile"
    : value === UNKNOWN ? "unknown" : textOf(value);
}

function changeText(change) {
  return change === null ? "?" : (change > 0 ? "+" : change < 0 ? "\u2212" : "")
    + textOf(Math.abs(change));
}

/* By how much a number may be off, if it is estimated from samples. */
function marginText(margin) {
  return margin > 0 ? " \u00b1 " + textOf(margin) : "";
}

function changeClass(change) {
  return change > 0 ? "grown" : change < 0 ? "shrunk" : "";
}

function svg(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties))
    element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/* A chart of VALUES, one bar for each run; NAME says what they are. Runs without
   a value have a mark below the line instead. */
function chart(values, name, kind) {
  const most = Math.max(1, ...values.filter((value) => value !== null));
  const picture = svg("svg", { class: "trend " + kind, role: "img",
    viewBox: "0 0 " + values.length + " 110", preserveAspectRatio: "none",
    "aria-label": name + ": from " + valueText(values[0]) + " to "
      + valueText(values[values.length - 1]) });
  values.forEach((value, i) => {
    const isKnown = value !== null && value !== UNKNOWN;
    const height = isKnown ? value > 0 ? Math.max(2, 100 * value / most) : 1 : 6;
    picture.append(svg("rect", { x: i + 0.08, width: 0.84, height,
      y: isKnown ? 102 - height : 104,
      class: isKnown ? "run" : value === null ? "absent" : "unknown" }));
  });
  const show = (event) => {
    const box = picture.getBoundingClientRect();
    const i = Math.min(values.length - 1, Math.max(0, Math.floor(
      (event.clientX - box.left) * values.length / box.width)));
    const lines = [data.runs[i][0], valueText(values[i])];
    const before = i > 0 ? values[i - 1] : null;
    if (before !== null && before !== UNKNOWN && values[i] !== null
        && values[i] !== UNKNOWN && i > 0)
      lines.push(changeText(values[i] - before) + " since "
        + data.runs[i - 1][0]);
    showTip(lines, event, picture);
  };
  picture.addEventListener("pointermove", show);
  picture.addEventListener("pointerdown", show);
  picture.addEventListener("pointerleave", hideTip);
  return picture;
}

function lastOf(values) {
  const value = values[values.length - 1];
  return value === null || value === UNKNOWN ? 0 : value;
}

function siteItem([name, place, growth, values, margin]) {
  return make("details", { class: "context" },
    make("summary", {},
      make("span", { class: "number " + changeClass(growth) },
        changeText(growth) + marginText(margin)), " ",
      make("span", { class: "break" }, nameParts(name), " ",
        make("span", { class: "weak" }, place)),
      chart(values, name, "small")),
    make("table", { class: "rows sums" }, make("tbody", {},
      values.map((value, i) => make("tr", {},
        make("th", { scope: "row", class: "words" }, data.runs[i][0]),
        make("td", {}, valueText(value)))))));
}

/* A list with a button that shows more of it. */
function siteList(found) {
  const list = make("div", { class: "changes" });
  const more = make("button", { type: "button", onclick: () => add() });
  let shown = 0;
  const add = () => {
    list.append(...found.slice(shown, shown + STEP).map(siteItem));
    shown = Math.min(found.length, shown + STEP);
    more.textContent = "Show more (" + numberText(found.length - shown)
      + " left)";
    more.hidden = shown >= found.length;
  };
  add();
  return [list, more];
}

const ORDERS = {
  growth: (x, y) => y[2] - x[2],
  last: (x, y) => lastOf(y[3]) - lastOf(x[3]),
  most: (x, y) => Math.max(...y[3]) - Math.max(...x[3]),
  name: (x, y) => x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : 0,
};

function show() {
  const state = readState();
  const text = state.q.toLowerCase();
  const found = data.sites.filter(([name, place]) => text === ""
    || name.toLowerCase().includes(text) || place.toLowerCase().includes(text));
  found.sort(ORDERS[state.by] || ORDERS.growth);
  say(plural(found.length, "site"));
  if (document.activeElement !== search)
    search.value = state.q;
  const totals = data.runs.map((run) => run[2] === null ? UNKNOWN : run[2]);
  replaceContent(content, [
    make("h2", {}, "Total: " + LABELS[data.value]),
    chart(totals, "total", "large"),
    make("p", { class: "weak" }, data.runs[0][0] + ": " + valueText(totals[0])
      + marginText(data.runs[0][3])
      + "; " + data.runs[data.runs.length - 1][0] + ": "
      + valueText(totals[totals.length - 1])
      + marginText(data.runs[data.runs.length - 1][3])
      + (data.filtered ? "; of the selected contexts" : "")
      + (data.looked !== "" ? "; " + data.looked : "")),
    make("div", { class: "row" },
      choice("Sites by", SORTS, state.by, (by) => go({ by })),
      make("span", { class: "weak" }, plural(found.length, "site")
        + (data.count > data.sites.length ? " of the "
          + numberText(data.sites.length) + " that grew most, of "
          + numberText(data.count) : "")
        + "; each bar is a profile, a dash below: the site is not in it")),
    ...siteList(found)]);
}

startPage("Heap profile trend",
  plural(data.runs.length, "profile") + ", " + data.runs[0][0]
    + " \u2192 " + data.runs[data.runs.length - 1][0]);
