"""The page of `docs/reference` that tells how the bot fared with each server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.servers.conversations import CONVERSATIONS
from rich_agent_sandbox.openai.servers.personality import Personality

INTRO = """# Model servers

The bot is tested against stand-ins for thirty model servers, not against the servers
themselves. The sandbox's stand-ins were written from the servers' documentation, and all use the
same simple model. The test shows how the bot copes with the servers, not how well models answer.

`python -m bench.servers` writes this page. For each server it starts the bot with
`OPENAI_BASE_URL` set to it, holds ten conversations over HTTP (with Telegram's stand-in and a real
PostgreSQL), and checks every answer in code: the right document is cited, a follow-up keeps its
subject, both parts of a compound question are answered, the photo is described, the memory is
recalled in a new conversation and gone once forgotten, the language is that of the question, no
reasoning, apology or failure is shown, and nothing private was sent to the web search.

To use the real servers: [Use another model server](../how-to/use-another-model-server.md).
"""
LEARNED = """
## What the bot found out

The bot asks for structured output (plans, memory, photos) in the most reliable way that the model
supports. A parameter that was refused is left out from then on. Prompts fit the model's window (in
tokens) if the server reports it or a setting gives it.
"""
TRAITS = """
## What the stand-ins do
"""
STEPS = {
    "json_schema": "JSON schema",
    "tool_call": "tool call",
    "json_mode": "JSON mode",
    "words": "JSON asked for in words",
}


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one server: problems by conversation ("" for none), and what was learned.

    `window` is in tokens, None where the server does not tell it.
    """

    server: Personality
    problems: Mapping[str, str]
    step: str
    refused: Sequence[str]
    window: int | None


def page(results: Sequence[Result]) -> str:
    """The text of `docs/reference/model-servers.md`."""
    names = list(CONVERSATIONS)
    lines = [INTRO, _row(["Server", *names]), _row(["---"] * (len(names) + 1))]
    lines += [_row([_code(one), *(_mark(one, name) for name in names)]) for one in results]
    problems = [
        f"- `{one.server.name}`, {name}: {problem}"
        for one in results
        for name, problem in one.problems.items()
        if problem
    ]
    lines += ["", *problems] if problems else []
    head = ["Server", "Structured output", "Left out", "Window"]
    lines += [LEARNED, _row(head), _row(["---"] * len(head))]
    lines += [_row([_code(one), *_learned(one)]) for one in results]
    lines += [TRAITS, _row(["Server", "Traits", "Written from"]), _row(["---"] * 3)]
    lines += [_row([_code(one), one.server.traits, _links(one.server)]) for one in results]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _code(result: Result) -> str:
    return f"`{result.server.name}`"


def _mark(result: Result, name: str) -> str:
    return "no" if result.problems[name] else "yes"


def _learned(result: Result) -> tuple[str, str, str]:
    left_out = ", ".join(f"`{name}`" for name in result.refused)
    window = f"{result.window:,}" if result.window else "not told"
    return STEPS.get(result.step, "-"), left_out or "-", window


def _links(server: Personality) -> str:
    return ", ".join(f"[{place}]({url})" for place, url in enumerate(server.sources, start=1))
