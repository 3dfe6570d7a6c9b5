"""/connect and /disconnect a list on a CalDAV server, and tasks that the list replaced.

What follows /connect holds a password, which the core takes away before it is answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from rich_agent.feature import (
    Button,
    Clocks,
    CommandRequest,
    NoticeRequest,
    PressReply,
    PressRequest,
    Reply,
    say,
)
from rich_agent.feature.telegram import RenderedMessage, unlinked
from rich_agent.feature.text import shorten, whole_number
from rich_agent.features.calendars.task_lists.entries import Fields, changed_fields
from rich_agent.features.calendars.task_lists.ports import (
    ReplacedTask,
    TaskList,
    TaskListConnecting,
    TaskListConnection,
    TaskListConnections,
    TaskListError,
    TaskListLogin,
)

CHOOSE_VERB = "tasklist1"
UNDO_VERB = "taskback1"
_NAME_LENGTH = 60
_VALUE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class TaskListCommands:
    """Connects and disconnects; `connecting` is None if this bot offers none, as `missing` says."""

    connections: TaskListConnections
    connecting: TaskListConnecting | None
    missing: str

    async def connect(self, request: CommandRequest) -> Reply:
        """Connect with the login after the command; without one, show the connection."""
        words = request.args.split(maxsplit=2)
        if not words:
            return await self._status(request)
        return await self._connect(request, words)

    async def status(self, user_id: int, clocks: Clocks) -> Sequence[str]:
        """The lines about a user's connection, none without one."""
        connection = await self.connections.find(user_id)
        return _status_lines(connection, clocks) if connection and connection.url else ()

    async def disconnect(self, request: CommandRequest) -> Reply:
        """Forget address, user name and password; the tasks stay in the bot and in the list."""
        if request.args.strip():
            # Something else may be meant, such as one of several lists.
            return Reply.of(say(request.locale, "command-alone", command="/disconnect"))
        is_ended = await self.connections.disconnect(request.user_id)
        return Reply.of(
            say(request.locale, "calendars-disconnected" if is_ended else "calendars-connect-none")
        )

    async def choose(self, press: PressRequest) -> PressReply:
        """Connect the one of several task lists that the button stands for."""
        user_id, number = press.user_id, whole_number(press.argument)
        task_list = await self.connections.choose(user_id, -1 if number is None else number)
        if task_list is None:
            return PressReply(say(press.locale, "button-outdated"))
        return PressReply(message=_connection_notice(task_list, press.locale))

    async def _connect(self, request: CommandRequest, words: list[str]) -> Reply:
        locale = request.locale
        if self.connecting is None:
            return Reply.of(say(locale, f"calendars-connect-missing-{self.missing}"))
        if len(words) < 3:
            return Reply.of(say(locale, "calendars-connect-usage"))
        try:
            lists = await self.connecting.connect(request.user_id, TaskListLogin(*words))
        except TaskListError as error:
            return Reply.of(problem_text(error.problem, locale))
        if len(lists) > 1:
            return _choice(tuple(lists), locale)
        return Reply(_connection_notice(lists[0], locale))

    async def _status(self, request: CommandRequest) -> Reply:
        locale = request.locale
        if self.connecting is None:
            return Reply.of(say(locale, f"calendars-connect-missing-{self.missing}"))
        connection = await self.connections.find(request.user_id)
        if connection is None:
            return Reply.of(
                f"{say(locale, 'calendars-connect-none')} {say(locale, 'calendars-connect-usage')}"
            )
        if not connection.url:
            return _choice(connection.choices, locale)
        return Reply(unlinked("\n".join(_status_lines(connection, request.clocks))))


def _status_lines(connection: TaskListConnection, clocks: Clocks) -> list[str]:
    locale = clocks.locale
    lines = [
        say(
            locale,
            "calendars-connect-status",
            name=_name_of(TaskList(connection.url, connection.name)),
            host=urlsplit(connection.url).netloc,
            user=shorten(connection.username, _NAME_LENGTH),
        ),
        say(locale, "calendars-connect-synced", at=clocks.last(connection.synced_at)),
    ]
    if connection.problem:
        lines.append(problem_text(connection.problem, locale))
    return lines


def problem_text(problem: str, locale: str) -> str:
    """The message that explains a problem of a connection to the user."""
    return say(locale, f"calendars-connect-problem-{problem.replace('_', '-')}")


