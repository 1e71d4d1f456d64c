/* The profile in memory: columns of numbers by context, and data derived from
   them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context is named by its innermost node; a node is a frame below its caller's
   node, whose number is less; node 0 is the root and has no frame.  */

"use strict";

const profile = JSON.parse(document.getElementById("profile").textContent);
const HOT = 1, COLD = 2, TEMPORARY = 4, LEAK = 8, KILLED = 16, LIVE = 32,
  AT_EXIT = 64, UNCERTAIN = 128;
const MARKS = [[HOT, "hot"], [COLD, "cold"], [TEMPORARY, "temporary"],
  [LEAK, "leak"], [KILLED, "live when killed"], [LIVE, "live"],
  [AT_EXIT, "live at exit"], [UNCERTAIN, "uncertain"]];

const frames = profile.frames;
const nodes = profile.nodes;
const contexts = profile.contexts;
const contextCount = contexts.node.length;
/* For the complete profile, whatever part of it was selected. */
const hasAccesses = profile.totals.info.total_access_count > 0;
const hasRuns = profile.totals.runs !== null;
/* True if live blocks that the program had lost are known. */
const hasLeaks = profile.totals.searched_runs > 0;
/* True if some blocks are samples, so that numbers are estimates. */
const hasSamples = profile.totals.sampled_runs > 0;
const hasMoments = profile.totals.timed_runs > 0;
/* True if there are runs whose length may be unknown. */
const hasOpenRuns = profile.totals.incomplete_runs > 0
  || profile.totals.running_runs > 0 || profile.totals.unknown_runs > 0;

function frameOf(node) {
  return nodes.frame[node];
}

function functionName(frame) {
  return profile.functions[frames.function[frame]];
}

function fileName(frame) {
  return profile.files[frames.file[frame]];
}

function moduleName(frame) {
  return profile.files[frames.module[frame]];
}

function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/* The location of FRAME, in short form. */
function placeOf(frame) {
  const file = fileName(frame);
  if (file !== "")
    return baseName(file)
      + (frames.line[frame] > 0 ? ":" + frames.line[frame] : "");
  const module = moduleName(frame);
  return module !== "" ? "in " + module : "unknown place";
}

/* The bytes in blocks of SUM that were never freed, and the number of these
   blocks. LLVM's formats do not record them. */
function liveBytesText(sum) {
  return hasRuns ? bytesText(sum.live_bytes) : "-";
}

function liveBlocksText(sum) {
  return hasRuns ? plural(sum.live_blocks, "block") : "unknown";
}

/* Of these, the bytes in blocks that the program had no pointer to. */
function lostText(sum) {
  return hasLeaks ? ", " + (sum.lost_blocks > 0
    ? bytesText(sum.lost_bytes) + " of them lost" : "none lost") : "";
}

/* Only for complete blocks, too. LLVM's formats have whole milliseconds. */
function lifetimeText(sum) {
  if (sum.complete_blocks === 0)
    return "-";
  return !hasRuns && sum.lifetime === 0 ? "<1\u00a0ms"
    : timeText(meanLifetime(sum));
}

/* Kinds of frames in frames.wrapper: of the C++ library, of another allocator
   wrapper; 0 is none of them. */
const LIBRARY = 1;

/* Kinds of frames in frames.python, which most profiles do not have: Python code,
   and the interpreter's functions. */
const PYTHON = 1, INTERPRETER = 2;

/* By node: whether it or a caller is in Python code; null: none is. */
const belowPython = frames.python === undefined ? null
  : nodes.frame.reduce((below, frame, node) => {
    below.push(node > 0 && (below[nodes.caller[node]]
                            || frames.python[frame] === PYTHON));
    return below;
  }, []);

function isBelowPython(node) {
  return belowPython !== null && belowPython[node];
}

/* The node of the site of the context NODE: the innermost frame that is not
   looked through, or the outermost; below Python code, in that. */
function siteNodeOf(node) {
  if (isBelowPython(node))
    while (frames.python[frameOf(node)] !== PYTHON)
      node = nodes.caller[node];
  while (frames.wrapper[frameOf(node)] !== 0 && nodes.caller[node] !== 0)
    node = nodes.caller[node];
  return node;
}

/* The nodes of the contexts' sites. */
const siteNodes = contexts.node.map(siteNodeOf);

/* True if the C++ library calls NODE, of the C++ library, too; or Python code
   calls NODE, of the interpreter. */
function isHidden(node) {
  const caller = nodes.caller[node];
  if (isBelowPython(node) && frames.python[frameOf(node)] === INTERPRETER)
    return true;
  return caller !== 0 && frames.wrapper[frameOf(node)] === LIBRARY
    && frames.wrapper[frameOf(caller)] === LIBRARY;
}

/* Of the items in STACK from START on, how many repeat the first CYCLE. */
function countRepeated(stack, start, cycle) {
  let same = 0;
  while (start + cycle + same < stack.length
         && stack[start + same].frame === stack[start + cycle + same].frame
         && stack[start + same].inside.length
           === stack[start + cycle + same].inside.length)
    same++;
  return same - same % cycle;
}

