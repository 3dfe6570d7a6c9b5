"""Models of the Bot API's updates. Only the fields that the bot reads are checked."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rich_agent.domain.json_values import strings_in
from rich_agent.domain.media import MediaKind, Medium
from rich_agent.domain.message import Photo, SentFile, User
from rich_agent.ports.bot_api import RICH_WORDS, Button, Keyboard

_IMAGE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp"}
    | {".heic", ".heif", ".avif", ".tif", ".tiff"}
)
_UNTYPED = frozenset({"", "application/octet-stream"})
_QUOTED = frozenset({"blockquote", "expandable_blockquote", "pre"})
_TICKS = re.compile("`++")
_SUFFIXES: Mapping[MediaKind, str] = {
    "voice": ".ogg",
    "video_note": ".mp4",
    "audio": ".mp3",
}
"""The formats in which Telegram stores media. Source: Bot API, Voice, VideoNote and sendAudio."""


class Fetchable(BaseModel):
    """A file that can be fetched."""

    file_id: str
    file_unique_id: str = ""
    file_size: int | None = None

    def to_photo(self) -> Photo:
        """The file as a photo of the domain."""
        return Photo(self.file_id, self.file_size, self.file_unique_id)


class PhotoSize(Fetchable):
    """One size of a photo."""

    width: int = 0
    height: int = 0


class Document(Fetchable):
    """A file that was sent as a document."""

    file_name: str = ""
    mime_type: str | None = None

    def to_file(self) -> SentFile:
        """The file as a value of the domain."""
        return SentFile(
            self.file_id,
            self.file_name,
            self.mime_type or "",
            self.file_size,
            self.file_unique_id,
        )

    def is_image(self) -> bool:
        """Whether the file is an image by its type or, without a type, by its name."""
        mime = (self.mime_type or "").lower()
        if mime in _UNTYPED:
            return PurePosixPath(self.file_name.lower()).suffix in _IMAGE_SUFFIXES
        return mime.startswith("image/")


class SentMedium(Fetchable):
    """A voice message, a video message or an audio file."""

    duration: int | None = None
    file_name: str = ""

    def to_medium(self, kind: MediaKind) -> Medium:
        """The file as a medium of the domain, with a name whose suffix tells its format."""
        suffix = PurePosixPath(self.file_name.lower()).suffix or _SUFFIXES[kind]
        return Medium(
            self.file_id,
            kind,
            f"{kind}{suffix}",
            self.duration,
            self.file_size,
            self.file_unique_id,
        )


Id = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""The range of a bigint column; Telegram's ids need 52 bits."""

UNREADABLE_KINDS = (
    "animation", "venue", "sticker", "voice", "video_note", "video", "live_photo", "audio",
    "location", "contact", "poll", "dice", "story", "checklist", "game", "invoice",
    "paid_media", "giveaway", "giveaway_winners", "rich_message",
)  # fmt: skip
"""Kinds of content that the bot cannot read.

If a message has two kinds, the first in this list counts: an animation comes with a document, and a
venue with a location.
"""

QUIET_KINDS = frozenset(
    {
        "boost_added", "channel_chat_created", "chat_background_set", "chat_owner_changed",
        "chat_owner_left", "chat_shared", "checklist_tasks_added", "checklist_tasks_done",
        "community_chat_added", "community_chat_joined", "community_chat_removed",
        "connected_website", "delete_chat_photo", "direct_message_price_changed",
        "forum_topic_closed", "forum_topic_created", "forum_topic_edited", "forum_topic_reopened",
        "general_forum_topic_hidden", "general_forum_topic_unhidden", "gift", "gift_upgrade_sent",
        "giveaway_completed", "giveaway_created", "group_chat_created", "left_chat_member",
        "managed_bot_created", "message_auto_delete_timer_changed", "migrate_from_chat_id",
        "migrate_to_chat_id", "new_chat_members", "new_chat_photo", "new_chat_title",
        "paid_message_price_changed", "passport_data", "pinned_message", "poll_option_added",
        "poll_option_deleted", "proximity_alert_triggered", "refunded_payment",
        "successful_payment", "suggested_post_approval_failed", "suggested_post_approved",
        "suggested_post_declined", "suggested_post_paid", "suggested_post_refunded",
        "supergroup_chat_created", "unique_gift", "user_shared", "users_shared",
        "video_chat_ended", "video_chat_participants_invited", "video_chat_scheduled",
        "video_chat_started", "web_app_data", "write_access_allowed",
    }
)  # fmt: skip
"""Fields of service messages, which contain no words of a user. Source: Bot API, Message."""


