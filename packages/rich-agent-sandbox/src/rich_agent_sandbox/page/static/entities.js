// Shows a text with its Telegram entities. Offsets are UTF-16 units, as JavaScript counts.

import { el, icon, toast } from "./dom.js";

const COPY = "M9 9h10v11H9zM5 15V4h10";
const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);
const SAFE_LINK = /^(?:https?:|mailto:|tg:|tel:)/i;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3_600], ["minute", 60]];
const PLAIN_TAGS = {
  bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code",
};

/** Nodes for `text`; `onCommand` is called with a bot command that is clicked. */
export function renderText(text, entities, onCommand) {
  const ordered = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return renderRange(text, 0, text.length, ordered, onCommand);
}

function renderRange(text, start, end, entities, onCommand) {
  const nodes = [];
  const waiting = [...entities];
  let at = start;
  while (waiting.length > 0) {
    const entity = waiting.shift();
    const stop = Math.min(entity.offset + entity.length, end);
    if (entity.offset < at || stop <= entity.offset) continue;
    if (entity.offset > at) nodes.push(document.createTextNode(text.slice(at, entity.offset)));
    const inner = [];
    while (waiting.length > 0 && waiting[0].offset < stop) inner.push(waiting.shift());
    waiting.unshift(...remainders(inner, stop));
    const children = renderRange(text, entity.offset, stop, inner, onCommand);
    nodes.push(wrap(entity, text.slice(entity.offset, stop), children, onCommand));
    // A block ends its line by itself.
    at = BLOCKS.has(entity.type) && text[stop] === "\n" && stop < end ? stop + 1 : stop;
  }
  if (at < end) nodes.push(document.createTextNode(text.slice(at, end)));
  return nodes;
}

/** What sticks out of an outer entity is shown after it. */
function remainders(entities, stop) {
  return entities
    .filter((entity) => entity.offset + entity.length > stop)
    .map((entity) => ({ ...entity, offset: stop, length: entity.offset + entity.length - stop }));
}

function wrap(entity, shown, children, onCommand) {
  const kind = entity.type;
  if (kind in PLAIN_TAGS) return el(PLAIN_TAGS[kind], {}, ...children);
  switch (kind) {
    case "pre": return codeBlock(entity.language, shown, children);
    case "blockquote": return el("blockquote", {}, ...children);
    case "expandable_blockquote": return expandableQuote(children);
    case "spoiler": return spoiler(children);
    case "text_link": return link(entity.url, children, entity.url);
    case "url": return link(/^[a-z]+:/i.test(shown) ? shown : `https://${shown}`, children);
    case "email": return link(`mailto:${shown}`, children);
    case "bot_command":
      return el("button", { class: "command", type: "button", onclick: () => onCommand(shown) }, ...children);
    case "date_time": return moment(entity, shown, children);
    case "mention": case "hashtag": case "cashtag": case "phone_number": case "text_mention":
      return el("span", { class: "tag" }, ...children);
    default: return el("span", {}, ...children);
  }
}

/** A moment in the reader's own time and language; the text stands where no format is given. */
function moment({ unix_time: unixTime, date_time_format: format }, shown, children) {
  const at = new Date(unixTime * 1000);
  const inner = format ? [document.createTextNode(inWords(at, format))] : children;
  return el("time", { class: "tag", dateTime: at.toISOString(), title: `${at.toLocaleString([], { dateStyle: "full", timeStyle: "long" })}\n${shown}` }, ...inner);
}

function inWords(at, format) {
  if (format === "r") return fromNow(at);
  const parts = {
    w: { weekday: "long" },
    d: { day: "numeric", month: "short", ...(at.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }) },
    D: { day: "numeric", month: "long", year: "numeric" },
    t: { hour: "2-digit", minute: "2-digit" },
    T: { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
  };
  return at.toLocaleString([], Object.assign({}, ...[...format].map((letter) => parts[letter])));
}

function fromNow(at) {
  const seconds = Math.round((at.getTime() - Date.now()) / 1000);
  const [unit, length] = UNITS.find(([, longer]) => Math.abs(seconds) >= longer) ?? ["second", 1];
  return new Intl.RelativeTimeFormat([], { numeric: "auto" }).format(Math.round(seconds / length), unit);
}

function link(url, children, title) {
  if (!SAFE_LINK.test(url)) return el("span", {}, ...children);
  return el("a", { href: atThisPort(url), target: "_blank", rel: "noopener noreferrer", title }, ...children);
}

/** A page of the library that was at another port when the message was written is here now. */
function atThisPort(url) {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname, hash } = new URL(url);
  return LOOPBACK.has(hostname) && pathname.startsWith("/library/") ? `${location.origin}${pathname}${hash}` : url;
}

function codeBlock(language, shown, children) {
  const copy = el("button", {
    class: "copy", type: "button", "aria-label": "Copy the code", title: "Copy",
    onclick: () => navigator.clipboard.writeText(shown).then(() => toast("Copied")),
  }, icon(COPY));
  return el("div", { class: "code-block" },
    el("div", { class: "code-head" }, el("span", {}, language ?? "code"), copy),
    el("pre", { "data-language": language }, el("code", {}, ...children)));
}

function spoiler(children) {
  const cover = el("span", {
    class: "spoiler", role: "button", tabIndex: 0, "aria-label": "Hidden text",
    onclick: () => reveal(),
    onkeydown: (event) => { if (event.key === "Enter") reveal(); },
  }, el("span", {}, ...children));
  const reveal = () => {
    cover.classList.add("shown");
    cover.removeAttribute("aria-label");
  };
  return cover;
}

function expandableQuote(children) {
  const quote = el("blockquote", {
    class: "expandable",
    onclick: () => quote.classList.toggle("open"),
  }, el("div", {}, ...children));
  return quote;
}
