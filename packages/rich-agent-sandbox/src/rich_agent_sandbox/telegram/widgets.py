"""Widgets: small HTML documents in messages, whose state only the bot changes.

Source: https://core.telegram.org/bots/api/methods/sendwidget.md (Bot API 10.4). Shared widgets are
refused here.
"""

import zlib
from dataclasses import dataclass
from typing import Any

from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import bad_request

HTML_LIMIT_BYTES = 32_768
COMPRESSED_LIMIT_BYTES = 4_096
DATA_LIMIT_BYTES = 1_024
NOT_ALLOWED = "INPUT_MEDIA_WIDGET_NOT_ALLOWED"
METHODS = frozenset({"sendWidget", "editMessageWidgetData", "answerWidgetQuery"})


@dataclass(frozen=True, slots=True)
class Widget:
    """The widget of a message; empty data is none, and a size of None is left to the client."""

    html: str
    width: int | None = None
    height: int | None = None
    public_data: str = ""
    chat_data: str = ""
    can_query: bool = False

    def to_json(self) -> dict[str, Any]:
        """The widget in the Bot API's form."""
        optional = {
            "width": self.width,
            "height": self.height,
            "public_data": self.public_data,
            "chat_data": self.chat_data,
        }
        return {"html": self.html, **{name: value for name, value in optional.items() if value}}


def read_widget(params: Params) -> Widget:
    """The widget of a sendWidget. Raises: BotApiError."""
    if params.flag("is_shared"):
        raise bad_request("this sandbox has no shared widgets: leave out is_shared")
    html = params.text("html")
    if not html:
        raise bad_request("widget HTML must be non-empty")
    content = html.encode()
    compressed_bytes = len(zlib.compress(content, 9))
    if len(content) > HTML_LIMIT_BYTES or compressed_bytes > COMPRESSED_LIMIT_BYTES:
        raise bad_request("INPUT_MEDIA_WIDGET_TOO_LARGE")
    return Widget(
        html=html,
        width=params.integer("width"),
        height=params.integer("height"),
        public_data=read_data(params, "public_data") or "",
        chat_data=read_data(params, "chat_data") or "",
        can_query=params.flag("allow_queries"),
    )


def read_data(params: Params, name: str) -> str | None:
    """Data of a widget or of an answer, None if it is omitted. Raises: BotApiError."""
    if params.values.get(name) is None:
        return None
    data = params.text(name)
    if len(data.encode()) > DATA_LIMIT_BYTES:
        raise bad_request(f"{name} is too long")
    return data
