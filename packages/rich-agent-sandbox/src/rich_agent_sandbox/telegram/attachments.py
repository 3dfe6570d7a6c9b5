"""Further attachments than text, photos and files, in the Bot API's form.

A recording can be played if it has a sound; otherwise it is a description with a file of a few
bytes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rich_agent_sandbox.sound.ogg import seconds_of
from rich_agent_sandbox.telegram.files import Files

AttachmentKind = Literal[
    "animation", "audio", "contact", "dice", "location", "pinned_message", "poll", "sticker",
    "story", "venue", "video", "video_note", "voice",
]  # fmt: skip
ATTACHMENT_KINDS: tuple[AttachmentKind, ...] = get_args(AttachmentKind)
WITH_CAPTION = frozenset({"animation", "audio", "video", "voice"})
_PLACE = {"latitude": 59.858, "longitude": 17.639}


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment: `fields` are those of the Bot API's Message, `label` is for the page."""

    kind: AttachmentKind
    label: str
    fields: Mapping[str, Any]


def make_recording(kind: AttachmentKind, sound: bytes, files: Files) -> Attachment:
    """A voice message, video message or audio file with a sound."""
    name, mime_type, label = _SOUNDS[kind]
    file = files.add_document(sound, name, mime_type).file
    seconds = round(seconds_of(sound)) or 1
    value = {**file.to_json(), "duration": seconds}
    if kind == "video_note":
        value["length"] = 240
    else:
        value["mime_type"] = mime_type
    if kind == "audio":
        value["file_name"] = name
    return Attachment(kind, f"{label}, {seconds} s", {kind: value})


def make_attachment(kind: AttachmentKind, emoji: str | None, files: Files) -> Attachment:
    """An attachment of this kind; `emoji` is that of a sticker or dice."""
    if kind in _FILES:
        label, details = _FILES[kind]
        file = files.add_document(kind.encode(), kind, None).file
        value = {**file.to_json(), **details}
        if kind == "sticker":
            return Attachment(kind, emoji or "😀", {kind: {**value, "emoji": emoji or "😀"}})
        document_field = {"document": {**file.to_json(), "mime_type": "video/mp4"}}
        return Attachment(
            kind, label, {kind: value} | (document_field if kind == "animation" else {})
        )
    label, fields = _OTHERS[kind](emoji)
    return Attachment(kind, label, fields)


_SOUNDS: Mapping[str, tuple[str, str, str]] = {
    "audio": ("audio.m4a", "audio/mp4", "Audio"),
    "video_note": ("video_note.mp4", "video/mp4", "Video message"),
    "voice": ("voice.ogg", "audio/ogg", "Voice message"),
}
WITH_SOUND = frozenset(_SOUNDS)
_STICKER = {
    "type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False
}  # fmt: skip
_FILES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "animation": ("GIF", {"width": 320, "height": 240, "duration": 2}),
    "audio": ("Audio, 3 min", {"duration": 180, "title": "A song"}),
    "sticker": ("Sticker", _STICKER),
    "video": ("Video, 10 s", {"width": 640, "height": 480, "duration": 10}),
    "video_note": ("Video message, 10 s", {"length": 240, "duration": 10}),
    "voice": ("Voice message, 4 s", {"duration": 4, "mime_type": "audio/ogg"}),
}


def _poll(_: str | None) -> tuple[str, dict[str, Any]]:
    options = [
        {"persistent_id": str(index), "text": text, "voter_count": 0}
        for index, text in enumerate(("Tea", "Coffee"))
    ]
    poll = {
        "id": "1",
        "question": "Tea or coffee?",
        "options": options,
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": True,
        "type": "regular",
        "allows_multiple_answers": False,
        "allows_revoting": False,
        "members_only": False,
    }
    return "Poll: Tea or coffee?", {"poll": poll}


def _venue(_: str | None) -> tuple[str, dict[str, Any]]:
    venue = {"location": _PLACE, "title": "Library", "address": "Main Street 1"}
    return "Library, Main Street 1", {"venue": venue, "location": _PLACE}


def _story(_: str | None) -> tuple[str, dict[str, Any]]:
    chat = {"id": 77, "type": "private", "first_name": "Bob"}
    return "Story", {"story": {"chat": chat, "id": 1}}


def _pinned(_: str | None) -> tuple[str, dict[str, Any]]:
    chat = {"id": 77, "type": "private", "first_name": "Bob"}
    pinned = {"chat": chat, "message_id": 1, "date": 0}
    return "You pinned a message", {"pinned_message": pinned}


_OTHERS: Mapping[str, Callable[[str | None], tuple[str, dict[str, Any]]]] = {
    "contact": lambda _: (
        "Contact: Bob", {"contact": {"phone_number": "+1 555 0100", "first_name": "Bob"}}
    ),
    "dice": lambda emoji: (emoji or "🎲", {"dice": {"emoji": emoji or "🎲", "value": 4}}),
    "location": lambda _: ("Location", {"location": _PLACE}),
    "pinned_message": _pinned,
    "poll": _poll,
    "story": _story,
    "venue": _venue,
}  # fmt: skip
