// The form "Connect a model". The key is cleared once it is used, or the form is closed.

import { wishModel } from "./api.js";
import { byId, el } from "./dom.js";

export class ModelForm {
  constructor() {
    this.dialog = byId("model");
    this.form = byId("model-form");
    this.buttons = [...this.form.querySelectorAll("menu button")];
    byId("connect-model").addEventListener("click", () => this.open());
    byId("model-close").addEventListener("click", () => this.dialog.close());
    byId("model-test").addEventListener("click", () => { if (this.form.reportValidity()) this.test(); });
    byId("model-reset").addEventListener("click", () => this.wish("reset", undefined, "Going back…", "The demo answers as at its start."));
    this.dialog.addEventListener("close", () => { this.form.elements.api_key.value = ""; });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.use(); });
  }

  /** Show what answers now; the form is there only if a program can change it. */
  draw(bot, about) {
    byId("connect-model").hidden = !bot.can_connect;
    byId("model-now").textContent = about;
  }

  open() {
    this.say("");
    this.dialog.showModal();
  }

  async test() {
    const found = await this.wish("test", this.server(), "Asking the server…");
    if (!found) return;
    byId("model-names").replaceChildren(...found.models.map((name) => el("option", { value: name })));
    this.form.elements.base_url.value = found.base_url;
    this.form.elements.model.value = found.model;
    if (found.sees) this.form.elements.sees.checked = true;
    this.say(`${found.model} answers: first word after ${found.seconds} s.`);
  }

  async use() {
    const used = await this.wish("use", this.server(), "The bot begins again with this model…", "Connected. The next message is answered by this model.");
    if (used) this.form.elements.api_key.value = "";
  }

  server() {
    const { base_url, api_key, model, sees } = this.form.elements;
    return { base_url: base_url.value.trim(), api_key: api_key.value.trim(), model: model.value.trim(), sees: sees.checked };
  }

  async wish(kind, server, meanwhile, done = "") {
    for (const button of this.buttons) button.disabled = true;
    this.say(meanwhile);
    try {
      const told = await wishModel(kind, server);
      this.say(done);
      return told;
    } catch (error) {
      this.say(error.message, true);
      return null;
    } finally {
      for (const button of this.buttons) button.disabled = false;
    }
  }

  say(text, isBad = false) {
    byId("model-result").textContent = text;
    byId("model-result").classList.toggle("bad", isBad);
  }
}
