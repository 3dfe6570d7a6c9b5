// Messages of a group that only the viewer and the bot see, among those that everybody sees.

import { el, icon } from "./dom.js";

const EYE = "M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7zM9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0";

/** The view with these messages in their places; as they have no number, they get negative ones. */
export function withEphemeral(view) {
  const own = (view.ephemeral ?? []).map((message) => ({ ...message, message_id: -message.ephemeral_message_id }));
  if (own.length === 0) return view;
  return { ...view, messages: [...view.messages, ...own].sort((a, b) => a.sent_at - b.sent_at) };
}

/** The line that says who sees such a message, null for any other message. */
export function onlyYou(message) {
  if (message.ephemeral_message_id === undefined) return null;
  const text = message.from === "bot" ? "Only you can see this" : "Only the bot can see this";
  return el("p", { class: "only-you", "data-testid": "only-you" }, icon(EYE), text);
}

/** How a press names its message: by its number, or by that of one for this viewer alone. */
export const nameOf = (message) =>
  message.ephemeral_message_id === undefined ? { message_id: message.message_id } : { ephemeral_message_id: message.ephemeral_message_id };

/** How a reply names the message that it answers. */
export const answered = (message) =>
  message.ephemeral_message_id === undefined ? { reply_to_message_id: message.message_id } : { reply_to_ephemeral_id: message.ephemeral_message_id };
