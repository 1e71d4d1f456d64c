/* The flame graph: width is a quantity, depth is calls. Inverted, it starts at
   allocations and continues with their callers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Frames of one function below one caller are one item, made when it is first
   needed: items that would be too narrow to see are not made.  */

"use strict";

const FLAME_ROW = 21;           /* pixels */
const FLAME_LEAST = 2;          /* pixels; narrower items are omitted */
const FLAME_DEPTH = 200;

/* An item for function NUMBER, or all if it is -1, below PARENT. From main
   downwards, its NODES are the tree nodes that it represents; inverted, INDICES
   are its contexts. A function that calls itself is one item. */
function flameItem(number, parent, depth) {
  return { name: number < 0 ? "all" : profile.functions[number], number, parent,
           depth, nodes: [], indices: [], sum: emptySum(), isRecursive: false,
           children: null };
}

function addToItem(item, index) {
  item.indices.push(index);
  addContext(item.sum, index);
}

const SUM_KEYS = Object.keys(emptySum()).filter((key) => key !== "marks");

/* For each quantity, what was allocated in each node of the tree and below it.
   MATCHES selects contexts by node; null selects all. */
function subtreeSums(matches) {
  const sums = {};
  for (const key of SUM_KEYS) {
    const column = sums[key] = new Float64Array(nodes.caller.length);
    for (let i = 0; i < contextCount; i++)
      if (matches === null || matches[contexts.node[i]])
        column[siteNodes[i]] += contexts[key][i];
    for (let node = column.length - 1; node > 0; node--)
      column[nodes.caller[node]] += column[node];
  }
  return sums;
}

/* The children of each node as chains: the first child, and the next sibling. */
function makeChains() {
  const count = nodes.caller.length;
  const first = new Int32Array(count), next = new Int32Array(count);
  for (let node = count - 1; node > 0; node--) {
    next[node] = first[nodes.caller[node]];
    first[nodes.caller[node]] = node;
  }
  return { first, next };
}

/* The root of the graph of the contexts that MATCHES selects by node; null
   selects all. */
function flameRoot(matches) {
  const root = flameItem(-1, null, 0);
  root.nodes.push(0);
  for (let i = 0; i < contextCount; i++)
    if (matches === null || matches[contexts.node[i]])
      addToItem(root, i);
  return root;
}

/* The child of ITEM for FRAME's function, added to BY_FUNCTION if new. */
function childOf(item, byFunction, frame) {
  const number = frames.function[frame];
  let child = byFunction.get(number);
  if (child === undefined) {
    child = flameItem(number, item, item.depth + 1);
    byFunction.set(number, child);
  }
  return child;
}

/* The nodes with allocations that ITEM calls; instead of those that are hidden
   or in its own function, those below them. */
function calleesOf(item) {
  const { first, next } = flame.chains;
  const found = [];
  const left = [...item.nodes];
  while (left.length > 0)
    for (let below = first[left.pop()]; below !== 0; below = next[below]) {
      if (flame.sums.blocks[below] === 0)
        continue;
      const isSame = frames.function[frameOf(below)] === item.number;
      item.isRecursive = item.isRecursive || isSame;
      (isSame || isHidden(below) ? left : found).push(below);
    }
  return found;
}

/* Add the callees of ITEM, found in the tree. */
function addCallees(item, byFunction) {
  for (const below of calleesOf(item)) {
    const child = childOf(item, byFunction, frameOf(below));
    child.nodes.push(below);
    for (const key of SUM_KEYS)
      child.sum[key] += flame.sums[key][below];
  }
}

/* The frames of the context NODE that are not hidden, innermost first; one for a
   function that calls itself. */
function pathOf(node) {
  const path = [];
  let last = -1;
  for (; node !== 0; node = nodes.caller[node]) {
    const frame = frameOf(node);
    if (isHidden(node) || frames.function[frame] === last)
      continue;
    path.push(frame);
    last = frames.function[frame];
  }
  return path;
}

/* Add the callers of ITEM, found in the paths of its contexts. */
function addCallers(item, byFunction) {
  for (const index of item.indices) {
    let path = flame.paths[index];
    if (path === undefined)
      path = flame.paths[index] = pathOf(siteNodes[index]);
    if (item.depth < path.length)
      addToItem(childOf(item, byFunction, path[item.depth]), index);
  }
}

/* The children of ITEM, created on first use. */
function flameChildren(item) {
  if (item.children === null) {
    const byFunction = new Map();
    if (flame.inverted)
      addCallers(item, byFunction);
    else
      addCallees(item, byFunction);
    item.children = [...byFunction.values()];
  }
  return item.children;
}

const flame = { by: "bytes", colour: "density", inverted: false, query: null,
                root: null, zoom: null, paths: [], sums: null,
                chains: null };

/* A colour for NAME, always the same one. */
function nameColour(name) {
  let hash = 0;
  for (let i = 0; i < name.length; i++)
    hash = (hash * 31 + name.charCodeAt(i)) | 0;
  return "hsl(" + (20 + (hash >>> 0) % 40) + ",70%,"
    + (62 + (hash >>> 8) % 14) + "%)";
}

function itemColour(item) {
  if (flame.colour === "density" && isCounted(item.sum))
    return heatColour(densityShare(densityOf(item.sum)));
  if (flame.colour === "lifetime")
    return heatColour(1 - Math.min(1, meanLifetime(item.sum)
                                   / profile.run_length_ns));
  return nameColour(item.name);
}

