"""The question whose change counts, where a task was changed here and in the user's task list."""

from dataclasses import dataclass

from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.domain.agenda.entries import Fields, changed_fields
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.ports.task_lists import TaskConflict, TaskListConnections
from rich_agent.rendering.notices import unlinked

VERB = "taskside1"
_VALUE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class TaskConflicts:
    """Takes the answer; nothing is changed until there is one."""

    connections: TaskListConnections

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(presses={VERB: self.press})

    async def press(self, press: PressRequest) -> PressReply:
        """Keep the user's change, or take that of the list."""
        number, _, side = press.argument.partition(":")
        user_id = press.user_id
        if side not in {"mine", "theirs"} or not number.lstrip("-").isdecimal():
            return PressReply(say(press.locale, "button-outdated"))
        update_id, keep_mine = int(number), side == "mine"
        conflict = await self.connections.conflict(update_id)
        if not await self.connections.decide(user_id, update_id, keep_mine=keep_mine):
            return PressReply(say(press.locale, "button-outdated"))
        title = _title(conflict) if conflict else ""
        told = unlinked(say(press.locale, f"conflict-{side}-done", title=title))
        return PressReply(message=told)


def conflict_question(conflict: TaskConflict, update_id: int, locale: str) -> RenderedMessage:
    """The differences, with a button for each side."""
    lines = [
        say(locale, "conflict-asked", title=_title(conflict)),
        say(locale, "conflict-here", what=_told(conflict.task, conflict.entry, locale)),
        say(locale, "conflict-there", what=_told(conflict.entry, conflict.task, locale)),
    ]
    row = tuple(
        Button(say(locale, f"conflict-{side}"), f"{VERB}:{update_id}:{side}")
        for side in ("mine", "theirs")
    )
    message = unlinked("\n".join(lines))
    return RenderedMessage(message.text, message.entities, (row,))


def _title(conflict: TaskConflict) -> str:
    return shorten(str(conflict.task.get("title") or conflict.entry.get("title")), _VALUE_LENGTH)


def _told(fields: Fields, others: Fields, locale: str) -> str:
    """The values of one side where both differ."""
    if fields.get("is_deleted"):
        return say(locale, "conflict-deleted")
    names = changed_fields(others, fields) if not others.get("is_deleted") else ("title",)
    said = [
        f"{_label(name, locale)} {_value(name, fields.get(name), locale)}"
        for name in names
        if name not in {"is_deleted", "parent"}
    ]
    return "; ".join(said)


def _label(name: str, locale: str) -> str:
    return say(locale, f"conflict-field-{name.replace('_', '-')}")


def _value(name: str, value: object, locale: str) -> str:
    if name == "status":
        return say(locale, f"conflict-status-{str(value).replace('_', '-')}")
    if isinstance(value, bool):
        return "✓" if value else "–"
    return f"“{shorten(str(value), _VALUE_LENGTH)}”" if value else "–"
