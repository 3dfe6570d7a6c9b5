"""Does what the buttons and forms of panels ask for: as calls of tools, which can be taken back."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from rich_agent.feature import Asker, Tool, say
from rich_agent.feature.database import Pool
from rich_agent.feature.pages import PageRefusedError
from rich_agent.feature.panels import Panel, PanelRequest
from rich_agent.feature.tools import (
    PostgresToolExecutions,
    RecentChange,
    ToolCall,
    make_button_tools,
    say_argument,
)
from rich_agent.feature.turns import thread_of

_CALL_ID: Final = "page"
_MOST_CHANGES: Final = 5
TakeBack = Callable[[int, str, str], Awaitable[Sequence[str]]]
"""Undoes the changes of a request, given user id, request and language; a line for each."""


@dataclass(frozen=True, slots=True)
class PanelActions:
    """Calls the tools of panels in the name of a user, and takes calls back."""

    pool: Pool
    undo: TakeBack

    async def recent(self, user_id: int) -> Sequence[RecentChange]:
        """The newest changes of the user, wherever they were made."""
        return await PostgresToolExecutions(self.pool).recent(user_id, _MOST_CHANGES)

    async def call(
        self, panel: Panel, name: str, fields: Mapping[str, str], request: PanelRequest
    ) -> None:
        """Call a tool with the fields of a form. Raises: PageRefusedError, with a sentence."""
        tool = next((one for one in panel.tools if one.name == name), None)
        if tool is None:
            raise PageRefusedError(say(request.locale, "user_pages-gone"))
        arguments = _arguments(tool, fields)
        _check(tool, arguments, request.locale)
        tools = make_button_tools(panel.tools, PostgresToolExecutions(self.pool))
        result = await tools.run(ToolCall(_CALL_ID, name, arguments), _asker(request, fields))
        if result.status != "success":
            sentence = result.question or say(request.locale, "user_pages-gone")
            raise PageRefusedError(sentence)

    async def take_back(self, request_id: str, request: PanelRequest) -> None:
        """Take back a change of the last ten minutes. Raises: PageRefusedError."""
        if not await self.undo(request.user_id, request_id, request.locale):
            raise PageRefusedError(say(request.locale, "undo-too-late"))


def _asker(request: PanelRequest, fields: Mapping[str, str]) -> Asker:
    """The user, who wrote all texts of the form, in a request of its own."""
    return Asker(
        request.user_id,
        thread_of(request.user_id),
        f"page:{secrets.token_hex(8)}",
        request.locale,
        request.account.time_zone,
        said="\n".join(fields.values()),
    )


def _arguments(tool: Tool, fields: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of the tool among the fields; an empty field that is no text is null."""
    arguments: dict[str, Any] = {}
    for name, info in tool.arguments.model_fields.items():
        if name not in fields:
            continue
        text = fields[name].replace("\r\n", "\n")
        if text or _is_text(info):
            arguments[name] = text
        elif not info.is_required() and tool.arguments.null_clears:
            arguments[name] = None
    return arguments


def _is_text(info: FieldInfo) -> bool:
    """Whether any text is a value of the field."""
    return info.annotation is str or str in get_args(info.annotation)


def _check(tool: Tool, arguments: Mapping[str, Any], locale: str) -> None:
    """Refuse wrong fields, by the words of their labels. Raises: PageRefusedError."""
    try:
        tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        names = dict.fromkeys(str(one["loc"][0]) for one in error.errors() if one["loc"])
        labels = ", ".join(say_argument(locale, name) for name in names)
        raise PageRefusedError(say(locale, "user_pages-wrong", fields=labels)) from None
