// Conversations are renamed and deleted in a dialog, and searched for what was said in them.

import { byId, el } from "./dom.js";
import { deleteThread, renameThread, search } from "./server.js";
import { say } from "./words.js";

const PAUSE_MS = 350;
const key = (kind, name, onclick) => el("button", { type: "button", class: kind, onclick }, name);

/** A button that opens what can be done with a conversation; `onChange` hears "renamed" or "deleted". */
export function options(thread, title, onChange) {
  const label = say("web_chat-options", { title });
  return el("button", {
    type: "button", class: "icon options", "aria-label": label, title: label, "aria-haspopup": "dialog",
    onclick: () => openDialog(thread, title, onChange),
  }, "⋯");
}

function openDialog(thread, title, onChange) {
  const problem = el("p", { class: "failure", role: "alert" });
  const name = el("input", { type: "text", id: "thread-title", maxlength: "80", dir: "auto", value: title });
  const dialog = el("dialog", { class: "card", "aria-label": say("web_chat-options", { title }) });
  const insist = async (work, told) => {
    problem.textContent = "";
    try {
      await work();
      dialog.close();
      onChange(told);
    } catch (error) {
      problem.textContent = error.code === "unknown_thread" ? say("web_chat-thread-gone") : say("web_chat-failed");
    }
  };
  const rename = () => insist(() => renameThread(thread, name.value), "renamed");
  const cancel = () => key("secondary", say("approve-no"), () => dialog.close());
  const confirm = () => {
    dialog.replaceChildren(
      el("h3", { dir: "auto" }, say("web_chat-delete-sure", { title })), el("p", {}, say("web_chat-delete-what")), problem,
      el("div", { class: "keys" },
        key("primary", say("web_chat-delete"), () => insist(() => deleteThread(thread), "deleted")), cancel()));
    dialog.querySelector(".secondary").focus();
  };
  name.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) rename();
  });
  dialog.append(
    el("div", { class: "field" }, el("label", { for: "thread-title" }, say("web_chat-thread-title")), name), problem,
    el("div", { class: "keys" }, key("primary", say("web_chat-rename"), rename), key("secondary", say("web_chat-delete"), confirm), cancel()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  name.select();
}

/** The field above the list; `onOpen` gets the conversation and the turn that somebody wants to see. */
export class Search {
  #timer = 0;
  #asked = 0;

  constructor(onOpen) {
    this.onOpen = onOpen;
    this.field = byId("find");
    this.field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), PAUSE_MS);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.field.value) {
        event.preventDefault();
        event.stopPropagation();
        this.clear();
      }
    });
  }

  /** Show the list of conversations again. */
  clear() {
    this.field.value = "";
    this.#show(null);
  }

  async #look() {
    const query = this.field.value.trim();
    const asked = (this.#asked += 1);
    if (!query) return this.#show(null);
    try {
      const { found } = await search(query);
      if (asked === this.#asked) this.#show(found);
    } catch {
      if (asked === this.#asked) this.#show([], say("web_chat-failed"));
    }
  }

  #show(found, told = "") {
    byId("thread-list").hidden = found !== null;
    byId("found").hidden = !found?.length;
    byId("found").replaceChildren(...(found ?? []).map((one) => el("li", {}, this.#row(one))));
    byId("find-status").textContent = told || (found === null ? "" : found.length ? say("web_chat-found", { count: found.length }) : say("web_chat-found-nothing"));
  }

  #row({ threadId, title, turn, saidAt, excerpt }) {
    const where = threadId && threadId.startsWith("own:") ? title : "Telegram";
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(new Date(saidAt));
    const shown = [
      el("small", { dir: "auto" }, `${where} · ${day}`),
      el("p", { dir: "auto" }, excerpt.before, excerpt.match && el("mark", {}, excerpt.match), excerpt.after),
    ];
    if (!threadId) return el("div", { class: "thread" }, ...shown);
    return el("a", {
      class: "thread", href: `#${new URLSearchParams({ thread: threadId, turn })}`,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.onOpen(threadId, turn);
      },
    }, ...shown);
  }
}
