// The people who talk with the bot. Those added here are remembered by the browser.

import { byId, clockTime, el, paintAvatar } from "./dom.js";
import { wordsIn } from "./words.js";

const STORED = "sandbox.users";
const FIRST_USER = { chat_id: 1001, user_id: 1001, chat_type: "private", first_name: "Ada", language_code: "en" };

const GROUPS = { group: 0, guest: -2_000_000_000_000 };

/** The id of a person's chat of a kind, as the sandbox gives it. */
export function chatIdOf(userId, kind) {
  return kind in GROUPS ? GROUPS[kind] - userId : userId;
}

/** The list of chats; `onChoose(chat)` is called when one is chosen. */
export class UserList {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.list = byId("users");
    this.added = JSON.parse(localStorage.getItem(STORED) ?? "null") ?? [FIRST_USER];
    this.chats = [];
    this.seen = new Map();
    this.active = null;
    const dialog = byId("new-user");
    byId("add-user").addEventListener("click", () => {
      dialog.querySelector("form").reset();
      dialog.querySelector("[name=user_id]").value = String(this.freeId());
      dialog.showModal();
    });
    dialog.addEventListener("close", () => { if (dialog.returnValue === "add") this.add(new FormData(dialog.querySelector("form"))); });
  }

  freeId() {
    return Math.max(1000, ...this.all().map((chat) => chat.user_id)) + 1;
  }

  /** Chats that began, the latest first, then people who have not written yet. */
  all() {
    const begun = new Set(this.chats.map((chat) => chat.chat_id));
    return [...this.chats, ...this.added.filter((chat) => !begun.has(chat.chat_id))]
      .sort((a, b) => (b.last_message?.sent_at ?? 0) - (a.last_message?.sent_at ?? 0) || a.user_id - b.user_id || b.chat_id - a.chat_id);
  }

  find(chatId) {
    return this.all().find((chat) => chat.chat_id === chatId);
  }

  add(form) {
    const id = Number(form.get("user_id"));
    this.remember({ chat_id: id, user_id: id, chat_type: "private", first_name: form.get("first_name"), language_code: form.get("language_code") });
    this.choose(id);
  }

  remember(chat) {
    this.added = [...this.added.filter((other) => other.chat_id !== chat.chat_id), chat];
    localStorage.setItem(STORED, JSON.stringify(this.added));
  }

  /** Make a chat the one that is shown; an id nobody has yet becomes a new person. */
  choose(chatId) {
    if (!this.find(chatId)) {
      this.remember(this.newChat(chatId));
    }
    this.active = chatId;
    this.draw();
    this.onChoose(this.find(chatId));
  }

  newChat(chatId) {
    const kind = chatId > 0 ? "private" : chatId < GROUPS.guest ? "guest" : "group";
    const userId = kind === "private" ? chatId : GROUPS[kind] - chatId;
    const known = this.find(userId) ?? { first_name: `User ${userId}`, language_code: "en" };
    return { chat_id: chatId, user_id: userId, chat_type: kind, first_name: known.first_name, language_code: known.language_code };
  }

  markAllSeen() {
    for (const chat of this.chats) this.seen.set(chat.chat_id, chat.messages);
  }

  /** Take the answer of GET /sim/chats. */
  update(chats) {
    this.chats = chats;
    this.draw();
  }

  draw() {
    const shown = this.find(this.active);
    const words = wordsIn(shown?.language_code);
    if (shown) this.seen.set(shown.chat_id, shown.messages ?? 0);
    this.list.replaceChildren(...this.all().map((chat) => this.line(chat, words)));
  }

  line(chat, words) {
    const unread = Math.max(0, (chat.messages ?? 0) - (this.seen.get(chat.chat_id) ?? 0));
    const last = chat.last_message;
    const avatar = el("span", { class: "avatar", "aria-hidden": "true" });
    paintAvatar(avatar, chat.user_id, chat.first_name);
    const isActive = chat.chat_id === this.active;
    const kind = chat.chat_type === "private" ? "" : ` (${words[chat.chat_type]})`;
    return el("li", {}, el("button", {
      type: "button", class: "person", "data-user-id": String(chat.chat_id), "data-unread": String(unread),
      "aria-current": isActive ? "true" : null, onclick: () => this.choose(chat.chat_id),
    }, avatar, el("span", { class: "person-lines" },
      el("span", { class: "person-line" }, el("b", { dir: "auto" }, chat.first_name + kind), last && el("time", {}, clockTime(last.sent_at))),
      el("span", { class: "person-line" }, el("span", { class: "last", dir: "auto" }, lastWords(last, words)),
        unread > 0 && el("span", { class: "unread", "aria-label": `${unread} unread` }, String(unread))))));
  }
}

function lastWords(message, words) {
  if (!message) return words.empty;
  const text = message.text || (message.photo_url ? words.picture : message.document?.file_name ?? (message.widget ? "Widget" : ""));
  return `${message.from === "user" ? `${words.you}: ` : ""}${text.slice(0, 80)}`;
}
