"""Takes back what tools changed: for a button, and for the wish in the user's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich_agent.domain.rules import Rule
from rich_agent.phrases import say, without_isolates
from rich_agent.ports.tools import Asker, Execution, ToolExecutions
from rich_agent.tools.arguments import Nothing
from rich_agent.tools.tool import Outcome, Tool, ToolRefusedError


@dataclass(frozen=True, slots=True)
class TakingBack:
    """Takes changes back, with the tools that made them."""

    tools: Sequence[Tool]
    executions: ToolExecutions

    def tool(self) -> Tool:
        """The tool by which a model takes back the last change."""
        about = (
            "Take back what you changed last for the user (task, note, reminder, schedule) in an "
            "earlier message: when they say undo, or that it shall be as it was before."
        )
        return Tool(
            "undo_last_change",
            about,
            Nothing,
            self.undo_last,
            "change",
            card_extras=self.card_extras,
            rule=Rule(writes=(), never_asks=True),
            is_always_offered=True,
        )

    async def card_extras(self, asker: Asker) -> Mapping[str, str]:
        """The changes that would be taken back, for the card."""
        last_change = await self.executions.last_change(asker.user_id, asker.request_id)
        notices = without_isolates("\n".join(last_change.done)) if last_change else ""
        return {say(asker.locale, "card-takes-back"): notices} if last_change else {}

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """See `Tools.undo`."""
        asker = Asker(user_id, "", request_id, locale)

        async def take_back(change: Execution) -> str:
            tool = next((one for one in self.tools if one.is_called(change.tool)), None)
            return await tool.undo(change.undo, asker) if tool and tool.undo else ""

        lines = await self.executions.undo(user_id, request_id, take_back)
        return [line for line in lines if line]

    async def undo_last(self, _: Nothing, asker: Asker) -> Outcome:
        """Take back all that the user's last message with a change led to."""
        last_change = await self.executions.last_change(asker.user_id, asker.request_id)
        lines = (
            await self.undo(asker.user_id, last_change.request_id, asker.locale)
            if last_change
            else ()
        )
        if not lines:
            raise ToolRefusedError(
                "There is nothing to take back: the last change is too old, cannot be undone, or "
                "was taken back already. Say so, and offer what you can do instead."
            )
        notice = f"{say(asker.locale, 'undo-done')} {'; '.join(lines)}"
        return Outcome(
            {"taken_back": list(lines)}, done=notice, words=last_change.words if last_change else ()
        )
