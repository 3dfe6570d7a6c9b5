"""Files in the Bot API's messages, as values of the domain. Only what is read is checked."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from pydantic import BaseModel

from rich_agent.domain.message import Photo, SentFile
from rich_agent.domain.voice import Recording, RecordingKind

_IMAGE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp"}
    | {".heic", ".heif", ".avif", ".tif", ".tiff"}
)
_UNTYPED = frozenset({"", "application/octet-stream"})
_SOUND_SUFFIXES: Mapping[RecordingKind, str] = {
    "voice": ".ogg",
    "video_note": ".mp4",
    "audio": ".mp3",
}
"""The formats in which Telegram has them. Source: Bot API, Voice, VideoNote and sendAudio."""


class Fetchable(BaseModel):
    """A file that can be fetched."""

    file_id: str
    file_unique_id: str = ""
    file_size: int | None = None

    def to_photo(self) -> Photo:
        """The file as an image, free of the wire format."""
        return Photo(self.file_id, self.file_size, self.file_unique_id)


class PhotoSize(Fetchable):
    """One size of a photo."""

    width: int = 0
    height: int = 0


class Document(Fetchable):
    """A file sent as it is."""

    file_name: str = ""
    mime_type: str | None = None

    def to_file(self) -> SentFile:
        """The file free of the wire format."""
        return SentFile(
            self.file_id,
            self.file_name,
            self.mime_type or "",
            self.file_size,
            self.file_unique_id,
        )

    def is_image(self) -> bool:
        """Whether its type, or its name if it has no type, is that of an image."""
        mime = (self.mime_type or "").lower()
        if mime in _UNTYPED:
            return PurePosixPath(self.file_name.lower()).suffix in _IMAGE_SUFFIXES
        return mime.startswith("image/")


class SentSound(Fetchable):
    """A voice message, a video message or an audio file."""

    duration: int | None = None
    file_name: str = ""

    def to_recording(self, kind: RecordingKind) -> Recording:
        """The file as a recording, under a name that tells its format."""
        suffix = PurePosixPath(self.file_name.lower()).suffix or _SOUND_SUFFIXES[kind]
        return Recording(
            self.file_id,
            kind,
            f"{kind}{suffix}",
            self.duration,
            self.file_size,
            self.file_unique_id,
        )
