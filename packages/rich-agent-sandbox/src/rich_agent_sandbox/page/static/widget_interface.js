// Runs in the frame of a widget before the widget's own code, and is served within its document.
// Its line to the page is a port that the widget's code cannot reach.

(state) => {
  const page = window.parent;
  const waiting = new Map();
  const unsent = [];
  let port = null;
  let count = 0;
  let { chatData } = state;
  let onChatData = null;
  let height = 0;

  const tell = (message) => (port ? port.postMessage(message) : unsent.push(message));

  function hear({ data: message }) {
    if ("chatData" in message) {
      if (message.chatData === chatData) return;
      chatData = message.chatData;
      onChatData?.(chatData);
      return;
    }
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) reject(new Error(message.error));
    else resolve({ result: message.result });
  }

  /** The height of the content, whatever the height of the frame is. */
  function measure() {
    const root = document.documentElement.getBoundingClientRect().height;
    const found = Math.ceil(Math.max(root, document.body?.scrollHeight ?? 0));
    if (found !== height) tell({ height: found });
    height = found;
  }

  window.addEventListener("message", (event) => {
    if (port || !event.isTrusted || event.source !== page || event.ports.length !== 1) return;
    event.stopImmediatePropagation();
    [port] = event.ports;
    port.onmessage = hear;
    for (const message of unsent) tell(message);
  }, true);

  const sizes = new ResizeObserver(measure);
  sizes.observe(document.documentElement);
  document.addEventListener("DOMContentLoaded", () => { sizes.observe(document.body); measure(); });

  Object.defineProperty(window, "TelegramWidget", {
    value: Object.freeze({
      request: (data) => new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        tell({ id: count, data: String(data) });
      }),
      get chatData() { return chatData; },
      get onChatData() { return onChatData; },
      set onChatData(listener) { onChatData = typeof listener === "function" ? listener : null; },
    }),
  });
}
