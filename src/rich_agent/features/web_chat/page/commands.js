// The list of commands above the message field, from the first "/" on.

import { announce, byId, el } from "./dom.js";
import { commands, say } from "./words.js";

const field = byId("composer");
const menu = byId("commands");

/** The command that a text gives, undefined if it gives none. */
export const commandIn = (text) => commands().find(([name]) => RegExp(`^/${name}(\\s|$)`, "i").test(text));

export class CommandMenu {
  #chosen = 0;

  /** `onChoose` gets the command that is to be sent. */
  constructor(onChoose) {
    this.onChoose = onChoose;
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", menu.id);
    field.addEventListener("input", () => this.#look());
    field.addEventListener("blur", () => this.close());
    // The field keeps the focus, and so the keyboard of a phone.
    menu.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  get isOpen() {
    return !menu.hidden;
  }

  close() {
    menu.hidden = true;
    menu.replaceChildren();
    field.removeAttribute("aria-activedescendant");
  }

  /** Take a key of the field; true if it was meant for the list. */
  take(event) {
    if (!this.isOpen || event.isComposing || event.keyCode === 229) return false;
    const names = [...menu.children].map((one) => one.dataset.command);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#choose((this.#chosen + step + names.length) % names.length);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && !event.shiftKey) this.#complete(names[this.#chosen]);
    else if (event.key === "Enter" && !event.shiftKey) this.#send(names[this.#chosen]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #look() {
    const typed = /^\/(\w*)$/.exec(field.value)?.[1].toLowerCase();
    const fitting = typed === undefined ? [] : commands().filter(([name]) => name.startsWith(typed));
    if (!fitting.length) return this.close();
    menu.setAttribute("aria-label", say("help-commands"));
    menu.replaceChildren(...fitting.map(([name, about], place) => el("li", {
      role: "option", id: `command-${name}`, "data-command": name, onclick: () => this.#send(name),
      onpointermove: () => this.#chosen !== place && this.#choose(place),
    }, el("b", { dir: "ltr" }, `/${name}`), el("span", {}, about))));
    menu.hidden = false;
    this.#choose(0);
    announce(`${say("help-commands")}: ${fitting.length}`);
  }

  #choose(place) {
    this.#chosen = place;
    for (const [other, one] of [...menu.children].entries()) one.setAttribute("aria-selected", String(other === place));
    const chosen = menu.children[place];
    field.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  }

  #complete(name) {
    field.value = `/${name} `;
    this.close();
  }

  #send(name) {
    this.close();
    this.onChoose(`/${name}`);
  }
}
