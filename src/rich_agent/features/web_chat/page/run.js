// One run by AG-UI: its events go to a turn on the screen, until it ends or asks something.

import { Messages } from "./events.js";
import { runEvents } from "./server.js";

export class ChatRun {
  #written = new Map();

  /** `joins`: the run was begun before, perhaps by another page. */
  constructor({ runId, thread, view, content, isSpoken, resume, replaces, joins = false, onState }) {
    Object.assign(this, { runId, view, isOver: false, interrupts: null });
    this.messages = new Messages(runId);
    this.closing = new AbortController();
    const said = content === undefined || resume ? [] : [{ id: crypto.randomUUID(), role: "user", content }];
    const asked = { threadId: thread, runId, messages: said, forwardedProps: { spoken: isSpoken, replaces }, resume };
    this.events = () => runEvents(runId, { asked: joins ? null : asked, signal: this.closing.signal, onState });
  }

  /** Follow it to its end: "success", "cancelled", "interrupt", or "error". */
  async follow() {
    const { view, runId, messages } = this;
    this.outcome = "error";
    let waits = false;
    const draw = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        if (!this.isOver) this.#draw();
      });
    };
    view.runs.add(runId);
    view.working("thinking");
    try {
      for await (const event of this.events()) {
        if (event.type === "TOOL_CALL_RESULT") view.statuses.set(event.toolCallId, event.metadata?.status);
        if (messages.take(event) || this.#note(event)) draw();
      }
    } catch (error) {
      this.refusal = error;
      this.problem ??= error.message;
    }
    this.isOver = true;
    this.#draw();
    return this.outcome;
  }

  #draw() {
    for (const id of this.#written.keys()) this.view.wanted.delete(id);
    this.#written = this.messages.written();
    for (const [id, written] of this.#written) this.view.wanted.set(id, written);
    this.view.show(this.runId, this.messages.all);
  }

  /** What is no part of a message; true if it is seen in one. */
  #note(event) {
    const { view } = this;
    switch (event.type) {
      case "RUN_STARTED":
        this.isBegun = true;
        if (this.isLeft) this.leave();
        break;
      case "STEP_STARTED":
        view.working(event.stepName);
        break;
      case "CUSTOM":
        if (event.name === "undo") view.undo = event.value;
        if (event.name === "call") view.cards.set(event.value.toolCallId, event.value);
        if (event.name === "turn") view.turn = view.redo = event.value.id;
        if (event.name === "offers") Object.assign(view, { redo: event.value.turn, offers: event.value });
        if (event.name === "living") {
          view.live(event.value.messageId, event.value.block, this.runId);
          return true;
        }
        if (event.name !== "sources" && event.name !== "pictures") break;
        view[event.name].set(event.value.messageId, event.value[event.name]);
        return true;
      case "RUN_FINISHED":
        this.outcome = event.outcome.type;
        this.interrupts = event.outcome.interrupts ?? null;
        if (this.interrupts?.every((one) => one.reason !== "tool_call")) view.leaveOut(this.messages.calls);
        break;
      case "RUN_ERROR":
        this.problem = event.message;
    }
    return false;
  }

  /** Leave the run alone: it goes on without this page, once the bot has it. */
  leave() {
    this.isLeft = true;
    if (this.isBegun) this.closing.abort();
  }
}
