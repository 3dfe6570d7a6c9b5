// The chat page: joins the list of users, the messages, the composer and the drawer.

import * as api from "./api.js";
import { Composer, base64 } from "./composer.js";
import { byId, el, icon, paintAvatar, toast } from "./dom.js";
import { CallsDrawer } from "./drawer.js";
import { nameOf, withEphemeral } from "./ephemeral.js";
import { MessageList } from "./messages.js";
import { ModelDownload } from "./download.js";
import { ModelForm } from "./model.js";
import { play } from "./scene.js";
import { TopicBar } from "./topics.js";
import { UserList, chatIdOf } from "./users.js";
import { fitting, wordsIn } from "./words.js";

const SUGGESTIONS_SHOWN = 3;
/** The scripts that rule other languages out; the likeliest language of each comes first. */
const SCRIPTS = {
  ja: /[\u3041-\u30ff]/, ko: /[\uac00-\ud7a3]/, zh: /[\u4e00-\u9fff]/, ru: /[\u0400-\u052f]/, uk: /[\u0400-\u052f]/,
  ar: /[\u0600-\u06ff]/, fa: /[\u0600-\u06ff]/, hi: /[\u0900-\u097f]/,
};
const CAMERA = "M4 8.5A2.5 2.5 0 0 1 6.5 6h1.6l1.5-2h4.8l1.5 2h1.6A2.5 2.5 0 0 1 20 8.5v8a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 16.5zM8.5 12.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0";
const ACTION_SHOWN_S = 5;
const DRAFT_SHOWN_S = 30;
const PRESS_WAIT_MS = 10_000;

class Page {
  constructor() {
    this.chat = null;
    this.bot = null;
    this.isOnline = true;
    this.view = null;
    this.presses = new Map();
    this.running = new Set();
    this.stale = new Set();
    this.drawer = new CallsDrawer();
    this.composer = new Composer((message) => this.send(message), (picture) => this.attempt(this.sendPicture(picture)));
    this.messages = new MessageList({
      reply: (message) => this.composer.reply(message),
      edit: (message) => this.composer.edit(message),
      forward: (message) => this.attempt(this.forward(message)),
      press: (message, button, key) => this.press(message, button, key),
      command: (command) => this.attempt(this.send({ text: command })),
      stop: (chatId) => this.attempt(api.stopDraft(chatId)),
      query: (chatId, messageId, data) => this.query(chatId, messageId, data),
    });
    this.topics = new TopicBar(() => this.draw(this.whole));
    this.users = new UserList((chat) => this.show(chat));
    this.model = new ModelForm();
    this.download = new ModelDownload((work) => this.attempt(work));
    byId("back").addEventListener("click", () => { document.body.dataset.pane = "users"; });
    byId("viewer").addEventListener("click", () => byId("viewer").close());
    byId("place").addEventListener("change", (event) => this.users.choose(chatIdOf(this.chat.user_id, event.target.value)));
    window.addEventListener("hashchange", () => this.chooseByAddress());
  }

  async start() {
    await Promise.all([this.refreshBot(), this.refreshUsers(), this.download.refresh()]);
    this.users.markAllSeen();
    this.chooseByAddress();
    api.listen((topics) => this.onTopics(topics), (isOpen) => this.onLine(isOpen));
  }

  chooseByAddress() {
    const wanted = Number(location.hash.slice(1));
    const chatId = Number.isSafeInteger(wanted) && wanted !== 0 ? wanted : this.users.all()[0].chat_id;
    if (chatId !== this.chat?.chat_id) this.users.choose(chatId);
  }

  show(chat) {
    const isOther = chat.chat_id !== this.chat?.chat_id;
    this.chat = chat;
    document.body.dataset.pane = "chat";
    this.speak(wordsIn(chat.language_code));
    byId("place").value = chat.chat_type;
    history.replaceState(null, "", `#${chat.chat_id}`);
    if (isOther) {
      this.composer.reset();
      this.topics.reset();
      this.view = null;
    }
    this.attempt(this.refreshChat());
    if (matchMedia("(hover: hover)").matches) this.composer.field.focus();
  }

  /** Use the words of the user's language for what is in sight around the messages. */
  speak(words) {
    this.words = words;
    this.composer.speak(words);
    this.topics.words = words;
    this.messages.lang = words.lang;
    for (const option of byId("place").options) option.textContent = words[option.value];
    for (const id of ["place", "topics", "people"]) Object.assign(byId(id), { lang: words.lang, dir: words.dir });
    byId("people").ariaLabel = words.chats;
    byId("topics").ariaLabel = words.topics;
    byId("users-note").textContent = words.people;
    byId("connect-model").textContent = words.connect;
    this.download.speak(words);
    if (this.bot) this.model.draw(this.bot, fitting(this.bot.about, words.lang));
  }