class Entity(BaseModel):
    """A marked span of a text, in UTF-16 units; `url` is the target if the span is a link."""

    type: str = ""
    offset: Annotated[int, Field(ge=0)] = 0
    length: Annotated[int, Field(ge=0)] = 0
    url: str = ""


def _outer_spans(marks: Iterable[Entity]) -> list[tuple[int, int, str]]:
    """The outermost quotations and blocks of code as (start, end, type), in bytes of UTF-16."""
    spans, end_of_last = list[tuple[int, int, str]](), 0
    for mark in sorted(marks, key=lambda span: (span.offset, -span.length)):
        end = 2 * (mark.offset + mark.length)
        if mark.type in _QUOTED and end > end_of_last:
            spans.append((max(2 * mark.offset, end_of_last), end, mark.type))
            end_of_last = end
    return spans


class RichContent(BaseModel):
    """A rich message, of which only the words are read. Source: Bot API, RichMessage."""

    blocks: list[dict[str, Any]] = []

    def words(self) -> str:
        """The words of the blocks, one line for each block."""
        return "\n".join(
            filter(None, (" ".join(strings_in(block, RICH_WORDS)) for block in self.blocks))
        )


class Sender(BaseModel):
    """A user or bot."""

    id: Id
    is_bot: bool = False
    first_name: str = ""
    username: str | None = None
    language_code: str | None = None

    def to_user(self) -> User:
        """The sender as a domain value."""
        return User(self.id, self.first_name, self.username, self.language_code)


class Chat(BaseModel):
    """The chat of a message."""

    id: Id
    type: str


class Symbol(BaseModel):
    """A sticker or dice, and the `emoji` that it stands for."""

    emoji: str = ""


class Origin(BaseModel):
    """The origin of a forwarded or quoted message."""

    sender_user: Sender | None = None
    sender_user_name: str = ""
    chat: dict[str, Any] | None = None
    sender_chat: dict[str, Any] | None = None

    def name(self) -> str:
        """The author's or channel's name, "" if it is hidden."""
        if self.sender_user:
            return self.sender_user.first_name
        chat = self.chat or self.sender_chat or {}
        return self.sender_user_name or str(chat.get("title") or chat.get("first_name") or "")


class Quote(BaseModel):
    """The part of the replied message that the user quoted."""

    text: str = ""


class Media(BaseModel):
    """The content of a message, apart from its words, or of a message that is replied to."""

    # The other fields show what kind of message it is.
    model_config = ConfigDict(extra="allow")

    photo: list[PhotoSize] = []
    rich_message: RichContent | None = None
    document: Document | None = None
    voice: SentMedium | None = None
    video_note: SentMedium | None = None
    audio: SentMedium | None = None

    def photos(self) -> tuple[Photo, ...]:
        """The photo in its largest size, or the image sent as a file."""
        if self.photo:
            photo = max(
                self.photo, key=lambda size: (size.width * size.height, size.file_size or 0)
            )
            return (photo.to_photo(),)
        return (self.document.to_photo(),) if self.document and self.document.is_image() else ()

    def files(self) -> tuple[SentFile, ...]:
        """The file that is neither an image nor an animation."""
        is_file = self.document and not self.photos() and "animation" not in self.kinds()
        return (self.document.to_file(),) if self.document and is_file else ()

    def media(self) -> tuple[Medium, ...]:
        """The media whose words a feature may transcribe."""
        media: Mapping[MediaKind, SentMedium | None] = {
            "voice": self.voice,
            "video_note": self.video_note,
            "audio": self.audio,
        }
        return tuple(medium.to_medium(kind) for kind, medium in media.items() if medium)

    def unreadable_kind(self) -> str | None:
        """The Bot API's name for content that the bot cannot read, None without such content."""
        if self.photos() or self.files() or self.media():
            return None
        kinds = self.kinds() - ({"rich_message"} if self.rich_words() else set())
        return next((kind for kind in UNREADABLE_KINDS if kind in kinds), None)

    def rich_words(self) -> str:
        """The words of a rich message, one line for each block; "" if it is none."""
        return self.rich_message.words() if self.rich_message else ""

    def kinds(self) -> set[str]:
        """The names of the fields that are filled."""
        return self.model_fields_set


class ExternalReply(Media):
    """A message of another chat that the user replies to; its text comes only as a quote."""

    message_id: Id = 0


class PressedButton(BaseModel):
    """A button under a message of the bot; a button that opens an address has no data."""

    text: str = ""
    callback_data: str = ""


