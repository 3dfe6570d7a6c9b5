"""The bodies of `/sim` requests. Unknown fields are refused, so that typing errors are noticed."""

import base64
import binascii
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    field_validator,
    model_validator,
)

from rich_agent_sandbox.ledger import Upstream
from rich_agent_sandbox.telegram.attachments import WITH_CAPTION, WITH_SOUND, AttachmentKind
from rich_agent_sandbox.telegram.chats import ChatType
from rich_agent_sandbox.telegram.ephemeral import ANSWERED_WITHIN_S, ServerAge
from rich_agent_sandbox.telegram.groups import MemberStatus
from rich_agent_sandbox.telegram.widget_queries import DATA_LIMIT_BYTES


def _any_text(value: object) -> str:
    if isinstance(value, str):
        return value
    # Pydantic reports a ValueError, and does not catch a TypeError.
    raise ValueError("must be a string")


def _decoded(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError("must be base64") from error


# Pydantic's own string refuses a lone surrogate, which a user's text may contain.
AnyText = Annotated[str, PlainValidator(_any_text)]
Base64 = Annotated[bytes, BeforeValidator(_decoded)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NewMember(_Body):
    """A user comes to a group, or goes; the bot is told if it is an administrator there."""

    user_id: int = Field(ge=1)
    status: MemberStatus = "member"
    is_told: bool = False


class NewMessage(_Body):
    """A new message of a user or, with `edit_message_id`, an edit of one.

    `forward_from` is the name of an unknown person, or the id of a user. `quote` is a part of the
    replied message's text or, with `quoted_from` (like `forward_from`), of a message in another
    chat. `size_bytes` is the announced size of a file; `mime_type` "" announces no type. `via_bot`
    is the name of an inline bot, `emoji` that of a sticker or dice. `sound_base64` is the file of a
    recording, of which WebM becomes OGG; `spoken` are its words, which are put into the file as a
    comment, or into a sample if there is no file. `message_thread_id` is a topic of the chat, which
    its first message creates. `reply_to_ephemeral_id` is a message that only this user sees.
    """

    text: AnyText | None = None
    photo_base64: Base64 | None = None
    document_base64: Base64 | None = None
    file_name: str | None = None
    mime_type: str | None = None
    size_bytes: int | None = Field(default=None, ge=0)
    attachment: AttachmentKind | None = None
    emoji: str | None = None
    sound_base64: Base64 | None = None
    spoken: str | None = Field(default=None, max_length=16_000)
    reply_to_message_id: int | None = None
    reply_to_ephemeral_id: int | None = None
    quote: str | None = Field(default=None, min_length=1)
    media_group_id: str | None = Field(default=None, min_length=1)
    message_thread_id: int | None = Field(default=None, ge=1)
    forward_from: int | str | None = None
    quoted_from: int | str | None = None
    via_bot: str | None = None
    edit_message_id: int | None = None
    chat_type: ChatType = "private"
    first_name: str | None = Field(default=None, min_length=1, max_length=64)
    language_code: str | None = Field(default=None, min_length=2, max_length=35)

    @model_validator(mode="after")
    def _is_something(self) -> Self:
        media = [self.photo_base64, self.document_base64, self.attachment]
        if sum(item is not None for item in media) > 1:
            raise ValueError("send photo_base64, document_base64 or attachment, not several")
        if not self.has_media and not self.text:
            raise ValueError("send text, photo_base64 or document_base64, or an attachment")
        if self.attachment and self.text and self.attachment not in WITH_CAPTION:
            raise ValueError(f"attachment: {self.attachment} has no caption")
        self._check_companions()
        if self.message_thread_id is not None and self.chat_type != "private":
            raise ValueError("message_thread_id: topics exist only in private chats here")
        return self

    def _check_companions(self) -> None:
        if self.document_base64 is None:
            for name in ("file_name", "mime_type", "size_bytes"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} goes with document_base64")
        if self.attachment not in WITH_SOUND and (self.sound_base64 or self.spoken is not None):
            raise ValueError("sound_base64 and spoken go with a voice message, video_note or audio")
        if self.quote is not None and self.reply_to_message_id is None and not self.quoted_from:
            raise ValueError("quote goes with reply_to_message_id or quoted_from")

    @property
    def has_media(self) -> bool:
        """Whether the text is a caption."""
        return any(
            item is not None for item in (self.photo_base64, self.document_base64, self.attachment)
        )


class Pause(_Body):
    """A time in which the user sends nothing."""

    seconds: float = Field(gt=0, le=3_600)


class Age(_Body):
    """The time by which the messages of a chat become older."""

    seconds: float = Field(gt=0, le=31_536_000)


class Server(_Body):
    """The age of the Bot API server, as far as messages for one member of a group are concerned.

    `answered_within_s`: for which a member's press or message permits such a message.
    """

    age: ServerAge
    answered_within_s: float = Field(ANSWERED_WITHIN_S, ge=0)


class Press(_Body):
    """A press of an inline button, also of a message that only this user sees."""

    message_id: int = 0
    callback_data: str = Field(min_length=1)
    ephemeral_message_id: int | None = None


class WidgetPress(_Body):
    """A query of a widget in a message.

    The rest is what only a broken or bad client does: `from_user_id` is another user than the one
    of the chat, `query_id` repeats an earlier query under its id, and `age_s` is the time that has
    passed since the query was sent.
    """

    message_id: int
    data: str
    from_user_id: int | None = Field(default=None, ge=1)
    query_id: str | None = None
    age_s: float = Field(default=0.0, ge=0, le=3_600)

    @field_validator("data")
    @classmethod
    def _has_few_bytes(cls, data: str) -> str:
        if not 1 <= len(data.encode()) <= DATA_LIMIT_BYTES:
            raise ValueError(f"a query has 1 to {DATA_LIMIT_BYTES} bytes")
        return data


class ScriptedCall(_Body):
    """A call of a tool; `arguments` that are a text are sent as they are, JSON or not.

    `id` "" has the server make one up, null leaves it out. `as_object` sends an object.
    """

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    id: str | None = ""
    as_object: bool = False

    @model_validator(mode="after")
    def _object_is_one(self) -> Self:
        if self.as_object and isinstance(self.arguments, str):
            raise ValueError("as_object goes with arguments that are an object")
        return self


class NewFault(_Body):
    """A failure to be shown by the next `times` matching calls of an upstream."""

    upstream: Upstream
    kind: str = Field(min_length=1)
    method: str | None = None
    times: int = Field(default=1, ge=1)
    retry_after: int | None = Field(default=None, ge=0)
    delay_s: float = Field(default=0.0, ge=0, le=600)
    chat_id: int | None = None
    containing: str | list[str] = []
    server: str | None = None
    text: str = ""
    status: int = Field(default=400, ge=400, le=599)
    calls: list[ScriptedCall] = []


class CallsQuery(_Body):
    """Which calls `GET /sim/calls` lists: those of one upstream, those after a number."""

    upstream: Upstream | None = None
    since: int = 0
