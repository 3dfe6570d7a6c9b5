// The web chat: signing in, the conversation, and what is written next.

import { byId, el } from "./dom.js";
import { ChatRun } from "./run.js";
import { Refused, history, login, logout, session, stop, upload } from "./server.js";
import { MAIN, ThreadList } from "./threads.js";
import { TurnView } from "./turn.js";
import { say, speak } from "./words.js";

const LARGEST_FILE = 20_000_000;
const NEAR_END_PX = 120;
const turns = byId("turns");
const scroll = byId("scroll");
const composer = byId("composer");
const SIGNED_IN = ["form", "scroll", "sign-out", "who", "threads", "open-threads"];
const state = { thread: MAIN, run: null, answerQuestion: null, attached: [], earliest: null, staysAtEnd: true };

let voice = null;

/** Whether this browser records here; it does not on pages without https. */
const canRecord = () => Boolean(navigator.mediaDevices?.getUserMedia && window.MediaRecorder);

function label() {
  document.title = say("chat-title");
  for (const [id, name] of [
    ["title", "chat-title"], ["skip", "chat-skip"], ["sign-out", "chat-sign-out"], ["sign-in-title", "chat-sign-in"],
    ["sign-in-how", "chat-sign-in-how"], ["earlier", "chat-earlier"], ["empty", "chat-empty"],
    ["new-thread", "chat-new-conversation"], ["newest", "chat-newest"],
  ]) byId(id).textContent = say(name);
  for (const [id, name] of [
    ["attach", "chat-attach"], ["send", "chat-send"], ["stop", "button-stop"], ["record", "chat-record"],
    ["discard", "chat-discard"], ["send-recording", "chat-send"],
    ["open-threads", "chat-conversations"],
  ]) {
    byId(id).setAttribute("aria-label", say(name));
    byId(id).title = say(name);
  }
  composer.placeholder = say("chat-placeholder");
  composer.setAttribute("aria-label", say("chat-placeholder"));
  scroll.setAttribute("aria-label", say("chat-conversation"));
  byId("threads").setAttribute("aria-label", say("chat-conversations"));
  byId("find").placeholder = say("chat-search");
  byId("find").setAttribute("aria-label", say("chat-search"));
}

function showSignIn(problem = "") {
  for (const id of SIGNED_IN) byId(id).hidden = true;
  byId("sign-in").hidden = false;
  byId("sign-in-error").textContent = problem;
}

/** What the address brings along is used once and taken out of it, so that no history keeps it. */
function takePresented() {
  const given = new URLSearchParams(location.hash.slice(1));
  const code = given.get("login");
  const initData = given.get("tgWebAppData");
  if (!code && !initData) return null;
  window.history.replaceState(null, "", location.pathname);
  return code ? { code } : { initData, framed: window.top !== window.self };
}

/** Why somebody is not let in, in their language where the page can say it. */
const reasonOf = (error) => say(`chat-${(error.code ?? "").replaceAll("_", "-")}`) || error.message;

async function enter() {
  await speak();
  label();
  const presented = takePresented();
  if (presented) {
    byId("connection").textContent = say("chat-signing-in");
    try {
      await login(presented);
    } catch (error) {
      if (error.code !== "login_refused" || !(await isSignedIn())) {
        byId("connection").textContent = "";
        if (error.code !== "signed_in") return showSignIn(reasonOf(error));
        byId("problem").textContent = reasonOf(error);
      }
    }
    byId("connection").textContent = "";
  }
  try {
    await open(await session());
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return showSignIn();
    showSignIn(reasonOf(error));
  }
}

const isSignedIn = () => session().then(() => true, () => false);

async function open(account) {
  if (account.language) await speak(account.language);
  label();
  const place = takePlace();
  state.thread = place?.thread ?? window.history.state?.thread ?? MAIN;
  // Before it is there, nothing can be written that it would replace.
  const told = await history(state.thread, "", place?.turn);
  byId("sign-in").hidden = true;
  for (const id of SIGNED_IN) byId(id).hidden = false;
  byId("who").textContent = say("chat-signed-in-as", { who: account.name || String(account.user_id) });
  byId("record").hidden = !(account.hears && canRecord());
  if (!byId("record").hidden) voice ??= import("./voice.js").then(({ VoiceBar }) => new VoiceBar(sendSpoken));
  composer.focus();
  list.show(state.thread);
  await showHistory(told, place?.turn);
}

/** The message that a link leads to, and its conversation; null without one. */
function takePlace() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [turn, thread] = [given.get("turn"), given.get("thread") || MAIN];
  if (!turn) return null;
  window.history.replaceState({ thread }, "", location.pathname);
  return { thread, turn };
}

