// One turn of the conversation on the screen: what the user wrote, tool calls, the answer, cards.

import { actions, editing, keeping } from "./actions.js";
import { approvalCard, argument, questionCard, resolved } from "./cards.js";
import { announce, el } from "./dom.js";
import { LivingCard } from "./living.js";
import { addressesIn, render, sourceList } from "./markdown.js";
import { blockAt, takeBack } from "./server.js";
import { say, toolName } from "./words.js";

export class TurnView {
  constructor({ text = "", pictures = [], isSpoken = false, onRetry = null, onAgain = null, onSay = null, onState = null, thread = () => "" }) {
    this.text = text;
    this.attached = pictures;
    this.onAgain = onAgain;
    this.onSay = onSay;
    this.onState = onState;
    this.thread = thread;
    this.offers = {};
    this.isSpoken = isSpoken;
    this.onRetry = onRetry;
    this.own = addressesIn(text);
    this.sources = new Map();
    this.pictures = new Map();
    this.statuses = new Map();
    this.wanted = new Map();
    this.cards = new Map();
    this.opened = new Set();
    this.leftOut = new Set();
    this.unfinished = "runs";
    this.messages = new Map();
    // What it is in the conversation, and the runs that were followed: see `shown.js`.
    this.turn = null;
    this.runs = new Set();
    this.body = el("div", { class: "body" });
    this.status = el("p", { class: "status", role: "status" });
    this.extra = el("div", { class: "extra" });
    this.answer = el("article", { class: "answer", "aria-label": say("web_chat-answer") }, this.body, this.status, this.extra);
    this.asked = (text || pictures.length > 0) && this.#asked(text, pictures);
    this.element = el("li", { class: "turn" }, this.asked, this.asked && onAgain && editing(this), this.answer);
  }

  /** The id of the turn, if its question can be asked again; "" for a command. */
  get redo() {
    return this.element.dataset.redo ?? "";
  }

  set redo(turn) {
    this.element.dataset.redo = turn;
  }

