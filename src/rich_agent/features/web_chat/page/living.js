// A living block: what a reply says, with buttons that change it in its place.

import { announce, el } from "./dom.js";
import { runEvents } from "./server.js";
import { say } from "./words.js";

const words = (kind, text, more = {}) => text && el(kind, { dir: "auto", ...more }, text);

export class LivingCard {
  /**
   * `send` sends a message, `draw` gives a picture; `run` has begun the block, in the conversation `thread`;
   * for `onState` see `runEvents`.
   */
  constructor(block, { send, draw, thread, run, onState }) {
    Object.assign(this, { send, draw, thread, run, onState, pictures: [] });
    this.note = el("p", { class: "note", role: "status", dir: "auto" });
    this.element = el("section", { class: "card living", tabindex: "-1" });
    this.show(block);
  }

  show(block) {
    this.block = block;
    const held = this.element.contains(document.activeElement) && document.activeElement.dataset.action;
    const [done, all] = block.steps;
    this.note.textContent = block.note;
    this.element.setAttribute("aria-label", block.title);
    this.element.replaceChildren(...[
      words("h3", block.title),
      all > 0 && el("progress", { value: done, max: all, "aria-label": block.title }),
      this.note,
      block.drawing && chartDrawing(block.drawing),
      block.chart && chartTable(block.chart),
      block.rows.length > 0 && el("ul", {}, ...block.rows.map((row) => this.#row(row))),
      this.#keys(block.actions),
      ...this.pictures,
    ].filter(Boolean));
    this.#markQueue();
    if (held === false || held === undefined) return;
    const buttons = this.#buttons;
    (buttons.find((one) => one.dataset.action === held) ?? buttons[0] ?? this.element).focus();
  }

  #row(row) {
    return el("li", { class: row.mark },
      el("div", {}, words("b", row.label),
        row.body
          ? el("details", {}, words("summary", row.text), words("p", row.body))
          : words("p", row.text),
        words("small", row.details),
        row.url && el("a", { href: row.url, target: "_blank", rel: "noopener noreferrer" }, new URL(row.url).host)),
      this.#keys(row.actions));
  }

  #keys(actions) {
    return actions.length > 0 && el("div", { class: "keys" }, ...actions.map((one) => el("button", {
      type: "button", class: { main: "primary", danger: "secondary danger" }[one.kind] ?? "secondary", "data-action": one.data,
      "aria-label": one.name || null, dir: "auto", onclick: () => this.#press(one),
    }, one.label)));
  }

  #queue = new Set();

  #last = Promise.resolve();

  /** Presses are done one after the other. */
  #press(action) {
    if (action.message) return this.send(action.message);
    if (this.#queue.has(action.data)) return;
    this.#queue.add(action.data);
    this.#markQueue();
    this.#last = this.#last.then(async () => {
      if (this.#buttons.some((one) => one.dataset.action === action.data)) await this.#run(action.data);
      this.#queue.delete(action.data);
      this.#markQueue();
    });
  }

  get #buttons() {
    return [...this.element.querySelectorAll("button")];
  }

  /** Mark the buttons whose press waits or is done now; `disabled` would lose the focus. */
  #markQueue() {
    for (const button of this.#buttons) button.ariaDisabled = this.#queue.has(button.dataset.action) || null;
  }

  async #run(data) {
    const runId = crypto.randomUUID(), press = { run: this.run, data };
    const asked = { threadId: this.thread, runId, messages: [], forwardedProps: { press } };
    // A press is never given up: what was done is shown, also after a break.
    const { signal } = new AbortController();
    let notice = "";
    try {
      for await (const event of runEvents(runId, { asked, signal, onState: this.onState })) {
        if (event.type === "CUSTOM" && event.name === "living") this.show(event.value.block);
        if (event.type === "CUSTOM" && event.name === "notice") notice = event.value.text;
        if (event.type === "CUSTOM" && event.name === "pictures") {
          this.pictures = event.value.pictures.map(this.draw);
          this.show(this.block);
          notice = this.pictures.map((one) => one.alt ?? one.textContent).join("\n");
        }
        if (event.type === "RUN_ERROR") notice = event.message;
      }
    } catch (error) {
      notice = error.message || say("web_chat-failed");
    }
    if (notice) this.note.textContent = notice;
    announce(this.note.textContent);
  }
}

/** The shapes of a chart, whose numbers stand in the table below it. */
function chartDrawing({ width, height, bars, lines, labels }) {
  const shape = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", direction: "ltr" });
  drawing.append(
    ...bars.map((bar) => shape("rect", { ...bar, fill: "currentColor" })),
    ...lines.map(([points, dashes]) => shape("polyline", {
      points, fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": dashes,
    })),
    ...labels.map(({ x, y, anchor, text }) => {
      const label = shape("text", { x, y, "text-anchor": anchor });
      label.textContent = text;
      return label;
    }));
  return drawing;
}

function chartTable({ kind, corner, names, series, words }) {
  const value = (place, number) => words[number]?.[place] ?? String(series[number][1][place]);
  return el("table", { class: kind === "table" && "words" },
    el("tr", {}, el(corner ? "th" : "td", { scope: corner && "col" }, corner), ...series.map(([name]) => el("th", { scope: "col", dir: "auto" }, name))),
    ...names.map((name, place) => el("tr", {}, el("th", { scope: "row", dir: "auto" }, name),
      ...series.map((_, number) => el("td", { dir: "auto" }, value(place, number))))));
}