const CYCLE_MAX = 32;

/* STACK with repeated cycles once: the last item of each has its length and how
   often it occurs. */
function foldStack(stack) {
  const found = [];
  for (let i = 0; i < stack.length;) {
    let most = 0, cycle = 1;
    for (let length = 1; length <= CYCLE_MAX; length++) {
      const repeated = countRepeated(stack, i, length);
      if (repeated > 0 && length + repeated > cycle + most) {
        most = repeated;
        cycle = length;
      }
    }
    found.push(...stack.slice(i, i + cycle));
    if (most > 0)
      Object.assign(found[found.length - 1],
                    { cycle, times: most / cycle + 1 });
    i += cycle + most;
  }
  return found;
}

/* The frames of the context whose innermost node is NODE, innermost first, each
   with the frames inside it that it stands for: those of wrappers, and
   neighbouring ones of the C++ library. */
function stackOf(node) {
  const stack = [];
  const site = siteNodeOf(node);
  const isPython = isBelowPython(site);
  let inside = [];
  for (let isInside = node !== site; node !== 0; node = nodes.caller[node]) {
    isInside = isInside && node !== site;
    if (isPython ? isBelowPython(node) ? isHidden(node)
                   : frames.python[frameOf(node)] === INTERPRETER
        : isInside ? nodes.caller[node] !== site : isHidden(node))
      inside.push(frameOf(node));
    else {
      stack.push({ frame: frameOf(node), inside });
      inside = [];
    }
  }
  return foldStack(stack);
}

/* Quantities of contexts at moments, of which older profiles have none. */
const MOMENT_KEYS = hasMoments ? ["peak_bytes", "peak_blocks", "temporary"] : [];

if (hasLeaks)
  MOMENT_KEYS.push("lost_bytes", "lost_blocks");

/* How far quantities may be off: their standard deviations, of which the squares
   are additive, and what a single sample contributes at most. */
const ESTIMATES = hasSamples ? ["blocks", "bytes", "accesses"] : [];

/* The additive quantities of contexts. */
const QUANTITIES = {
  bytes: { label: "bytes", text: bytesText },
  blocks: { label: "blocks", text: numberText },
  accesses: { label: "accesses", text: numberText },
  lifetime: { label: "total lifetime of blocks", text: timeText },
  live_bytes: { label: "bytes never freed", text: bytesText }
};
if (hasMoments) {
  QUANTITIES.peak_bytes = { label: "bytes live at the peak", text: bytesText };
  QUANTITIES.temporary = { label: "temporary blocks", text: numberText };
}
if (hasLeaks)
  QUANTITIES.lost_bytes = { label: "bytes lost", text: bytesText };
profile.marks.forEach((mark, number) => {
  const key = "mark" + number;
  contexts[key] = mark.bytes;
  MOMENT_KEYS.push(key);
  QUANTITIES[key] = { label: "bytes live at mark " + mark.label,
                      text: bytesText };
});

function emptySum() {
  const sum = { bytes: 0, blocks: 0, complete_blocks: 0, complete_bytes: 0,
                uncounted_blocks: 0, uncounted_bytes: 0, accesses: 0,
                lifetime: 0, live_blocks: 0, live_bytes: 0, marks: 0 };
  for (const key of MOMENT_KEYS)
    sum[key] = 0;
  for (const key of ESTIMATES)
    sum[key + "_deviation"] = sum[key + "_greatest"] = 0;
  return sum;
}

function addContext(sum, index) {
  sum.bytes += contexts.bytes[index];
  sum.blocks += contexts.blocks[index];
  sum.complete_blocks += contexts.complete_blocks[index];
  sum.complete_bytes += contexts.complete_bytes[index];
  sum.uncounted_blocks += contexts.uncounted_blocks[index];
  sum.uncounted_bytes += contexts.uncounted_bytes[index];
  sum.accesses += contexts.accesses[index];
  sum.lifetime += contexts.lifetime[index];
  sum.live_blocks += contexts.live_blocks[index];
  sum.live_bytes += contexts.live_bytes[index];
  sum.marks |= contexts.marks[index];
  for (const key of MOMENT_KEYS)
    sum[key] += contexts[key][index];
  for (const key of ESTIMATES) {
    sum[key + "_deviation"] = Math.hypot(sum[key + "_deviation"],
      contexts[key + "_deviation"][index]);
    sum[key + "_greatest"] = Math.max(sum[key + "_greatest"],
      contexts[key + "_greatest"][index]);
  }
}

/* By how much a number may be off, with a probability of 95 %: as
   heap_spread_margin of heap-spread.c. */
function marginOf(deviation, greatest) {
  const samples = deviation > 0 ? (deviation / greatest) ** 2 : 0;
  if (samples >= 100)
    return 1.96 * deviation;
  const next = samples + 1;
  const root = 1 - 1 / (9 * next) + 1.96 / (3 * Math.sqrt(next));
  return greatest * (next * root ** 3 - samples);
}

