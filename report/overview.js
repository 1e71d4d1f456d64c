/* The first view: how much, where, and what the profile is missing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

"use strict";

function card(label, value, note) {
  return make("div", { class: "card" }, label, make("b", {}, value),
    make("span", { class: "weak" }, note));
}

function siteLink(site) {
  return make("a", { href: "#site/" + site.number, class: "break" },
    nameParts(functionName(site.frame)), " ",
    make("span", { class: "weak" }, "(" + placeOf(site.frame) + ")"));
}

/* A list of the sites with MARK that have the largest sums of WEIGHT. */
function markedSites(mark, name, meaning, weight, text) {
  const found = sites.filter((site) => site.sum.marks & mark).map((site) => {
    let sum = 0;
    for (const i of site.contexts)
      if (contexts.marks[i] & mark)
        sum += weight(i);
    return [site, sum];
  }).sort((a, b) => b[1] - a[1]);
  return make("section", {},
    make("h2", {}, make("span", { class: "mark " + name }, name),
      plural(found.length, "site")),
    make("p", { class: "weak" }, meaning),
    found.length === 0 ? make("p", {}, "None.")
      : make("ul", { class: "list" }, found.slice(0, 8).map(([site, sum]) =>
        make("li", {}, siteLink(site), make("span", {}, text(sum))))));
}

/* What each thread allocated; null if only the first thread did. */
function threadSection() {
  const threads = makeThreads();
  if (!threads.some((thread) => thread.number > 1))
    return null;
  return make("section", {}, make("h2", {}, "Threads"),
    make("p", { class: "weak" }, "By start function"),
    make("ul", { class: "list" }, threads.slice(0, 12).map((thread) =>
      make("li", {}, thread.name === "" ? make("span", {}, "Unknown")
        : make("a", { class: "break", href: "#table?"
          + new URLSearchParams({ q: threadSearch(thread.name) }) },
          nameParts(thread.name)),
        make("span", {}, bytesText(thread.sum.bytes))))),
    threads.length > 12 ? make("p", { class: "weak" },
      numberText(threads.length - 12) + " more") : null);
}

/* Rows in the table of single threads. */
const SINGLE_THREADS = 20;

/* What each single thread allocated, and what of it stayed; null if there was
   only one. */
function singleThreadSection() {
  const threads = profile.single_threads || [];
  if (threads.length < 2)
    return null;
  const isSum = (thread) => typeof thread[0] === "number";
  const shown = threads.filter((thread, i) => i < SINGLE_THREADS
    || isSum(thread));
  const left = threads.length - shown.length;
  const columns = ["bytes", "blocks", "live", "most", "at the peak"];
  return make("section", { class: "whole" },
    make("h2", {}, "Single threads"),
    make("p", { class: "weak" }, "The blocks that each thread allocated,"
      + " whoever released them"),
    make("div", { class: "scroll" },
      make("table", { class: "rows single-threads" },
        make("thead", {}, make("tr", {}, ["thread", ...columns].map((text) =>
          make("th", { scope: "col" }, text)))),
        make("tbody", {}, shown.map((thread) => {
          const [name, id, bytes, blocks, live, most, peak] = thread;
          const texts = [bytesText(bytes), numberText(blocks), bytesText(live),
            isSum(thread) ? "-" : bytesText(most), bytesText(peak)];
          return make("tr", {}, make("td", { class: "words" }, isSum(thread)
            ? numberText(name) + " more"
            : [name, " ", make("span", { class: "weak" }, String(id))]),
          texts.map((text, i) =>
            make("td", { "data-title": columns[i] }, text)));
        })))),
    left > 0 ? make("p", { class: "weak" }, numberText(left) + " more") : null);
}

/* What the profile is missing, in sentences. */
function lacks() {
  const totals = profile.totals;
  const found = [];
  const add = (number, what, rest) => {
    if (number > 0)
      found.push(plural(number, what) + " " + rest);
  };
  if (totals.attached_runs > 0) {
    add(totals.attached_runs, "run", "attached to a running program: blocks"
      + " allocated before are not in the profile");
    add(totals.foreign_frees, "release", "of blocks allocated before, or by"
      + " calls that were not observed");
    add(totals.missed_frees, "release", "not observed; noticed when the address"
      + " was allocated again");
  }
  if (totals.unseen_accesses * 10 > totals.overall_accesses)
    found.push(plural(totals.unseen_accesses, "access") + " of "
      + numberText(totals.overall_accesses) + " counted not in this estimate: to"
      + " blocks with far more than any sample, or to memory that is no block");
  add(totals.incomplete_runs, "run", "did not end normally: of blocks then live,"
    + " only the allocation is known");
  add(totals.running_runs, "run", "still running when the profile was made"
    + (totals.running_pid > 0 ? " (pid " + totals.running_pid + ")" : "")
    + ": of blocks then live, only the allocation is known");
  add(totals.unknown_runs, "run", "not complete; whether the process was"
    + " still running is unknown");
  add(totals.dropped_contexts, "allocation",
    "without a calling context: the raw profile could not grow");
  add(totals.truncated_contexts, "calling context",
    "truncated at the maximum depth");
  add(totals.ended_walks, "calling context",
    "ended in code without frame pointers");
  add(totals.folded_contexts, "allocation", "in folded recursion");
  add(totals.pruned_contexts, "allocation",
    "attributed to a caller: the profile reached its memory limit");
  add(totals.unprofiled_allocations, "allocation",
    "made where no context could be recorded");
  add(totals.refused_runs, "run", "in which lost blocks could not be looked for");
  return found;
}

