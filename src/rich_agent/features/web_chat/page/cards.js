// What a run waits for: questions with their choices, and calls that can be changed before they are made.

import { el } from "./dom.js";
import { say } from "./words.js";

export const resolved = (interrupt, payload) => ({ interruptId: interrupt.id, status: "resolved", payload });
const cancelled = (interrupt) => ({ interruptId: interrupt.id, status: "cancelled" });

function button(kind, words, onclick) {
  return el("button", { type: "button", class: kind, onclick, dir: "auto" }, words);
}

export function approvalCard(interrupts, answered) {
  const groups = joined(interrupts), calls = groups.flatMap((group) => group.calls);
  const decide = (approves, more = {}) => {
    const resume = calls.map((call) => resolved(call.interrupt, approves ? call.read() : { approved: false }));
    if (resume.some((one) => one.payload === null)) return;
    if (more.always && resume.some((one) => one.payload.editedArgs)) return;
    const payloads = resume.map((one) => ({ ...one, payload: { ...one.payload, ...more } }));
    const approved = more.always ? "approve-always" : "web_chat-approved";
    answered(payloads, say(resume.some((one) => one.payload.approved) ? approved : "web_chat-refused"));
  };
  const asked = interrupts[0].metadata?.card?.question ?? interrupts[0].message ?? "";
  const [question, ...notes] = asked.split("\n");
  const mayLast = interrupts[0].responseSchema?.properties?.always;
  const always = mayLast && button("secondary", say("approve-always"), () => decide(true, { always: true }));
  // What was changed is approved this once: the question showed something else.
  const onchange = () => { if (always) always.disabled = calls.some((call) => call.isChanged); };
  return el("div", { class: "card", role: "group", "aria-label": question, oninput: onchange },
    el("h3", { dir: "auto" }, question),
    ...groups.flatMap((group) => group.elements),
    ...notes.map((note) => el("p", { class: "note", dir: "auto" }, note)),
    el("div", { class: "keys" },
      button("primary", say("approve-yes"), () => decide(true)),
      button("secondary", say("approve-no"), () => decide(false)),
      always));
}

/** The calls in their order: those of one tool that follow each other share their title and what is the same in all. */
function joined(interrupts) {
  const groups = [];
  for (const one of interrupts) {
    const last = groups.at(-1)?.[0].metadata?.card, card = one.metadata?.card;
    if (last?.tool && last.tool === card?.tool && last.title === card.title && !last.line === !card.line) groups.at(-1).push(one);
    else groups.push([one]);
  }
  return groups.map((group) => {
    if (group.length === 1) {
      const call = new CallForm(group[0], interrupts.length > 1);
      return { calls: [call], elements: [call.element] };
    }
    const cards = group.map((one) => one.metadata.card);
    if (cards[0].line) {
      const calls = group.map((one) => new CallForm(one, true));
      return { calls, elements: calls.map((call) => call.element) };
    }
    const shared = sharedIn(cards);
    const calls = group.map((one, place) => new CallForm(one, true, `${place + 1}/${group.length}`, shared));
    const head = el("div", { class: "call shared" },
      el("h4", {}, el("bdi", {}, cards[0].title), ` × ${group.length}`), el("dl", {}, ...cards[0].fields.filter(isIn(shared)).flatMap(argument)));
    return { calls, elements: [head, ...calls.map((call) => call.element)] };
  });
}

const keyOf = ({ name, value, source }) => JSON.stringify([name, value, source ?? ""]);
const isIn = (keys) => (field) => keys.has(keyOf(field));

/** The arguments that every one of the cards has once, with the same value from the same. */
function sharedIn(cards) {
  const keys = cards.map((card) => card.fields.map(keyOf));
  return new Set(keys[0].filter((key) => keys.every((one) => one.filter((other) => other === key).length === 1)));
}

/** The first line of a card: the whole call in a sentence, or what the tool is called. */
const headingOf = (card) => card.line || card.title;

/** The arguments below it: what the sentence does not say, and what somebody else wrote. */
const rowsOf = (card) => card.fields.filter((one) => one.source || !(card.line && one.in_line));

export function questionCard(interrupt, answered) {
  const choices = interrupt.responseSchema?.enum ?? [];
  return el("div", { class: "card", role: "group", "aria-label": say("web_chat-question") },
    el("h3", {}, say("web_chat-question")),
    el("p", { dir: "auto", class: "words" }, interrupt.message ?? ""),
    el("div", { class: "keys" },
      ...choices.map((one) => button("secondary", one, () => answered([resolved(interrupt, one)], say("web_chat-decided", { text: one })))),
      button("quiet", say("web_chat-never-mind"), () => answered([cancelled(interrupt)], say("web_chat-refused")))),
    el("p", { class: "note" }, say("web_chat-answer-here")));
}