/** Go on in another conversation, perhaps at a turn. A run of this one goes on without the page. */
async function choose(thread, turn = "") {
  state.run?.leave();
  Object.assign(state, { thread, run: null, answerQuestion: null });
  window.history.replaceState({ thread }, "");
  showRunning(false);
  byId("problem").textContent = "";
  turns.replaceChildren();
  byId("earlier").hidden = byId("newest").hidden = true;
  state.isEarlier = false;
  list.show(thread);
  composer.focus();
  try {
    const told = await history(thread, "", turn);
    if (state.thread === thread) await showHistory(told, turn);
  } catch (error) {
    if (error.status === 401) return showSignIn(say("chat-signed-out"));
    byId("problem").textContent = error.message;
  }
}

async function showHistory(told, turn = "") {
  // What was asked meanwhile stands below.
  turns.prepend(...pastTurns(told));
  state.isEarlier = told.later ?? false;
  turns.classList.toggle("earlier", state.isEarlier);
  byId("newest").hidden = !state.isEarlier;
  byId("empty").hidden = state.thread !== MAIN || told.messages.length > 0 || told.openTurn !== null;
  if (!turn || !showTurn(turn)) toEnd();
  if (told.openTurn && !state.run && !state.isEarlier) await rejoin(told.openTurn);
}

const turnShown = (id) => [...turns.children].find((one) => one.dataset.turn === id);

/** Show where a turn stands; false if it is not there. */
function showTurn(id) {
  const found = turnShown(id);
  if (!found) return false;
  state.staysAtEnd = false;
  found.tabIndex = -1;
  found.classList.add("sought");
  found.scrollIntoView({ block: "start" });
  found.focus({ preventScroll: true });
  return true;
}

/** The turns of a page of the history, each a question with its answer. */
function pastTurns({ messages, page }) {
  state.earliest = page.cursor;
  byId("earlier").hidden = !page.truncated;
  const shown = [];
  let asked = null;
  for (const message of messages) {
    if (message.role === "user") {
      asked = message;
      continue;
    }
    const view = new TurnView({ ...saidIn(asked), onAgain: again });
    view.past(message);
    shown.push(view.element);
    asked = null;
  }
  return shown;
}