function itemLines(item) {
  const quantity = QUANTITIES[flame.by];
  return [item.name + (item.isRecursive ? " (calls itself)" : ""),
    quantity.text(item.sum[flame.by]) + " " + quantity.label + ", "
      + percentText(item.sum[flame.by], flame.root.sum[flame.by]),
    bytesText(item.sum.bytes) + " in " + plural(item.sum.blocks, "block")
      + (isCounted(item.sum) ? ", " + ratioText(densityOf(item.sum))
        + " accesses per byte" : "")
      + ", lifetime " + lifetimeText(item.sum)];
}

/* Make BUTTON the only item of BOX that Tab reaches; arrow keys move on. */
function makeTabStop(button, box) {
  for (const other of box.querySelectorAll("[tabindex='0']"))
    other.tabIndex = -1;
  button.tabIndex = 0;
}

function flameButton(item, left, width, row, box) {
  const label = itemLines(item);
  const button = make("button", {
    type: "button", tabindex: "-1", "aria-label": label.join(", "),
    onclick: () => { zoomTo(item); },
    onmousemove: (event) => showTip(label, event, button),
    onmouseleave: hideTip,
    onfocus: () => {
      makeTabStop(button, box);
      showTip(label, null, button);
    },
    onblur: hideTip,
    onkeydown: (event) => moveInFlame(event, button, box)
  }, width > 34 ? item.name : "");
  button.style.left = left + "px";
  button.style.width = Math.max(1, width - 1) + "px";
  button.style.top = row * FLAME_ROW + "px";
  button.style.background = itemColour(item);
  button.item = item;
  if (row < 0)
    button.hidden = true;
  return button;
}

/* Add the items below ITEM, which is at LEFT and WIDTH wide, to BOX. Return the
   deepest row. */
function layOut(item, left, width, row, box) {
  let deepest = row;
  const children = flameChildren(item);
  const whole = item.sum[flame.by];
  children.sort((a, b) => b.sum[flame.by] - a.sum[flame.by]);
  for (const child of children) {
    const part = whole > 0 ? width * child.sum[flame.by] / whole : 0;
    if (part < FLAME_LEAST || row >= FLAME_DEPTH)
      break;
    box.append(flameButton(child, left, part, row, box));
    deepest = Math.max(deepest, layOut(child, left, part, row + 1, box));
    left += part;
  }
  return deepest;
}

/* Draw the graph into BOX: the callers of the zoomed item, then the item. */
function drawFlame(box) {
  const width = box.clientWidth;
  const above = [];
  for (let item = flame.zoom; item !== null; item = item.parent)
    above.unshift(item);
  box.replaceChildren();
  above.forEach((item, row) => {
    const button = flameButton(item, 0, width, row, box);
    if (item !== flame.zoom)
      button.className = "dim";
    box.append(button);
  });
  const rows = layOut(flame.zoom, 0, width, above.length, box);
  box.style.height = (rows + 1) * FLAME_ROW + "px";
  makeTabStop(box.children[above.length - 1], box);
}

function zoomTo(item) {
  flame.zoom = item;
  hideTip();
  const box = document.querySelector(".flame");
  drawFlame(box);
  for (const button of box.children)
    if (button.item === item)
      button.focus({ preventScroll: true });
  hideTip();
}

/* Move the focus from BUTTON according to the key in EVENT. */
function moveInFlame(event, button, box) {
  const all = [...box.children];
  const item = button.item;
  let wanted = null;
  if (event.key === "ArrowUp")
    wanted = all.find((other) => other.item === item.parent);
  else if (event.key === "ArrowDown")
    wanted = all.find((other) => other.item.parent === item);
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const row = all.filter((other) => other.item.depth === item.depth);
    wanted = row[row.indexOf(button) + (event.key === "ArrowLeft" ? -1 : 1)];
  } else
    return;
  event.preventDefault();
  if (wanted)
    wanted.focus();
}

/* Create new items if the search or the direction changed. */
function prepareFlame(state) {
  const inverted = state.up === "callers";
  flame.by = QUANTITIES[state.by] ? state.by : "bytes";
  flame.colour = state.colour || "density";
  if (flame.root === null || flame.query !== state.q
      || flame.inverted !== inverted) {
    flame.query = state.q;
    flame.inverted = inverted;
    flame.paths = [];
    const matches = matchNodes(state.q);
    flame.chains = flame.chains || makeChains();
    flame.sums = inverted ? null : subtreeSums(matches);
    flame.root = flameRoot(matches);
    flame.zoom = flame.root;
  }
}

function flameView(state) {
  prepareFlame(state);
  say(plural(flame.root.indices.length, "calling context"));
  const box = make("div", { class: "flame", role: "group",
                            "aria-label": "Flame graph; arrow keys move" });
  requestAnimationFrame(() => drawFlame(box));
  return [
    make("div", { class: "row" },
      choice("Width", Object.entries(QUANTITIES)
        .map(([key, quantity]) => [key, quantity.label]), flame.by,
        (by) => go({ by })),
      choice("Colour", [["density", "accesses per byte"],
        ["lifetime", "mean lifetime"], ["name", "function"]], flame.colour,
        (colour) => go({ colour })),
      choice("Down", [["callees", "to allocations"],
        ["callers", "from allocations to callers"]],
        flame.inverted ? "callers" : "callees",
        (up) => go({ up })),
      make("button", { type: "button",
                       onclick: () => zoomTo(flame.root) },
        "Zoom out"),
      flame.colour === "name" ? null : make("span", { class: "weak" },
        flame.colour === "density" ? "few accesses " : "long-lived ",
        make("span", { class: "legend", style: "background:" + LEGEND }),
        flame.colour === "density" ? " many" : " short-lived")),
    flame.root.indices.length === 0
      ? make("p", {}, "No calling context matches.") : null,
    box];
}