/** A call that waits: what it is, whether it is made, if there are several, and its arguments to be changed. */
class CallForm {
  constructor(interrupt, isChoosable, title = "", shared = new Set()) {
    this.interrupt = interrupt;
    const { card = { title: "", fields: [] }, arguments: given = {} } = interrupt.metadata ?? {};
    this.given = given;
    const schema = interrupt.responseSchema?.properties?.editedArgs;
    const known = schema?.properties ?? {};
    const isOwn = !(interrupt.metadata?.toolName ?? "__").includes("__");
    const shown = new Map(Object.keys(given).map((key, place) => [key, card.fields[place]?.name ?? key]));
    const names = [...new Set([...shown.keys(), ...Object.keys(known)])];
    const label = (key) => (isOwn && say(`argument-${key}`)) || shown.get(key) || key;
    this.fields = schema && isExact(given)
      ? names.map((key) => new Field(key, label(key), known[key] ?? {}, interrupt.responseSchema, given[key], isOwn)) : [];
    this.box = isChoosable && el("input", { type: "checkbox", checked: true });
    const fold = this.fields.length > 0 && el("details", { class: "edit" },
      el("summary", { "aria-label": `${say("button-correct")}: ${card.title} ${title}`.trim() }, say("button-correct")), ...this.fields.map((one) => one.element));
    this.fold = fold;
    this.element = el("div", { class: "call" },
      this.box ? el("label", {}, this.box, " ", el("bdi", {}, title || headingOf(card))) : el("h4", {}, el("bdi", {}, headingOf(card))),
      el("dl", {}, ...rowsOf(card).filter((one) => !isIn(shared)(one)).flatMap(argument)), fold);
  }

  get isChanged() {
    return this.fields.some((one) => one.isChanged);
  }

  /** The payload of the answer; null if a field cannot be read, which is then told there. */
  read() {
    if (this.box && !this.box.checked) return { approved: false };
    const edited = { ...this.given };
    let isChanged = false;
    for (const field of this.fields) {
      if (!field.isChanged) continue;
      try {
        const value = field.read();
        isChanged = true;
        if (value === undefined) delete edited[field.key];
        else edited[field.key] = value;
      } catch {
        this.fold.open = true;
        field.refuse();
        return null;
      }
    }
    return isChanged ? { approved: true, editedArgs: edited } : { approved: true };
  }
}

let fields = 0;

/** One argument, by its schema: a choice, a number, a yes or no, a text, or anything else as JSON. */
class Field {
  constructor(key, name, schema, root, value, isOwn) {
    this.key = key;
    const id = `field-${(fields += 1)}`;
    const found = plain(schema, root);
    this.kind = found.enum ? "enum" : { integer: "number", number: "number", boolean: "boolean", string: "string" }[found.type]
      ?? (typeof value === "string" && !found.type ? "string" : "json");
    const text = value === undefined || value === null ? "" : this.kind === "json" ? JSON.stringify(value, null, 2) : String(value);
    this.input = this.kind === "enum" || this.kind === "boolean"
      ? el("select", { id }, ...["", ...(found.enum ?? [true, false])].map((one) =>
          el("option", { value: String(one), selected: String(one) === text }, said(one, isOwn))))
      : this.kind === "number" ? el("input", { id, type: "number", step: found.type === "integer" ? "1" : "any", value: text })
        : el("textarea", { id, dir: "auto", rows: String(Math.min(6, text.split("\n").length)) });
    if (this.input.localName === "textarea") this.input.value = text;
    this.before = this.input.value;
    this.problem = el("span", { id: `${id}-problem`, class: "failure", role: "alert" });
    this.element = el("div", { class: "field" },
      el("label", { for: id }, el("bdi", {}, name)), this.input, this.problem);
  }

  get isChanged() {
    return this.input.value !== this.before;
  }

  /** The value, undefined for none. Throws if it is none of its kind. */
  read() {
    const text = this.input.value;
    this.problem.textContent = "";
    if (!this.input.checkValidity()) throw new Error(text);
    if (text === "") return undefined;
    return this.kind === "string" || this.kind === "enum" ? text : JSON.parse(text);
  }

  refuse() {
    this.problem.textContent = say("web_chat-field-unreadable");
    this.input.setAttribute("aria-invalid", "true");
    this.input.setAttribute("aria-describedby", this.problem.id);
    this.input.focus();
  }
}

/** What a choice is called; of tools of others it is shown as it is. */
function said(one, isOwn) {
  if (typeof one === "boolean") return say(one ? "argument-yes" : "argument-no");
  const known = isOwn && say(`value-${String(one).toLowerCase().replace(/[^a-z0-9]+/g, "-")}`);
  return known || String(one);
}

/** A schema without references, and without the null that says that it may be left out. */
function plain(schema, root) {
  const named = schema.$ref?.startsWith("#/$defs/") ? root.$defs?.[schema.$ref.slice(8)] : schema;
  const one = named?.anyOf?.find((other) => other.type !== "null");
  return (one ? plain(one, root) : named) ?? {};
}

const mostChars = 600, mostLines = 12;

/** An argument with all of its value, of which the beginning is seen at once. */
export function argument({ name, value, source }) {
  const seen = value.split("\n").slice(0, mostLines).join("\n").slice(0, mostChars);
  const rest = value.slice(seen.length);
  const more = rest && el("details", {},
    el("summary", {}, say("card-characters-left-out", { count: rest.length })), el("pre", { dir: "auto" }, rest));
  const whose = source && el("p", { class: "note", dir: "auto" }, source);
  return [el("dt", {}, el("bdi", {}, name)), el("dd", {}, el("pre", { dir: "auto" }, seen), more, whose)];
}

/** Whether every number is one that this page can give back as it came. */
function isExact(value) {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}
