/* A page for one allocation site: verdict, distributions, fields, contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

"use strict";

const CONTEXT_STEP = 25;        /* contexts shown at first and per "more" */

/* Why the site has its marks, or why it has none, in sentences. */
function verdict(site) {
  const found = [];
  const count = (mark) =>
    site.contexts.filter((i) => contexts.marks[i] & mark).length;
  for (const [mark, name] of MARKS)
    if (site.sum.marks & mark)
      found.push(make("p", {}, make("span", { class: "mark " + name }, name),
        numberText(count(mark)) + " of "
        + plural(site.contexts.length, "context") + ": "
        + profile.rules[name] + "."));
  if (found.length === 0)
    found.push(make("p", {}, (hasAccesses ? "Neither hot, cold nor temporary"
      : "Hot or cold is unknown") + ", and "
      + (!hasRuns ? "so is what was never freed."
        : site.sum.live_blocks > 0 ? "most of its blocks are freed."
          : "all its blocks are freed.")));
  return found;
}

/* Bars for the blocks of SITE on a logarithmic scale with BASE. VALUE gives each
   context's mean, which counts for all its blocks. Zero has its own bar; NaN
   has none. */
function distribution(site, title, value, base, text) {
  const buckets = new Map();
  for (const i of site.contexts) {
    const number = value(i);
    if (!(number >= 0) || contexts.complete_blocks[i] === 0)
      continue;
    const bucket = Math.floor(Math.log(number) / Math.log(base));
    buckets.set(bucket, (buckets.get(bucket) || 0)
                + contexts.complete_blocks[i]);
  }
  const sorted = [...buckets].sort((a, b) => a[0] - b[0]);
  const most = Math.max(1, ...sorted.map(([bucket, blocks]) => blocks));
  return make("section", {}, make("h3", {}, title),
    sorted.length === 0 ? make("p", { class: "weak" }, "Unknown.")
      : make("div", { class: "bars" }, sorted.map(([bucket, blocks]) => {
        const bar = make("i", {});
        bar.style.width = 100 * blocks / most + "%";
        return [make("span", {}, "from " + text(Math.pow(base, bucket))), bar,
          make("span", {}, numberText(blocks))];
      })));
}

/* The data types of SITE's blocks. */
function typesOf(site) {
  return [...new Set(site.contexts.map(dataTypeOf))]
    .filter((type) => type !== null);
}

/* The members of TYPE that overlap the 8 bytes at offset AT of a block, in its
   first object. */
function membersAt(type, at) {
  const begin = at - type.start;
  return type.members.filter((member) => member.offset < begin + 8
      && (member.goes_on || member.offset + member.size > begin)
      && begin < Math.max(type.size, member.goes_on ? Infinity : 0))
    .map(memberName);
}

/* The accesses to each 8 bytes of the blocks of SITE; null if they were not
   counted. Members are named if all blocks have the same type. */
function heatStrip(site) {
  const sums = [];
  for (const i of site.contexts)
    (histogramOf(i) || []).forEach((number, at) => {
      sums[at] = (sums[at] || 0) + number;
    });
  const types = typesOf(site);
  const names = (at) => types.length === 1
    ? membersAt(types[0], at).join(", ") : "";
  if (sums.length === 0)
    return null;
  const most = Math.max(1, ...sums);
  return make("section", {},
    make("h3", {}, "Accesses per 8 bytes of a block"),
    make("p", { class: "weak" }, "never ",
      make("span", { class: "legend", style: "background:" + LEGEND }),
      " most"),
    make("div", { class: "strip", role: "list" }, sums.map((number, at) => {
      const cell = make("div", { role: "listitem",
        title: "bytes " + 8 * at + " to " + (8 * at + 7)
          + (names(8 * at) ? ": " + names(8 * at) : "") },
        make("b", {}, "+" + 8 * at), " ", names(8 * at), make("br"),
        numberText(number));
      cell.style.background = heatColour(
        number > 0 ? 0.15 + 0.85 * Math.log(1 + number) / Math.log(1 + most)
          : 0);
      return cell;
    })));
}

