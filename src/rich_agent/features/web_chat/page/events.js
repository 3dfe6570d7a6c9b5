// The messages of a run, from its events. Source: AG-UI 1.0, events of text, tool calls and snapshots.

export class Messages {
  all = [];
  #open = new Map();

  constructor(runId) {
    this.runId = runId;
  }

  /** Take an event; false if it is about something else than messages. */
  take(event) {
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        this.#message(event.messageId).content ??= "";
        return true;
      case "TEXT_MESSAGE_CONTENT":
        this.#message(event.messageId).content += event.delta;
        return true;
      case "TOOL_CALL_START": {
        const call = { id: event.toolCallId, type: "function", function: { name: event.toolCallName, arguments: "" } };
        (this.#message(event.parentMessageId).toolCalls ??= []).push(call);
        this.#open.set(call.id, call);
        return true;
      }
      case "TOOL_CALL_ARGS":
        if (this.#open.has(event.toolCallId)) this.#open.get(event.toolCallId).function.arguments += event.delta;
        return true;
      case "TOOL_CALL_END":
        this.#open.delete(event.toolCallId);
        return true;
      case "TOOL_CALL_RESULT":
        this.all.push({ id: event.messageId, role: "tool", toolCallId: event.toolCallId, content: event.content });
        return true;
      case "MESSAGES_SNAPSHOT":
        // It has those of the whole conversation.
        this.all = event.messages.filter(({ id }) => id.startsWith(`${this.runId}:`));
        return true;
      default:
        return false;
    }
  }

  /** The ids of all calls. */
  get calls() {
    return this.all.flatMap((message) => message.toolCalls ?? []).map(({ id }) => id);
  }

  /** The calls that are being written: the id of each, and its arguments so far as whole JSON. */
  written() {
    return new Map([...this.#open].map(([id, call]) => [id, completed(call.function.arguments)]));
  }

  #message(id) {
    let found = this.all.findLast((one) => one.id === id);
    if (!found) this.all.push(found = { id, role: "assistant" });
    return found;
  }
}

const ENDS = { "{": "}", "[": "]" };

/** The beginning of a JSON text, completed to a whole one; what is only half there may be left out. */
export function completed(text) {
  const ends = [];
  let isInText = false;
  let isEscaped = false;
  let whole = { length: 0, ends: "" };
  for (let place = 0; place < text.length; place += 1) {
    const one = text[place];
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (one === "\\") isEscaped = true;
      else if (one === '"') isInText = false;
    } else if (one === '"') {
      isInText = true;
    } else if (one in ENDS) {
      ends.unshift(ENDS[one]);
      whole = { length: place + 1, ends: ends.join("") };
    } else if (one === "}" || one === "]") {
      ends.shift();
    } else if (one === ",") {
      whole = { length: place, ends: ends.join("") };
    }
  }
  const written = isEscaped ? text.slice(0, -1) : text;
  const closed = written + (isInText ? '"' : "") + ends.join("");
  return isJson(closed) ? closed : text.slice(0, whole.length) + whole.ends;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
