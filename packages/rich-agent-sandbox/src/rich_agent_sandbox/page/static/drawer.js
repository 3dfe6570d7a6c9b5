// The calls that the bot made to the three upstreams, newest first, as they happen.

import { getCalls } from "./api.js";
import { byId, el, toast } from "./dom.js";

const UPSTREAMS = ["telegram", "openai", "tavily"];
const LINES_KEPT = 400;

export class CallsDrawer {
  constructor() {
    this.pane = byId("calls");
    this.toggleButton = byId("calls-toggle");
    this.calls = [];
    this.shown = new Set(UPSTREAMS);
    this.lines = el("ol", { class: "call-lines", "data-testid": "call-lines" });
    this.empty = el("p", { class: "calls-empty" }, "No calls yet. Send a message.");
    this.filter = el("input", { type: "search", placeholder: "Filter", "aria-label": "Filter the calls", "data-testid": "calls-filter", oninput: () => this.draw() });
    this.withPolls = el("input", { type: "checkbox", onchange: () => this.draw() });
    this.pane.append(
      el("header", { class: "bar" }, el("h2", {}, "Calls of the bot"),
        el("button", { type: "button", class: "icon", "aria-label": "Close the calls", onclick: () => this.toggle() }, "✕")),
      el("div", { class: "call-filters" }, this.filter,
        el("div", { class: "chips" }, ...UPSTREAMS.map((name) => this.chip(name)),
          el("label", {}, this.withPolls, "getUpdates"))),
      this.empty, this.lines);
    this.toggleButton.addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.toggle(); }
    });
  }

  chip(name) {
    const chip = el("button", { type: "button", class: `chip ${name}`, "aria-pressed": "true", onclick: () => {
      this.shown.has(name) ? this.shown.delete(name) : this.shown.add(name);
      chip.setAttribute("aria-pressed", String(this.shown.has(name)));
      this.draw();
    } }, name);
    return chip;
  }

  toggle() {
    this.pane.hidden = !this.pane.hidden;
    document.body.classList.toggle("with-calls", !this.pane.hidden);
    this.toggleButton.setAttribute("aria-expanded", String(!this.pane.hidden));
    if (!this.pane.hidden) this.refresh();
  }

  forget() {
    this.calls = [];
    this.lines.replaceChildren();
    this.refresh();
  }

  /** Fetch what is new, if anyone looks. One fetch at a time. */
  async refresh() {
    if (this.pane.hidden) return;
    if (this.isFetching) { this.isStale = true; return; }
    this.isFetching = true;
    try {
      do {
        this.isStale = false;
        const { calls } = await getCalls(this.calls.at(-1)?.number ?? 0);
        this.calls.push(...calls);
        for (const call of calls) if (this.matches(call)) this.lines.prepend(line(call));
        this.tidy();
      } while (this.isStale);
    } catch (error) {
      toast(error.message);
    } finally {
      this.isFetching = false;
    }
  }

  draw() {
    this.lines.replaceChildren(...this.calls.filter((call) => this.matches(call)).slice(-LINES_KEPT).reverse().map(line));
    this.tidy();
  }

  tidy() {
    while (this.lines.childElementCount > LINES_KEPT) this.lines.lastElementChild.remove();
    this.empty.hidden = this.lines.childElementCount > 0;
  }

  matches(call) {
    if (!this.shown.has(call.upstream)) return false;
    if (call.method === "getUpdates" && !this.withPolls.checked) return false;
    const wanted = this.filter.value.trim().toLowerCase();
    return wanted === "" || `${call.method} ${call.status} ${JSON.stringify(call.body)}`.toLowerCase().includes(wanted);
  }
}

function line(call) {
  const started = new Date(call.started_at * 1000);
  const took = Math.round((call.ended_at - call.started_at) * 1000);
  const body = el("pre", { class: "call-body" });
  const details = el("details", {
    ontoggle: () => { if (details.open) body.textContent = JSON.stringify(call.body, null, 2); },
  },
    el("summary", {},
      el("span", { class: `dot ${call.upstream}`, title: call.upstream }),
      el("b", {}, call.method),
      el("span", { class: `call-status${call.status === 200 ? "" : " bad"}` }, call.status === 0 ? "no answer" : String(call.status)),
      el("small", {}, took < 1000 ? `${took} ms` : `${(took / 1000).toFixed(1)} s`),
      el("time", { dateTime: started.toISOString() }, started.toLocaleTimeString([], { hour12: false }))),
    body);
  return el("li", { "data-upstream": call.upstream, "data-method": call.method, "data-status": String(call.status) }, details);
}
