// What the page itself says, in the language that the bot chooses.

let words = {};
let bot = "";
let picture = "";
let listed = [];
let signIns = [];

const PAUSE_MS = 1_000;

/**
 * Take the words of this language, without one those of the browser's.
 *
 * While the bot starts, it is asked again; if it refuses, the words stay as they are.
 */
export async function speak(language = "") {
  const headers = language ? { "Accept-Language": language } : {};
  let response;
  do {
    if (response) await new Promise((done) => setTimeout(done, PAUSE_MS));
    response = await fetch(new URL("words", import.meta.url), { headers });
  } while (response.status === 503);
  if (!response.ok) return;
  const told = await response.json();
  words = told.words;
  bot = told.bot;
  picture = told.picture;
  listed = told.commands;
  signIns = told.signIns;
  document.documentElement.lang = told.language;
  document.documentElement.dir = told.direction;
}

/** What the bot is called, "" while nobody knows. */
export const botName = () => bot;

/** The address of the bot's picture, "" without one. */
export const botPicture = () => picture && new URL(picture, import.meta.url).href;

/** The commands that work here, as pairs of a name and what it does. */
export const commands = () => listed;

/** Other ways to sign in, as pairs of words and a path. */
export const signInLinks = () => signIns;

/** A phrase with its places filled in; "" if there is none of this name. */
export function say(name, values = {}) {
  return (words[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

/** What a tool is called, in a word or two. */
export const toolName = (name) => say(`tool-${name}`) || name.replaceAll("_", " ");
