// The messages of one chat: made once, then only what changed is drawn again.

import { byId, clockTime, el, fileSize, icon } from "./dom.js";
import { renderText } from "./entities.js";
import { onlyYou } from "./ephemeral.js";
import { renderBlocks } from "./rich.js";
import { WidgetFrames, drawAround } from "./widgets.js";

const REPLY = "M10 8V4l-7 7 7 7v-4c5 0 8 1.5 11 5-1-6-4-10-11-11z";
const EDIT = "M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3";
const SEEN = "M2 12.5l4.5 4.5L15 8.5M10 15.5L11.5 17 20 8.5";
const FORWARD = "M14 8V4l7 7-7 7v-4c-5 0-8 1.5-11 5 1-6 4-10 11-11z";
const FILE = "M6 3h8l4 4v14H6zM14 3v4h4";
const STYLES = new Set(["danger", "success", "primary"]);
const NEAR_END_PX = 120;
const HOLD_MS = 450;

/** Draws chats into the page; `actions` has reply, edit, forward, press, command, stop, query and send. */
export class MessageList {
  constructor(actions) {
    this.actions = actions;
    this.list = byId("messages");
    this.scroller = byId("scroller");
    this.drawn = new Map();
    this.byMessageId = new Map();
    this.chatId = null;
    this.widgets = new WidgetFrames((messageId, data) => actions.query(this.chatId, messageId, data));
    const toEnd = byId("to-end");
    this.scroller.addEventListener("scroll", () => { toEnd.hidden = this.isAtEnd(); }, { passive: true });
    toEnd.addEventListener("click", () => this.scrollToEnd("smooth"));
    new ResizeObserver(() => { if (this.follows) this.scrollToEnd(); }).observe(this.list);
    this.follows = true;
    this.scroller.addEventListener("scroll", () => { this.follows = this.isAtEnd(); }, { passive: true });
  }

  /** Show `view` (an answer of GET /sim/chats/ID), or nothing of a chat that has not begun. */
  draw(view) {
    const isOtherChat = view.chat_id !== this.chatId;
    const wasAtEnd = this.follows;
    if (isOtherChat) this.clear(view.chat_id);
    this.byMessageId = new Map(view.messages.map((message) => [message.message_id, message]));
    // First, since messages are moved to before one that is still there, and the frame of a widget loads again then.
    for (const [id, { item }] of this.drawn) {
      if (!this.byMessageId.has(id)) { item.remove(); this.drawn.delete(id); this.widgets.close(id); }
    }
    this.widgets.settle(view.widget_queries);
    let place = this.list.firstElementChild;
    view.messages.forEach((message, index) => {
      const day = this.dayBefore(view.messages[index - 1], message);
      const item = this.item(message, { tail: tailOf(message, view.messages[index + 1]), day, album: albumOf(view.messages, index) });
      if (item === place) place = place.nextElementSibling;
      else this.list.insertBefore(item, place);
    });
    this.drawDraft(view.draft, view.chat_id);
    const mine = view.messages.at(-1)?.from === "user" && !isOtherChat && this.lastId !== view.messages.at(-1).message_id;
    this.lastId = view.messages.at(-1)?.message_id;
    if (wasAtEnd || isOtherChat || mine) this.scrollToEnd();
  }

  clear(chatId) {
    this.chatId = chatId;
    this.drawn.clear();
    this.widgets.closeAll();
    this.list.replaceChildren();
    this.list.classList.remove("lively");
    requestAnimationFrame(() => requestAnimationFrame(() => this.list.classList.add("lively")));
  }

  isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }

  scrollToEnd(behavior = "instant") {
    this.scroller.scrollTo({ top: this.scroller.scrollHeight, behavior });
  }

  dayBefore(previous, message) {
    const day = new Date(message.sent_at * 1000).toDateString();
    if (previous && new Date(previous.sent_at * 1000).toDateString() === day) return null;
    return day === new Date().toDateString()
      ? new Intl.RelativeTimeFormat(this.lang, { numeric: "auto" }).format(0, "day")
      : new Date(message.sent_at * 1000).toLocaleDateString(this.lang, { month: "long", day: "numeric" });
  }

  /** The element of a message, drawn again when the message is not what it was. */
  item(message, { tail, day, album }) {
    const print = JSON.stringify([printOf(message), tail, day, album.map(printOf)]);
    const known = this.drawn.get(message.message_id);
    const frame = message.widget && this.widgets.find(message.message_id);
    if (frame) this.widgets.update(message);
    if (known?.print === print) return known.item;
    const item = known?.item ?? this.pickable(el("li"));
    item.className = `message ${message.from}${tail ? " tail" : ""}`;
    item.dataset.messageId = message.message_id;
    item.dataset.from = message.from;
    // The first message of an album shows all its photos.
    item.hidden = album.length === 0;
    const parts = [day && el("p", { class: "day" }, day), !item.hidden && this.body(message, album)].filter(Boolean);
    if (frame) drawAround(frame, item, el("li", {}, ...parts));
    else item.replaceChildren(...parts);
    this.drawn.set(message.message_id, { item, print });
    return item;
  }

  /** A message whose tools show when it is held for a moment, where no pointer can hover. */
  pickable(item) {
    let held;
    const pick = () => {
      this.list.querySelector(".picked")?.classList.remove("picked");
      item.classList.add("picked");
    };
    item.addEventListener("touchstart", () => { held = setTimeout(pick, HOLD_MS); }, { passive: true });
    for (const end of ["touchend", "touchmove", "touchcancel"]) item.addEventListener(end, () => clearTimeout(held), { passive: true });
    item.addEventListener("contextmenu", (event) => { if (matchMedia("(hover: none)").matches) { event.preventDefault(); pick(); } });
    return item;
  }

  body(message, album) {
    const isMine = message.from === "user";
    const hasMedia = message.photo_url !== null;
    const captioned = album.find((part) => part.text !== "") ?? message;
    return el("div", { class: "line" },
      el("div", { class: "stack" },
        el("div", { class: `bubble${hasMedia ? " media" : ""}${hasMedia && captioned.text === "" ? " bare" : ""}`, tabIndex: 0, ondblclick: () => this.actions.reply(message) },
          message.forwarded_from && el("p", { class: "forwarded" }, "Forwarded from ", el("b", {}, message.forwarded_from)),
          onlyYou(message),
          this.repliedTo(message),
          album.length > 1 && el("div", { class: "album" }, ...album.map((part) => this.photo(part))),
          hasMedia && album.length === 1 && this.photo(message),
          message.widget && this.widget(message),
          message.document && this.document(message.document),
          message.attachment && el("p", { class: "attachment", "data-testid": "attachment" }, message.attachment.label),
          message.attachment?.url && el("audio", { class: "sound", controls: true, preload: "metadata", src: message.attachment.url, "aria-label": message.attachment.label }),
          el("div", { class: "text", dir: "auto" },
            ...(message.blocks.length > 0 ? renderBlocks(message.blocks) : renderText(captioned.text, captioned.entities, this.actions.command)),
            this.meta(message)),
          message.reactions.length > 0 && el("p", { class: "reactions" }, ...message.reactions.map((emoji) => el("span", {}, emoji)))),
        message.buttons.length > 0 && this.keyboard(message),
        el("div", { class: "tools" },
          el("button", { type: "button", class: "tool", "aria-label": "Reply", title: "Reply", "data-testid": "reply", onclick: () => this.actions.reply(message) }, icon(REPLY)),
          !message.document && !message.attachment && !message.widget && el("button", { type: "button", class: "tool", "aria-label": "Forward", title: "Forward to the bot", "data-testid": "forward", onclick: () => this.actions.forward(message) }, icon(FORWARD)),
          isMine && !message.attachment && !message.forwarded_from && el("button", { type: "button", class: "tool", "aria-label": "Edit", title: "Edit", "data-testid": "edit", onclick: () => this.actions.edit(captioned) }, icon(EDIT)))));
  }

  /** The frame of a widget, or a place for the frame that there is. */
  widget(message) {
    return this.widgets.find(message.message_id) ? el("div", { class: "widget" }) : this.widgets.open(message, this.chatId);
  }

  meta(message) {
    return el("span", { class: "meta" },
      message.from === "user" && message.edits > 0 && el("span", { class: "edited" }, "edited"),
      el("time", { dateTime: new Date(message.sent_at * 1000).toISOString() }, clockTime(message.sent_at)),
      message.from === "user" && icon(SEEN));
  }

  repliedTo(message) {
    if (message.reply_to_message_id === null) return null;
    const replied = this.byMessageId.get(message.reply_to_message_id);
    return el("button", {
      type: "button", class: "replied", "data-testid": "replied",
      onclick: () => this.drawn.get(message.reply_to_message_id)?.item.scrollIntoView({ block: "center", behavior: "smooth" }),
    }, ...preview(replied, message.quote));
  }

  photo(message) {
    const ratio = Math.max(message.photo_width / message.photo_height, 0.4);
    const image = el("img", {
      src: message.photo_url, alt: message.text || "Photo", loading: "lazy", class: "photo",
      onclick: () => {
        byId("viewer").firstElementChild.src = message.photo_url;
        byId("viewer").showModal();
      },
      onerror: () => image.classList.add("broken"),
    });
    image.style.aspectRatio = String(ratio);
    image.style.width = `${Math.min(340, Math.max(120, message.photo_width))}px`;
    return image;
  }

  document(document) {
    return el("a", { class: "document", href: document.url, download: document.file_name },
      el("span", { class: "document-icon" }, icon(FILE)),
      el("span", { class: "document-name" }, el("b", {}, document.file_name), el("small", {}, fileSize(document.size_bytes))));
  }

  keyboard(message) {
    return el("div", { class: "keyboard" }, ...message.buttons.map((row) =>
      el("div", { class: "keys" }, ...row.map((button) => this.key(message, button)))));
  }

  key(message, button) {
    if (button.url) {
      return el("a", { class: "key link", href: button.url, target: "_blank", rel: "noopener noreferrer" }, button.text);
    }
    const style = STYLES.has(button.style) ? ` ${button.style}` : "";
    const key = el("button", {
      type: "button", class: `key${style}`, dir: "auto", "data-callback": button.callback_data, disabled: "disabled" in button,
      onclick: () => this.actions.press(message, button, key),
    }, button.text);
    return key;
  }

  drawDraft(draft, chatId) {
    this.draft?.remove();
    this.draft = null;
    if (!draft) return;
    const shown = draft.text
      ? renderText(draft.text, draft.entities, this.actions.command)
      : [el("span", { class: "thinking" }, "Thinking…")];
    this.draft = el("li", { class: "message bot draft", id: "draft", "data-testid": "draft" },
      el("div", { class: "line" }, el("div", { class: "stack" },
        el("div", { class: "bubble" }, el("div", { class: "text", dir: "auto" }, ...shown)),
        draft.can_stop && el("div", { class: "keyboard" }, el("div", { class: "keys" },
          el("button", { type: "button", class: "key", "data-testid": "stop", onclick: () => this.actions.stop(chatId) }, "Stop"))))));
    this.list.append(this.draft);
  }
}

