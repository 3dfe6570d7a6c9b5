// Where the user writes: text, photos and files with a caption, replies, edits, commands.

import { byId, el, fileSize, icon, toast } from "./dom.js";
import { answered } from "./ephemeral.js";
import { preview } from "./messages.js";
import { Recorder } from "./recorder.js";

const TEXT_LIMIT = 4096;
const ALBUM_LIMIT = 10;
const OTHERS = [
  ["sticker", "Sticker"], ["voice", "Voice message"], ["video", "Video"], ["video_note", "Video message"],
  ["animation", "GIF"], ["audio", "Audio"], ["location", "Location"], ["contact", "Contact"], ["poll", "Poll"],
];
const CLOSE = "M6 6l12 12M18 6L6 18";

/** Calls `send(message)` for each message, in order; `message` is a body of the /sim API. */
export class Composer {
  constructor(send, sendPicture) {
    this.send = send;
    this.sendPicture = sendPicture;
    this.commands = [];
    this.context = null;
    this.files = [];
    this.field = byId("composer");
    this.menu = byId("commands");
    byId("composer-form").addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    this.field.addEventListener("keydown", (event) => this.onKey(event));
    this.field.addEventListener("input", () => this.onInput());
    this.field.addEventListener("paste", (event) => this.onPaste(event));
    byId("commands-toggle").addEventListener("click", () => this.toggleMenu());
    for (const [button, input, isPhoto] of [["attach-photo", "photo-input", true], ["attach-document", "document-input", false]]) {
      byId(button).addEventListener("click", () => { if (isPhoto) this.togglePictures(); else byId(input).click(); });
      byId(input).addEventListener("change", () => { this.attach([...byId(input).files], isPhoto); byId(input).value = ""; });
    }
    this.recorder = new Recorder((recording) => this.sendRecording(recording));
    this.offerOthers(byId("others"), byId("attach-other"));
    this.acceptDrops(byId("drop-zone"));
  }

  /** Use the words of the user's language. */
  speak(words) {
    this.words = words;
    Object.assign(this.field, { ariaLabel: words.message, lang: words.lang });
    this.drawPlaceholder();
  }

  drawPlaceholder() {
    this.field.placeholder = this.files.length > 0 ? this.words.caption : this.words.message;
  }

  /** A menu of what a user can send besides text, photos and files. */
  offerOthers(menu, button) {
    menu.replaceChildren(...OTHERS.map(([attachment, name]) => el("li", {
      role: "option", "data-attachment": attachment,
      onclick: () => { menu.hidden = true; this.sendOther(attachment); },
    }, el("b", {}, name))));
    button.addEventListener("click", () => { byId("pictures").hidden = true; menu.hidden = !menu.hidden; });
    this.field.addEventListener("focus", () => { menu.hidden = true; byId("pictures").hidden = true; });
  }

  sendOther(attachment) {
    if (attachment !== "voice") { this.deliver([{ attachment }]); return; }
    if (this.field.value.trim() === "") { toast("Write what you say, then choose Voice message: the sandbox has no ears"); this.field.focus(); return; }
    this.sendVoice({});
  }

  /** A recording is sent as it is. */
  async sendRecording(recording) {
    const sound = await base64(recording);
    this.sendVoice({ sound_base64: sound }, `The sandbox has no ears, but ${recording.size.toLocaleString("en")} bytes of your recording arrived.`);
  }

  /** A voice message says what is written in the field: nothing here listens. */
  sendVoice(sound, otherwise) {
    const spoken = this.field.value.trim() || otherwise;
    const reply = this.context?.kind === "reply" ? answered(this.context.message) : {};
    this.reset();
    this.deliver([{ attachment: "voice", spoken, ...sound, ...reply }]);
  }

  /** The pictures that a user can send without having one, and the way to their own. */
  setPictures(pictures) {
    const own = el("li", { role: "option", "data-testid": "own-photo", onclick: () => { this.togglePictures(); byId("photo-input").click(); } },
      el("b", {}, "From this device…"));
    byId("pictures").replaceChildren(...pictures.map((picture) => el("li", {
      role: "option", "data-testid": "sample-picture",
      onclick: () => { this.togglePictures(); this.sendPicture(picture); },
    }, el("img", { src: picture.url, alt: "", loading: "lazy" }), el("b", {}, picture.label), el("span", {}, picture.question))), own);
  }

  togglePictures() {
    byId("others").hidden = true;
    byId("pictures").hidden = !byId("pictures").hidden;
  }

