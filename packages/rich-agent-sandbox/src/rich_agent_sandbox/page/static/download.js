// The download of a model: offered in an empty chat and in the form "Connect a model", then a strip above the chat.

import { cancelDownload, getDownload, lookForServers, startDownload } from "./api.js";
import { byId, el } from "./dom.js";
import { downloadWordsIn } from "./download_words.js";

/** The states that each place shows. */
const IN_CARD = new Set(["offered"]);
const IN_FORM = new Set(["offered", "missing", "running", "starting", "ready", "failed"]);
const IN_STRIP = new Set(["running", "starting", "ready", "failed"]);

export class ModelDownload {
  constructor(attempt) {
    this.attempt = attempt;
    this.card = el("section", { class: "download", "data-testid": "download-card", hidden: true });
    this.places = [new Place(this.card, IN_CARD, this), new Place(byId("download-form"), IN_FORM, this), new Place(byId("download-strip"), IN_STRIP, this)];
    this.state = null;
    this.isClosed = false;
  }

  async refresh() {
    this.state = await getDownload();
    if (this.state?.state === "running") this.isClosed = false;
    this.draw();
  }

  speak(words) {
    this.words = { ...downloadWordsIn(words.lang), lang: words.lang, dir: words.dir };
    this.draw();
  }

  close() {
    this.isClosed = true;
    this.draw();
  }

  draw() {
    if (this.words) for (const place of this.places) place.draw(this.state, this.words);
  }
}

/** One place of the page. It is built again when the state is another, so that a button keeps its focus meanwhile. */
class Place {
  constructor(node, states, owner) {
    Object.assign(this, { node, states, owner, print: "" });
  }

  draw(download, words) {
    const isStrip = this.node.id === "download-strip";
    const isShown = download !== null && this.states.has(download.state) && !(isStrip && this.owner.isClosed && download.state !== "running");
    this.node.hidden = !isShown;
    if (!isShown) return;
    const { done_bytes, total_bytes, left_s, step, free_bytes, ...kind } = download;
    const print = JSON.stringify([kind, words.lang]);
    if (print !== this.print) this.build(download, words, isStrip);
    this.print = print;
    this.update(download, words);
  }

  build(download, words, isStrip) {
    Object.assign(this.node, { lang: words.lang, dir: words.dir });
    this.bar = this.line = null;
    this.node.replaceChildren(...this[download.state](download, words));
    if (!isStrip || !["ready", "failed"].includes(download.state)) return;
    if (!this.node.querySelector(".row")) this.node.append(el("div", { class: "row" }));
    this.node.querySelector(".row").append(button(words.close, "download-close", () => this.owner.close()));
  }

  update(download, words) {
    if (!this.bar) return;
    const { done_bytes: done = 0, total_bytes: total = 0 } = download;
    if (total > 0) this.bar.value = done / total;
    else this.bar.removeAttribute("value");
    const left = download.left_s ? fill(words.left, { time: duration(download.left_s, words.lang) }) : "";
    const share = new Intl.NumberFormat(words.lang, { style: "percent" }).format(Math.floor((100 * done) / total) / 100);
    const figures = total > 0 ? [share, size(done, words.lang), size(total, words.lang), left].filter(Boolean) : [download.step ?? ""];
    const separators = ["", " · ", " / ", " · "];
    // Each apart: beside Arabic, the direction of numbers would join them.
    this.line.replaceChildren(...figures.flatMap((text, place) => [separators[place], el("bdi", {}, text)]));
  }

  offered(download, words) {
    const [best] = download.models;
    const values = { server: download.server, model: best.name, size: size(best.size_bytes, words.lang) };
    const text = fill(download.starts_server ? words.installed : words.offer, values);
    const free = download.free_bytes ? ` ${fill(words.free, { free: size(download.free_bytes, words.lang) })}` : "";
    const choice = el("select", { "data-testid": "download-model", ariaLabel: words.model }, ...download.models.map((one) =>
      el("option", { value: one.name }, `${one.name} · ${size(one.size_bytes, words.lang)}`)));
    return [el("p", {}, text + free), el("div", { class: "row" }, download.models.length > 1 ? choice : "",
      this.button(words.download, "download-start", () => startDownload(choice.value)))];
  }

  running(download, words) {
    this.bar = el("progress", { max: 1, ariaLabel: download.model, "data-testid": "download-bar" });
    this.line = el("span", { class: "figures", "data-testid": "download-figures" });
    return [el("p", {}, el("bdi", {}, download.model)), this.bar, el("div", { class: "row" }, this.line,
      this.button(words.cancel, "download-cancel", cancelDownload))];
  }

  starting(download, words) {
    return [message(fill(words.starting, download))];
  }

  ready(download, words) {
    return [message(fill(words.ready, download))];
  }

  failed(download, words) {
    const text = [`${download.error.replace(/\.$/, "")}.`, download.hint].filter(Boolean).join(" ");
    return [message(text, { class: "bad", lang: "en", dir: "ltr" }),
      el("div", { class: "row" }, this.button(words.again, "download-again", () => startDownload(download.model)))];
  }

  missing(download, words) {
    return [el("p", {}, words.missing), el("code", { dir: "ltr", "data-testid": "download-install" }, download.install_line),
      el("div", { class: "row" }, this.button(words.look, "download-look", lookForServers))];
  }

  /** A button that is off while its request is under way. */
  button(text, name, act) {
    const made = button(text, name, async () => {
      made.disabled = true;
      await this.owner.attempt(act());
      made.disabled = false;
    });
    return made;
  }
}

const button = (text, name, onclick) => el("button", { type: "button", class: "connect", "data-testid": name, onclick }, text);
const message = (text, properties = {}) => el("p", { role: "status", "data-testid": "download-message", ...properties }, text);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** Bytes in a unit of the language, such as "2.5 GB". */
function size(bytes, lang) {
  const [unit, amount] = bytes < 1e9 ? ["megabyte", bytes / 1e6] : ["gigabyte", bytes / 1e9];
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumSignificantDigits: 3 }).format(amount);
}

function duration(seconds, lang) {
  const [unit, amount] = seconds < 60 ? ["second", seconds] : seconds < 3600 ? ["minute", seconds / 60] : ["hour", seconds / 3600];
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: unit === "hour" ? 1 : 0 }).format(amount);
}
