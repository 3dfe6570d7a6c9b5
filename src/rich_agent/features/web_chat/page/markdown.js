// Answers as elements. A model's words can link to sources and to the user's own addresses only, and
// show no image: whatever else they hold stays text.

import { DOMPurify, Marked } from "./vendor/markdown.js";
import { el } from "./dom.js";
import { say } from "./words.js";

const MARKER = /\[(\d{1,3})\]/g;
const ADDRESS = /https?:\/\/[^\s<>"'`\])}]{1,2000}/g;
const escaped = (text) =>
  text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

// Marks within an address, or between the factors of a product, are no emphasis: the parser gets
// other characters for them, and for the bracket of a footnote, which may look like a definition.
const SIGNS = { "*": "\ue0f5", "_": "\ue0f6", "[": "\ue0f0" };
const HIDDEN = Object.fromEntries(Object.entries(SIGNS).map(([sign, hidden]) => [hidden, sign]));
const IN_ADDRESS = /[*_](?=[*_]{0,8}(?:[./?&=#%~:+-]{0,3}[A-Za-z0-9]|\/))/g;
const LITERAL =
  /(?<=\/)_{1,2}(?=\w)|(?<=[A-Za-z])__(?=\.[A-Za-z])|(?<=[0-9A-Za-z)\]])\*(?=[0-9A-Za-z([\\])|(?<=[0-9)]|\b[A-Za-z])\*\*(?=[0-9(])|\[(?=\^[\w-]{1,20}\])/g;
const BOXED = /\\boxed\{([^{}\n]{1,200})\}/g;
const NOTE = /\[\^([\w-]{1,20})\]:?/g;
const ENCODED = /%EE%83%B[056]/gi; // the hidden characters in a link
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const hide = (text) => text.replace(/[*_[]/g, (sign) => SIGNS[sign]);
const reveal = (text) => text.replace(/[\ue0f0\ue0f5\ue0f6]/g, (sign) => HIDDEN[sign]);
const raised = (label) => label.replace(/\d/g, (digit) => RAISED[digit]);

/** A text for the parser. */
function literal(text) {
  const whole = text.replace(/[\ue0f0\ue0f5\ue0f6]/g, "\ufffd");
  return whole.replace(ADDRESS, (address) => address.replace(IN_ADDRESS, hide)).replace(LITERAL, hide);
}

/** Show what was hidden, and write out boxed results and footnotes, which are no Markdown. */
function writeOut(fragment) {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = reveal(node.data);
    const isCode = node.parentElement?.closest("code");
    node.data = isCode ? text : text.replace(BOXED, "$1").replace(NOTE, (_, label) => (/^\d+$/.test(label) ? raised(label) : `[${label}]`));
  }
  for (const link of fragment.querySelectorAll("a[href]")) {
    link.setAttribute("href", reveal(link.getAttribute("href").replace(ENCODED, decodeURIComponent)));
  }
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => (/^<\/?su[bp]>$/i.test(text) ? text : escaped(text)),
    image: ({ text, href }) => escaped(text || href),
  },
});
const RULES = {
  ALLOWED_TAGS: [
    "p", "br", "strong", "em", "del", "sub", "sup", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "a",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
  ],
  ALLOWED_ATTR: ["href", "start", "align"],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
  RETURN_DOM_FRAGMENT: true,
};

/** The addresses that somebody wrote. */
export const addressesIn = (text) => text.match(ADDRESS) ?? [];

/** A link that leaves the page, as a reader of the screen is told too. */
export function outward(href, attributes, ...children) {
  return el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", ...attributes }, ...children);
}

/** The elements of a text; `sources` by their numbers, `own` addresses may be linked too. */
export function render(text, sources = [], own = []) {
  const shown = DOMPurify.sanitize(marked.parse(literal(text)), RULES);
  writeOut(shown);
  const allowed = new Set([...own, ...sources.map((source) => source.url)].map(normal));
  for (const link of [...shown.querySelectorAll("a")]) {
    const href = link.getAttribute("href") ?? "";
    const cited = sources.find((one) => String(one.n) === link.textContent && normal(one.url) === normal(href));
    if (cited) {
      link.replaceWith(citation(cited));
    } else if (allowed.has(normal(href))) {
      link.replaceWith(outward(href, {}, ...link.childNodes));
    } else {
      link.replaceWith(...link.childNodes, ...(href && link.textContent !== href ? [` (${href})`] : []));
    }
  }
  for (const heading of shown.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(6, Number(heading.localName[1]) + 2);
    heading.replaceWith(el(`h${level}`, {}, ...heading.childNodes));
  }
  for (const table of shown.querySelectorAll("table")) {
    const frame = el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Table" });
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const code of shown.querySelectorAll("pre")) code.tabIndex = 0;
  for (const block of shown.querySelectorAll("p, li, blockquote, h3, h4, h5, h6, td, th")) block.dir = "auto";
  mark(shown, new Map(sources.map((source) => [String(source.n), source])));
  return shown;
}

function normal(address) {
  try {
    return new URL(address).href;
  } catch {
    return "";
  }
}

/** Turn each `[n]` of a known source into a link to it. */
function mark(fragment, sources) {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement?.closest("code, a")) found.push(walker.currentNode);
  }
  for (const node of found) {
    const parts = [];
    let end = 0;
    for (const match of node.data.matchAll(MARKER)) {
      const source = sources.get(match[1]);
      if (!source) continue;
      parts.push(node.data.slice(end, match.index), citation(source));
      end = match.index + match[0].length;
    }
    if (parts.length) node.replaceWith(...parts, node.data.slice(end));
  }
}

/** Where a source opens: on the web, or as the bot's own page of a passage. */
const placeOf = (source) => (/^https?:\/\//i.test(source.url) ? source.url : null);

function citation(source) {
  const label = say("web_chat-cite", { number: source.n, title: source.title });
  const place = placeOf(source);
  if (!place) return el("span", { class: "cite", title: label }, String(source.n));
  return outward(place, { class: "cite", title: label, "aria-label": label }, String(source.n));
}

/** The list of sources below an answer. */
export function sourceList(sources) {
  const items = sources.map((source) => {
    const parts = [source.title, ...source.section.split(" > ")].filter(Boolean);
    const name = parts.filter((one, place) => one !== parts[place - 1]).join(" › ") || source.url;
    const place = placeOf(source);
    const shown = el("bdi", {}, place ? outward(place, {}, name) : name);
    const host = place && el("small", {}, ` ${new URL(place).host}`);
    return el("li", { value: String(source.n) }, shown, host);
  });
  return el("details", { class: "sources", open: true }, el("summary", {}, say("sources-heading")), el("ol", {}, ...items));
}
