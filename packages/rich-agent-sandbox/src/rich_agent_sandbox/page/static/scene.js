// A scene of four steps that the page plays as the user: each is sent when the one before is answered.

import * as api from "./api.js";
import { nameOf } from "./ephemeral.js";

/** What the user sends; the receipt is a sample picture, and what `acts` can be undone. */
const STEPS = [
  { text: "Add bread to my list", acts: true },
  { picture: "receipt" },
  { text: "Remind me in 10 minutes to buy the cheese", acts: true },
];
const UNDO = /^undo\d+:/;
const STOP = /^stop:/;
const LOOKS_EVERY_MS = 250;
const SETTLED_MS = 2_000;
const LONGEST_STEP_MS = 60_000;

/** Play the scene with `send` and `sendPicture` of the page, and press Undo, while `isWanted` says so. */
export async function play({ chatId, pictures, send, sendPicture, isWanted }) {
  let answer = null;
  for (const step of STEPS) {
    const sent = step.picture
      ? await sendPicture(pictures.find((picture) => picture.name === step.picture))
      : await send({ text: step.text });
    answer = await answered(chatId, sent.message_id, step.acts, isWanted);
    if (!answer) return;
  }
  const { callback_data: data } = button(answer, UNDO);
  await api.pressButton(chatId, nameOf(answer), data);
}

/** The bot's newest message after the one that was sent, once it can be undone or stays as it is; null in time or unwanted. */
async function answered(chatId, sentId, acts, isWanted) {
  const end = Date.now() + LONGEST_STEP_MS;
  let last = "";
  let since = Date.now();
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
    if (!isWanted()) return null;
    const { messages, typing, draft } = await api.getChat(chatId);
    const newest = messages.findLast((message) => message.from === "bot" && message.message_id > sentId);
    const now = JSON.stringify(newest ?? "");
    if (now !== last) [last, since] = [now, Date.now()];
    const isBusy = typing || draft || (newest && button(newest, STOP));
    const isSettled = newest && !isBusy && Date.now() - since > SETTLED_MS;
    if (acts ? newest && button(newest, UNDO) : isSettled) return newest;
  }
  return null;
}

const button = (message, pattern) => message.buttons.flat().find(({ callback_data: data }) => pattern.test(data ?? ""));
