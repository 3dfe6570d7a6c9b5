"""Tools of a guided session: save what came of it, and end it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from rich_agent.domain.sessions import SessionTemplate
from rich_agent.phrases import say
from rich_agent.ports.sessions import Sessions
from rich_agent.ports.tools import Asker
from rich_agent.tools.agenda.planned_day import read_day
from rich_agent.tools.arguments import Clock, today_of
from rich_agent.tools.cards import data_card, day_card
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError


class Output(Arguments):
    """The output of a session."""

    output_type: Literal["schedule", "task_list", "summary", "plan"]
    data: dict[str, Any] | list[Any] | str = Field(
        description="The result as text, a list, or an object of texts and lists. Of a schedule: "
        '{"date": "YYYY-MM-DD", "blocks": [{"start_time": "HH:MM", "duration_minutes": 60, '
        '"title": "…", "block_type": "work|break|meeting|personal"}]}'
    )


class Completion(Arguments):
    """The end of a session."""

    summary: str = Field(
        "", max_length=4_000, description="What was achieved, in a sentence or two."
    )


@dataclass(frozen=True, slots=True)
class SessionTools:
    """Closes sessions and keeps their results."""

    sessions: Sessions
    templates: Mapping[str, SessionTemplate]
    now: Clock

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
        heading = say(asker.locale, f"session-output-{output.output_type}")
        saved = Outcome({"saved": True}, done=heading, card=data_card(heading, output.data))
        if output.output_type != "schedule":
            return saved
        timeline = read_day(output.data, today_of(asker, self.now()))
        if timeline is None:
            return saved
        return replace(saved, card=day_card(timeline, asker.locale), timeline=timeline)

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
