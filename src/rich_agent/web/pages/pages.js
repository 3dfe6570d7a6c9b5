// Sends forms without leaving the page, and keeps the page as fresh as its data. Without this
// script everything is there, too: forms are sent by the browser, and pages are as of their opening.
import { Idiomorph } from "./vendor/idiomorph.js";

const RETRY_MS = 2_000;
const policy = window.trustedTypes?.createPolicy("pages", { createHTML: (text) => text });
const main = () => document.getElementById("main");

/** Forms that somebody has begun to fill in; what they hold is not replaced. */
const drafts = new Set();
let tag = "";
let busy = false;
let isStale = false;
/** What a form answered without leading anywhere; the address does not show it. */
let isAnswer = false;

const parsed = (html) => new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");

function isDraft(node) {
  return node instanceof Element && [...drafts].some((form) => form.isConnected && form.contains(node));
}

/** What tells how a form ended stays until the next one, however often the page is refreshed. */
const SPOKEN = ["alert", "said"];

/** Makes the page what another document is; what is open, focused or begun stays, but in the form that was `sent`. */
function show(next, sent = null) {
  const content = next.getElementById("main");
  if (!content) return;
  document.title = next.title;
  const header = document.querySelector("body > header");
  Idiomorph.morph(header, next.querySelector("body > header"), { ignoreActiveValue: true });
  Idiomorph.morph(main(), content, {
    // After a click beside all controls, the focus is on `main` itself, whose content is to change.
    ignoreActiveValue: document.activeElement !== main() && !sent?.contains(document.activeElement),
    callbacks: {
      beforeNodeMorphed: (old) => !(isDraft(old) || SPOKEN.includes(old.id)),
      beforeNodeRemoved: (old) => !isDraft(old),
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.matches("details, dialog")),
    },
  });
  begin();
}

function alertOf(sentence) {
  const place = document.getElementById("alert");
  place.textContent = sentence;
  if (sentence) place.scrollIntoView({ block: "nearest" });
}

/** The page again, if it has changed. One request at a time; what comes meanwhile is one more. */
async function refresh() {
  if (isAnswer) return;
  if (busy || document.hidden) {
    isStale = true;
    return;
  }
  busy = true;
  isStale = false;
  try {
    const headers = { Accept: "text/html", ...(tag ? { "If-None-Match": tag } : {}) };
    const response = await fetch(location.href, { headers, cache: "no-store" });
    if (response.status !== 304) {
      tag = response.headers.get("ETag") ?? "";
      const html = await response.text();
      if (response.ok || [401, 403, 404].includes(response.status)) show(parsed(html));
    }
  } catch {
    // The server is away; the stream tells when it is back.
  } finally {
    busy = false;
    if (isStale && !document.hidden) void refresh();
  }
}

async function send(form, button) {
  const fields = new FormData(form, button);
  const isMultipart = form.enctype === "multipart/form-data";
  const body = isMultipart ? fields : new URLSearchParams(fields);
  const address = button?.getAttribute("formaction") ? button.formAction : form.action;
  button?.setAttribute("aria-busy", "true");
  busy = true;
  try {
    const response = await fetch(address, { method: "POST", body, headers: { Accept: "text/html" } });
    const next = parsed(await response.text());
    const problem = next.querySelector("[data-problem]");
    if (!response.ok) {
      alertOf(problem?.textContent ?? response.statusText);
      return;
    }
    drafts.delete(form);
    form.closest("[popover]")?.hidePopover();
    isAnswer = !response.redirected;
    if (response.redirected) history.replaceState(null, "", withoutSaid(response.url));
    tag = "";
    if (!isKept(form)) form.reset();
    show(next, isKept(form) ? null : form);
    alertOf("");
    document.getElementById("said").textContent = next.getElementById("said")?.textContent ?? "";
    form.dispatchEvent(new CustomEvent("sent", { bubbles: true }));
  } catch {
    alertOf(main().dataset.unsent ?? "");
  } finally {
    busy = false;
    button?.removeAttribute("aria-busy");
    if (isStale) void refresh();
  }
}

const isKept = (form) => form.dataset.kept !== undefined;

function withoutSaid(address) {
  const url = new URL(address);
  url.searchParams.delete("said");
  return url;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.dataset.plain !== undefined) return;
  event.preventDefault();
  void send(form, event.submitter);
});
document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[method=post]");
  if (form) drafts.add(form);
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copies]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copies);
  await navigator.clipboard.writeText(source.value ?? source.textContent);
  document.getElementById("said").textContent = button.dataset.copied;
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && isStale) void refresh();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh();
});

let timer = 0;
let stream;
let streamAddress = "";

/** Follows the news of the page, as its `main` says. */
function begin() {
  // Browsers have a clipboard for pages of https:// and of this machine only.
  for (const button of document.querySelectorAll("[data-copies]")) button.hidden = !navigator.clipboard;
  const { refresh: seconds, live } = main().dataset;
  clearInterval(timer);
  if (seconds) timer = setInterval(refresh, Number(seconds) * 1_000);
  if ((live ?? "") === streamAddress) return;
  stream?.close();
  streamAddress = live ?? "";
  if (streamAddress) follow(streamAddress);
}

function follow(address) {
  stream = new EventSource(address);
  let first = true;
  stream.addEventListener("begun", () => {
    if (!first) void refresh();
    first = false;
  });
  stream.addEventListener("changed", () => void refresh());
  stream.addEventListener("error", () => {
    if (stream.readyState !== EventSource.CLOSED) return;
    // Refused, as after the end of the session or of a role: the page says why.
    void refresh();
    setTimeout(() => {
      if (streamAddress === address) follow(address);
    }, RETRY_MS);
  });
}

if (new URLSearchParams(location.search).has("said")) history.replaceState(null, "", withoutSaid(location.href));
begin();
