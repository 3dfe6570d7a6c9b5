"""Models of the widgets of the Bot API 10.4, which aiogram 3.31 does not know.

Source: https://core.telegram.org/bots/api/methods/sendwidget.md, answerwidgetquery.md and
editmessagewidgetdata.md there. A type with `extra` keeps what it does not know for the checks.
"""

from typing import Annotated, Any, Literal, Self

from aiogram.methods.base import TelegramMethod
from aiogram.types import (
    Chat,
    ForceReply,
    InlineKeyboardMarkup,
    Message,
    MessageEntity,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    ReplyParameters,
    User,
)
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator


def _within(least: int, most: int) -> AfterValidator:
    def check(text: str) -> str:
        if not least <= len(text.encode()) <= most:
            raise ValueError(f"{least} to {most} bytes in UTF-8")
        return text

    return AfterValidator(check)


WidgetHtml = Annotated[str, _within(1, 32_768)]
WidgetData = Annotated[str, _within(0, 1_024)]
QueryData = Annotated[str, _within(1, 64)]


class _WidgetObject(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class Widget(_WidgetObject):
    """The field `widget` of a Message."""

    html: WidgetHtml
    id: str | None = None
    width: int | None = None
    height: int | None = None
    public_data: WidgetData | None = None
    chat_data: WidgetData | None = None


class WidgetQueryTypeData(_WidgetObject):
    """A query with data; the types for TON are not used."""

    type: Literal["data"]


class WidgetQuery(_WidgetObject):
    """The update `widget_query`; `chat` and `message_id` are left out in inline messages."""

    model_config = ConfigDict(strict=False)

    id: str
    from_user: User = Field(alias="from")
    chat_instance: str
    type: WidgetQueryTypeData
    data: QueryData
    chat: Chat | None = None
    message_id: int | None = None
    inline_message_id: str | None = None
    chat_type: str | None = None
    widget_id: str | None = None


class SendWidget(TelegramMethod[Message]):
    """The method sendWidget."""

    __returning__ = Message
    __api_method__ = "sendWidget"

    chat_id: int | str
    html: WidgetHtml
    message_thread_id: int | None = None
    width: int | None = None
    height: int | None = None
    public_data: WidgetData | None = None
    chat_data: WidgetData | None = None
    caption: str | None = Field(default=None, max_length=1_024)
    parse_mode: str | None = None
    caption_entities: list[MessageEntity] | None = None
    show_caption_above_media: bool | None = None
    allow_queries: bool | None = None
    is_shared: bool | None = None
    disable_notification: bool | None = None
    protect_content: bool | None = None
    allow_paid_broadcast: bool | None = None
    message_effect_id: str | None = None
    reply_parameters: ReplyParameters | None = None
    reply_markup: (
        InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove | ForceReply | None
    ) = None


class EditMessageWidgetData(TelegramMethod[bool]):
    """The method editMessageWidgetData, which returns True and no message."""

    __returning__ = Literal[True]
    __api_method__ = "editMessageWidgetData"

    chat_id: int | str | None = None
    message_id: int | None = None
    inline_message_id: str | None = None
    public_data: WidgetData | None = None
    chat_data: WidgetData | None = None

    @model_validator(mode="after")
    def _names_a_message(self) -> Self:
        is_in_chat = self.chat_id is not None and self.message_id is not None
        if is_in_chat == (self.inline_message_id is not None):
            raise ValueError("chat_id and message_id, or inline_message_id")
        return self


class AnswerWidgetQuery(TelegramMethod[bool]):
    """The method answerWidgetQuery."""

    __returning__ = Literal[True]
    __api_method__ = "answerWidgetQuery"

    widget_query_id: str
    data: WidgetData | None = None


WIDGET_METHODS: dict[str, type[TelegramMethod[Any]]] = {
    "sendWidget": SendWidget,
    "editMessageWidgetData": EditMessageWidgetData,
    "answerWidgetQuery": AnswerWidgetQuery,
}
WIDGET_FIELDS: dict[tuple[str, str], type[BaseModel]] = {
    ("Message", "widget"): Widget,
    ("Update", "widget_query"): WidgetQuery,
}
"""The model of a field that is unknown to a type, by the names of both."""
