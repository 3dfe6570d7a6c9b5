// What can be done with an answer that is there: it is rated, explained, copied, asked again; files are kept.

import { announce, el } from "./dom.js";
import { render } from "./markdown.js";
import { explain, keepFiles, rate } from "./server.js";
import { say } from "./words.js";

const SIGNS = { up: "👍", down: "👎" };
const NAMES = { up: "web_chat-rate-up", down: "web_chat-rate-down" };

const button = (kind, name, onclick, attributes = {}) =>
  el("button", { type: "button", class: `quiet ${kind}`, onclick, ...attributes }, name);

/** The buttons below an answer; what belongs to a turn is missing where none is known, as for a command. */
export function actions(view, text) {
  const rateable = view.redo && view.offers.rateable;
  return [
    ...(rateable ? thumbs(view) : []),
    rateable && why(view),
    text && copy(text),
    view.redo && view.onAgain && button("again latest", say("web_chat-retry"), () => view.onAgain(view)),
  ];
}

function thumbs(view) {
  let given = view.offers.rating ?? null;
  const made = Object.keys(SIGNS).map((one) => button(`rate ${one}`, SIGNS[one], () => choose(one), {
    "aria-label": say(NAMES[one]), title: say(NAMES[one]), "aria-pressed": String(one === given),
  }));
  const draw = () => made.forEach((one, place) => one.setAttribute("aria-pressed", String(Object.keys(SIGNS)[place] === given)));
  async function choose(one) {
    const before = given;
    given = given === one ? null : one;
    draw();
    try {
      await rate(view.redo, given);
      announce(say(given ? "rated" : "rating-withdrawn"));
      view.extra.querySelector(".told")?.remove();
      if (given === "down") view.extra.append(el("p", { class: "told", dir: "auto" }, say("rated-down")));
    } catch (error) {
      given = before;
      draw();
      tell(view, error);
    }
  }
  return made;
}

function why(view) {
  let told = null;
  const opener = button("why-button", say("why-button"), async () => {
    if (told) {
      told.remove();
      told = null;
    } else {
      opener.disabled = true;
      try {
        const { text } = await explain(view.redo);
        told = el("div", { class: "why", role: "group", "aria-label": say("why-button") }, render(text));
        view.extra.append(told);
        announce(told.innerText);
        told.scrollIntoView({ block: "nearest" });
      } catch (error) {
        tell(view, error);
      }
      opener.disabled = false;
      opener.focus({ preventScroll: true });
    }
    opener.setAttribute("aria-expanded", String(told !== null));
  }, { "aria-expanded": "false" });
  return opener;
}

function copy(text) {
  const made = button("copy", say("web_chat-copy"), async () => {
    await navigator.clipboard.writeText(text);
    made.textContent = say("web_chat-copied");
  });
  return made;
}

/** Whether the files of a question are remembered beyond the conversation; null without files. */
export function keeping(view) {
  const files = view.offers.keepable ?? [];
  if (!files.length) return null;
  const ids = files.map((one) => one.id ?? one);
  const choices = new Map([[true, "file-keep-button"], [false, "file-only-here-button"]]);
  const mark = (kept) => made.forEach((one, place) => one.setAttribute("aria-pressed", String([...choices.keys()][place] === kept)));
  const made = [...choices].map(([kept, name]) => button("keep", say(name), async () => {
    try {
      await keepFiles(ids, kept);
      mark(kept);
      announce(say(name));
    } catch (error) {
      tell(view, error);
    }
  }));
  mark(files.every((one) => one.kept) ? true : null);
  return el("div", { class: "tools keeping", role: "group" }, ...made);
}

/** Opens the question in a field; what is sent from there takes its place. */
export function editing(view) {
  const opener = button("edit-question latest", say("web_chat-edit"), open, { "aria-label": say("web_chat-edit-question") });
  return opener;

  function open() {
    const field = el("textarea", { dir: "auto", maxlength: "32000", "aria-label": say("web_chat-edit-question"), rows: "1" });
    field.value = view.text;
    const close = () => {
      form.replaceWith(view.asked);
      opener.hidden = false;
      opener.focus();
    };
    const send = () => {
      const text = field.value.trim();
      if (!text || text === view.text) return close();
      form.replaceWith(view.asked);
      view.onAgain(view, text);
    };
    const fit = () => {
      field.style.height = "auto";
      field.style.height = `${Math.min(field.scrollHeight + 2, innerHeight * 0.4)}px`;
    };
    field.addEventListener("input", fit);
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || event.keyCode === 229) return;
      if (event.key === "Escape") {
        event.stopPropagation();
        close();
      } else if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        send();
      }
    });
    const form = el("div", { class: "editing", role: "group", "aria-label": say("web_chat-edit-question") }, field,
      el("div", { class: "keys" }, el("button", { type: "button", class: "primary", onclick: send }, say("web_chat-send")),
        el("button", { type: "button", class: "secondary", onclick: close }, say("approve-no"))));
    view.asked.replaceWith(form);
    opener.hidden = true;
    fit();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }
}

function tell(view, error) {
  const told = el("p", { class: "failure", role: "alert", dir: "auto" }, say("web_chat-failed"));
  if (error.code === "unknown_turn" || error.code === "unknown_file") told.textContent = say("button-outdated");
  view.extra.querySelector(".failure")?.remove();
  view.extra.append(told);
}
