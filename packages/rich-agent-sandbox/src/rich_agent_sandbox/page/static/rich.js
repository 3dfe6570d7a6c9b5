// Shows the blocks of a rich message: tables, headings, lists, quotes, code.

import { el } from "./dom.js";

const STYLES = {
  bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code", subscript: "sub", superscript: "sup", marked: "mark", spoiler: "span",
};
const SAFE_LINK = /^https?:/i;

/** Nodes for the blocks of a message. */
export function renderBlocks(blocks) {
  return blocks.map((block) => renderBlock(block));
}

function renderBlock(block) {
  switch (block.type) {
    case "heading": return el("p", { class: `rich-heading size-${block.size}` }, ...renderRich(block.text));
    case "pre": return el("div", { class: "code-block" }, el("div", { class: "code-head" }, el("span", {}, block.language ?? "code")), el("pre", {}, el("code", {}, ...renderRich(block.text))));
    case "divider": return el("hr");
    case "mathematical_expression": return el("p", { class: "rich-formula" }, el("code", {}, block.expression));
    case "blockquote": return el("blockquote", {}, ...renderBlocks(block.blocks));
    case "details": return el("details", { open: Boolean(block.is_open) }, el("summary", {}, ...renderRich(block.summary)), ...renderBlocks(block.blocks));
    case "list": return renderList(block.items);
    case "table": return renderTable(block);
    default: return el("p", { class: "rich-paragraph" }, ...renderRich(block.text ?? ""));
  }
}

function renderList(items) {
  const isOrdered = items[0]?.value !== undefined;
  return el(isOrdered ? "ol" : "ul", { class: "rich-list", ...(isOrdered ? { start: String(items[0].value) } : {}) },
    ...items.map((item) => el("li", {}, item.has_checkbox ? (item.is_checked ? "☑ " : "☐ ") : "", ...renderBlocks(item.blocks))));
}

/** A table that is wider than the bubble is scrolled. */
function renderTable(block) {
  const rows = block.cells.map((row) => el("tr", {}, ...row.map((cell) =>
    el(cell.is_header ? "th" : "td", { class: `align-${cell.align}` }, ...renderRich(cell.text ?? "")))));
  return el("div", { class: "rich-table", tabIndex: 0, role: "region", "aria-label": "Table" }, el("table", {}, el("tbody", {}, ...rows)));
}

function renderRich(text) {
  if (typeof text === "string") return [document.createTextNode(text)];
  if (Array.isArray(text)) return text.flatMap((part) => renderRich(part));
  const inner = renderRich(text.text ?? "");
  if (text.type === "url" && SAFE_LINK.test(text.url)) {
    return [el("a", { href: text.url, target: "_blank", rel: "noopener noreferrer", title: text.url }, ...inner)];
  }
  return [el(STYLES[text.type] ?? "span", {}, ...inner)];
}
