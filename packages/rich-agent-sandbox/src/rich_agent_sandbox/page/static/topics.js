// The topics of a private chat: which one is shown, and in which the user writes.

import { byId, el, icon } from "./dom.js";

const PLUS = "M12 5v14M5 12h14";

/** A bar of topics; `onChoose()` is called when another one is chosen. */
export class TopicBar {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.chosen = null;
    this.opened = new Set();
  }

  /** Show everything again, as for another chat. */
  reset() {
    this.chosen = null;
    this.opened.clear();
  }

  /** What of `view` belongs to the chosen topic; without one everything does. */
  shown(view) {
    if (this.chosen === null) return view;
    const isHere = (part) => part?.message_thread_id === this.chosen;
    return {
      ...view,
      messages: view.messages.filter(isHere),
      draft: isHere(view.draft) ? view.draft : null,
      action: isHere(view.action) ? view.action : null,
    };
  }

  /** The field of a message that puts it into the chosen topic. */
  place() {
    return this.chosen === null ? {} : { message_thread_id: this.chosen };
  }

  draw(view, isPrivate) {
    const bar = byId("topics");
    bar.hidden = !isPrivate;
    if (!isPrivate) return;
    const used = view.messages.map((message) => message.message_thread_id).filter((id) => id !== null);
    const topics = [...new Set([...used, ...this.opened])].sort((a, b) => a - b);
    const tab = (id, name) => el("button", {
      type: "button", "data-topic": id ?? "all", "aria-pressed": String(id === this.chosen),
      onclick: () => this.choose(id),
    }, name);
    bar.replaceChildren(
      tab(null, this.words.all), ...topics.map((id) => tab(id, `${this.words.topic} ${id}`)),
      el("button", {
        type: "button", "data-testid": "add-topic", "aria-label": "New topic", title: "New topic",
        onclick: () => this.open(Math.max(0, ...topics) + 1),
      }, icon(PLUS)));
  }

  open(id) {
    this.opened.add(id);
    this.choose(id);
  }

  choose(id) {
    this.chosen = id;
    this.onChoose();
  }
}