/** Two lines that stand for a message: who, and the beginning of what. */
export function preview(message, quote) {
  if (!message) return [el("b", {}, "Deleted message"), el("span", {}, quote ?? "")];
  const kind = message.photo_url ? "Photo" : message.widget ? "Widget" : message.document?.file_name ?? message.attachment?.label;
  return [
    message.photo_url && el("img", { src: message.photo_url, alt: "" }),
    el("span", {}, el("b", {}, message.from === "bot" ? "Bot" : "You"),
      el("span", {}, quote ?? ([kind, message.text.slice(0, 120)].filter(Boolean).join(", ")))),
  ].filter(Boolean);
}

/** What a message looks like; a widget shows its state by itself. */
function printOf(message) {
  return message.widget ? { ...message, widget: null, edits: 0, edited_at: null } : message;
}

/** The photos that the message at `index` shows: of an album the first shows all, the others none. */
function albumOf(messages, index) {
  const message = messages[index];
  const group = message.media_group_id;
  if (group === null || message.photo_url === null) return [message];
  const album = messages.filter((other) => other.media_group_id === group && other.photo_url !== null && other.from === message.from);
  return album[0] === message ? album : [];
}

/** Only the last of several in a row has a tail. */
function tailOf(message, following) {
  if (following?.media_group_id && following.media_group_id === message.media_group_id) return true;
  return !following || following.from !== message.from || following.sent_at - message.sent_at > 300;
}
