/* Every context as a point: mean lifetime of its blocks against accesses per
   byte. Long-lived memory that is hardly used is at the bottom right.
   SPDX-License-Identifier: GPL-3.0-or-later  */

"use strict";

const SCATTER_MARGIN = { left: 62, right: 14, top: 12, bottom: 40 };

/* The points: contexts with complete blocks. */
function scatterPoints(matches) {
  const points = [];
  for (let i = 0; i < contextCount; i++) {
    const bytes = contexts.complete_bytes[i] - contexts.uncounted_bytes[i];
    if (contexts.complete_blocks[i] === 0 || bytes === 0)
      continue;
    if (matches !== null && !matches[contexts.node[i]])
      continue;
    points.push({ index: i,
      lifetime: Math.max(1,
        contexts.lifetime[i] / contexts.complete_blocks[i]),
      density: contexts.accesses[i] / bytes,
      bytes: contexts.bytes[i] });
  }
  return points;
}

/* A logarithmic axis that maps the decades of VALUES, minimum to maximum, to the
   pixels FROM to TO. */
function logAxis(values, from, to) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const first = Math.floor(Math.log10(low));
  const last = Math.max(first + 1, Math.ceil(Math.log10(high)));
  const place = (value) =>
    from + (to - from) * (Math.log10(value) - first) / (last - first);
  const ticks = [];
  for (let i = first; i <= last; i++)
    ticks.push(Math.pow(10, i));
  return { place, ticks };
}

/* Draw POINTS and the axes. Store in each point its position, for the pointer. */
function drawScatter(canvas, points) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name);
  const margin = SCATTER_MARGIN;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const x = logAxis(points.map((p) => p.lifetime), margin.left,
    width - margin.right);
  const y = logAxis(points.map((p) => Math.max(p.density, 1e-3)),
    height - margin.bottom, margin.top);
  drawAxes(pen, x, y, width, height, colour);
  const most = Math.max(...[1, ...sites.map((site) => site.sum.bytes)]);
  for (const point of points) {
    const marks = contexts.marks[point.index];
    point.x = x.place(point.lifetime);
    point.y = y.place(Math.max(point.density, 1e-3));
    point.radius = 2.5 + 14 * Math.sqrt(point.bytes / most);
    pen.fillStyle = colour(marks & HOT ? "--hot" : marks & COLD ? "--cold"
      : marks & (LEAK | KILLED | LIVE | AT_EXIT) ? "--leak" : "--weak");
    pen.globalAlpha = 0.55;
    pen.beginPath();
    pen.arc(point.x, point.y, point.radius, 0, 2 * Math.PI);
    pen.fill();
  }
}

/* The label of an axis at NS, a power of ten of nanoseconds. */
function tickText(ns) {
  const unit = Math.max(0, Math.min(3, Math.floor(Math.log10(ns) / 3 + 1e-9)));
  return numberText(ns / Math.pow(1000, unit)) + "\u00a0"
    + ["ns", "us", "ms", "s"][unit];
}

function drawAxes(pen, x, y, width, height, colour) {
  const margin = SCATTER_MARGIN;
  const step = Math.ceil(x.ticks.length * 64 / width);
  pen.font = "12px system-ui, sans-serif";
  pen.fillStyle = colour("--weak");
  pen.strokeStyle = colour("--line");
  pen.textAlign = "center";
  x.ticks.forEach((tick, i) => {
    const at = Math.round(x.place(tick)) + 0.5;
    pen.strokeRect(at, margin.top, 0, height - margin.top - margin.bottom);
    if (i % step === 0)
      pen.fillText(tickText(tick), Math.min(at, width - 24),
        height - margin.bottom + 19);
  });
  pen.fillText("mean lifetime", (width + margin.left) / 2, height - 5);
  pen.textAlign = "right";
  for (const tick of y.ticks) {
    const at = Math.round(y.place(tick)) + 0.5;
    pen.strokeRect(margin.left, at, width - margin.left - margin.right, 0);
    pen.fillText(tick >= 1 ? numberText(tick) : String(Number(tick.toFixed(3))),
      margin.left - 6, at + 4);
  }
  pen.save();
  pen.translate(12, height / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText("accesses per byte", 0, 0);
  pen.restore();
}

/* The point closest to the pointer; null if none is near. */
function nearestPoint(points, event) {
  let best = null, least = 20;
  for (const point of points) {
    const distance = Math.hypot(point.x - event.offsetX,
      point.y - event.offsetY) - point.radius / 2;
    if (distance < least) {
      least = distance;
      best = point;
    }
  }
  return best;
}

function scatterView(state) {
  const points = scatterPoints(matchNodes(state.q));
  if (!hasAccesses)
    return [make("p", {}, "No accesses were counted.")];
  say(plural(points.length, "calling context"));
  if (points.length === 0)
    return [make("p", {}, "No calling context matches.")];
  const canvas = make("canvas", { role: "img",
    "aria-label": "Mean lifetime against accesses per byte of "
      + plural(points.length, "calling context")
      + "; the table has the same numbers",
    onmousemove: (event) => {
      const point = nearestPoint(points, event);
      if (point === null)
        hideTip();
      else
        showTip([functionName(contexts.site[point.index]) + " ("
          + placeOf(contexts.site[point.index]) + ")",
          bytesText(point.bytes) + ", " + ratioText(point.density)
          + " accesses per byte, lifetime " + timeText(point.lifetime)], event,
          canvas);
    },
    onmouseleave: hideTip,
    onclick: (event) => {
      const point = nearestPoint(points, event);
      if (point !== null)
        location.hash = "#site/" + siteOfContext[point.index];
    } });
  requestAnimationFrame(() => drawScatter(canvas, points));
  return [
    make("p", { class: "row" }, make("span", {},
      plural(points.length, "calling context")
      + "; larger points have more bytes: "),
      markElements(HOT | COLD | LEAK),
      make("a", { href: "#table?of=contexts" }, "as a table")),
    canvas];
}
