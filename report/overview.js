/* The first view: how much, where, and what the profile does not tell.
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

/* The sites with MARK that have most by WEIGHT, as a list under TITLE. */
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

/* What each thread allocated; nothing to tell if there is the first alone. */
function threadSection() {
  const threads = makeThreads();
  if (!threads.some((thread) => thread.number > 1))
    return null;
  return make("section", {}, make("h2", {}, "Threads"),
    make("p", { class: "weak" }, "By the function that they began with"),
    make("ul", { class: "list" }, threads.slice(0, 12).map((thread) =>
      make("li", {}, thread.name === "" ? make("span", {}, "Not known")
        : make("a", { class: "break", href: "#table?"
          + new URLSearchParams({ q: threadSearch(thread.name) }) },
          nameParts(thread.name)),
        make("span", {}, bytesText(thread.sum.bytes))))),
    threads.length > 12 ? make("p", { class: "weak" },
      numberText(threads.length - 12) + " more") : null);
}

/* What the profile lacks, in sentences. */
function lacks() {
  const totals = profile.totals;
  const found = [];
  const add = (number, what, rest) => {
    if (number > 0)
      found.push(plural(number, what) + " " + rest);
  };
  add(totals.incomplete_runs, "run", "did not end normally: of the blocks live"
    + " then only the allocation is known");
  add(totals.running_runs, "run", "still running when this was made"
    + (totals.running_pid > 0 ? " (pid " + totals.running_pid + ")" : "")
    + ": of the blocks live then only the allocation is known");
  add(totals.unknown_runs, "run", "not complete: it was not known whether the"
    + " process still ran");
  add(totals.dropped_contexts, "calling context",
    "cut short because tables were full");
  add(totals.truncated_contexts, "calling context", "cut at the greatest depth");
  add(totals.ended_walks, "calling context",
    "ended in code without frame pointers");
  add(totals.folded_contexts, "allocation", "in a recursion that was folded");
  add(totals.pruned_contexts, "allocation",
    "counted at a caller: the profile had all its memory");
  add(totals.unprofiled_allocations, "allocation",
    "made where no context could be taken");
  return found;
}

/* Which nodes are of the program: how the C library comes to call main or a
   thread's function is of no matter. */
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

/* Bytes of the contexts that pass, in each module, one of the nodes WANTED with
   a frame for which IS_MISSED: a map by name. */
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

/* An item of the list for the modules NAMES, of which WHAT; BYTES pass them. */
function moduleItem(names, what, bytes) {
  return make("li", {}, make("span", {}, names.map((name, i) =>
    [i > 0 ? ", " : "", name === "" ? "A module without a name"
      : make("code", { class: "break" }, name)]), what),
    make("span", {}, bytes));
}

/* What PROBLEM, of those that the profile has, means. */
function problemText(problem) {
  return problem.meaning + (problem.cause ? " (" + problem.cause + ")" : "")
    + "; " + problem.remedy;
}

/* Modules in which functions have no names, and why; then those in which lines
   are not known, together if they have one reason. */
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
      .join(". Of other runs: ") || "functions have no names, "
        + (name === "" ? "their addresses are in no file"
          : "and the profile does not say why")), bytesText(bytes)));
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
      + " nothing is known of hot and cold")));
  if (!hasRuns)
    items.push(make("li", {}, make("span", {}, "LLVM's formats do not tell"
      + " which blocks were never freed")));
  return make("section", {}, make("h2", {}, "What this profile does not tell"),
    items.length > 0 ? make("ul", { class: "list" }, items) : null,
    make("p", { class: "weak" }, "Never recorded: accesses by code that was"
      + " compiled without the plugin"
      + (profile.totals.peak_bytes > 0 ? "."
        : ", and the greatest heap at one time.")));
}

/* What profiling took, as far as the profile knows. */
function costSection() {
  const totals = profile.totals;
  const all = totals.info;
  const items = [];
  const add = (text, number) => items.push(make("li", {},
    make("span", {}, text), make("span", {}, number)));
  add("Blocks whose allocation was recorded",
    numberText(all.alloc_count + all.unfinished_count));
  if (hasAccesses)
    add("Accesses that were counted", numberText(all.total_access_count));
  if (totals.memory_bytes > 0) {
    add("Memory that blocks were in at most, with the profiler's headers and"
      + " gaps", bytesText(totals.memory_bytes));
    add("of which blocks at their peak", bytesText(totals.peak_bytes));
    add("Contexts, counts and other tables", bytesText(totals.table_bytes));
  }
  return make("section", {}, make("h2", {}, "What profiling cost"),
    make("ul", { class: "list" }, items),
    make("p", { class: "weak" }, (totals.memory_bytes > 0
      ? "Of the run with most" + (hasAccesses
        ? "; counters of accesses take an eighth of the blocks' memory more"
        : "") + ". " : "")
      + "Time is not measured: compare with a run without heapprof."));
}

function overviewView() {
  const total = profile.total;
  const totals = profile.totals;
  const known = (text) => hasAccesses ? text : "-";
  return [
    make("div", { class: "cards" },
      totals.peak_bytes > 0 ? card("Peak heap", bytesText(totals.peak_bytes),
        totals.runs > 1 ? "live at one time in a run" : "live at one time")
        : null,
      card("Allocated (churn)", bytesText(total.bytes), plural(total.blocks, "block")
        + (totals.duration_ns > 0 && !hasOpenRuns ? ", "
          + bytesText(total.bytes * 1e9 / totals.duration_ns)
          + "/s" : "")),
      card("Mean block", total.blocks > 0
        ? bytesText(total.bytes / total.blocks) : "-",
        "lives " + lifetimeText(total)),
      card("Accesses", known(numberText(total.accesses)),
        known(ratioText(densityOf(total)) + " a byte")),
      card("Never freed", liveBytesText(total), liveBlocksText(total)),
      card("Sites", numberText(sites.length),
        plural(contextCount, "calling context")),
      card("Runs", hasRuns ? numberText(totals.runs) : "-",
        totals.duration_ns > 0 ? timeText(totals.duration_ns)
          + (hasOpenRuns ? " or more in all" : " in all")
          : "length not known")),
    contextCount < totals.contexts
      ? make("p", {}, numberText(contextCount) + " of "
        + plural(totals.contexts, "context") + " were chosen for this report.")
      : null,
    make("div", { class: "columns" },
      markedSites(HOT, "hot", profile.rules.hot, (i) => contexts.accesses[i],
        (sum) => numberText(sum) + " accesses"),
      markedSites(COLD, "cold", profile.rules.cold, (i) => contexts.bytes[i],
        bytesText),
      markedSites(LEAK, "leak", profile.rules.leak,
        (i) => contexts.live_bytes[i], bytesText),
      ...[[KILLED, "live when killed"], [LIVE, "live"]].map(([mark, name]) =>
        markedSites(mark, name, profile.rules[name],
          (i) => contexts.live_bytes[i], bytesText)),
      make("section", {}, make("h2", {}, "Most bytes"),
        make("p", { class: "weak" }, "Allocation sites, whatever their marks"),
        make("ul", { class: "list" }, sites.slice(0, 8).map((site) =>
          make("li", {}, siteLink(site),
            make("span", {}, bytesText(site.sum.bytes)))))),
      threadSection(), lackSection(), costSection())
  ];
}