/* The nodes of the program itself, without the C library's frames that call
   main or a thread's start function. */
function programNodes() {
  const main = profile.functions.indexOf("main");
  const found = new Uint8Array(nodes.caller.length);
  const callsMain = new Uint8Array(found.length);
  for (let node = found.length - 1; node > 0; node--)
    if (callsMain[node] || frames.function[frameOf(node)] === main)
      callsMain[nodes.caller[node]] = 1;
  const isKnown = new Uint8Array(found.length);
  for (let node = 1; node < found.length; node++) {
    const before = isKnown[nodes.caller[node]];
    isKnown[node] = before || frames.named[frameOf(node)] ? 1 : 0;
    found[node] = isKnown[node] && !callsMain[node] ? 1 : 0;
  }
  for (const node of contexts.node)
    found[node] = callsMain[node] ? 0 : 1;
  return found;
}

/* Map each module's name to the bytes of the contexts that contain one of the
   nodes WANTED in it, with a frame for which IS_MISSED is true. */
function missedBytes(wanted, isMissed) {
  const sums = new Map();
  if (!nodes.frame.some((frame, node) => wanted[node] && isMissed(frame)))
    return sums;
  for (let i = 0; i < contextCount; i++) {
    const seen = new Set();
    for (let node = contexts.node[i]; node !== 0; node = nodes.caller[node])
      if (wanted[node] && isMissed(frameOf(node)))
        seen.add(moduleName(frameOf(node)));
    for (const module of seen)
      sums.set(module, (sums.get(module) || 0) + contexts.bytes[i]);
  }
  return sums;
}

/* A list item that says WHAT about the modules NAMES; BYTES is the text for the
   bytes of contexts that contain them. */
function moduleItem(names, what, bytes) {
  return make("li", {}, make("span", {}, names.map((name, i) =>
    [i > 0 ? ", " : "", name === "" ? "Unnamed module"
      : make("code", { class: "break" }, name)]), what),
    make("span", {}, bytes));
}

/* What PROBLEM means and how to fix it. */
function problemText(problem) {
  return problem.meaning + (problem.cause ? " (" + problem.cause + ")" : "")
    + "; " + problem.remedy;
}

/* Modules whose functions have no names, and why; then those whose lines are
   unknown, in one item if they share a reason. */
function moduleItems() {
  const problems = profile.modules || [];
  const wanted = programNodes();
  const unnamed = missedBytes(wanted, (frame) => !frames.named[frame]);
  const unplaced = missedBytes(wanted, (frame) => fileName(frame) === ""
    && frames.named[frame]);
  const items = [];
  for (const [name, bytes] of [...unnamed].sort((a, b) => b[1] - a[1])) {
    const found = problems.filter((one) => (one.module || "") === name);
    items.push(moduleItem([name], ": " + (found.map(problemText)
      .join(". In other runs: ") || "functions have no names "
        + (name === "" ? "and their addresses are in no file"
          : "for an unrecorded reason")), bytesText(bytes)));
  }
  const together = new Map();
  for (const one of problems)
    if (!unnamed.has(one.module || "") && unplaced.has(one.module || "")) {
      const text = problemText(one);
      together.set(text, [...together.get(text) || [], one.module || ""]);
    }
  for (const [text, names] of together)
    items.push(moduleItem(names, ": " + text, ""));
  return items;
}

function lackSection() {
  const items = lacks().map((text) => make("li", {}, make("span", {}, text)));
  items.push(...moduleItems());
  if (!hasAccesses)
    items.push(make("li", {}, make("span", {}, "No accesses were counted:"
      + " hot and cold are unknown")));
  if (!hasRuns)
    items.push(make("li", {}, make("span", {}, "LLVM's formats do not"
      + " record which blocks were never freed")));
  return make("section", {}, make("h2", {}, "What is missing"),
    items.length > 0 ? make("ul", { class: "list" }, items) : null,
    make("p", { class: "weak" }, "Never recorded: accesses by code"
      + " compiled without the plugin"
      + (profile.totals.peak_bytes > 0 ? "."
        : ", and the peak heap size.")));
}

