"""Files of Google Drive, and the formats in which they are read."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from rich_agent.feature.connectors import (
    Entry,
    MediaType,
    Skipped,
    media_type_of,
    media_type_of_path,
)

_GOOGLE: Final = "application/vnd.google-apps."
_EXPORTS: Final[dict[str, tuple[MediaType, str]]] = {
    f"{_GOOGLE}document": (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ".docx",
    ),
    f"{_GOOGLE}spreadsheet": (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ".xlsx",
    ),
    f"{_GOOGLE}presentation": (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        ".pptx",
    ),
}
FILE_FIELDS: Final = (
    "id,name,mimeType,size,md5Checksum,modifiedTime,webViewLink,trashed,capabilities/canDownload"
)
"""Fields of a file that are requested."""
READABLE: Final = f"trashed = false and mimeType != '{_GOOGLE}folder'"
"""Query for all files except folders and the trash."""


class GoogleAnswer(BaseModel):
    """An object in an answer, with names in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class _Capabilities(GoogleAnswer):
    can_download: bool = True


class DriveFile(GoogleAnswer):
    """A file with the requested fields."""

    id: str
    name: str
    mime_type: str
    modified_time: datetime
    md5_checksum: str = ""
    size: int = 0
    web_view_link: str = ""
    trashed: bool = False
    capabilities: _Capabilities = _Capabilities()

    @property
    def media_type(self) -> MediaType | None:
        """The media type in which the file is read, None if such files are not read."""
        if self.mime_type in _EXPORTS:
            return _EXPORTS[self.mime_type][0]
        if self.mime_type.startswith(_GOOGLE):
            return None
        return media_type_of_path(self.name) or media_type_of(self.mime_type, "")

    @property
    def export_suffix(self) -> str:
        """The suffix of the exported format, "" if the file is not exported."""
        return _EXPORTS.get(self.mime_type, ("", ""))[1]

    def entry(self) -> Entry:
        """The file's entry. A new name is a new version, because the name is the title."""
        content_version = self.md5_checksum or self.modified_time.isoformat()
        name_hash = sha256(self.name.encode("utf-8", "replace")).hexdigest()
        url = self.web_view_link or f"https://drive.google.com/open?id={self.id}"
        return Entry(self.id, url, f"{content_version} {name_hash[:12]}", place=self.id)


def documents_of(files: Sequence[DriveFile]) -> tuple[tuple[Entry, ...], Skipped]:
    """The entries of files that can be read, and the skipped files."""
    skips, entries = Skipped(), []
    for file in files:
        if file.media_type is not None:
            entries.append(file.entry())
        elif file.mime_type != f"{_GOOGLE}folder":
            kind = file.mime_type.removeprefix(_GOOGLE)
            skips.add(kind, file.name)
    return tuple(entries), skips