/* After a number of SUM: by how much it may be off, if it is an estimate and there
   is a limit. KEY is blocks, bytes or accesses. */
function marginText(sum, key) {
  return hasSamples && sum[key + "_greatest"] !== null ? " \u00b1 " + QUANTITIES[key].text(Math.ceil(
    marginOf(sum[key + "_deviation"], sum[key + "_greatest"]))) : "";
}

/* True if accesses to blocks of SUM are known. */
function isCounted(sum) {
  return hasAccesses && (sum.complete_blocks > sum.uncounted_blocks
                         || sum.complete_blocks === 0);
}

/* Only for blocks whose accesses were counted: those of killed runs, when they
   are live, and of runs without counters were not. */
function densityOf(sum) {
  const bytes = sum.complete_bytes - sum.uncounted_bytes;
  return bytes > 0 ? sum.accesses / bytes : 0;
}

function meanLifetime(sum) {
  return sum.complete_blocks > 0 ? sum.lifetime / sum.complete_blocks : 0;
}

/* Sites, most bytes first, each with its contexts, most bytes first. */
function makeSites() {
  const byFrame = new Map();
  for (let i = 0; i < contextCount; i++) {
    const frame = contexts.site[i];
    let site = byFrame.get(frame);
    if (site === undefined) {
      site = { frame, contexts: [], sum: emptySum() };
      byFrame.set(frame, site);
    }
    site.contexts.push(i);
    addContext(site.sum, i);
  }
  const found = [...byFrame.values()];
  found.sort((a, b) => b.sum.bytes - a.sum.bytes || a.frame - b.frame);
  found.forEach((site, number) => { site.number = number; });
  return found;
}

const sites = makeSites();
const siteOfContext = new Int32Array(contextCount);
for (const site of sites)
  for (const index of site.contexts)
    siteOfContext[index] = site.number;

/* The accesses to each 8 bytes of the blocks of the context INDEX; null if they
   were not counted. Decoded on first use: most readers never need them. */
let histograms = null;

function histogramOf(index) {
  if (histograms === null)
    histograms = new Map(JSON.parse(profile.histograms));
  return histograms.get(index) || null;
}

/* The data types by number. */
const dataTypes = new Map((profile.types || []).filter((type) => type.name)
  .map((type) => [type.data_type_id, type]));

/* The data type of the blocks of the context INDEX; null if unknown. */
function dataTypeOf(index) {
  const place = profile.data_types[index];
  return place > 0 && dataTypes.get(profile.type_numbers[place - 1]) || null;
}

/* The thread of each node, by number. */
function findThreads() {
  const found = new Uint32Array(nodes.caller.length);
  const starts = new Map(profile.threads.starts);
  for (let node = 1; node < found.length; node++)
    found[node] = starts.has(node) ? starts.get(node)
      : found[nodes.caller[node]];
  return found;
}

const threadOfNode = findThreads();

/* What each thread allocated, most bytes first; unknown threads last. */
function makeThreads() {
  const sums = profile.threads.names.map((name, number) =>
    ({ name, number, contexts: 0, sum: emptySum() }));
  for (let i = 0; i < contextCount; i++) {
    const thread = sums[threadOfNode[contexts.node[i]]];
    thread.contexts++;
    addContext(thread.sum, i);
  }
  return sums.filter((thread) => thread.contexts > 0)
    .sort((a, b) => (a.number === 0) - (b.number === 0)
      || b.sum.bytes - a.sum.bytes || a.number - b.number);
}

/* A function that returns true if a name matches TEXT, in any case. /TEXT/ is a
   regular expression. */
function nameTest(text) {
  if (text.length > 2 && text.startsWith("/") && text.endsWith("/")) {
    try {
      const expression = new RegExp(text.slice(1, -1), "i");
      return (name) => expression.test(name);
    } catch (error) {
      return () => false;
    }
  }
  const wanted = text.toLowerCase();
  return (name) => name.toLowerCase().includes(wanted);
}

const THREAD_SEARCH = "thread:";

/* The search text that finds only the thread NAME. */
function threadSearch(name) {
  return THREAD_SEARCH + "/^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$/";
}

/* An array with 1 for each node whose frame, or a caller's frame, matches TEXT;
   with thread:TEXT, whose thread does. Null if TEXT is empty. */
function matchNodes(text) {
  if (text === "")
    return null;
  if (text.startsWith(THREAD_SEARCH)) {
    const test = nameTest(text.slice(THREAD_SEARCH.length));
    const wanted = profile.threads.names.map((name) => name !== "" && test(name));
    return Uint8Array.from(threadOfNode, (thread) => wanted[thread] ? 1 : 0);
  }
  const test = nameTest(text);
  const functions = profile.functions.map(test);
  const files = profile.files.map((name) => name !== "" && test(name));
  const found = new Uint8Array(nodes.caller.length);
  for (let i = 1; i < found.length; i++) {
    const frame = frameOf(i);
    found[i] = found[nodes.caller[i]] || functions[frames.function[frame]]
      || files[frames.file[frame]] || files[frames.module[frame]] ? 1 : 0;
  }
  return found;
}
