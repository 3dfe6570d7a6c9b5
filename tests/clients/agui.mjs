// A conversation by @ag-ui/client. Each line of stdin is a run; what happens is told on stdout.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { HttpAgent } from "@ag-ui/client";

const [url, token, threadId] = process.argv.slice(2);
const agent = new HttpAgent({ url, threadId, headers: { Authorization: `Bearer ${token}` } });

function tell(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { say, ...run } = JSON.parse(line);
  if (say) agent.addMessage({ id: randomUUID(), role: "user", content: say });
  let failed;
  try {
    await agent.runAgent(run, { onEvent: ({ event }) => tell({ event }) });
  } catch (error) {
    failed = String(error);
  }
  tell({ done: true, messages: agent.messages, interrupts: agent.pendingInterrupts, failed });
}