class Markup(BaseModel):
    """The rows of buttons under a message."""

    inline_keyboard: list[list[PressedButton]] = []

    def rows(self) -> Keyboard:
        """The rows as values of the port."""
        return tuple(
            tuple(Button(button.text, button.callback_data) for button in row)
            for row in self.inline_keyboard
        )


class Message(Media):
    """A message; replies are included one level deep."""

    message_id: Id
    date: Id = 0
    chat: Chat
    sender: Sender | None = Field(None, alias="from")
    text: str = ""
    caption: str = ""
    entities: list[Entity] = []
    caption_entities: list[Entity] = []
    media_group_id: str | None = None
    message_thread_id: Id | None = None
    is_topic_message: bool = False
    sticker: Symbol | None = None
    dice: Symbol | None = None
    reply_to_message: "Message | None" = None
    external_reply: ExternalReply | None = None
    quote: Quote | None = None
    forward_origin: Origin | None = None
    via_bot: Sender | None = None
    reply_markup: Markup | None = None
    guest_query_id: str = ""
    ephemeral_message_id: Id | None = None
    group_command: str = ""
    left_out: list[str] = []

    def topic_id(self) -> int | None:
        """The topic in which the message was written; a thread of replies is not a topic."""
        return self.message_thread_id if self.is_topic_message else None

    def is_passed_on(self) -> bool:
        """Whether another person or an inline bot wrote the message."""
        return self.forward_origin is not None or self.via_bot is not None

    def written(self) -> str:
        """The text, the caption, or the words of a rich message."""
        return self.text or self.caption or self.rich_words()

    def written_with_quotations(self) -> str:
        """The text of `written`, with quotations and blocks of code marked as Markdown.

        Quotations are marked because other people may have written them.
        """
        text = self.written()
        utf16 = text.encode("utf-16-le")
        fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
        for start, end, kind in reversed(_outer_spans(self.marks())):
            lines = utf16[start:end].decode("utf-16-le", "ignore").splitlines()
            marked_lines = (
                [fence, *lines, fence] if kind == "pre" else [f"> {line}" for line in lines]
            )
            replacement = "\n".join(marked_lines).encode("utf-16-le")
            line_end = "\n".encode("utf-16-le")
            separator_before = (
                b"" if not start or utf16[start - 2 : start] == line_end else line_end
            )
            separator_after = (
                b"" if end >= len(utf16) or utf16[end : end + 2] == line_end else line_end
            )
            utf16 = utf16[:start] + separator_before + replacement + separator_after + utf16[end:]
        return utf16.decode("utf-16-le", "ignore")

    def marks(self) -> list[Entity]:
        """The marked spans of the text or caption."""
        return self.entities if self.text else self.caption_entities

    def command(self) -> str:
        """The command at the beginning of the text ("/start"), "" if Telegram marks none."""
        marks = (mark for mark in self.entities if mark.type == "bot_command" and not mark.offset)
        return next((self.text[: mark.length] for mark in marks), "")

    def detail(self) -> str:
        """The emoji of a sticker or dice, "" for none, to describe an unreadable message."""
        return (self.sticker or self.dice or Symbol()).emoji


class Callback(BaseModel):
    """A press of a button."""

    id: str
    sender: Sender = Field(alias="from")
    data: str = ""
    message: Message | None = None


class WidgetQuery(BaseModel):
    """A request of a widget. Its data may be anything that a client sends.

    Source: Bot API, WidgetQuery.
    """

    id: str
    sender: Sender = Field(alias="from")
    data: str = ""
    chat: Chat | None = None
    message_id: Id = 0


class Generation(BaseModel):
    """A draft that the user stopped."""

    chat: Chat
    draft_id: Id


class Member(BaseModel):
    """A user's status in a group. Only restricted users come with `is_member`.

    Source: Bot API, ChatMember.
    """

    user: Sender
    status: str
    is_member: bool = False

    def belongs(self) -> bool:
        """Whether the user is in the group."""
        return self.status in _IN_GROUP or (self.status == "restricted" and self.is_member)


_IN_GROUP = frozenset({"creator", "administrator", "member"})


class MemberChange(BaseModel):
    """A change of a user's status in a group where the bot is an administrator."""

    chat: Chat
    new_chat_member: Member


class Update(BaseModel):
    """One update; at most one of its fields is set. Source: Bot API, Update."""

    update_id: Id
    message: Message | None = None
    edited_message: Message | None = None
    callback_query: Callback | None = None
    widget_query: WidgetQuery | None = None
    stopped_message_generation: Generation | None = None
    chat_member: MemberChange | None = None
