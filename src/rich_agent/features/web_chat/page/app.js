// The web chat: signing in, the conversation, and what is written next.

import { CommandMenu, commandIn } from "./commands.js";
import { byId, el } from "./dom.js";
import { LiveStream } from "./live.js";
import { ChatRun } from "./run.js";
import { Refused, address, history, login, logout, session, stop, suggestions, upload } from "./server.js";
import { ShownTurns } from "./shown.js";
import { MAIN, ThreadList } from "./threads.js";
import { TurnView } from "./turn.js";
import { botName, botPicture, say, signInLinks, speak } from "./words.js";

const LARGEST_FILE = 20_000_000;
const NEAR_END_PX = 120;
const LIST_PAUSE_MS = 300;
const scroll = byId("scroll");
const composer = byId("composer");
const SIGNED_IN = ["form", "scroll", "sign-out", "who", "pages", "threads", "open-threads"];
const state = { thread: MAIN, run: null, answerQuestion: null, asking: null, attached: [], earliest: null, staysAtEnd: true };

let voice = null;

/** Whether this browser records here; it does not on pages without https. */
const canRecord = () => Boolean(navigator.mediaDevices?.getUserMedia && window.MediaRecorder);

function label() {
  document.title = byId("title").textContent = botName() || say("web_chat-title");
  for (const [id, name] of [
    ["skip", "web_chat-skip"], ["sign-out", "web_chat-sign-out"], ["sign-in-title", "web_chat-sign-in"],
    ["sign-in-how", "web_chat-sign-in-how"], ["earlier", "web_chat-earlier"], ["empty", "web_chat-empty"],
    ["new-thread", "web_chat-new-conversation"], ["newest", "web_chat-new-messages"],
  ]) byId(id).textContent = say(name);
  for (const [id, name] of [
    ["attach", "web_chat-attach"], ["send", "web_chat-send"], ["stop", "button-stop"], ["record", "web_chat-record"],
    ["discard", "web_chat-discard"], ["send-recording", "web_chat-send"],
    ["open-threads", "web_chat-conversations"],
  ]) {
    byId(id).setAttribute("aria-label", say(name));
    byId(id).title = say(name);
  }
  composer.placeholder = say("web_chat-placeholder");
  composer.setAttribute("aria-label", say("web_chat-placeholder"));
  byId("form").setAttribute("aria-label", say("web_chat-placeholder"));
  scroll.setAttribute("aria-label", say("web_chat-conversation"));
  byId("pages").setAttribute("aria-label", say("pages-elsewhere"));
  byId("threads").setAttribute("aria-label", say("web_chat-conversations"));
  byId("find").placeholder = say("web_chat-search");
  byId("find").setAttribute("aria-label", say("web_chat-search"));
}

function showSignIn(problem = "") {
  for (const id of SIGNED_IN) byId(id).hidden = true;
  byId("sign-in").hidden = false;
  byId("sign-in-error").textContent = problem;
  byId("sign-in-links").replaceChildren(...signInLinks().map(([words, path]) =>
    el("li", {}, el("a", { href: address(path.slice(1)).href }, words))));
}

