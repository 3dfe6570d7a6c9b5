// The turns on the screen, kept like those of the conversation, wherever these come from.

import { announce } from "./dom.js";
import { TurnView } from "./turn.js";
import { say } from "./words.js";

/** What a message of the user brought along. */
export function saidIn(message) {
  const parts = typeof message?.content === "string" ? [{ type: "text", text: message.content }] : message?.content ?? [];
  return {
    text: parts.filter((one) => one.type === "text").map((one) => one.text).join("\n"),
    pictures: [
      ...parts.filter((one) => one.type === "image").map((one) => ({ url: one.source.value })),
      ...message?.files ?? [],
    ],
    isSpoken: message?.spoken ?? false,
  };
}

/** The turns of messages: each has its `turn`, what was `asked`, if anything, and the `answer`. */
function* turnsOf(messages) {
  let asked = null;
  for (const message of messages) {
    if (message.role === "user") {
      asked = message;
    } else {
      yield { turn: message.turn, asked: asked?.turn === message.turn ? asked : null, answer: message };
      asked = null;
    }
  }
}

/** A turn that is over. `told` is what it is shown from. */
function pastView({ turn, asked, answer }, more) {
  const view = new TurnView({ ...saidIn(asked), ...more });
  Object.assign(view, { turn, told: JSON.stringify([asked, answer]), isDone: true });
  view.past(answer);
  return view;
}

/** Whether a turn shows all that another view of it does. */
const holds = (one, view) =>
  one !== view && one.turn === view.turn && Boolean(one.told || [...view.runs].every((run) => one.runs.has(run)));

export class ShownTurns {
  #views = new Set();
  #listed = null;

  /** `onOpen` follows the runs of a turn that is not over; `onMore` hears that something was added.
   *
   * `view` is what each view of a turn is given besides.
   */
  constructor(element, { onOpen, onMore, view }) {
    Object.assign(this, { element, onOpen, onMore, view });
  }

  /** The turn of this id, undefined if it is not shown. */
  of(turn) {
    return this.#find(turn, []);
  }

  /** Put a turn in the place of another one. */
  replace(old, view) {
    this.#views.delete(old);
    this.#views.add(view);
    old.element.replaceWith(view.element);
  }

  clear() {
    this.#views.clear();
    this.#listed = null;
    this.element.replaceChildren();
  }

  /** Add a turn at the end. */
  add(view) {
    this.#views.add(view);
    this.element.append(view.element);
  }

  /** Take a turn out: it is asked again. */
  remove(view) {
    this.#views.delete(view);
    view.element.remove();
  }

  /** Show older turns above all others. */
  prepend(messages) {
    const views = [...turnsOf(messages)].map((told) => pastView(told, this.view));
    for (const view of views) this.#views.add(view);
    this.element.prepend(...views.map((view) => view.element));
  }

  /** Take over what has changed in the conversation. */
  change({ turns, isWhole, messages, open }) {
    this.#listed = { turns: turns.map(({ turn }) => turn), isWhole };
    let last = null;
    for (const told of turnsOf(messages)) last = this.#keep(told) ?? last;
    for (const one of open) this.#open(one);
    this.sweep();
    if (last) announce(`${say("web_chat-answer")}: ${last.body.innerText}`);
  }

  /** Take out what has left the conversation, and words that belong to a turn above; what is being written stays. */
  sweep() {
    if (!this.#listed) return;
    const all = this.#ordered();
    for (const view of all) {
      if (view.turn && !view.told && !view.isFollowed && all.some((one) => holds(one, view))) this.remove(view);
    }
    const { turns, isWhole } = this.#listed;
    const listed = new Set(turns);
    const first = isWhole ? 0 : all.findIndex((view) => listed.has(view.turn));
    if (first < 0) return;
    for (const view of all.slice(first).filter((one) => this.#views.has(one))) {
      const isKnown = view.told || view.isElsewhere;
      if (isKnown && !view.isFollowed && !listed.has(view.turn)) this.remove(view);
    }
  }

  #ordered() {
    return [...this.element.children].map((element) => [...this.#views].find((view) => view.element === element)).filter(Boolean);
  }

  #find(turn, runs) {
    return [...this.#views].find((view) => view.turn === turn || runs.some((run) => view.runs.has(run)));
  }

  /** A turn of the transcript; the view if it is new. */
  #keep(told) {
    const found = this.#find(told.turn, told.answer.runId ? [told.answer.runId] : []);
    const text = JSON.stringify([told.asked, told.answer]);
    if (!found) return this.#insert(pastView(told, this.view));
    const isShown = found.isFollowed || (found.isDone && !found.told);
    if (!isShown && found.told !== text) {
      this.replace(found, pastView(told, this.view));
      return null;
    }
    Object.assign(found, { turn: told.turn, told: text });
    return null;
  }

  /** Above the turns that come later in the conversation, and those that it does not know yet. */
  #insert(view) {
    this.#views.add(view);
    const { turns } = this.#listed;
    const place = turns.indexOf(view.turn);
    const later = new Set(turns.slice(place + 1));
    const next = this.#ordered().find((one) => later.has(one.turn) || (!one.turn && one !== view));
    if (next) next.element.before(view.element);
    else this.element.append(view.element);
    this.onMore();
    return view;
  }

  #open({ turn, asked, runs, replaces }) {
    let view = this.#find(turn, runs);
    if (!view) {
      const before = replaces && this.of(replaces);
      view = new TurnView({ ...saidIn(asked), pictures: before?.attached ?? saidIn(asked).pictures, ...this.view });
      Object.assign(view, { turn, isElsewhere: true, before });
      if (before) before.element.hidden = true;
      this.#insert(view);
    }
    view.turn = turn;
    const rest = runs.filter((run) => !view.runs.has(run));
    if (rest.length) this.onOpen(view, rest);
  }
}
