// The /sim API of the sandbox; a refusal becomes an Error with its words.

async function request(method, path, body) {
  const options = { method, cache: "no-store" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "Content-Type": "application/json" };
  }
  const answer = await fetch(path, options);
  const content = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(content.error ?? `HTTP ${answer.status}`), { status: answer.status });
  return content;
}

export const getBot = () => request("GET", "/sim/bot");
export const getChats = () => request("GET", "/sim/chats");
export const getChat = (chatId) => request("GET", `/sim/chats/${chatId}`);
export const getCalls = (since) => request("GET", `/sim/calls?since=${since}`);
export const sendMessage = (userId, message) =>
  request("POST", `/sim/chats/${userId}/messages`, message);
/** `name` is the message's `message_id`, or its `ephemeral_message_id`. */
export const pressButton = (chatId, name, data) =>
  request("POST", `/sim/chats/${chatId}/press`, { ...name, callback_data: data });
export const queryWidget = (chatId, messageId, data) =>
  request("POST", `/sim/chats/${chatId}/widget-queries`, { message_id: messageId, data });
export const stopDraft = (chatId) => request("POST", `/sim/chats/${chatId}/stop`, {});

/** `wish` is "test", "use" or "reset"; a server is `{base_url, api_key, model, sees}`. */
export const wishModel = (wish, server) => request("POST", `/sim/model/${wish}`, server ?? {});

/** The state of the download of a model, null where the program offers none. */
export const getDownload = async () => (await request("GET", "/sim/model/download")).download;
export const startDownload = (model) => request("POST", "/sim/model/download", { model });
export const cancelDownload = () => request("POST", "/sim/model/cancel", {});
export const lookForServers = () => request("POST", "/sim/model/look", {});

/** Call `onTopics` with every set of changed topics, `onState` when the line opens or breaks. */
export function listen(onTopics, onState) {
  const events = new EventSource("/sim/events");
  events.onmessage = (event) => onTopics(new Set(JSON.parse(event.data).topics));
  events.onopen = () => onState(true);
  events.onerror = () => onState(false);
}