/* The recorded cost of profiling. */
function costSection() {
  const totals = profile.totals;
  const all = totals.info;
  const items = [];
  const add = (text, number) => items.push(make("li", {},
    make("span", {}, text), make("span", {}, number)));
  add("Allocations recorded",
    numberText(all.alloc_count + all.unfinished_count));
  if (hasAccesses)
    add("Accesses counted", numberText(all.total_access_count));
  if (totals.memory_bytes > 0) {
    add("Peak memory of blocks, with the profiler's headers and gaps",
      bytesText(totals.memory_bytes));
    add("of which the blocks themselves", bytesText(totals.peak_bytes));
    add("Contexts, counters and other tables", bytesText(totals.table_bytes));
  }
  return make("section", {}, make("h2", {}, "What profiling cost"),
    make("ul", { class: "list" }, items),
    make("p", { class: "weak" }, (totals.memory_bytes > 0
      ? "For the run that used most" + (hasAccesses
        ? "; access counters add an eighth of the blocks' memory"
        : "") + ". " : "")
      + "Time is not measured: compare with a run without heapprof."));
}

function overviewView(state) {
  const total = profile.total;
  const totals = profile.totals;
  const known = (text) => hasAccesses ? text : "-";
  return [
    make("div", { class: "cards" },
      totals.peak_bytes > 0 ? card("Peak heap", bytesText(totals.peak_bytes),
        totals.runs > 1 ? "live at one time in a run" : "live at one time")
        : null,
      card("Allocated (churn)", bytesText(total.bytes)
        + marginText(total, "bytes"), plural(total.blocks, "block")
        + marginText(total, "blocks")
        + (totals.duration_ns > 0 && !hasOpenRuns ? ", "
          + bytesText(total.bytes * 1e9 / totals.duration_ns)
          + "/s" : "")),
      card("Mean block", total.blocks > 0
        ? bytesText(total.bytes / total.blocks) : "-",
        "lives " + lifetimeText(total)),
      card("Accesses", known(numberText(total.accesses)
        + marginText(total, "accesses")),
        known(ratioText(densityOf(total)) + " per byte")),
      card("Never freed", liveBytesText(total),
        liveBlocksText(total) + lostText(total)),
      card("Sites", numberText(sites.length),
        plural(contextCount, "calling context")),
      card("Runs", hasRuns ? numberText(totals.runs) : "-",
        totals.duration_ns > 0 ? timeText(totals.duration_ns)
          + (hasOpenRuns ? " or more in total" : " in total")
          : "length unknown")),
    hasSamples ? make("p", {}, "Blocks are samples, one for each "
      + bytesText(totals.sample_bytes) + (totals.sampled_runs > 1
        ? " or less" : "") + (totals.sampled_runs < totals.runs ? " in "
        + numberText(totals.sampled_runs) + " of the runs" : "")
      + ": numbers are estimates. The true ones are within what follows \u00b1"
      + " in 95 of 100 cases.") : null,
    timeSection(state),
    contextCount < totals.contexts
      ? make("p", {}, numberText(contextCount) + " of "
        + plural(totals.contexts, "context") + " selected for this report.")
      : null,
    make("div", { class: "columns" },
      markedSites(HOT, "hot", profile.rules.hot, (i) => contexts.accesses[i],
        (sum) => numberText(sum) + " accesses"),
      markedSites(COLD, "cold", profile.rules.cold, (i) => contexts.bytes[i],
        bytesText),
      markedSites(TEMPORARY, "temporary", profile.rules.temporary,
        (i) => contexts.bytes[i], bytesText),
      markedSites(LEAK, "leak", profile.rules.leak,
        (i) => contexts.lost_bytes[i], bytesText),
      ...[[AT_EXIT, "live at exit"], [KILLED, "live when killed"], [LIVE, "live"]]
        .filter(([mark]) => sites.some((site) => site.sum.marks & mark))
        .map(([mark, name]) => markedSites(mark, name, profile.rules[name],
          (i) => contexts.live_bytes[i], bytesText)),
      sites.some((site) => site.sum.marks & UNCERTAIN)
        ? markedSites(UNCERTAIN, "uncertain", profile.rules.uncertain,
          (i) => contexts.bytes[i], bytesText) : null,
      make("section", {}, make("h2", {}, "Most bytes"),
        make("p", { class: "weak" }, "All allocation sites, marked or not"
          + (profile.looked !== "" ? "; " + profile.looked : "")),
        make("ul", { class: "list" }, sites.slice(0, 8).map((site) =>
          make("li", {}, siteLink(site),
            make("span", {}, bytesText(site.sum.bytes)))))),
      threadSection(), singleThreadSection(), lackSection(), costSection())
  ];
}
