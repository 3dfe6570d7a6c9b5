// The user's conversations: the one that goes on in Telegram, their own ones, and a new one.

import { Search, options } from "./conversations.js";
import { byId, el } from "./dom.js";
import { conversations } from "./server.js";

/** The conversation that goes on in Telegram. */
export const MAIN = "chat";
const NEAR_END_PX = 200;
const side = byId("threads");

/** The list; `onChoose` gets the id of the conversation that the user wants to see. */
export class ThreadList {
  #known = new Map();
  #cursor = null;
  #isLoading = false;

  constructor(onChoose) {
    this.onChoose = onChoose;
    this.search = new Search((thread, turn) => this.#choose(thread, turn));
    byId("new-thread").addEventListener("click", () => this.#choose(`own:${crypto.randomUUID()}`));
    side.addEventListener("scroll", () => {
      const leftPx = side.scrollHeight - side.scrollTop - side.clientHeight;
      if (this.#cursor && leftPx < NEAR_END_PX) this.#load(this.#cursor);
    });
    side.addEventListener("toggle", ({ newState }) => newState === "open" && this.refresh());
  }

  /** Mark the conversation that is shown now. */
  show(current) {
    this.current = current;
    this.#draw();
    return this.refresh();
  }

  /** Forget what is listed. */
  clear() {
    this.#known.clear();
    this.#cursor = null;
    this.search.clear();
    this.#draw();
  }

  /** Read the newest ones again. A list that cannot be read now stays as it is. */
  refresh() {
    return this.#load("");
  }

  async #load(before) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const { threads, page } = await conversations(before);
      const isLater = !before && this.#known.size > threads.length;
      for (const one of threads) this.#known.set(one.id, one);
      if (!isLater) this.#cursor = page.cursor ?? null;
      this.#draw();
    } catch {
      // The conversation itself says what is wrong.
    } finally {
      this.#isLoading = false;
    }
  }

  #choose(thread, turn = "") {
    if (side.matches(":popover-open")) side.hidePopover();
    this.onChoose(thread, turn);
  }

  #change(id, what) {
    if (what === "deleted") this.#known.delete(id);
    if (what === "deleted" && id === this.current) return this.#choose(MAIN);
    this.#draw();
    byId("new-thread").focus();
    this.refresh();
  }

  #drawn = "";

  #draw() {
    const own = [...this.#known.values()].filter(({ id }) => id !== MAIN)
      .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
    // Whoever is at a button stays there.
    const told = JSON.stringify([document.documentElement.lang, this.current, own]);
    if (told === this.#drawn) return;
    this.#drawn = told;
    byId("thread-list").replaceChildren(
      this.#row(MAIN, "Telegram"),
      ...own.map(({ id, title, updatedAt }) => this.#row(id, title, dayOf(updatedAt))));
  }

  #row(id, title, day = "") {
    const name = title || day;
    return el("li", {}, el("button", {
      type: "button", class: "thread", "aria-current": id === this.current && "true",
      onclick: () => this.#choose(id),
    }, el("span", { dir: "auto" }, name), title && day && el("small", {}, day)),
    id !== MAIN && options(id, name, (what) => this.#change(id, what)));
  }
}

const dayOf = (moment) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(new Date(moment));
