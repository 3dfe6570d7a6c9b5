// The frames of widgets: their documents, states, heights and queries.

import { el } from "./dom.js";

const LEAST_WIDTH = 200;
const HEIGHTS = [50, 600];
const ANSWER_WAIT_MS = 15_000;
export const TIMED_OUT = "502";

const within = (size, [least, most]) => Math.min(Math.max(size, least), most);

/** Keeps one frame for each widget; `query` sends data to the bot, and gives the id of the query. */
export class WidgetFrames {
  constructor(query) {
    this.query = query;
    this.frames = new Map();
    this.queries = new Map();
    this.opened = 0;
  }

  /** A new frame for the widget of a message, which loads when it is put into the page. */
  open(message, chatId) {
    const { width, height } = message.widget;
    this.opened += 1;
    const title = [`Widget ${this.opened}`, message.text.slice(0, 80)].filter(Boolean).join(": ");
    const frame = el("iframe", { class: "widget", sandbox: "allow-scripts", src: `/sim/widgets/${chatId}/${message.message_id}`, title });
    if (width !== null) frame.style.width = `${Math.max(width, LEAST_WIDTH)}px`;
    frame.style.height = `${within(height ?? 0, HEIGHTS)}px`;
    const known = { frame, port: null, chatData: message.widget.chat_data, isFixed: height !== null };
    frame.addEventListener("load", () => this.connect(message.message_id, known));
    this.frames.set(message.message_id, known);
    return frame;
  }

  /** Give the document that was loaded its line to the page. */
  connect(messageId, known) {
    known.port?.close();
    const { port1, port2 } = new MessageChannel();
    known.port = port1;
    port1.onmessage = ({ data: message }) => {
      if ("height" in message && !known.isFixed) known.frame.style.height = `${within(message.height, HEIGHTS)}px`;
      if ("id" in message) this.answer(port1, messageId, message);
    };
    known.frame.contentWindow.postMessage("line", "*", [port2]);
    port1.postMessage({ chatData: known.chatData });
  }

  async answer(port, messageId, { id, data }) {
    try {
      port.postMessage({ id, result: await this.ask(messageId, data) });
    } catch (error) {
      port.postMessage({ id, error: error.message });
    }
  }

  /** The bot's answer; an error with "502" if it is late, and with "429" if there were too many. */
  async ask(messageId, data) {
    const queryId = await this.query(messageId, data);
    return new Promise((resolve, reject) => {
      this.queries.set(queryId, resolve);
      setTimeout(() => { this.queries.delete(queryId); reject(new Error(TIMED_OUT)); }, ANSWER_WAIT_MS);
      this.settle(this.answered ?? []);
    });
  }

  /** Hand on what the bot answered. */
  settle(queries) {
    this.answered = queries;
    for (const { query_id: queryId, answer } of queries) {
      if (answer === null) continue;
      this.queries.get(queryId)?.(answer);
      this.queries.delete(queryId);
    }
  }

  /** Tell the widget of a message its state, if that has changed. */
  update(message) {
    const known = this.frames.get(message.message_id);
    if (known.chatData === message.widget.chat_data) return;
    known.chatData = message.widget.chat_data;
    known.port?.postMessage({ chatData: known.chatData });
  }

  /** The frame of a message, if it is in the page. */
  find(messageId) {
    return this.frames.get(messageId)?.frame;
  }

  close(messageId) {
    this.frames.get(messageId)?.port?.close();
    this.frames.delete(messageId);
  }

  closeAll() {
    for (const messageId of [...this.frames.keys()]) this.close(messageId);
  }
}

/** Replace everything in `item` but the frame by what is in `drawn`, since a moved frame loads anew. */
export function drawAround(frame, item, drawn) {
  let place = drawn.querySelector(".widget");
  for (let kept = frame; kept !== item; kept = kept.parentElement, place = place.parentElement) {
    const parent = kept.parentElement;
    const siblings = [...place.parentElement.childNodes];
    for (const node of [...parent.childNodes]) if (node !== kept) node.remove();
    kept.before(...siblings.slice(0, siblings.indexOf(place)));
    kept.after(...siblings.slice(siblings.indexOf(place) + 1));
    if (parent !== item) parent.className = place.parentElement.className;
  }
}
