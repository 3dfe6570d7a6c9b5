"""Tools of a guided session: save what came of it, and end it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from rich_agent.domain.sessions import SessionTemplate
from rich_agent.phrases import say
from rich_agent.ports.sessions import Sessions
from rich_agent.ports.tools import Asker
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError

_MOST_LINES = 40
_LINE_CHARS = 200


class Output(Arguments):
    """What came of a session."""

    output_type: Literal["schedule", "task_list", "summary", "plan"]
    data: dict[str, Any] | list[Any] | str = Field(
        description="The result as text, a list, or an object of texts and lists."
    )


class Completion(Arguments):
    """How a session ended."""

    summary: str = Field(
        "", max_length=4_000, description="What was achieved, in a sentence or two."
    )


@dataclass(frozen=True, slots=True)
class SessionTools:
    """Closes sessions and keeps their results."""

    sessions: Sessions
    templates: Mapping[str, SessionTemplate]

    def tools(self) -> Sequence[Tool]:
        """Both tools; only the model of an open session is offered them."""
        save = Tool(
            "save_ceremony_output",
            "Save the result of this session; it is shown to the user as a card.",
            Output,
            self.save,
            "session",
        )
        complete = Tool(
            "complete_ceremony",
            "End this session, when its purpose is reached or the user wants to stop.",
            Completion,
            self.complete,
            "session",
            self.reopen,
        )
        return (save, complete)

    async def save(self, output: Output, asker: Asker) -> Outcome:
        """Keep the result and show it."""
        if not await self.sessions.keep(asker.user_id, output.model_dump()):
            raise ToolRefusedError("No session is open. Answer in words.")
        lines = [say(asker.locale, f"session-output-{output.output_type}"), *_lines(output.data)]
        return Outcome({"saved": True}, done="\n".join(lines[:_MOST_LINES]))

    async def complete(self, completion: Completion, asker: Asker) -> Outcome:
        """Close the session."""
        ended = await self.sessions.end(asker.user_id, "completed")
        if ended is None:
            raise ToolRefusedError("No session is open. Answer in words.")
        if completion.summary:
            await self.sessions.keep(asker.user_id, {"summary": completion.summary})
        template = self.templates.get(ended.template)
        title = template.title(asker.locale) if template else ended.template
        done = say(asker.locale, "session-completed", title=title)
        return Outcome({"completed": True}, done=done, undo={"session_id": ended.id})

    async def reopen(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Open the session again."""
        opened = await self.sessions.reopen(asker.user_id, undo["session_id"])
        return say(asker.locale, "session-reopened") if opened else ""


def _lines(data: object) -> list[str]:
    """A result as lines of a card, whatever shape the model gave it."""
    if isinstance(data, Mapping):
        return [
            line
            for key, value in data.items()
            for line in (
                [f"{key}: {_text(value)}"]
                if not isinstance(value, Mapping | list)
                else [f"{key}:", *_lines(value)]
            )
        ]
    if isinstance(data, list):
        return [
            " · ".join(map(_text, one.values())) if isinstance(one, Mapping) else _text(one)
            for one in data
        ]
    return [line for line in _text(data).splitlines() if line]


def _text(value: object) -> str:
    return str(value)[:_LINE_CHARS]