  #asked(text, pictures) {
    const shown = pictures.map(({ url, name }) =>
      url ? shownPicture(url, name ? say("web_chat-attached-image", { name }) : say("web_chat-image"))
        : el("span", { class: "file", dir: "auto" }, name || "📄"));
    return el("div", { class: "asked" },
      el("h2", { class: "unseen" }, say("web_chat-you")),
      shown.length > 0 && el("div", { class: "pictures" }, ...shown),
      this.isSpoken && el("small", {}, say("web_chat-spoken")),
      text && el("p", { dir: "auto" }, text));
  }

  /** An answer of the past. */
  past(message) {
    this.sources.set(message.id, message.sources);
    this.pictures.set(message.id, message.pictures);
    if (message.living) this.live(message.id, message.living, message.runId);
    this.undo = message.undo;
    if ("rateable" in message) Object.assign(this, { redo: message.turn, offers: message });
    this.show("past", [message]);
    this.#tools(message.content);
  }

  /** The messages of the run as they are now. */
  show(runId, messages) {
    this.messages.set(runId, messages.filter((message) => message.role !== "user"));
    const all = [...this.messages.values()].flat();
    const results = new Map(all.filter((one) => one.role === "tool").map((one) => [one.toolCallId, one]));
    const parts = [];
    for (const message of all) {
      if (message.role !== "assistant") continue;
      const sources = this.sources.get(message.id) ?? [];
      const card = this.#cards.get(message.id);
      if (card) parts.push(card.element);
      else if (typeof message.content === "string" && message.content) {
        parts.push(el("div", { class: "text" }, render(message.content, sources, this.own)));
      }
      for (const call of message.toolCalls ?? []) {
        if (results.has(call.id) || !this.leftOut.has(call.id)) parts.push(this.#call(call, results.get(call.id)));
      }
      for (const picture of this.pictures.get(message.id) ?? []) {
        parts.push(this.#drawn.get(picture.block ?? picture.url) ?? this.#draw(picture));
      }
      if (sources.length) parts.push(sourceList(sources));
    }
    this.body.replaceChildren(...parts);
  }

  /** Show these calls no more unless they have a result: a question took their place, and what follows it. */
  leaveOut(calls) {
    for (const id of calls) this.leftOut.add(id);
  }

  #cards = new Map();

  /** A message that is a living block is shown as that. */
  live(id, block, run) {
    this.#cards.set(id, new LivingCard(block, {
      send: this.onSay, draw: (picture) => this.#draw(picture), onState: this.onState, thread: this.thread(), run,
    }));
  }

  #drawn = new Map();

  /** The caption stands under the name of the kind, whose feature may have a phrase for it. */
  #draw({ url, mimeType: _, block, ...captions }) {
    const [[kind, caption]] = Object.entries(captions);
    if (block) return this.#chart(block, caption);
    const text = DAY.test(caption) ? inFull(caption) : caption;
    this.#drawn.set(url, shownPicture(url, say(`picture-${kind}`, { caption: text }) || text));
    return this.#drawn.get(url);
  }

  /** A block that is fetched; where it is kept no more, its caption stands there. */
  #chart(url, caption) {
    const place = el("div", { class: "chart" }, el("small", { dir: "auto" }, caption));
    this.#drawn.set(url, place);
    blockAt(url).then((block) => place.replaceChildren(new LivingCard(block, {}).element), () => {});
    return place;
  }

  #waits(isWaiting) {
    this.unfinished = isWaiting ? "waits" : "runs";
    for (const [runId, messages] of this.messages) this.show(runId, messages);
  }

  #call(call, result) {
    const status = this.statuses.get(call.id);
    const told = !result ? this.unfinished : { error: "failed", denied: "denied" }[status] ?? "done";
    // While they are written, the arguments are read as far as they go; the user may have changed them.
    const wanted = parsed(this.wanted.get(call.id) ?? call.function.arguments);
    const card = this.wanted.has(call.id) ? null : this.cards.get(call.id);
    const about = card ? card.fields.map((one) => one.value).join(" · ").slice(0, 200) : brief(wanted, result);
    const fold = el("details", { class: `tool ${told}`, open: this.opened.has(call.id) },
      el("summary", {}, el("span", { class: "name" }, card?.title ?? toolName(call.function.name)),
        el("span", { class: "brief", dir: "auto" }, about), el("small", {}, say(`web_chat-tool-${told}`))),
      el("h3", {}, say("web_chat-arguments")),
      card ? el("dl", {}, ...card.fields.flatMap(argument)) : el("pre", { tabindex: "0" }, pretty(wanted)),
      result && el("h3", {}, say("web_chat-result")), result && el("pre", { tabindex: "0", dir: "auto" }, pretty(parsed(result.content))));
    fold.addEventListener("toggle", () => {
      if (fold.isConnected) this.opened[fold.open ? "add" : "delete"](call.id);
    });
    return fold;
  }

  /** What the bot does now; "" for nothing. */
  working(step) {
    this.answer.setAttribute("aria-busy", String(Boolean(step)));
    const told = step && (say(`status-${step.replace("_", "-")}`) || say("status-thinking"));
    if (this.status.textContent !== told) this.status.textContent = told;
  }

  /** The answer is complete. */
  finish(isStopped) {
    this.working("");
    const text = this.#plain();
    if (isStopped) this.extra.append(el("p", { class: "note" }, say("stopped-by-command")));
    this.#tools(text, isStopped);
    announce(`${say("web_chat-answer")}: ${this.body.innerText}`);
  }

  fail(message) {
    this.working("");
    this.extra.replaceChildren(
      el("p", { class: "failure", role: "alert", dir: "auto" }, message || say("web_chat-failed")), this.#again() ?? "");
  }

  #again() {
    return this.onRetry && el("button", { type: "button", class: "quiet", onclick: () => this.onRetry(this) }, say("web_chat-retry"));
  }

  #tools(text, mayRetry = false) {
    this.extra.append(keeping(this) ?? "", el("div", { class: "tools" },
      this.#undoing(), ...actions(this, text), mayRetry && !this.redo && this.#again()));
  }

  /** The button that takes back what was done, as long as that can be. */
  #undoing() {
    const leftMs = this.undo ? Date.parse(this.undo.until) - Date.now() : 0;
    if (leftMs <= 0) return null;
    const tell = (...lines) => {
      const told = el("p", { class: "note", dir: "auto", tabindex: "-1" }, lines.join("\n"));
      button.replaceWith();
      this.extra.append(told);
      told.focus();
      announce(told.textContent);
    };
    const button = el("button", { type: "button", class: "quiet undo", onclick: async () => {
      button.disabled = true;
      try {
        const { undone } = await takeBack(this.undo.id);
        tell(say("undo-done"), ...undone.map((line) => `• ${line}`));
      } catch (error) {
        if (error.code === "nothing_to_undo") return tell(say("undo-too-late"));
        button.disabled = false;
        announce(error.message);
      }
    } }, say("undo-button"));
    setTimeout(() => button.replaceWith(), leftMs);
    return button;
  }

  #plain() {
    return [...this.messages.values()].flat().filter((one) => one.role === "assistant")
      .map((one) => one.content).filter((one) => typeof one === "string").join("\n\n");
  }

  /** What was asked here was answered elsewhere. */
  answeredElsewhere() {
    this.extra.replaceChildren();
    this.#waits(false);
  }

  /** Ask the user what the run waits for; `onAnswer` takes what resumes it. */
  ask(interrupts, onAnswer) {
    this.working("");
    const isApproval = interrupts.some((one) => one.reason === "tool_call");
    this.#waits(isApproval);
    const answered = (resume, told) => {
      for (const [place, { payload }] of resume.entries()) {
        if (payload?.editedArgs) this.wanted.set(interrupts[place].toolCallId, payload.editedArgs);
      }
      this.#waits(false);
      card.replaceChildren(el("p", { dir: "auto" }, told));
      card.classList.add("done");
      onAnswer(resume);
    };
    const card = isApproval ? approvalCard(interrupts, answered) : questionCard(interrupts[0], answered);
    this.extra.replaceChildren(card, keeping(this) ?? "");
    announce(card.innerText);
    card.querySelector("button")?.focus({ preventScroll: false });
    return isApproval ? null : (text) => answered([resolved(interrupts[0], text)], say("web_chat-decided", { text }));
  }
}

/** A picture that the bot keeps; one that it keeps no more is told in words. */
function shownPicture(src, alt) {
  const picture = el("img", { src, alt, loading: "lazy" });
  picture.addEventListener("error", () => picture.replaceWith(el("small", {}, alt)));
  return picture;
}

/** The value of a JSON text; the text itself if it is none, and any other value as it is. */
function parsed(text) {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const pretty = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** What a call is about: its words, and the time as its result says it; the exact values stand below. */
function brief(wanted, result) {
  if (typeof wanted === "string") return "";
  const words = Object.values(wanted ?? {}).filter((one) => typeof one === "string" && !EXACT.test(one));
  const said = parsed(result?.content ?? "")?.said;
  return [...words, ...(typeof said === "string" ? [said] : [])].join(" · ").slice(0, 200);
}

/** Dates, times, durations and rules as programs write them, and ids. */
const EXACT = /^(?:\d|P\d|PT\d|R?RULE|DTSTART|FREQ=|[A-Z]\w+\/[A-Z])/;

const DAY = /^\d{4}-\d\d-\d\d$/;

const inFull = (day) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeZone: "UTC" }).format(new Date(day));