/** What a message of the user brought along. */
function saidIn(message) {
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

async function rejoin({ asked, runs, replaces }) {
  if (replaces) turnShown(replaces)?.remove();
  const view = newTurn(saidIn(asked));
  const { thread } = state;
  for (const [place, runId] of runs.entries()) {
    if (state.thread !== thread) return;
    const run = new ChatRun({ runId, thread, view, joins: true, onState: showState });
    if (place < runs.length - 1) await run.follow();
    else await follow(run);
  }
}

function newTurn(asked) {
  byId("empty").hidden = true;
  const view = new TurnView({
    ...asked, onAgain: again, onRetry: (turn) => begin(turn.text, { isSpoken: turn.isSpoken, instead: turn }),
  });
  turns.append(view.element);
  toEnd();
  return view;
}

async function begin(text, { attached = [], isSpoken = false, instead = null }) {
  const parts = attached.map((one) => ({
    type: one.url ? "image" : "document",
    source: { type: "file", value: one.id, mimeType: one.mimeType },
    metadata: { filename: one.name },
  }));
  const content = parts.length ? [...(text ? [{ type: "text", text }] : []), ...parts] : text;
  instead?.element.remove();
  const view = newTurn({ text, pictures: attached, isSpoken });
  await follow(new ChatRun({
    runId: crypto.randomUUID(), thread: state.thread, view, content, isSpoken, onState: showState,
  }));
}

/** Answer a question again, or its new words; the answer takes the place of the one before. */
async function again(old, text) {
  const running = state.run;
  if (running && running.view !== old) return;
  const view = newTurn({ text: text ?? old.text, pictures: old.attached, isSpoken: text === undefined && old.isSpoken });
  view.onRetry = () => {
    view.element.replaceWith(old.element);
    again(old, text);
  };
  old.element.remove();
  composer.focus();
  running?.leave();
  if (running) await stop(running.runId).catch(() => null);
  const run = new ChatRun({
    runId: crypto.randomUUID(), thread: state.thread, view, content: text, isSpoken: view.isSpoken,
    replaces: old.turn, onState: showState,
  });
  await follow(run);
  if (run.refusal instanceof Refused && run.refusal.status !== 401) {
    view.element.replaceWith(old.element);
    byId("problem").textContent = reasonOf(run.refusal);
  }
}

async function follow(run) {
  state.run = run;
  state.answerQuestion = null;
  showRunning(true);
  const watching = new ResizeObserver(() => state.staysAtEnd && toEnd());
  watching.observe(run.view.element);
  const outcome = await run.follow();
  watching.disconnect();
  if (state.run === run) state.run = null;
  showRunning(state.run !== null);
  showState("");
  if (!run.view.element.isConnected) return;
  end(run, outcome);
  list.refresh();
  if (state.staysAtEnd) toEnd();
}

function end(run, outcome) {
  const { view } = run;
  if (outcome === "interrupt") {
    state.answerQuestion = view.ask(run.interrupts, (resume) => {
      state.answerQuestion = null;
      composer.focus();
      follow(new ChatRun({
        runId: crypto.randomUUID(), thread: state.thread, view, resume, content: "", onState: showState,
      }));
    });
  } else if (outcome === "error") {
    if (run.refusal instanceof Refused && run.refusal.status === 401) return showSignIn(say("chat-signed-out"));
    view.fail(run.problem);
  } else {
    view.finish(outcome === "cancelled");
  }
}

function showRunning(isRunning) {
  byId("stop").hidden = !isRunning;
  byId("send").hidden = isRunning;
}

function showState(name) {
  const told = name ? say(`chat-${name}`) : navigator.onLine ? "" : say("chat-offline");
  byId("connection").textContent = told;
}

const isNearEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END_PX;
function toEnd() {
  scroll.scrollTop = scroll.scrollHeight;
}

let scrolledTo = 0;
/** Whoever scrolls up reads on there, however much is added below. */
scroll.addEventListener("scroll", () => {
  state.staysAtEnd = isNearEnd() || (state.staysAtEnd && scroll.scrollTop >= scrolledTo);
  scrolledTo = scroll.scrollTop;
});

async function send(isSpoken = false) {
  const text = composer.value.trim();
  const attached = state.attached;
  if (state.run || (!text && !attached.length)) return;
  composer.value = "";
  fit();
  byId("problem").textContent = "";
  if (state.answerQuestion && text) return state.answerQuestion(text);
  if (state.isEarlier) await choose(state.thread);
  state.attached = [];
  drawAttached();
  await begin(text, { attached, isSpoken });
}

/** Ask what was said; while an answer is written it waits in the field, with what is there. */
function sendSpoken(words) {
  composer.value = [composer.value.trim(), words].filter(Boolean).join("\n");
  fit();
  composer.focus();
  send(true);
}

async function stopRun() {
  const run = state.run;
  if (!run) return;
  try {
    await stop(run.runId);
  } catch (error) {
    if (error.code !== "unknown_run") byId("problem").textContent = error.message;
  }
}

async function attach(files) {
  byId("problem").textContent = "";
  for (const file of files) {
    try {
      if (file.size > LARGEST_FILE) throw new Error(say("chat-too-large", { name: file.name }));
      const isImage = file.type.startsWith("image/");
      state.attached.push({
        ...await upload(file), name: file.name, url: isImage ? URL.createObjectURL(file) : "",
      });
    } catch (error) {
      byId("problem").textContent = error.message;
    }
  }
  drawAttached();
}

function drawAttached() {
  byId("attached").replaceChildren(...state.attached.map((one) =>
    el("li", {}, one.url ? el("img", { src: one.url, alt: one.name }) : el("span", { class: "file" }, one.name),
      el("button", {
        type: "button", class: "remove", "aria-label": say("chat-remove", { name: one.name }),
        onclick: () => {
          state.attached = state.attached.filter((other) => other !== one);
          drawAttached();
          composer.focus();
        },
      }, "×"))));
}

function fit() {
  composer.style.height = "auto";
  composer.style.height = `${Math.min(composer.scrollHeight, innerHeight * 0.4)}px`;
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
composer.addEventListener("input", fit);
composer.addEventListener("keydown", (event) => {
  // While a word is being composed, as in Japanese, Enter chooses it.
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
    event.preventDefault();
    send();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing && !byId("threads").contains(event.target)) stopRun();
});
const list = new ThreadList(choose);
byId("stop").addEventListener("click", stopRun);
byId("attach").addEventListener("click", () => byId("files").click());
byId("files").addEventListener("change", async (event) => {
  await attach([...event.target.files]);
  event.target.value = "";
  composer.focus();
});
composer.addEventListener("paste", (event) => {
  const files = [...event.clipboardData.files];
  if (files.length) {
    event.preventDefault();
    attach(files);
  }
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (!byId("form").hidden) attach([...event.dataTransfer.files]);
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  composer.focus();
});
byId("sign-out").addEventListener("click", async () => {
  state.run?.leave();
  await logout().catch(() => null);
  turns.replaceChildren();
  list.clear();
  window.history.replaceState(null, "");
  showSignIn(say("chat-signed-out"));
});
byId("newest").addEventListener("click", () => choose(state.thread));
byId("earlier").addEventListener("click", async () => {
  const told = await history(state.thread, state.earliest);
  const before = scroll.scrollHeight - scroll.scrollTop;
  turns.prepend(...pastTurns(told));
  scroll.scrollTop = scroll.scrollHeight - before;
});
addEventListener("offline", () => showState("offline"));
addEventListener("online", () => showState(""));
addEventListener("hashchange", () => takePresentedAgain());

/** A link of /web, or to a message, that is opened while the page is shown. */
function takePresentedAgain() {
  if (location.hash.includes("login=")) return enter();
  const place = byId("form").hidden ? null : takePlace();
  if (place) choose(place.thread, place.turn);
}

enter();
