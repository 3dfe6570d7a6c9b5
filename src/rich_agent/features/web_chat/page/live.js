// The stream of what changes in the conversation that is shown, wherever it was written.

import { Pauses, Refused, blocksOf, liveStream, refusedBy } from "./server.js";

/** The server says something every 25 s; a connection that is silent for longer is gone. */
const SILENT_MS = 60_000;
/** A page that nobody sees gives up its connection, of which browsers have few. */
const UNSEEN_MS = 120_000;

export class LiveStream {
  thread = null;
  #closing = null;
  #pauses = new Pauses();

  /** `onEvent` takes what has changed; `onRefused` hears why nothing more comes. */
  constructor({ onEvent, onRefused }) {
    Object.assign(this, { onEvent, onRefused });
    document.addEventListener("visibilitychange", () => this.#seen());
    window.addEventListener("online", () => this.#renew());
  }

  /** Follow a conversation from a version on, instead of the one before. */
  follow(thread, version) {
    this.stop();
    Object.assign(this, { thread, version });
    this.#pauses.over();
    this.#run();
  }

  /** Follow nothing any more. */
  leave() {
    this.stop();
    this.thread = null;
  }

  stop() {
    this.#closing?.abort();
    this.#closing = null;
    clearTimeout(this.unseen);
  }

  async #run() {
    const closing = new AbortController();
    this.#closing = closing;
    while (this.#closing === closing) {
      try {
        await this.#read(closing.signal);
      } catch (error) {
        if (this.#closing !== closing) return;
        if (error instanceof Refused && error.status < 429) {
          this.leave();
          this.onRefused(error);
          return;
        }
      }
      if (this.#closing === closing) await this.#pauses.next(closing.signal);
    }
  }

  async #read(signal) {
    const watched = new AbortController();
    const both = AbortSignal.any([signal, watched.signal]);
    let timer = 0;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => watched.abort(), SILENT_MS);
      this.heardAt = Date.now();
    };
    heard();
    this.renew = () => watched.abort();
    try {
      const response = await liveStream(this.thread, this.version, both);
      if (!response.ok) throw await refusedBy(response);
      for await (const { id, data } of blocksOf(response, both, heard)) {
        this.#pauses.over();
        if (!data) continue;
        this.onEvent(JSON.parse(data));
        this.version = id;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whoever looks again gets what came meanwhile. */
  #seen() {
    clearTimeout(this.unseen);
    if (!this.thread) return;
    if (document.hidden) {
      this.unseen = setTimeout(() => this.stop(), UNSEEN_MS);
    } else if (!this.#closing) {
      this.#run();
    } else {
      this.#renew();
    }
  }

  /** A connection of before the machine slept looks open, and is not. */
  #renew() {
    if (this.#closing && Date.now() - (this.heardAt ?? 0) > SILENT_MS / 2) this.renew?.();
  }
}