/** Nothing of the conversation stays on the screen. */
function signedOut() {
  live.leave();
  shown.clear();
  list.clear();
  window.history.replaceState(null, "");
  showSignIn(say("web_chat-signed-out"));
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
const reasonOf = (error) => say(`web_chat-${(error.code ?? "").replaceAll("_", "-")}`) || error.message;

async function enter() {
  await speak();
  label();
  const wanted = new URLSearchParams(location.search).get("open");
  const presented = takePresented();
  if (presented) {
    byId("connection").textContent = say("web_chat-signing-in");
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
    const account = await session();
    // Only to pages of the bot that are for this user.
    if (account.pages.some(([, path]) => path === wanted)) return location.replace(address(wanted.slice(1)));
    await open(account);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return showSignIn();
    showSignIn(reasonOf(error));
  }
}

const isSignedIn = () => session().then(() => true, () => false);

/** Speak the user's language once it is known; true if the page spoke another one before. */
async function speakOf({ language }) {
  const before = document.documentElement.lang;
  if (!language || language === before) return false;
  await speak(language);
  label();
  return document.documentElement.lang !== before;
}

/** A turn may have told which language the user speaks: then all of the page speaks it. */
async function keepLanguage() {
  const { thread } = state;
  const isOther = await session().then(speakOf, () => false);
  if (isOther && !state.run && state.thread === thread) await choose(thread);
}

async function open(account) {
  await speakOf(account);
  const place = takePlace();
  state.thread = place?.thread ?? window.history.state?.thread ?? MAIN;
  // Before it is there, nothing can be written that it would replace.
  const told = await history(state.thread, "", place?.turn);
  byId("sign-in").hidden = true;
  for (const id of SIGNED_IN) byId(id).hidden = false;
  byId("who").textContent = say("web_chat-signed-in-as", { who: account.name || String(account.user_id) });
  byId("pages").firstElementChild.replaceChildren(...account.pages.map(([words, path]) =>
    el("li", {}, el("a", { href: address(path.slice(1)).href }, words))));
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
  Object.assign(state, { thread, run: null, answerQuestion: null, isEarlier: false });
  window.history.replaceState({ thread }, "");
  showRunning(false);
  byId("problem").textContent = "";
  live.leave();
  shown.clear();
  byId("earlier").hidden = byId("newest").hidden = true;
  list.show(thread);
  composer.focus();
  try {
    const told = await history(thread, "", turn);
    if (state.thread === thread) await showHistory(told, turn);
  } catch (error) {
    if (error.status === 401) return signedOut();
    byId("problem").textContent = error.message;
  }
}

async function showHistory(told, turn = "") {
  showEarlier(told);
  state.isEarlier = told.later ?? false;
  turns.classList.toggle("earlier", state.isEarlier);
  byId("newest").textContent = say(state.isEarlier ? "web_chat-newest" : "web_chat-new-messages");
  byId("newest").hidden = !state.isEarlier;
  byId("empty").textContent = say(state.thread === MAIN ? "web_chat-empty" : "help-reply");
  showEmpty(told.messages.length === 0 && told.open.length === 0);
  if (!state.isEarlier) {
    shown.change({ turns: [], isWhole: false, messages: [], open: told.open });
    live.follow(state.thread, told.version);
  }
  if (!turn || !showTurn(turn)) toEnd();
}

/** A word on what this is, and questions to begin with, where nothing was said yet. */
async function showEmpty(isEmpty) {
  byId("empty").hidden = !isEmpty;
  byId("suggestions").hidden = byId("picture").hidden = true;
  if (!isEmpty) return;
  const { thread } = state;
  byId("picture").hidden = !botPicture();
  if (botPicture()) byId("picture").src = botPicture();
  const { questions, greeting } = await suggestions().catch(() => ({ questions: [] }));
  if (byId("empty").hidden || state.thread !== thread) return;
  if (greeting) byId("empty").textContent = greeting;
  const ask = (text) => {
    composer.focus();
    if (!state.run) begin(text, {});
  };
  byId("suggestions").setAttribute("aria-label", say("web_chat-suggestions"));
  byId("suggestions").replaceChildren(el("p", {}, say("web_chat-suggestions")), ...questions.map((text) =>
    el("button", { type: "button", class: "secondary", dir: "auto", onclick: () => ask(text) }, text)));
  byId("suggestions").hidden = questions.length === 0;
}

/** Show where a turn stands; false if it is not there. */
function showTurn(turn) {
  const found = shown.of(turn)?.element;
  if (!found) return false;
  state.staysAtEnd = false;
  found.tabIndex = -1;
  found.classList.add("sought");
  found.scrollIntoView({ block: "start" });
  found.focus({ preventScroll: true });
  return true;
}

/** A page of what was said before; what was asked meanwhile stands below. */
function showEarlier({ messages, page }) {
  state.earliest = page.cursor;
  byId("earlier").hidden = !page.truncated;
  shown.prepend(messages);
}

/** Follow the runs of a turn that was begun by another page, or in Telegram. */
async function watch(view, runs) {
  const { thread } = state;
  for (const runId of runs) view.runs.add(runId);
  showEmpty(false);
  view.answeredElsewhere();
  for (const [place, runId] of runs.entries()) {
    if (state.thread !== thread || !view.element.isConnected) return;
    const run = new ChatRun({ runId, thread, view, joins: true, onState: showState });
    if (place < runs.length - 1) await run.follow();
    else await follow(run);
  }
}

/** What the cards of a turn need: to send a message, to tell of the connection, and to know the conversation. */
const inPlace = { onSay: (words) => begin(words, {}), onState: showState, thread: () => state.thread };

function newTurn(asked) {
  showEmpty(false);
  const view = new TurnView({
    ...asked, onAgain: again, ...inPlace, onRetry: (turn) => begin(turn.text, { isSpoken: turn.isSpoken, instead: turn }),
  });
  shown.add(view);
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
  if (instead) shown.remove(instead);
  const view = newTurn({ text, pictures: attached, isSpoken });
  await follow(new ChatRun({
    runId: crypto.randomUUID(), thread: state.thread, view, content, isSpoken, onState: showState,
  }));
}

/** Answer a question again, or its new words; the answer takes the place of the one before. */
async function again(old, text) {
  const running = state.run;
  if (running && running.view !== old) return;
  if (old.isFailed) return begin(text ?? old.text, { isSpoken: old.isSpoken, instead: old });
  const view = newTurn({ text: text ?? old.text, pictures: old.attached, isSpoken: text === undefined && old.isSpoken });
  view.onRetry = () => {
    shown.replace(view, old);
    again(old, text);
  };
  shown.remove(old);
  composer.focus();
  if (running) {
    running.leave();
    state.run = null;
    await stop(running.runId).catch(() => null);
  }
  const run = new ChatRun({
    runId: crypto.randomUUID(), thread: state.thread, view, content: text, isSpoken: view.isSpoken,
    replaces: old.redo, onState: showState,
  });
  await follow(run);
  if (run.refusal instanceof Refused && run.refusal.status !== 401) {
    shown.replace(view, old);
    byId("problem").textContent = reasonOf(run.refusal);
  }
}

/** Follow a run to its end. Of several, the first is the one that can be stopped. */
async function follow(run) {
  state.run ??= run;
  if (!run.view.isElsewhere || run.view === state.asking) state.answerQuestion = null;
  showRunning(true);
  run.view.isFollowed = true;
  const watching = new ResizeObserver(() => keepEnd());
  watching.observe(run.view.element);
  const outcome = await run.follow();
  watching.disconnect();
  run.view.isFollowed = false;
  if (state.run === run) state.run = null;
  showRunning(state.run !== null);
  showState("");
  if (!run.view.element.isConnected) return;
  end(run, outcome);
  shown.sweep();
  list.refresh();
  keepEnd();
  await keepLanguage();
}

function end(run, outcome) {
  const { view } = run;
  view.isDone = outcome !== "interrupt" && outcome !== "error";
  if (outcome === "interrupt") {
    state.asking = view;
    state.answerQuestion = view.ask(run.interrupts, (resume) => {
      state.answerQuestion = null;
      composer.focus();
      follow(new ChatRun({
        runId: crypto.randomUUID(), thread: state.thread, view, resume, content: "", onState: showState,
      }));
    });
  } else if (outcome === "error") {
    if (run.refusal instanceof Refused && run.refusal.status === 401) return signedOut();
    view.isFailed = true;
    if (view.before) view.before.element.hidden = false;
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
  const told = name ? say(`web_chat-${name}`) : navigator.onLine ? "" : say("web_chat-offline");
  byId("connection").textContent = told;
}

const isNearEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_END_PX;
function toEnd() {
  scroll.scrollTop = scroll.scrollHeight;
  seeWhereReaderIs();
}

let scrolledTo = 0;
/** Whoever scrolls up reads on there, however much is added below. */
function seeWhereReaderIs() {
  state.staysAtEnd = isNearEnd() || (state.staysAtEnd && scroll.scrollTop >= scrolledTo);
  scrolledTo = scroll.scrollTop;
}

/**
 * What is added is in sight for those who are at the end; others are told of it.
 * The event of a scroll comes a frame later than the scroll, so where the reader is, is seen here.
 */
function keepEnd() {
  seeWhereReaderIs();
  if (state.staysAtEnd) toEnd();
  else byId("newest").hidden = false;
}

scroll.addEventListener("scroll", () => {
  seeWhereReaderIs();
  if (isNearEnd() && !state.isEarlier) byId("newest").hidden = true;
});

async function send(isSpoken = false) {
  const text = composer.value.trim();
  const attached = state.attached;
  if (state.run || (!text && !attached.length)) return;
  composer.value = "";
  fit();
  byId("problem").textContent = "";
  if (state.answerQuestion && text && !commandIn(text)) return state.answerQuestion(text);
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
      if (file.size > LARGEST_FILE) throw new Error(say("web_chat-too-large", { name: file.name }));
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
        type: "button", class: "remove", "aria-label": say("web_chat-remove", { name: one.name }),
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
  if (menu.take(event)) return;
  // While a word is being composed, as in Japanese, Enter chooses it.
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
    event.preventDefault();
    send();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing && !byId("threads").contains(event.target)) stopRun();
});
const menu = new CommandMenu((command) => {
  composer.value = command;
  send();
});
const list = new ThreadList(choose);
const shown = new ShownTurns(byId("turns"), { onOpen: watch, onMore: keepEnd, view: { onAgain: again, ...inPlace } });
let listing = 0;
const live = new LiveStream({
  onEvent(event) {
    if (event.type === "CONVERSATION" && event.threadId === state.thread) {
      shown.change(event);
      if (event.turns.length > 0) showEmpty(false);
    }
    clearTimeout(listing);
    listing = setTimeout(() => list.refresh(), LIST_PAUSE_MS);
  },
  onRefused(error) {
    if (error.status === 401) signedOut();
    else byId("problem").textContent = reasonOf(error);
  },
});
byId("newest").addEventListener("click", () => {
  if (state.isEarlier) return choose(state.thread);
  toEnd();
  composer.focus();
});
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
  live.leave();
  await logout().catch(() => null);
  signedOut();
});
byId("earlier").addEventListener("click", async () => {
  const told = await history(state.thread, state.earliest);
  const before = scroll.scrollHeight - scroll.scrollTop;
  showEarlier(told);
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
