/* What changed between two profiles: sums, and contexts with red and blue bars.
   SPDX-License-Identifier: GPL-3.0-or-later

     #KEY=VALUE&...     by: a measure; status; q: the text searched for  */

"use strict";

const data = JSON.parse(document.getElementById("profile").textContent);
const STATUSES = ["added", "removed", "changed"];
const STEP = 100;               /* contexts that are shown, and then added */
const TEXTS = { bytes: bytesText, live_bytes: bytesText, lost_bytes: bytesText,
  lifetime: timeText };
const LABELS = { allocations: "allocations", bytes: "bytes",
  accesses: "accesses", lifetime: "total lifetime of blocks",
  live_blocks: "blocks never freed", live_bytes: "bytes never freed",
  lost_blocks: "blocks lost", lost_bytes: "bytes lost" };

const content = document.getElementById("content");
const search = document.getElementById("search");

function readState() {
  const state = { by: data.measures[data.sort][0], status: "all", q: "" };
  for (const [key, value] of new URLSearchParams(location.hash.slice(1)))
    if (key in state)
      state[key] = value;
  if (!data.measures.some((row) => row[0] === state.by && isKnown(row)))
    state.by = data.measures[data.sort][0];
  return state;
}

function go(changes) {
  const query = new URLSearchParams(Object.assign(readState(), changes));
  history.replaceState(null, "", "#" + query);
  show();
}

/* CHANGE of the measure NAME with its sign. */
function changeText(name, change) {
  const text = (TEXTS[name] || numberText)(Math.abs(change));
  return (change > 0 ? "+" : change < 0 ? "\u2212" : "") + text;
}

function changeClass(change) {
  return change > 0 ? "grown" : change < 0 ? "shrunk" : "";
}

/* How much of A the change to B is. */
function shareText(a, b) {
  return a > 0 ? ((b > a ? "+" : "") + (100 * (b - a) / a).toFixed(1) + "%")
    .replace("-", "\u2212") : "";
}

/* True if both profiles have the measure of this row. */
function isKnown([, a, b]) {
  return a !== null && b !== null;
}

function sumsTable() {
  const titles = ["before", "after", "change", "percent"];
  return make("table", { class: "rows sums" },
    make("thead", {}, make("tr", {}, make("td", {}), titles.map((title) =>
      make("th", { scope: "col" }, title)))),
    make("tbody", {}, data.measures.map(([name, a, b]) => {
      const text = TEXTS[name] || numberText;
      const both = isKnown([name, a, b]);
      const cells = [a !== null ? text(a) : "-", b !== null ? text(b) : "-",
        both ? changeText(name, b - a) : "-", both ? shareText(a, b) : "-"];
      return make("tr", {},
        make("th", { scope: "row", class: "words" }, LABELS[name]),
        cells.map((cell, i) => make("td", { "data-title": titles[i],
          class: i === 2 && both ? changeClass(b - a) : undefined }, cell)));
    })));
}

/* True if a function or location in FRAMES contains TEXT, in any case. */
function matches(frames, text) {
  return text === "" || frames.some((parts) =>
    parts.some((part) => part.toLowerCase().includes(text)));
}

/* An element for CONTEXT, whose MEASURE changed by CHANGE. MOST is the largest
   change of all contexts, a full bar. */
function contextItem(context, measure, change, most) {
  const [status, before, after, site, frames] = context;
  const name = data.measures[measure][0];
  const known = before[measure] !== null;
  const text = known ? TEXTS[name] || numberText : () => "unknown";
  const bar = make("i", { class: "bar " + changeClass(change) });
  bar.style.width = 100 * Math.abs(change) / (most || 1) + "%";
  const [top, place] = frames[site] || frames[0] || ["??", ""];
  return make("details", { class: "context" },
    make("summary", {},
      make("span", { class: "number " + changeClass(change) },
        known ? changeText(name, change) : "-"), " ",
      make("span", { class: "break" }, nameParts(top), " ",
        make("span", { class: "weak" }, place)), " ",
      make("span", { class: "mark weak" }, STATUSES[status]),
      make("span", { class: "track" }, bar)),
    make("p", { class: "weak" }, text(before[measure]) + " before, "
      + text(after[measure]) + " after"),
    make("ol", { class: "stack" }, frames.map(([caller, where, more]) =>
      make("li", { class: "break" }, nameParts(caller), " ",
        make("span", { class: "weak" }, where + more)))));
}

/* A list with a button that shows more of it. */
function contextList(found, measure) {
  const list = make("div", { class: "changes" });
  const more = make("button", { type: "button", onclick: () => add() });
  const most = Math.max(0, ...found.slice(0, 1)
    .map(([, change]) => Math.abs(change)));
  let shown = 0;
  const add = () => {
    list.append(...found.slice(shown, shown + STEP).map(([context, change]) =>
      contextItem(context, measure, change, most)));
    shown = Math.min(found.length, shown + STEP);
    more.textContent = "Show more (" + numberText(found.length - shown)
      + " left)";
    more.hidden = shown >= found.length;
  };
  add();
  return [list, more];
}

function show() {
  const state = readState();
  const measure = data.measures.findIndex(([name]) => name === state.by);
  const status = STATUSES.indexOf(state.status);
  const text = state.q.toLowerCase();
  const found = data.contexts
    .filter((context) => (status < 0 || context[0] === status)
      && matches(context[4], text))
    .map((context) => [context, context[2][measure] - context[1][measure]])
    .filter(([context, change]) => change !== 0
      || STATUSES[context[0]] !== "changed")
    .sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]));
  say(plural(found.length, "context"));
  if (document.activeElement !== search)
    search.value = state.q;
  const parts = [sumsTable(),
    make("p", {}, STATUSES.map((name, i) => numberText(data.counts[i]) + " "
      + name).join(", ") + ", " + numberText(data.counts[3])
      + " unchanged calling contexts."
      + (data.filtered ? " These and the totals cover all contexts; those"
        + " below are the selected ones." : "")),
    data.looked !== "" ? make("p", { class: "weak" }, data.looked) : [],
    make("div", { class: "row" },
      choice("Change of", data.measures.filter(isKnown)
        .map(([name]) => [name, LABELS[name]]),
        state.by, (by) => go({ by })),
      choice("Contexts", [["all", "all"], ...STATUSES.map((name) =>
        [name, name])], state.status, (name) => go({ status: name })),
      make("span", { class: "weak" }, plural(found.length, "context")
        + "; red: growth, blue: decrease")),
    contextList(found, measure)];
  replaceContent(content, parts.flat(Infinity));
}

startPage("Heap profile comparison",
  data.a + " \u2192 " + data.b);
