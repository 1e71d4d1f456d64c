/* Source files with what their lines allocated.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context counts once for each line in it: at its site as allocated
   there, elsewhere as allocated by calls from there.  */

"use strict";

/* The sums of FILE's lines: line -> { own, calls }. */
function lineSums(file) {
  const lines = new Map();
  const sumOf = (line, key) => {
    if (!lines.has(line))
      lines.set(line, { own: emptySum(), calls: emptySum() });
    return lines.get(line)[key];
  };
  for (let i = 0; i < contextCount; i++) {
    const seen = new Set();
    const site = contexts.site[i];
    if (frames.file[site] === file) {
      addContext(sumOf(frames.line[site], "own"), i);
      seen.add(frames.line[site]);
    }
    for (let node = contexts.node[i]; node !== 0; node = nodes.caller[node]) {
      const frame = frameOf(node);
      const line = frames.line[frame];
      if (frames.file[frame] === file && !seen.has(line)) {
        addContext(sumOf(line, "calls"), i);
        seen.add(line);
      }
    }
  }
  return lines;
}

/* Files with source text, most bytes allocated first. */
function sourceFiles() {
  const bytes = new Map(Object.keys(profile.sources)
    .map((file) => [Number(file), 0]));
  for (const site of sites) {
    const file = frames.file[site.frame];
    if (bytes.has(file))
      bytes.set(file, bytes.get(file) + site.sum.bytes);
  }
  return [...bytes].sort((a, b) => b[1] - a[1]);
}

function sourceRow(number, text, sums) {
  const row = make("tr", { id: "line-" + number });
  const own = sums === undefined || sums.own.blocks === 0 ? null : sums.own;
  const cells = own === null ? ["", "", "", ""]
    : [numberText(own.blocks), bytesText(own.bytes),
      isCounted(own) ? ratioText(densityOf(own)) : "-",
      lifetimeText(own)];
  cells.push(sums !== undefined && sums.calls.bytes > 0
    ? bytesText(sums.calls.bytes) : "");
  if (sums !== undefined)
    row.className = "used";
  row.append(...cells.map((cell) => make("td", {}, cell)),
    make("td", { class: "marks" }, own === null ? "" : markElements(own.marks)),
    make("td", { class: "weak" }, String(number)),
    make("td", { class: "words code" }, text));
  return row;
}

function sourceView(state) {
  const files = sourceFiles();
  if (files.length === 0)
    return [make("p", {}, "No source file of this profile was found, or the"
      + " report was written with --no-source.")];
  const [name, line] = (state.argument || "").split(":");
  const file = profile.sources[name] !== undefined ? Number(name)
    : files[0][0];
  const sums = lineSums(file);
  const lines = profile.sources[file].split("\n");
  const body = make("tbody", {}, lines.map((text, i) =>
    sourceRow(i + 1, text, sums.get(i + 1))));
  const first = Number(line) || Math.min(lines.length, ...sums.keys());
  const row = body.children[first - 1];
  if (row && line)
    row.className += " here";
  const pane = make("div", { class: "pane", tabindex: "0", role: "region",
    "aria-label": "Source of " + profile.files[file] },
    make("table", { class: "source" },
      make("thead", {}, make("tr", {}, ["blocks", "bytes", "per byte",
        "lifetime", "by calls"].map((title) =>
        make("th", { scope: "col" }, title)),
        make("th", { scope: "col" }, make("span", { class: "unseen" }, "marks")),
        make("th", { scope: "col" }, "line"),
        make("th", { scope: "col", class: "words" }, "source"))),
      body));
  requestAnimationFrame(() => {
    if (row)
      pane.scrollTop = row.offsetTop - pane.clientHeight / 2;
  });
  return [
    make("div", { class: "row" },
      choice("File", files.map(([key, bytes]) =>
        [String(key), profile.files[key] + " (" + bytesText(bytes) + ")"]),
        String(file), (key) => { location.hash = "#source/" + key; })),
    pane];
}
