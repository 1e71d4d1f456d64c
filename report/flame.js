/* The flame graph: width is a quantity, depth is calls; upside down it starts
   at allocations and goes on to their callers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Frames of one function below one caller are one item, made when it is first
   needed: items that would be too narrow to see are not made.  */

"use strict";

const FLAME_ROW = 21;           /* pixels */
const FLAME_LEAST = 2;          /* pixels; narrower items are left out */
const FLAME_DEPTH = 200;

/* The node of each context at the depth that a walk from the root has reached is
   found from its path, outermost first. */
function outermostFirst(index) {
  return stackOf(contexts.node[index]).reverse();
}

/* An item of function NAME below PARENT. PATHS are its contexts' frames in the
   order of the walk, the item's own at DEPTH - 1. */
function flameItem(name, parent, depth) {
  return { name, parent, depth, indices: [], sum: emptySum(), children: null };
}

function addToItem(item, index) {
  item.indices.push(index);
  addContext(item.sum, index);
}

/* The root of the graph over all contexts that MATCHES, by node, has; NULL: of
   all. */
function flameRoot(matches) {
  const root = flameItem("all", null, 0);
  for (let i = 0; i < contextCount; i++)
    if (matches === null || matches[contexts.node[i]])
      addToItem(root, i);
  return root;
}

/* The items below ITEM; PATHS caches the frames of contexts. */
function flameChildren(item, paths, inverted) {
  if (item.children !== null)
    return item.children;
  const byFunction = new Map();
  for (const index of item.indices) {
    let path = paths[index];
    if (path === undefined) {
      path = inverted ? stackOf(contexts.node[index]) : outermostFirst(index);
      paths[index] = path;
    }
    if (item.depth >= path.length)
      continue;
    const number = frames.function[path[item.depth]];
    let child = byFunction.get(number);
    if (child === undefined) {
      child = flameItem(profile.functions[number], item, item.depth + 1);
      child.frame = path[item.depth];
      byFunction.set(number, child);
    }
    addToItem(child, index);
  }
  item.children = [...byFunction.values()];
  return item.children;
}

const flame = { by: "bytes", colour: "density", inverted: false, query: null,
                root: null, zoom: null, paths: [] };

/* A colour for NAME, the same each time. */
function nameColour(name) {
  let hash = 0;
  for (let i = 0; i < name.length; i++)
    hash = (hash * 31 + name.charCodeAt(i)) | 0;
  return "hsl(" + (20 + (hash >>> 0) % 40) + ",70%,"
    + (62 + (hash >>> 8) % 14) + "%)";
}

function itemColour(item) {
  if (flame.colour === "density" && hasAccesses)
    return heatColour(densityShare(densityOf(item.sum)));
  if (flame.colour === "lifetime")
    return heatColour(1 - Math.min(1, meanLifetime(item.sum)
                                   / profile.run_length_ns));
  return nameColour(item.name);
}

function itemLines(item) {
  const quantity = QUANTITIES[flame.by];
  return [item.name,
    quantity.text(item.sum[flame.by]) + " " + quantity.label + ", "
      + percentText(item.sum[flame.by], flame.root.sum[flame.by]),
    bytesText(item.sum.bytes) + " in " + plural(item.sum.blocks, "block")
      + (hasAccesses ? ", " + ratioText(densityOf(item.sum))
        + " accesses a byte" : "")
      + ", lifetime " + timeText(meanLifetime(item.sum))];
}

function flameButton(item, left, width, row, box) {
  const label = itemLines(item);
  const button = make("button", {
    type: "button", "aria-label": label.join(", "),
    onclick: () => { zoomTo(item); },
    onmousemove: (event) => showTip(label, event, button),
    onmouseleave: hideTip,
    onfocus: () => showTip(label, null, button),
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

/* Put the items below ITEM, which is at LEFT and as wide as WIDTH, into BOX.
   Return the deepest row. */
function layOut(item, left, width, row, box) {
  let deepest = row;
  const children = flameChildren(item, flame.paths, flame.inverted);
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

/* Draw the graph into BOX: the callers of what is zoomed into, then that. */
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

/* Move the focus from BUTTON as the key of EVENT says. */
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

/* Make the items anew if they are of another search or direction. */
function prepareFlame(state) {
  const inverted = state.up === "callers";
  flame.by = QUANTITIES[state.by] ? state.by : "bytes";
  flame.colour = state.colour || "density";
  if (flame.root === null || flame.query !== state.q
      || flame.inverted !== inverted) {
    flame.query = state.q;
    flame.inverted = inverted;
    flame.paths = [];
    flame.root = flameRoot(matchNodes(state.q));
    flame.zoom = flame.root;
  }
}

function flameView(state) {
  prepareFlame(state);
  const box = make("div", { class: "flame", role: "group",
                            "aria-label": "Flame graph" });
  requestAnimationFrame(() => drawFlame(box));
  return [
    make("div", { class: "row" },
      choice("Width", Object.entries(QUANTITIES)
        .map(([key, quantity]) => [key, quantity.label]), flame.by,
        (by) => go({ by })),
      choice("Colour", [["density", "accesses a byte"],
        ["lifetime", "mean lifetime"], ["name", "function"]], flame.colour,
        (colour) => go({ colour })),
      choice("Down", [["callees", "to allocations"],
        ["callers", "from allocations to callers"]],
        flame.inverted ? "callers" : "callees",
        (up) => go({ up })),
      make("button", { type: "button", onclick: () => zoomTo(flame.root) },
        "Zoom out"),
      flame.colour === "name" ? null : make("span", { class: "weak" },
        flame.colour === "density" ? "few accesses " : "long-lived ",
        make("span", { class: "legend", style: "background:" + LEGEND }),
        flame.colour === "density" ? " many" : " short-lived")),
    flame.root.indices.length === 0
      ? make("p", {}, "No calling context matches.") : null,
    box];
}
