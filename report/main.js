/* Which view is shown. The fragment of the address says so: each state of the
   report has a link.
   SPDX-License-Identifier: GPL-3.0-or-later

     #VIEW[/ARGUMENT][?KEY=VALUE&...]      q is the text that is searched for  */

"use strict";

const VIEWS = [
  ["overview", "Overview", overviewView],
  ["flame", "Flame graph", flameView],
  ["table", "Table", tableView],
  ["scatter", "Scatter", scatterView],
  ["source", "Source", sourceView]
];
const OTHER_VIEWS = [["site", "Site", siteView]];

const content = document.getElementById("content");
const search = document.getElementById("search");

/* The state in the address. */
function readState() {
  const [path, query] = location.hash.slice(1).split("?");
  const [view, ...rest] = path.split("/");
  const state = { view: "overview", argument: rest.join("/"), q: "" };
  if ([...VIEWS, ...OTHER_VIEWS].some(([key]) => key === view))
    state.view = view;
  for (const [key, value] of new URLSearchParams(query || ""))
    if (key !== "view" && key !== "argument")
      state[key] = value;
  return state;
}

/* Apply CHANGES to the state in the address. IS_SAME replaces the current entry
   of the history instead of adding one. */
function go(changes, isSame) {
  const state = Object.assign(readState(), changes);
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(state))
    if (key !== "view" && key !== "argument" && value !== "")
      query.set(key, value);
  const text = query.toString();
  const hash = "#" + state.view + (state.argument ? "/" + state.argument : "")
    + (text !== "" ? "?" + text : "");
  if (isSame)
    history.replaceState(null, "", hash);
  else
    history.pushState(null, "", hash);
  show();
}

/* The scroll position of each view by address, and the address shown. */
const places = new Map();
let shownAddress = null;

/* Restore the scroll position of a view or site seen before. Others start at
   the top, and take the focus unless it is in the header. */
function goToPlace(address) {
  if (shownAddress !== null && shownAddress !== address) {
    window.scrollTo(0, places.get(address) || 0);
    if (document.activeElement === document.body)
      content.focus({ preventScroll: true });
  }
  shownAddress = address;
}

/* Show the state in the address. */
function show() {
  const state = readState();
  const [key, title, view] = [...VIEWS, ...OTHER_VIEWS]
    .find(([name]) => name === state.view);
  hideTip();
  places.set(shownAddress, window.scrollY);
  for (const link of document.getElementById("views").children) {
    if (link.dataset.view === key)
      link.setAttribute("aria-current", "page");
    else
      link.removeAttribute("aria-current");
  }
  if (document.activeElement !== search)
    search.value = state.q;
  document.title = title + " - heap profile of " + profile.title;
  content.dataset.view = key;
  replaceContent(content, view(state).flat(Infinity)
    .filter((part) => part !== null));
  goToPlace(key + "/" + state.argument);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent
    = theme === "dark" ? "Light" : "Dark";
  if (content.childElementCount > 0)
    show();
}

function toggleTheme() {
  setTheme(document.documentElement.dataset.theme === "dark"
    ? "light" : "dark");
}

/* Search on each key press. A view without search switches to the table. */
function searchChanged() {
  const view = readState().view;
  const searches = ["flame", "table", "scatter"].includes(view);
  go(searches ? { q: search.value }
    : { view: "table", argument: "", q: search.value }, searches);
}

function keyPressed(event) {
  if (event.target === search && event.key === "Escape") {
    search.value = "";
    searchChanged();
    search.blur();
  }
  if (event.target.closest("input, select, dialog") || event.ctrlKey
      || event.altKey || event.metaKey)
    return;
  const number = Number(event.key);
  if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (event.key === "d")
    toggleTheme();
  else if (event.key === "0" && readState().view === "flame")
    zoomTo(flame.root);
  else if (number >= 1 && number <= VIEWS.length)
    go({ view: VIEWS[number - 1][0], argument: "" });
}

function start() {
  document.getElementById("title").textContent = profile.title;
  document.getElementById("views").append(...VIEWS.map(([key, title]) =>
    make("a", { href: "#" + key, "data-view": key, onclick: (event) => {
      event.preventDefault();
      go({ view: key, argument: "" });
    } }, title)));
  search.addEventListener("input", searchChanged);
  document.getElementById("theme").addEventListener("click", toggleTheme);
  document.getElementById("help").addEventListener("click",
    () => document.getElementById("keys").showModal());
  document.addEventListener("keydown", keyPressed);
  window.addEventListener("hashchange", show);
  let width = innerWidth;
  window.addEventListener("resize", () => {
    if (innerWidth !== width && ["flame", "scatter"].includes(readState().view))
      show();
    width = innerWidth;
  });
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches
    ? "dark" : "light");
  show();
}

start();
