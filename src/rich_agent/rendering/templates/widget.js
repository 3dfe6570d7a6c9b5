const bot = globalThis.TelegramWidget;
const el = (tag, given, ...inner) => {
  const made = document.createElement(tag);
  for (const name in given) if (given[name]) made.setAttribute(name, given[name]);
  made.append(...inner.filter((one) => one));
  return made;
};
const keys = (actions) => actions[0] && el("div", { class: "keys" }, ...actions.map((one) =>
  el("button", { type: "button", class: one.kind, "data-a": one.data, "aria-label": one.name }, one.label)));
const line = (tag, text) => text && el(tag, { dir: "auto" }, text);
const note = (text) => { document.querySelector("#note").textContent = text; };
const buttons = () => [...document.querySelectorAll("button")];
// The data of the buttons whose press is not answered yet; the first is with the bot.
const queue = [];
const listen = () => {
  for (const button of buttons()) {
    const data = button.dataset.a;
    button.onclick = () => press(data);
    button.ariaDisabled = queue.includes(data) || null;
  }
};
// What has changed since the widget was sent: lists of the steps to a place, and its new value.
const show = (changes) => {
  const now = JSON.parse(JSON.stringify(block));
  for (const [...path] of changes) {
    const value = path.pop(), last = path.pop();
    path.reduce((place, step) => place[step], now)[last] = value;
  }
  const held = document.activeElement?.dataset.a, main = document.querySelector("main");
  const list = main.querySelector("ul"), bar = main.querySelector("progress"), below = main.querySelector("main > .keys");
  main.querySelector("h1").textContent = now.title;
  note(now.note);
  if (bar) [bar.value, bar.max] = now.steps;
  list?.replaceChildren(...now.rows.map((row) => el("li", { class: row.mark },
    el("div", {}, line("b", row.label),
      row.body ? el("details", { open: row.mark === "current" && "open" }, line("summary", row.text), line("p", row.body)) : line("p", row.text),
      line("small", row.details)), keys(row.actions))));
  below?.remove();
  main.append(keys(now.actions) || "");
  listen();
  const again = buttons().find((one) => one.dataset.a === held);
  if (held) (again ?? main.querySelector("button"))?.focus();
};
// When queries were answered, newest first: Telegram takes five in five seconds.
const times = [];
const press = async (data) => {
  if (queue.includes(data)) return;
  queue.push(data);
  listen();
  if (queue[1]) return;
  for (; queue[0]; queue.shift(), listen()) {
    if (times[4]) await new Promise((done) => setTimeout(done, times[4] + 5000 - Date.now()));
    if (!buttons().some((one) => one.dataset.a === queue[0])) continue;
    try {
      const told = JSON.parse((await bot.request(queue[0]))?.result || "{}");
      if (told.state) show(told.state);
      if (told.note) note(told.note);
    } catch {
      note(words.unanswered);
    }
    times.unshift(Date.now());
  }
};
// The name under which a script reads the state is not in the documentation that could be read.
const changed = () => { if (bot?.chatData) show(JSON.parse(bot.chatData)); };
if (bot) bot.onChatData = changed;
listen();
changed();