  onTopics(topics) {
    if (topics.has("all")) { this.presses.clear(); this.drawer.forget(); }
    if (topics.has("bot") || topics.has("all")) this.attempt(this.refreshBot());
    if (topics.has("download") || topics.has("all")) this.attempt(this.download.refresh());
    if (topics.has("calls")) this.drawer.refresh();
    const isAboutChats = topics.has("all") || [...topics].some((topic) => typeof topic === "number");
    if (isAboutChats) this.attempt(this.refreshUsers());
    if (topics.has("all") || topics.has("bot") || topics.has(this.chat?.chat_id)) this.attempt(this.refreshChat());
  }

  onLine(isOpen) {
    const wasOnline = this.isOnline;
    this.isOnline = isOpen;
    this.drawStatus();
    if (isOpen && !wasOnline) this.onTopics(new Set(["all"]));
    else if (isOpen) this.attempt(this.refreshChat());
  }

  async attempt(work) {
    try {
      await work;
    } catch (error) {
      if (this.isOnline) toast(error.message);
    }
  }

  async refreshBot() {
    this.bot = await api.getBot();
    document.title = `${this.bot.first_name} · Sandbox`;
    byId("bot-name").textContent = this.bot.first_name;
    paintAvatar(byId("bot-avatar"), this.bot.id, this.bot.first_name);
    this.composer.setPictures(this.bot.pictures);
    if (this.words) this.speak(this.words);
    if (this.view) this.drawOffers();
  }

  async refreshUsers() {
    await this.alone("users", async () => this.users.update((await api.getChats()).chats));
  }

  async refreshChat() {
    await this.alone("chat", async () => {
      const { chat_id: chatId } = this.chat;
      const view = withEphemeral(await api.getChat(chatId));
      if (chatId === this.chat.chat_id) this.draw(view);
      else this.stale.add("chat");
    });
  }

  /** Run one `work` of a name at a time; what is asked for meanwhile is done once, afterwards. */
  async alone(name, work) {
    if (this.running.has(name)) { this.stale.add(name); return; }
    this.running.add(name);
    try {
      do { this.stale.delete(name); await work(); } while (this.stale.has(name));
    } finally {
      this.running.delete(name);
    }
  }

  draw(whole) {
    this.whole = whole;
    this.topics.draw(whole, this.chat.chat_type === "private");
    const view = this.topics.shown(whole);
    this.view = view;
    this.offset_s = Date.now() / 1000 - view.now;
    this.showAnswers(view);
    this.messages.draw(view);
    this.composer.setCommands(view.commands);
    this.drawOffers();
    this.drawStatus();
  }

  drawStatus() {
    clearTimeout(this.statusTimer);
    const now = Date.now() / 1000 - (this.offset_s ?? 0);
    const { action, draft, messages } = this.view ?? { action: null, draft: null, messages: [] };
    const last = messages.findLast((message) => message.from === "bot");
    const isActing = action !== null && now - action.at < ACTION_SHOWN_S && !(last && last.sent_at > action.at);
    byId("typing").hidden = !isActing || !this.isOnline;
    byId("status").hidden = isActing && this.isOnline;
    byId("status").textContent = this.isOnline ? "bot" : "connecting…";
    if (isActing) byId("typing-word").textContent = action.name.replaceAll("_", " ");
    const ends = [isActing && action.at + ACTION_SHOWN_S - now, draft && draft.at + DRAFT_SHOWN_S - now].filter(Boolean);
    if (ends.length > 0) {
      this.statusTimer = setTimeout(() => this.attempt(this.refreshChat()), Math.max(0.1, Math.min(...ends)) * 1000 + 50);
    }
  }

  /** What can be sent with one tap: in an empty chat with a word on what this is. */
  drawOffers() {
    if (!this.bot) return;
    const isEmpty = this.view.messages.length === 0 && !this.view.draft;
    byId("welcome").hidden = !isEmpty;
    const offered = this.suggestions();
    const waits = this.view.messages.at(-1)?.from === "user" || this.view.draft !== null;
    byId("suggested").hidden = isEmpty || waits || offered.length === 0;
    // What is about to be tapped must not be drawn again under the finger.
    const print = JSON.stringify([this.view.chat_id, this.chat.language_code, isEmpty, offered, this.bot]);
    if (waits || print === this.offersPrint) return;
    this.offersPrint = print;
    const chips = offered.map((text) => el("button", { type: "button", "data-testid": "suggestion", onclick: () => this.attempt(this.send({ text })) }, text));
    if (isEmpty) this.drawWelcome(chips);
    else byId("suggested").replaceChildren(...chips);
  }

  /** Questions that were not asked here yet, in the language of the last message or of the user. */
  suggestions() {
    const said = this.view.messages.filter((message) => message.from === "user").map((message) => message.text);
    const told = this.bot.suggestions.map((text) => /^([a-z]{2}):(.*)$/s.exec(text) ?? ["", "", text]);
    const language = this.languageOf(said.at(-1));
    const own = told.filter(([, code]) => code === language);
    // In a group the bot hears only what names it.
    const call = this.chat.chat_type === "private" ? "" : `@${this.bot.username} `;
    const fitting = (own.length > 0 ? own : told.filter(([, code]) => code === "")).map(([, , text]) => call + text);
    return fitting.filter((text) => !said.includes(text)).slice(0, SUGGESTIONS_SHOWN);
  }

