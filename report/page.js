/* Elements, colours, and the tooltip.
   SPDX-License-Identifier: GPL-3.0-or-later

   Text from the profile enters the page only as text nodes and attributes, so
   that names never become markup.  */

"use strict";

/* Create an element with PROPERTIES ("class", "on...", data and aria attributes)
   and CHILDREN, elements or text. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key.startsWith("on"))
      element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false)
      element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null));
  return element;
}

/* The function NAME as children of an element, with line breaks allowed after
   scopes and before template arguments. */
function nameParts(name) {
  return name.split(/(::|[<,])/).map((part, i) =>
    i % 2 === 1 ? [part, make("wbr")] : part);
}

/* The marks in MARKS, as a list of elements. */
function markElements(marks) {
  return MARKS.filter(([bit]) => marks & bit)
    .map(([bit, name]) => make("span", { class: "mark " + name }, name));
}

/* A colour from blue (cold, SHARE 0) over grey to red (hot, SHARE 1). */
function heatColour(share) {
  const cold = [92, 150, 219], middle = [205, 205, 196], hot = [236, 108, 84];
  const [from, to, at] = share < 0.5 ? [cold, middle, share * 2]
    : [middle, hot, share * 2 - 1];
  const parts = from.map((part, i) => Math.round(part + (to[i] - part) * at));
  return "rgb(" + parts.join(",") + ")";
}

/* The share from 0 to 1 for DENSITY in accesses per byte: 0.01 is cold, 100 is
   hot. */
function densityShare(density) {
  if (density <= 0)
    return 0;
  return Math.min(1, Math.max(0, (Math.log10(density) + 2) / 4));
}

const LEGEND = "linear-gradient(to right," + heatColour(0) + ","
  + heatColour(0.5) + "," + heatColour(1) + ")";

/* The tooltip. Screen readers get the same text as a label.  */
const tip = document.getElementById("tip");

/* Show LINES next to the pointer or, with the keyboard, below ELEMENT. */
function showTip(lines, event, element) {
  tip.replaceChildren(...lines.map((line) => make("div", {}, line)));
  tip.hidden = false;
  const box = element.getBoundingClientRect();
  const x = event && event.clientX !== undefined ? event.clientX : box.left;
  const y = event && event.clientY !== undefined ? event.clientY : box.bottom;
  const size = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - size.width - 8))
    + "px";
  tip.style.top = (y + size.height + 24 > innerHeight
    ? Math.max(4, y - size.height - 12) : y + 16) + "px";
}

function hideTip() {
  tip.hidden = true;
}

/* Replace the children of CONTENT by PARTS. The focus stays on the control with
   the same name (data-control). */
function replaceContent(content, parts) {
  const control = content.contains(document.activeElement)
    ? document.activeElement.dataset.control : undefined;
  content.replaceChildren(...parts);
  if (control !== undefined)
    for (const other of content.querySelectorAll("[data-control]"))
      if (other.dataset.control === control)
        other.focus({ preventScroll: true });
}

/* Make screen readers say TEXT, the result of a search. They would not notice a
   new element. */
function say(text) {
  const found = document.getElementById("found");
  if (found.textContent !== text)
    found.textContent = text;
}

/* A labelled choice among OPTIONS, each [value, text]. Call CHOOSE with the
   value chosen. */
function choice(label, options, value, choose) {
  const select = make("select", { "data-control": label,
                                  onchange: () => choose(select.value) },
    options.map(([key, text]) =>
      make("option", { value: key, selected: key === value }, text)));
  return make("label", {}, label + " ", select);
}

/* ---- Pages of several profiles: HEADING names the page, TITLE the profiles. The
   script has `search', `go' and `show'. */

function setPageTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent
    = theme === "dark" ? "Light" : "Dark";
}

function startPage(heading, title) {
  document.title = heading;
  document.querySelector("h1").textContent = heading;
  document.getElementById("title").textContent = title;
  search.addEventListener("input", () => go({ q: search.value }));
  document.getElementById("theme").addEventListener("click", () =>
    setPageTheme(document.documentElement.dataset.theme === "dark"
      ? "light" : "dark"));
  window.addEventListener("hashchange", show);
  setPageTheme(matchMedia("(prefers-color-scheme: dark)").matches
    ? "dark" : "light");
  show();
}
