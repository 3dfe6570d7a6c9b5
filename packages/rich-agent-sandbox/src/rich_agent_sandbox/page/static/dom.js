// Builds DOM nodes. Text always becomes a text node, so nothing that was received can be markup.

export const byId = (id) => document.getElementById(id);

/** An element with properties (`class`, `data-*`, `on*`, others as properties) and children. */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing of 24 by 24 from one path. */
export function icon(path) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

/** A round picture with the first letters of a name, in a colour that belongs to the id. */
export function paintAvatar(node, id, name) {
  node.textContent = [...name.trim()].slice(0, 1).join("").toUpperCase() || "?";
  node.dataset.tint = String(Math.abs(id) % 7);
}

/** A note that goes by itself. */
export function toast(text) {
  const note = el("p", { class: "toast" }, text);
  byId("toasts").append(note);
  setTimeout(() => note.remove(), 4000);
}

export const clockTime = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });

export function fileSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