/* A member that extends beyond its class is a flexible array. */
function memberName(member) {
  return member.name ? member.name + (member.goes_on ? "[]" : "") : "(base)";
}

/* A row for MEMBER of TYPE. MOST is the highest access count of TYPE's members,
   or null if accesses were not counted. Members that share a word of 8 bytes
   share its count. */
function memberRow(type, member, most) {
  const cells = [make("td", {}, numberText(member.offset)),
    make("td", {}, member.goes_on ? "open" : numberText(member.size))];
  if (most !== null) {
    const number = member.accesses + member.shared_accesses;
    const cell = make("td", {}, numberText(number),
      member.shared_accesses > 0 ? " shared" : "");
    const share = number / (most || 1);
    cell.style.background = heatColour(number > 0
      ? 0.15 + 0.85 * share : 0);
    cell.style.color = "#101418";
    cells.push(cell);
  }
  return make("tr", {}, cells,
    make("td", { class: "break" }, memberName(member), " ",
      make("span", { class: "weak" }, member.type || "")));
}

/* Which members of TYPE are accessed, over all blocks of this type. */
function typeSection(type) {
  const counted = type.members.some((member) =>
    member.accesses !== undefined);
  const most = counted ? Math.max(1, ...type.members.map((member) =>
    member.accesses + member.shared_accesses)) : null;
  const facts = [bytesText(type.size)];
  if (type.hole_bytes > 0)
    facts.push(bytesText(type.hole_bytes) + " in holes");
  if (type.cache_lines > 0)
    facts.push("99% of accesses touch "
      + plural(type.cache_lines, "cache line")
      + (type.members.some((member) => member.goes_on)
        ? ", without data beyond the class" : ""));
  if (type.elsewhere_accesses > 0)
    facts.push(numberText(type.elsewhere_accesses) + " more accesses are beyond"
      + " the class or in arrays with members across words; their member is"
      + " unknown");
  return make("section", {},
    make("h3", { class: "break" }, "Data type " + type.name),
    make("p", {}, facts.join(", ") + "."),
    type.better_order
      ? make("p", { class: "break" }, "In this order, they touch "
        + plural(type.better_cache_lines, "cache line")
        + (type.better_size ? ", with " + bytesText(type.better_size) : "")
        + ": "
        + type.better_order.map((number) => type.members[number])
          .filter((member) => member.name).map(memberName).join(", ")) : null,
    type.members.length === 0 ? null
      : make("div", { class: "scroll" }, make("table", { class: "members" },
        make("thead", {}, make("tr", {}, ["offset", "size",
          counted ? "accesses" : null, "member"]
          .filter((title) => title !== null)
          .map((title) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, type.members.map((member) =>
          memberRow(type, member, most))))));
}

function typeSections(site) {
  return typesOf(site).map(typeSection);
}

/* An item for a frame of a folded stack. */
function frameItem({ frame, inside, cycle, times }) {
  const file = frames.file[frame];
  const place = profile.sources[file] !== undefined
    ? make("a", { href: "#source/" + file + ":" + frames.line[frame] },
      placeOf(frame)) : make("span", { class: "weak" }, placeOf(frame));
  return make("li", { class: "break" }, nameParts(functionName(frame)), " ",
    place,
    frames.inline[frame] ? make("span", { class: "weak" }, " inlined") : null,
    cycle === undefined ? null : make("span", { class: "weak" },
      cycle === 1 ? " (" + numberText(times) + " times)"
        : " (the last " + cycle + " frames " + numberText(times) + " times)"),
    inside.length === 0 ? null : make("details", { class: "inside" },
      make("summary", { class: "weak" }, "and " + inside.length + " inside"),
      make("ol", {}, inside.map((inner) =>
        frameItem({ frame: inner, inside: [] })))));
}

function contextSection(index) {
  const sum = emptySum();
  addContext(sum, index);
  const facts = [plural(sum.blocks, "block") + marginText(sum, "blocks"),
    bytesText(sum.bytes) + marginText(sum, "bytes")];
  if (sum.complete_blocks > 0) {
    if (contexts.max_size[index] > 0)
      facts.push(bytesText(contexts.min_size[index]) + " to "
        + bytesText(contexts.max_size[index]) + " each");
    if (isCounted(sum))
      facts.push(numberText(sum.accesses) + " accesses"
        + marginText(sum, "accesses") + " ("
        + ratioText(densityOf(sum)) + " per byte)");
    facts.push("lifetime " + lifetimeText(sum)
      + (contexts.max_lifetime[index] > 0
        ? " (" + timeText(contexts.min_lifetime[index]) + " to "
          + timeText(contexts.max_lifetime[index]) + ")" : ""));
  }
  if (sum.live_blocks > 0)
    facts.push(numberText(sum.live_blocks) + " never freed");
  if (sum.lost_blocks > 0)
    facts.push(numberText(sum.lost_blocks) + " lost");
  return make("section", { class: "context" },
    make("div", {}, markElements(sum.marks), facts.join(", ")),
    make("ol", { class: "stack" },
      stackOf(contexts.node[index]).map(frameItem)));
}

/* The contexts of SITE, and a button that shows more of them. */
function contextList(site) {
  const list = make("div", {});
  const more = make("button", { type: "button", onclick: () => add() });
  let shown = 0;
  const add = () => {
    list.append(...site.contexts.slice(shown, shown + CONTEXT_STEP)
      .map(contextSection));
    shown = Math.min(site.contexts.length, shown + CONTEXT_STEP);
    more.textContent = "Show more ("
      + numberText(site.contexts.length - shown) + " left)";
    more.hidden = shown >= site.contexts.length;
  };
  add();
  return [list, more];
}

function siteView(state) {
  const site = sites[Number(state.argument)];
  if (site === undefined)
    return [make("p", {}, "No such site.")];
  const sum = site.sum;
  return [
    make("h2", { class: "break" }, nameParts(functionName(site.frame))),
    make("p", { class: "break" }, make("code", {}, fileName(site.frame) !== ""
      ? fileName(site.frame)
        + (frames.line[site.frame] > 0 ? ":" + frames.line[site.frame] : "")
      : placeOf(site.frame)),
      profile.sources[frames.file[site.frame]] !== undefined
        ? [" ", make("a", { href: "#source/" + frames.file[site.frame] + ":"
          + frames.line[site.frame] }, "source")] : ""),
    verdict(site),
    make("div", { class: "cards" },
      card("Bytes", bytesText(sum.bytes) + marginText(sum, "bytes"),
        percentText(sum.bytes, profile.total.bytes) + " of total"),
      card("Blocks", numberText(sum.blocks) + marginText(sum, "blocks"),
        sum.blocks > 0
        ? bytesText(sum.bytes / sum.blocks) + " on average" : ""),
      card("Accesses", isCounted(sum) ? numberText(sum.accesses)
        + marginText(sum, "accesses") : "-",
        isCounted(sum) ? ratioText(densityOf(sum)) + " per byte" : "not counted"),
      card("Lifetime", lifetimeText(sum), "on average"),
      card("Never freed", liveBytesText(sum),
        liveBlocksText(sum) + lostText(sum))),
    heatStrip(site),
    typeSections(site),
    make("div", { class: "columns" },
      distribution(site, "Blocks by mean size in their context",
        (i) => contexts.complete_bytes[i] / contexts.complete_blocks[i], 2,
        bytesText),
      distribution(site, "Blocks by mean lifetime in their context",
        (i) => contexts.lifetime[i] / contexts.complete_blocks[i] || NaN, 10,
        timeText)),
    make("h2", {}, plural(site.contexts.length, "calling context")),
    contextList(site)];
}
