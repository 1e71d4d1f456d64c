/* The table of sites or calling contexts: sorting, searching, filtering.
   SPDX-License-Identifier: GPL-3.0-or-later  */

"use strict";

const TABLE_STEP = 100;         /* rows shown at first and per "more" */

/* The columns: title, number to sort by, and its text. */
const COLUMNS = {
  bytes: ["bytes", (row) => row.sum.bytes, bytesText],
  blocks: ["blocks", (row) => row.sum.blocks, numberText],
  average: ["average", (row) => row.sum.blocks > 0
    ? row.sum.bytes / row.sum.blocks : 0, bytesText],
  accesses: ["accesses", (row) => row.sum.accesses, numberText],
  density: ["per byte", (row) => densityOf(row.sum), ratioText],
  lifetime: ["lifetime", (row) => meanLifetime(row.sum), timeText],
  live: ["never freed", (row) => row.sum.live_bytes, bytesText],
  lost: ["lost", (row) => row.sum.lost_bytes || 0, bytesText],
  peak: ["at the peak", (row) => row.sum.peak_bytes || 0, bytesText],
  temporary: ["temporary", (row) => row.sum.temporary || 0, numberText]
};

/* The rows to show: contexts that match, or sites with a matching context and
   the sums of their matching contexts. */
function tableRows(state) {
  const matches = matchNodes(state.q);
  const wanted = MARKS.find(([bit, name]) => name === state.mark);
  const rows = [];
  const bySite = new Map();
  for (let i = 0; i < contextCount; i++) {
    if (matches !== null && !matches[contexts.node[i]])
      continue;
    if (wanted && !(contexts.marks[i] & wanted[0]))
      continue;
    const site = sites[siteOfContext[i]];
    let row = state.of === "contexts" ? undefined : bySite.get(site);
    if (row === undefined) {
      row = { site, context: i, sum: emptySum() };
      bySite.set(site, row);
      rows.push(row);
    }
    addContext(row.sum, i);
  }
  const key = (COLUMNS[state.sort] || COLUMNS.bytes)[1];
  const sign = state.order === "up" ? -1 : 1;
  for (const row of rows)
    row.key = key(row);
  rows.sort((a, b) => sign * (b.key - a.key) || a.context - b.context);
  return rows;
}

function tableHead(state) {
  const sorted = COLUMNS[state.sort] ? state.sort : "bytes";
  return make("thead", {}, make("tr", {},
    Object.entries(COLUMNS).map(([key, [title]]) => {
      const isSorted = key === sorted;
      const order = isSorted && state.order !== "up" ? "up" : "";
      return make("th", { scope: "col", "aria-sort": isSorted
        && (state.order === "up" ? "ascending" : "descending") },
        make("button", { type: "button", "data-control": "by " + key,
                         onclick: () => go({ sort: key, order }) }, title));
    }),
    make("th", { scope: "col", class: "words" },
      state.of === "contexts" ? "site and callers" : "site")));
}

function tableRow(state, row) {
  const cells = Object.entries(COLUMNS).map(([key, [title, value, text]]) => {
    const number = value(row);
    const unknown = (key === "accesses" || key === "density")
        && !isCounted(row.sum)
      || key === "lifetime" && row.sum.complete_blocks === 0
      || key === "live" && !hasRuns || key === "lost" && !hasLeaks
      || (key === "peak" || key === "temporary") && !hasMoments;
    const cell = make("td", { "data-title": title },
      unknown ? "-" : key === "lifetime" ? lifetimeText(row.sum)
        : text(number));
    if (key === "bytes") {
      cell.className = "share";
      cell.style.setProperty("--part",
        100 * number / Math.max(1, profile.total.bytes) + "%");
    }
    return cell;
  });
  const callers = state.of === "contexts"
    ? make("div", { class: "weak" }, stackOf(siteNodes[row.context])
      .slice(1, 5).map(({ frame }, i) => [i > 0 ? " \u2039 " : "",
        nameParts(functionName(frame))])) : null;
  return make("tr", {}, cells, make("td", { class: "words" },
    markElements(row.sum.marks), siteLink(row.site), callers));
}

function tableView(state) {
  const rows = tableRows(state);
  const body = make("tbody", {});
  const more = make("button", { type: "button", onclick: () => add() });
  let shown = 0;
  const add = () => {
    body.append(...rows.slice(shown, shown + TABLE_STEP)
      .map((row) => tableRow(state, row)));
    shown = Math.min(rows.length, shown + TABLE_STEP);
    more.textContent = "Show more ("
      + numberText(rows.length - shown) + " left)";
    more.hidden = shown >= rows.length;
  };
  add();
  const found = plural(rows.length,
    state.of === "contexts" ? "calling context" : "site");
  say(found);
  return [
    make("div", { class: "row" },
      choice("Rows", [["sites", "sites"], ["contexts", "calling contexts"]],
        state.of === "contexts" ? "contexts" : "sites", (of) => go({ of })),
      choice("First", Object.entries(COLUMNS).map(([key, [title]]) =>
        [key, title]), state.sort || "bytes", (sort) => go({ sort })),
      choice("Marked", [["", "any or none"],
        ...MARKS.map(([bit, name]) => [name, name])], state.mark || "",
        (mark) => go({ mark })),
      make("span", {}, found)),
    make("div", { class: "scroll" },
      make("table", { class: "rows" }, tableHead(state), body)),
    make("p", {}, more)];
}