  acceptDrops(zone) {
    zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("dropping"); });
    zone.addEventListener("dragleave", (event) => { if (!zone.contains(event.relatedTarget)) zone.classList.remove("dropping"); });
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("dropping");
      const files = [...event.dataTransfer.files];
      this.attach(files, files.every((file) => file.type.startsWith("image/")));
    });
  }

  setCommands(commands) {
    this.commands = commands;
    byId("commands-toggle").hidden = commands.length === 0;
    if (!this.menu.hidden) this.drawMenu();
  }

  reply(message) { this.setContext({ kind: "reply", message }); this.field.focus(); }

  edit(message) {
    this.setContext({ kind: "edit", message });
    this.field.value = message.text;
    this.grow();
    this.field.focus();
  }

  /** Start again with nothing, as for another chat. */
  reset() {
    this.setContext(null);
    this.setFiles([]);
    this.field.value = "";
    this.grow();
    this.menu.hidden = true;
  }

  setContext(context) {
    this.context = context;
    const area = byId("context");
    area.hidden = context === null;
    if (context === null) return;
    area.replaceChildren(
      el("div", { class: "replied" }, ...preview(context.message)),
      el("button", { type: "button", class: "icon", "aria-label": "Cancel", onclick: () => this.cancelContext() }, icon(CLOSE)));
    area.dataset.kind = context.kind;
  }

  cancelContext() {
    if (this.context?.kind === "edit") this.field.value = "";
    this.setContext(null);
    this.grow();
  }

  attach(files, isPhoto) {
    const added = files.map((file) => ({ file, isPhoto: isPhoto && file.type.startsWith("image/"), url: URL.createObjectURL(file) }));
    const all = [...this.files, ...added];
    if (all.length > ALBUM_LIMIT) toast(`At most ${ALBUM_LIMIT} at once`);
    this.setFiles(all.slice(0, ALBUM_LIMIT));
    this.field.focus();
  }

  setFiles(files) {
    for (const { url } of this.files) if (!files.some((item) => item.url === url)) URL.revokeObjectURL(url);
    this.files = files;
    const area = byId("attachments");
    area.hidden = files.length === 0;
    this.drawPlaceholder();
    area.replaceChildren(...files.map((item) => el("figure", {},
      item.isPhoto ? el("img", { src: item.url, alt: item.file.name }) : el("span", { class: "file-name" }, item.file.name, el("small", {}, fileSize(item.file.size))),
      el("button", { type: "button", "aria-label": `Remove ${item.file.name}`, onclick: () => this.setFiles(this.files.filter((other) => other !== item)) }, icon(CLOSE)))));
  }

  onPaste(event) {
    const images = [...event.clipboardData.files].filter((file) => file.type.startsWith("image/"));
    if (images.length === 0) return;
    event.preventDefault();
    this.attach(images, true);
  }

  onKey(event) {
    if (!this.menu.hidden && this.onMenuKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Escape") {
      this.cancelContext();
    }
  }

  onInput() {
    this.grow();
    const isCommand = /^\/\w*$/.test(this.field.value) && this.commands.length > 0;
    this.menu.hidden = !isCommand;
    if (isCommand) this.drawMenu();
  }

  grow() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight, 200)}px`;
  }

  toggleMenu() {
    this.menu.hidden = !this.menu.hidden;
    if (!this.menu.hidden) this.drawMenu();
    this.field.focus();
  }

  drawMenu() {
    const typed = this.field.value.startsWith("/") ? this.field.value.slice(1) : "";
    const found = this.commands.filter(({ command }) => command.startsWith(typed));
    this.menu.hidden = found.length === 0;
    this.menu.replaceChildren(...found.map(({ command, description }, index) => el("li", {
      role: "option", "aria-selected": String(index === 0), "data-command": command,
      onclick: () => this.sendCommand(command),
    }, el("b", {}, `/${command}`), el("span", {}, description))));
  }

  onMenuKey(event) {
    const items = [...this.menu.children];
    const chosen = items.findIndex((item) => item.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      this.menu.hidden = true;
    } else if (step) {
      const next = (chosen + step + items.length) % items.length;
      items.forEach((item, index) => item.setAttribute("aria-selected", String(index === next)));
      items[next].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Tab") {
      this.field.value = `/${items[chosen].dataset.command} `;
      this.menu.hidden = true;
    } else if (event.key === "Enter" && this.field.value.startsWith("/") && !event.shiftKey) {
      this.sendCommand(items[chosen].dataset.command);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  sendCommand(command) {
    this.reset();
    this.deliver([{ text: `/${command}` }]);
  }

  async submit() {
    const text = this.field.value.trim();
    if (text === "" && this.files.length === 0) return;
    const { context, files } = this;
    this.files = [];
    this.reset();
    const messages = files.length > 0 ? await withFiles(files, text) : pieces(text).map((piece) => ({ text: piece }));
    files.forEach(({ url }) => URL.revokeObjectURL(url));
    if (context?.kind === "reply") Object.assign(messages[0], answered(context.message));
    if (context?.kind === "edit") messages[0].edit_message_id = context.message.message_id;
    await this.deliver(messages);
  }

  async deliver(messages) {
    try {
      for (const message of messages) await this.send(message);
    } catch (error) {
      toast(error.message);
    }
  }
}

/** A text longer than one message, as a client sends it: never cut inside a character. */
function pieces(text) {
  const found = [];
  let piece = "";
  for (const char of text) {
    if (piece.length + char.length > TEXT_LIMIT) { found.push(piece); piece = ""; }
    piece += char;
  }
  return [...found, piece];
}

async function withFiles(files, caption) {
  const album = files.length > 1 ? { media_group_id: String(Date.now()) } : {};
  const messages = await Promise.all(files.map(async ({ file, isPhoto }) => {
    const content = await base64(file);
    return isPhoto ? { photo_base64: content, ...album } : { document_base64: content, file_name: file.name, ...album };
  }));
  if (caption !== "") messages[0].text = caption;
  return messages;
}

/** The bytes of a file or blob, or of the promise of one. */
export async function base64(file) {
  const blob = await file;
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(",") + 1);
}