def _choice(lists: tuple[TaskList, ...], locale: str) -> Reply:
    rows = [(Button(_name_of(one), f"{CHOOSE_VERB}:{number}"),) for number, one in enumerate(lists)]
    return Reply.of(say(locale, "calendars-connect-choose"), *rows)


def _connection_notice(task_list: TaskList, locale: str) -> RenderedMessage:
    host = urlsplit(task_list.url).netloc
    return unlinked(say(locale, "calendars-connected", name=_name_of(task_list), host=host))


def _name_of(one: TaskList) -> str:
    name = one.name.strip() or one.url.rstrip("/").rpartition("/")[2]
    return shorten(name, _NAME_LENGTH)


@dataclass(frozen=True, slots=True)
class ReplacedTasks:
    """Brings back a task as it was before a change in the task list replaced it."""

    connections: TaskListConnections

    async def press(self, press: PressRequest) -> PressReply:
        """Take the change of the list back; the list follows."""
        number = press.argument
        update_id = int(number) if number.removeprefix("-").isdecimal() else 0
        replacement = await self.connections.replaced_task(update_id)
        if replacement is None or not await self.connections.restore(press.user_id, update_id):
            return PressReply(say(press.locale, "undo-too-late"))
        text = say(press.locale, "calendars-task-replaced-undone", title=_title(replacement))
        return PressReply(message=unlinked(text))


@dataclass(frozen=True, slots=True)
class ListNotices:
    """Words what users are told of their lists."""

    connections: TaskListConnections

    async def word_replacement(self, request: NoticeRequest) -> RenderedMessage | None:
        """The change of a task that was replaced; None if it was changed again since."""
        replacement = await self.connections.replaced_task(request.number)
        return (
            replacement_notice(replacement, request.number, request.clocks) if replacement else None
        )

    async def word_trouble(self, request: NoticeRequest) -> RenderedMessage | None:
        """The trouble that only the user can end; None if it is over."""
        trouble = await self.connections.trouble(request.number)
        if trouble is None:
            return None
        reason = problem_text(trouble.problem, request.locale)
        return RenderedMessage(f"{say(request.locale, 'calendars-connect-trouble')} {reason}")


def replacement_notice(
    replacement: ReplacedTask, update_id: int, clocks: Clocks
) -> RenderedMessage:
    """The differing fields of the task as it was here and as it is in the list, with Undo."""
    locale = clocks.locale
    lines = [
        say(locale, "calendars-task-replaced", title=_title(replacement)),
        say(
            locale,
            "calendars-conflict-here",
            what=_values(replacement.task, replacement.entry, clocks),
        ),
        say(
            locale,
            "calendars-conflict-there",
            what=_values(replacement.entry, replacement.task, clocks),
        ),
    ]
    undo = Button(say(locale, "undo-button"), f"{UNDO_VERB}:{update_id}")
    return replace(unlinked("\n".join(lines)), buttons=((undo,),))


def _title(replacement: ReplacedTask) -> str:
    return shorten(
        str(replacement.task.get("title") or replacement.entry.get("title")), _VALUE_LENGTH
    )


def _values(fields: Fields, other_fields: Fields, clocks: Clocks) -> str:
    """One version's values of the fields in which two versions of a task differ."""
    locale = clocks.locale
    if fields.get("is_deleted"):
        return say(locale, "calendars-conflict-deleted")
    field_names = (
        changed_fields(other_fields, fields) if not other_fields.get("is_deleted") else ("title",)
    )
    parts = [
        f"{_label(field_name, locale)} {_value(field_name, fields.get(field_name), clocks)}"
        for field_name in field_names
        if field_name not in {"is_deleted", "parent"}
    ]
    return "; ".join(parts)


def _label(name: str, locale: str) -> str:
    return say(locale, f"calendars-conflict-field-{name.replace('_', '-')}")


def _value(name: str, value: object, clocks: Clocks) -> str:
    if name == "due_date" and value:
        return clocks.written(str(value))
    if name == "status":
        return say(clocks.locale, f"calendars-conflict-status-{str(value).replace('_', '-')}")
    if isinstance(value, bool):
        return "✓" if value else "–"
    return f"“{shorten(str(value), _VALUE_LENGTH)}”" if value else "–"
