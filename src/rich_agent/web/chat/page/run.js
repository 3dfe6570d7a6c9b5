// One run by AG-UI: its events go to a turn on the screen, until it ends or asks something.

import { HttpAgent } from "./vendor/agui.js";
import { aguiAddress, runFetcher } from "./server.js";

export class ChatRun {
  /** `joins`: the run was begun before, perhaps by another page. */
  constructor({ runId, thread, view, content, isSpoken, resume, replaces, joins = false, onState }) {
    Object.assign(this, { runId, view, resume, isSpoken, replaces, isOver: false, interrupts: null });
    this.agent = new HttpAgent({
      url: aguiAddress(),
      threadId: thread,
      initialMessages: content === undefined ? [] : [{ id: crypto.randomUUID(), role: "user", content }],
      fetch: runFetcher(runId, { joins, onState }),
    });
  }

  /** Follow it to its end: "success", "cancelled", "interrupt", or "error". */
  async follow() {
    const { view, runId } = this;
    let outcome = "error";
    let waits = false;
    const draw = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        view.show(runId, this.agent.messages);
      });
    };
    view.working("thinking");
    try {
      await this.agent.runAgent({ runId, resume: this.resume, forwardedProps: { spoken: this.isSpoken, replaces: this.replaces } }, {
        onMessagesChanged: draw,
        onRunStartedEvent: () => {
          this.isBegun = true;
          if (this.isLeft) this.leave();
        },
        onStepStartedEvent: ({ event }) => view.working(event.stepName),
        // The arguments so far, completed to whole JSON: a text, whatever its name says.
        onToolCallArgsEvent: ({ event, partialToolCallArgs }) => void view.wanted.set(event.toolCallId, partialToolCallArgs),
        onToolCallEndEvent: ({ event }) => void view.wanted.delete(event.toolCallId),
        onToolCallResultEvent: ({ event }) => void view.statuses.set(event.toolCallId, event.metadata?.status),
        onCustomEvent: ({ event }) => {
          if (event.name === "undo") view.undo = event.value;
          if (event.name === "call") view.cards.set(event.value.toolCallId, event.value);
          if (event.name === "turn") view.turn = event.value.id;
          if (event.name === "offers") Object.assign(view, { turn: event.value.turn, offers: event.value });
          if (event.name === "sources" || event.name === "pictures") {
            view[event.name].set(event.value.messageId, event.value[event.name]);
            draw();
          }
        },
        onRunFinishedEvent: (ended) => {
          outcome = ended.outcome;
          this.interrupts = ended.interrupts ?? null;
        },
        onRunErrorEvent: ({ event }) => {
          this.problem = event.message;
        },
      });
    } catch (error) {
      this.refusal = error;
      this.problem ??= error.message;
    }
    this.isOver = true;
    view.show(runId, this.agent.messages);
    return outcome;
  }

  /** Leave the run alone: it goes on without this page, once the bot has it. */
  leave() {
    this.isLeft = true;
    if (this.isBegun) this.agent.abortRun();
  }
}