  /** The user's language, unless the script of their last message shows another one; "" for English. */
  languageOf(said) {
    const own = (this.chat.language_code ?? "").slice(0, 2);
    if (!said) return own;
    const written = Object.keys(SCRIPTS).filter((code) => SCRIPTS[code].test(said));
    if (written.length > 0) return written.includes(own) ? own : written[0];
    return own in SCRIPTS && /[a-z]/i.test(said) ? "" : own;
  }

  drawWelcome(chips) {
    const { words } = this;
    const about = fitting(this.bot.about, words.lang);
    const avatar = el("span", { class: "avatar large", "aria-hidden": "true" });
    paintAvatar(avatar, this.bot.id, this.bot.first_name);
    const pictures = this.bot.pictures.map((picture) => el("button", {
      type: "button", class: "sample", "data-testid": "suggest-picture", title: picture.question,
      onclick: () => this.attempt(this.sendPicture(picture)),
    }, el("img", { src: picture.url, alt: "" }), el("span", {}, words[picture.name] ?? picture.label)));
    const hasScene = this.chat.chat_type === "private";
    const scene = el("button", { type: "button", "data-testid": "scene", title: words.steps, onclick: () => this.attempt(this.playScene()) }, `▶ ${words.scene}`);
    Object.assign(byId("welcome"), { lang: words.lang, dir: words.dir });
    byId("welcome").replaceChildren(
      avatar,
      el("h3", {}, this.bot.first_name),
      about ? el("p", { class: "about", "data-testid": "about" }, about) : "",
      this.bot.can_connect ? el("button", { type: "button", class: "connect", "data-testid": "welcome-connect", onclick: () => this.model.open() }, words.connect) : "",
      this.download.card,
      el("p", {}, this.bot.description || words.begin),
      el("div", { class: "suggestions" }, ...(hasScene ? [scene, ...chips.slice(0, SUGGESTIONS_SHOWN - 1)] : chips)),
      el("div", { class: "samples" }, ...pictures,
        el("button", { type: "button", class: "sample own", "data-testid": "suggest-photo", onclick: () => byId("photo-input").click() },
          icon(CAMERA), el("span", {}, words.photo))));
  }

  /** Play the scene in this chat, as long as it is the one in sight. */
  async playScene() {
    const { chat_id: chatId } = this.chat;
    await play({
      chatId, pictures: this.bot.pictures, isWanted: () => this.chat.chat_id === chatId,
      send: (message) => this.send(message), sendPicture: (picture) => this.sendPicture(picture),
    });
  }

  async sendPicture(picture) {
    const content = await base64((await fetch(picture.url)).blob());
    return this.send({ photo_base64: content, text: picture.question });
  }

  async send(message) {
    const { user_id: userId, chat_type, first_name, language_code } = this.chat;
    return api.sendMessage(userId, { ...message, ...this.topics.place(), chat_type, first_name, ...(language_code ? { language_code } : {}) });
  }

  /** Send a message of this chat to the bot again, as forwarded from its author. */
  async forward(message) {
    const author = message.forwarded_from ?? (message.from === "bot" ? this.bot.first_name : this.chat.first_name ?? "Somebody");
    const photo = message.photo_url ? { photo_base64: await base64((await fetch(message.photo_url)).blob()) } : {};
    await this.send({ ...(message.text ? { text: message.text } : {}), ...photo, forward_from: author });
  }

  async press(message, button, key) {
    if (button.callback_data === undefined) { toast("This button does nothing here"); return; }
    key.classList.add("waiting");
    setTimeout(() => key.classList.remove("waiting"), PRESS_WAIT_MS);
    try {
      const { callback_query_id: queryId } = await api.pressButton(this.view.chat_id, nameOf(message), button.callback_data);
      this.presses.set(queryId, key);
      this.showAnswers(this.view);
    } catch (error) {
      key.classList.remove("waiting");
      toast(error.message);
    }
  }

  /** Send a query of a widget; a refusal is an error with the status alone. */
  async query(chatId, messageId, data) {
    try {
      return (await api.queryWidget(chatId, messageId, data)).query_id;
    } catch (error) {
      throw new Error(String(error.status ?? 503));
    }
  }

  /** What the bot answered to presses of this page, each once. */
  showAnswers(view) {
    for (const answer of view.press_answers) {
      const key = this.presses.get(answer.query_id);
      if (!key) continue;
      this.presses.delete(answer.query_id);
      key.classList.remove("waiting");
      if (answer.text && answer.show_alert) {
        byId("alert").querySelector("p").textContent = answer.text;
        byId("alert").showModal();
      } else if (answer.text) {
        toast(answer.text);
      }
    }
  }
}

new Page().start();
