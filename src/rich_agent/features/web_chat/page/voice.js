// Records the microphone. A recording is there until its words came back, or it was thrown away.

import { announce, byId } from "./dom.js";
import { Refused, transcribe } from "./server.js";
import { say } from "./words.js";

const FORMATS = [["audio/webm;codecs=opus", "webm"], ["audio/mp4", "mp4"], ["audio/ogg;codecs=opus", "ogg"]];
const BITS_PER_S = 32_000;
const LONGEST_S = 15 * 60;
const SLICE_MS = 1_000;
const bar = byId("recording");

/** The line that takes the place of the message field while a recording is made and sent. */
export class VoiceBar {
  #recorder = null;
  #parts = [];
  #seconds = 0;
  #timer = 0;
  #sending = null;

  /** `onWords` gets what was said. */
  constructor(onWords) {
    this.onWords = onWords;
    byId("record").addEventListener("click", () => this.#begin());
    byId("discard").addEventListener("click", () => this.#discard());
    byId("send-recording").addEventListener("click", () => this.#send());
    addEventListener("beforeunload", (event) => {
      if (!bar.hidden) event.preventDefault();
    });
  }

  async #begin() {
    byId("problem").textContent = "";
    byId("record").disabled = true;
    try {
      this.#record(await navigator.mediaDevices.getUserMedia({ audio: true }));
    } catch (error) {
      byId("problem").textContent = say(error.name === "NotAllowedError" ? "web_chat-mic-refused" : "web_chat-mic-missing");
    } finally {
      byId("record").disabled = false;
    }
  }

  #record(stream) {
    const [mimeType, suffix] = FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type)) ?? ["", "webm"];
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_S });
    const parts = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => {
      clearInterval(this.#timer);
      stream.getTracks().forEach((track) => track.stop());
      bar.classList.remove("runs");
    });
    recorder.start(SLICE_MS);
    [this.#recorder, this.#parts, this.suffix] = [recorder, parts, suffix];
    const begun = performance.now();
    const count = () => {
      this.#seconds = Math.floor((performance.now() - begun) / 1000);
      this.#showTime();
      if (this.#seconds >= LONGEST_S) recorder.stop();
    };
    this.#timer = setInterval(count, 250);
    this.#show(true);
    count();
    bar.classList.add("runs");
    announce(say("web_chat-recording"));
    byId("send-recording").focus();
  }

  #showTime() {
    const seconds = String(this.#seconds % 60).padStart(2, "0");
    byId("recorded").textContent = `${Math.floor(this.#seconds / 60)}:${seconds}`;
  }

  #show(isShown) {
    bar.hidden = !isShown;
    byId("writing").hidden = isShown;
    byId("send-recording").disabled = false;
  }

  async #stop() {
    const recorder = this.#recorder;
    if (recorder.state === "inactive") return;
    const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve, { once: true }));
    recorder.stop();
    await stopped;
  }

  async #discard() {
    this.#sending?.abort();
    await this.#stop();
    this.#parts = [];
    this.#show(false);
    byId("problem").textContent = "";
    byId("composer").focus();
  }

  async #send() {
    byId("problem").textContent = "";
    byId("send-recording").disabled = true;
    const sending = new AbortController();
    this.#sending = sending;
    await this.#stop();
    if (sending.signal.aborted) return;
    byId("recorded").textContent = say("web_chat-hearing");
    try {
      const file = new File(this.#parts, `recording.${this.suffix}`, { type: this.#recorder.mimeType });
      const { text } = await transcribe(file, sending.signal);
      this.#parts = [];
      this.#show(false);
      this.onWords(text);
    } catch (error) {
      if (sending.signal.aborted) return;
      byId("problem").textContent = problemOf(error);
      byId("send-recording").disabled = false;
      this.#showTime();
    }
  }
}

function problemOf(error) {
  if (!(error instanceof Refused)) return say("web_chat-not-sent");
  return error.status === 401 ? say("web_chat-signed-out") : error.message;
}
