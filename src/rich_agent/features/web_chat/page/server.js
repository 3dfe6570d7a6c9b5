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

export const address = (path) => new URL(path, HOME);

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

/** A request in the language of the page, which is not always that of the browser. */
const spokenHere = (options) => ({ ...options, headers: { ...options.headers, ...inLanguage() } });

/** The bot learns where the user's clocks are, unless they chose that themselves. */
export const login = (presented) =>
  ask("chat/login", asJson({ ...presented, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone }));
export const logout = () => ask("chat/logout", { method: "POST" });
export const session = () => ask("chat/session");
export const suggestions = () => ask("chat/suggestions", { headers: inLanguage() });
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
/** A living block of an answer, in the language of the page. */
export const blockAt = (url) => ask(url, { headers: inLanguage() });
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

/** The events of a run, to its end; a broken connection is taken up again where it was.
 *
 * `asked` begins the run; without it, it is known already, and is only followed. `onState` hears "",
 * "offline" or "reconnecting".
 */
export async function* runEvents(runId, { asked, signal, onState }) {
  const pauses = new Pauses();
  let last = asked ? null : "-1";
  const request = () => (last === null
    ? fetch(address("agui"), spokenHere({ ...asJson(asked), credentials: "same-origin", signal }))
    : fetch(address(`agui?${new URLSearchParams({ runId, offset: last })}`), { credentials: "same-origin", signal }));
  for (;;) {
    const response = await connected(request, pauses, signal, onState);
    for await (const { id, data } of blocksOf(response, signal)) {
      last = id || last;
      if (!data) continue;
      const event = JSON.parse(data);
      yield event;
      if (ENDS.has(event.type)) return;
    }
    last ??= "-1";
    onState(navigator.onLine ? "reconnecting" : "offline");
    await pauses.next(signal);
  }
}

/** An answer that streams; what fails on the way is tried again, what is refused is thrown. */
async function connected(request, pauses, signal, onState) {
  for (;;) {
    const response = await request().catch((error) => {
      if (signal.aborted) throw error;
      return null;
    });
    if (response?.ok) {
      onState("");
      pauses.over();
      return response;
    }
    const passes = response === null || response.status >= 500 || response.status === 429;
    if (!passes) throw await refusal(response);
    onState(navigator.onLine ? "reconnecting" : "offline");
    await pauses.next(signal, Number(response?.headers.get("Retry-After") ?? 0) * 1_000);
  }
}

/** Pauses between tries: longer each time, not the same for all pages, and over once we are online. */
export class Pauses {
  #pauseMs = FIRST_PAUSE_MS;

  over() {
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  next(signal, atLeastMs = 0) {
    const pauseMs = Math.max(this.#pauseMs * (0.5 + Math.random()), atLeastMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    return new Promise((resolve) => {
      const waking = new AbortController();
      const done = () => {
        clearTimeout(timer);
        waking.abort();
        resolve();
      };
      const timer = setTimeout(done, pauseMs);
      const options = { signal: waking.signal };
      window.addEventListener("online", done, options);
      document.addEventListener("visibilitychange", () => document.hidden || done(), options);
      signal.addEventListener("abort", done, options);
    });
  }
}

/** The whole events of a stream, as `{id, data}`: one that was cut off comes again. `onBytes` hears of each piece. */
export async function* blocksOf(response, signal, onBytes = () => {}) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      if (signal.aborted) throw error;
      return { done: true };
    });
    if (done) return;
    onBytes();
    const blocks = (waiting + value).split("\n\n");
    waiting = blocks.pop();
    for (const block of blocks) {
      yield { id: /^id: (.*)$/m.exec(block)?.[1], data: /^data: (.*)$/m.exec(block)?.[1] };
    }
  }
}

/** A stream of what changes in a conversation behind a version. */
export const liveStream = (thread, version, signal) =>
  fetch(address(`agui/live?${new URLSearchParams({ threadId: thread, version })}`), { credentials: "same-origin", signal });

export const refusedBy = refusal;
