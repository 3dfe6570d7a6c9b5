// Requests to the bot: the session, the history, and the stream of a run, which outlives its connection.

const HOME = new URL("..", import.meta.url);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const ENDS = new Set(["RUN_FINISHED", "RUN_ERROR"]);

/** An answer of the bot that refuses; `status` and `code` are for the page, the message for people. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const address = (path) => new URL(path, HOME);

async function refusal(response) {
  const told = await response.json().catch(() => null);
  return new Refused(response.status, told?.error?.code ?? "", told?.error?.message ?? response.statusText);
}

async function ask(path, options = {}) {
  const response = await fetch(address(path), { credentials: "same-origin", ...options });
  if (!response.ok) throw await refusal(response);
  return response.status === 204 ? null : response.json();
}

const asJson = (body) => ({
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
});

export const login = (presented) => ask("chat/login", asJson(presented));
export const logout = () => ask("chat/logout", { method: "POST" });
export const session = () => ask("chat/session");
const inLanguage = () => ({ "Accept-Language": document.documentElement.lang });
const threadAt = (thread) => `agui/threads/${encodeURIComponent(thread)}`;
const turnAt = (turn) => `agui/turns/${encodeURIComponent(turn)}`;
/** The messages before a cursor, or around the turn `at`. */
export const history = (thread, before = "", at = "") =>
  ask(`${threadAt(thread)}?${new URLSearchParams({ limit: 40, ...(before && { before }), ...(at && { at }) })}`);
export const renameThread = (thread, title) => ask(threadAt(thread), asJson({ title }));
export const deleteThread = (thread) => ask(threadAt(thread), { method: "DELETE" });
export const search = (query) => ask("agui/search", asJson({ query }));
export const rate = (turn, rating) => ask(`${turnAt(turn)}/rating`, asJson({ rating }));
export const explain = (turn) => ask(`${turnAt(turn)}/why`, { headers: inLanguage() });
export const keepFiles = (ids, kept) => ask("agui/files", asJson({ ids, kept }));
export const conversations = (before = "") =>
  ask(`agui/threads?${new URLSearchParams({ limit: 100, ...(before && { before }) })}`);
export const stop = (runId) => ask(`agui/runs/${encodeURIComponent(runId)}/stop`, { method: "POST" });
export const takeBack = (requestId) => ask(`agui/turns/${encodeURIComponent(requestId)}/undo`, {
  method: "POST", headers: { "Accept-Language": document.documentElement.lang },
});
export const upload = (file) =>
  ask("agui/uploads", { method: "POST", headers: { "Content-Type": file.type || "application/octet-stream" }, body: file });
/** What was said in a recording. */
export function transcribe(file, signal) {
  const body = new FormData();
  body.append("file", file);
  return ask("v1/audio/transcriptions", {
    method: "POST", body, signal, headers: { "Accept-Language": document.documentElement.lang },
  });
}
export const aguiAddress = () => address("agui").href;

/** What fetches a run for an HttpAgent; it goes on after a broken connection where it was.
 *
 * `joins`: the run is known already, and is only followed. `onState` hears "", "offline" or
 * "reconnecting".
 */
export function runFetcher(runId, { joins, onState }) {
  return async (url, init) => {
    const run = new RunConnection(url, init, runId, onState);
    const first = await run.connect(joins ? "-1" : null);
    return new Response(run.stream(first), { status: 200, headers: { "Content-Type": "text/event-stream" } });
  };
}

class RunConnection {
  constructor(url, init, runId, onState) {
    Object.assign(this, { url, init, runId, onState, last: null, isOver: false, pauseMs: FIRST_PAUSE_MS });
  }

  /** An answer that streams; what fails on the way is tried again, what is refused is thrown. */
  async connect(behind) {
    for (;;) {
      const response = await this.#request(behind).catch((error) => {
        if (this.init.signal?.aborted) throw error;
        return null;
      });
      if (response?.ok) {
        this.onState("");
        this.pauseMs = FIRST_PAUSE_MS;
        return response;
      }
      const passes = response === null || response.status >= 500 || response.status === 429;
      if (!passes) throw await refusal(response);
      await this.#pause(Number(response?.headers.get("Retry-After") ?? 0) * 1_000);
    }
  }

  #request(behind) {
    const options = { credentials: "same-origin", signal: this.init.signal };
    if (behind === null) return fetch(this.url, { ...this.init, ...options });
    const query = new URLSearchParams({ runId: this.runId, offset: behind });
    return fetch(`${this.url}?${query}`, options);
  }

  async #pause(atLeastMs) {
    this.onState(navigator.onLine ? "reconnecting" : "offline");
    const pauseMs = Math.max(this.pauseMs, atLeastMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    await new Promise((resolve) => {
      const timer = setTimeout(done, pauseMs);
      function done() {
        clearTimeout(timer);
        window.removeEventListener("online", done);
        resolve();
      }
      window.addEventListener("online", done);
    });
  }

  stream(first) {
    const encoder = new TextEncoder();
    return new ReadableStream({
      start: async (controller) => {
        try {
          for (let response = first; ; response = await this.connect(this.last ?? "-1")) {
            for await (const block of this.#blocks(response)) controller.enqueue(encoder.encode(`${block}\n\n`));
            if (this.isOver) break;
            await this.#pause(0);
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    });
  }

  /** Whole events only: one that was cut off comes again, behind the last whole one. */
  async *#blocks(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = "";
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        if (this.init.signal?.aborted) throw error;
        return { done: true };
      });
      if (done) return;
      const blocks = (waiting + value).split("\n\n");
      waiting = blocks.pop();
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block);
        if (id) this.last = id[1];
        const type = /^data: \{"type":"(\w+)"/m.exec(block);
        this.isOver ||= type !== null && ENDS.has(type[1]);
        yield block;
      }
    }
  }
}
