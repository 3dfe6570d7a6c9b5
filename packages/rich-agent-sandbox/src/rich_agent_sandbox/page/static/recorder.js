// Records the microphone: a line with the time takes the place of the message field meanwhile.

import { byId, toast } from "./dom.js";

const FORMATS = ["audio/ogg;codecs=opus", "audio/webm;codecs=opus"];
const BITS_PER_S = 32_000;
const LONGEST_S = 15 * 60;

/** Calls `send(recording)` with a Blob of Opus when the user has said what they wanted. */
export class Recorder {
  constructor(send) {
    this.send = send;
    this.format = window.MediaRecorder && FORMATS.find((type) => MediaRecorder.isTypeSupported(type));
    byId("record").hidden = !this.format || !navigator.mediaDevices;
    byId("record").addEventListener("click", () => this.begin());
    byId("discard").addEventListener("click", () => this.end(false));
    byId("send-recording").addEventListener("click", () => this.end(true));
  }

  async begin() {
    byId("record").disabled = true;
    try {
      this.record(await navigator.mediaDevices.getUserMedia({ audio: true }));
    } catch (error) {
      toast(error.name === "NotAllowedError" ? "The microphone is blocked. Allow it for this page." : "No microphone can be used");
    }
    byId("record").disabled = false;
  }

  record(stream) {
    this.recorder = new MediaRecorder(stream, { mimeType: this.format, audioBitsPerSecond: BITS_PER_S });
    this.isWanted = true;
    const begun = performance.now();
    const count = () => {
      const seconds = Math.floor((performance.now() - begun) / 1000);
      byId("recorded").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (seconds >= LONGEST_S) this.end(true);
    };
    const timer = setInterval(count, 250);
    this.recorder.addEventListener("dataavailable", ({ data }) => { if (this.isWanted) this.send(data); });
    this.recorder.addEventListener("stop", () => {
      clearInterval(timer);
      stream.getTracks().forEach((track) => track.stop());
      this.show(false);
    });
    count();
    this.recorder.start();
    this.show(true);
    byId("send-recording").focus();
  }

  end(isWanted) {
    this.isWanted = isWanted;
    if (this.recorder.state !== "inactive") this.recorder.stop();
  }

  show(isRecording) {
    byId("recording").hidden = !isRecording;
    byId("writing").hidden = isRecording;
    if (!isRecording) byId("composer").focus();
  }
}
