// A conversation by @tanstack/ai-client. Each line of stdin is a command; what happens is told on
// stdout. `cut` lists after how many bytes the next connections break.
import { createInterface } from "node:readline";
import { ChatClient, fetchServerSentEvents } from "@tanstack/ai-client";

const [url, token, threadId] = process.argv.slice(2);
let cuts = [];
let requests = [];

function tell(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function fetchClient(address, init) {
  const breaking = new AbortController();
  const signals = [breaking.signal, ...(init.signal ? [init.signal] : [])];
  requests.push({ method: init.method, after: init.headers["Last-Event-ID"] });
  const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) });
  const limit = cuts.shift();
  if (limit === undefined) return response;
  let seen = 0;
  const cut = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.slice(0, limit - seen));
      seen += chunk.length;
      if (seen >= limit) {
        controller.terminate();
        breaking.abort();
      }
    },
  });
  const body = response.body.pipeThrough(cut);
  return new Response(body, { status: response.status, headers: response.headers });
}

function connect(persistence) {
  return new ChatClient({
    connection: fetchServerSentEvents(url, {
      headers: { Authorization: `Bearer ${token}` },
      fetchClient,
    }),
    threadId,
    persistence,
    onMessagesChange: (messages) => tell({ text: textOf(messages) }),
  });
}

function textOf(messages) {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.filter((part) => part.type === "text").map((part) => part.content).join("");
}

// A resolved interrupt begins a run by itself: wait until the client is at rest again.
async function atRest(client) {
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while (client.getIsLoading() || client.getInterruptState().resuming);
}

let client = connect(false);

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  cuts = command.cut ?? [];
  requests = [];
  if (command.say) await client.sendMessage(command.say);
  if (command.reload) {
    // A page that is opened again knows nothing but the thread.
    client.dispose();
    client = connect(true);
    client.attach();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  for (const interrupt of command.resolve || command.cancel ? client.getInterrupts() : []) {
    if (command.cancel) interrupt.cancel();
    else interrupt.resolveInterrupt(command.resolve);
  }
  await atRest(client);
  tell({
    done: true,
    messages: client.getMessages(),
    text: textOf(client.getMessages()),
    interrupts: client.getInterrupts().map(({ canResolve, status, errors, responseSchema }) => ({
      canResolve, status, errors, responseSchema,
    })),
    requests,
    failed: client.getError()?.message,
  });
}
process.exit(0);
