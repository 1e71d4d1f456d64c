/* Numbers in words.
   SPDX-License-Identifier: GPL-3.0-or-later  */

"use strict";

function numberText(number) {
  return Math.round(number).toLocaleString("en-US");
}

function scaled(number, units, step) {
  let i = 0;
  while (i + 1 < units.length && number >= step * 0.9995) {
    number /= step;
    i++;
  }
  const digits = i === 0 && Number.isInteger(number) || number >= 99.95 ? 0
    : number >= 9.995 ? 1 : 2;
  return number.toFixed(digits) + "\u00a0" + units[i];
}

function bytesText(bytes) {
  return scaled(bytes, ["B", "KiB", "MiB", "GiB", "TiB"], 1024);
}

function timeText(ns) {
  if (ns >= 3.6e12 * 0.9995)
    return (ns / 3.6e12).toFixed(1) + "\u00a0h";
  if (ns >= 6e10 * 0.9995)
    return (ns / 6e10).toFixed(1) + "\u00a0min";
  return scaled(ns, ["ns", "us", "ms", "s"], 1000);
}

function ratioText(ratio) {
  if (ratio > 0 && ratio < 0.005)
    return "<0.01";
  return ratio.toFixed(ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : 2);
}

function percentText(part, whole) {
  if (!(whole > 0))
    return "-";
  const percent = 100 * part / whole;
  if (percent > 0 && percent < 0.05)
    return "<0.1%";
  return percent >= 99.95 && percent < 100 ? ">99.9%"
    : percent.toFixed(1) + "%";
}

function plural(number, what) {
  return numberText(number) + " " + what
    + (number === 1 ? "" : what.endsWith("s") ? "es" : "s");
}
