// Elements are made without any HTML, so that no text can become markup.

/** An element with attributes, handlers (`onclick`) and children; empty children are left out. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Tell readers of the screen something that others see. */
export function announce(text) {
  byId("announcer").textContent = text;
}
