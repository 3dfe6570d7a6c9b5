"""The files of both sides in memory, with Telegram's ids and photo sizes."""

import base64
import contextlib
import hashlib
import io
import itertools
import math
import mimetypes
import secrets
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from PIL import Image

from rich_agent_sandbox.telegram.refusals import bad_request

DOWNLOAD_LIMIT_BYTES = 20_000_000  # https://core.telegram.org/bots/api#getfile
THUMBNAIL_SIDES = (90, 320)
# Larger pictures are delivered unchanged, but not decoded here.
DECODED_PIXELS_LIMIT = 25_000_000
UNREADABLE_SIZE = (800, 600)
# The formats of Telegram's photos, and of pictures that clients send as photos. Readers of other
# formats (EPS, WMF) would run programs of this machine.
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
# The exceptions of Pillow's readers for invalid or truncated data.
_BROKEN_PICTURE = (
    EOFError,
    IndexError,
    KeyError,
    OSError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The bytes of one file_id; `path` is the one that getFile returns."""

    file_id: str
    unique_id: str
    path: str
    content: bytes
    mime_type: str | None
    file_name: str | None = None
    announced_bytes: int | None = None

    @property
    def size_bytes(self) -> int:
        """The announced size, so that a huge file can be refused without being sent."""
        return self.announced_bytes or len(self.content)

    def to_json(self) -> dict[str, Any]:
        """The fields of every file object of the Bot API."""
        return {
            "file_id": self.file_id,
            "file_unique_id": self.unique_id,
            "file_size": self.size_bytes,
        }


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture in three sizes, smallest first; the last size has the original bytes."""

    sizes: tuple[dict[str, Any], ...]

    @property
    def largest_id(self) -> str:
        """The file_id of the picture as it was sent."""
        return str(self.sizes[-1]["file_id"])


@dataclass(frozen=True, slots=True)
class Document:
    """A file that is sent unchanged."""

    file: StoredFile

    def to_json(self) -> dict[str, Any]:
        """The document in the Bot API's form."""
        optional_fields = {"file_name": self.file.file_name, "mime_type": self.file.mime_type}
        known_fields = {name: value for name, value in optional_fields.items() if value is not None}
        return {**known_fields, **self.file.to_json()}


@dataclass(frozen=True, slots=True)
class PictureSize:
    """One size of a picture, ready to be stored."""

    content: bytes
    width: int
    height: int


@dataclass(slots=True)
class Files:
    """All files of the sandbox, by file_id and by path."""

    _by_id: dict[str, StoredFile] = field(default_factory=dict)
    _by_path: dict[str, StoredFile] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def add_photo(self, sizes: tuple[PictureSize, ...]) -> Photo:
        """Store the sizes of a picture (see `picture_sizes`), each under a new file_id."""
        size_objects = []
        for size in sizes:
            file = self._store("AgACAgIAAxkBAAI", "photos", size.content, "image.jpg")
            size_objects.append({**file.to_json(), "width": size.width, "height": size.height})
        return Photo(tuple(size_objects))

    def add_document(
        self,
        content: bytes,
        file_name: str,
        mime_type: str | None,
        announced_bytes: int | None = None,
    ) -> Document:
        """Store a file; None as type is replaced by a guess from the name, "" means no type."""
        stored_file = self._store(
            "BQACAgIAAxkBAAI", "documents", content, file_name, mime_type=mime_type
        )
        return Document(self._put(replace(stored_file, announced_bytes=announced_bytes)))

    def _store(
        self, prefix: str, folder: str, content: bytes, name: str, *, mime_type: str | None = None
    ) -> StoredFile:
        digest = hashlib.sha256(content).digest()
        file = StoredFile(
            file_id=prefix + secrets.token_urlsafe(42),
            unique_id="AQAD" + base64.urlsafe_b64encode(digest[:9]).decode(),
            path=f"{folder}/file_{next(self._numbers)}{PurePosixPath(name).suffix[:16]}",
            content=content,
            mime_type=guess_mime_type(name) if mime_type is None else mime_type or None,
            file_name=name,
        )
        return self._put(file)

    def _put(self, file: StoredFile) -> StoredFile:
        self._by_id[file.file_id] = file
        self._by_path[file.path] = file
        return file

    def find(self, file_id: str) -> StoredFile | None:
        """The file with an id, None if there is none."""
        return self._by_id.get(file_id)

    def find_path(self, path: str) -> StoredFile | None:
        """The file with a path of getFile, None if there is none."""
        return self._by_path.get(path)

    def describe_download(self, file_id: str) -> dict[str, Any]:
        """The `File` object of getFile.

        Raises: BotApiError for an unknown file, or one over 20 MB.
        """
        file = self.find(file_id)
        if file is None:
            raise bad_request("invalid file_id")
        if file.size_bytes > DOWNLOAD_LIMIT_BYTES:
            raise bad_request("file is too big")
        return {**file.to_json(), "file_path": file.path}

    def all(self) -> list[StoredFile]:
        """All files, in the order in which they were added."""
        return list(self._by_id.values())

    def restore(self, files: Sequence[StoredFile]) -> None:
        """Load the files of an earlier run; new paths differ from theirs."""
        for file in files:
            self._put(file)
        self._numbers = itertools.count(len(files))

    def forget(self) -> None:
        """Drop all files; new paths differ from theirs."""
        self._by_id.clear()
        self._by_path.clear()


def guess_mime_type(name: str) -> str:
    """The type that a client would announce for a file with this name."""
    if name.lower().endswith((".heic", ".heif")):
        return "image/heic"
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def picture_sizes(content: bytes) -> tuple[PictureSize, ...]:
    """Two JPEG thumbnails and the original bytes, smallest first.

    Unreadable pictures get blank thumbnails, because users can send them as well.
    """
    size = pixel_size(content)
    picture = _decoded(content) if size and math.prod(size) <= DECODED_PIXELS_LIMIT else None
    return (*_thumbnails(picture), PictureSize(content, *(size or UNREADABLE_SIZE)))


def pixel_size(content: bytes) -> tuple[int, int] | None:
    """The width and height in the header, None if it is not a picture.

    Nothing is decoded, so a picture of any size is safe here; Image.open would refuse a large one.
    """
    Image.init()
    for name in _FORMATS:
        factory, accepts = Image.OPEN[name]
        with contextlib.suppress(*_BROKEN_PICTURE):
            if accepts is None or accepts(content[:16]) is True:
                with factory(io.BytesIO(content), "") as image:
                    return image.size
    return None


def _thumbnails(picture: Image.Image | None) -> Iterator[PictureSize]:
    if picture is None:
        picture = Image.new("RGB", UNREADABLE_SIZE, (128, 128, 128))
    for side in THUMBNAIL_SIDES:
        thumbnail = picture.copy()
        thumbnail.thumbnail((side, side))
        buffer = io.BytesIO()
        thumbnail.save(buffer, "JPEG")
        yield PictureSize(buffer.getvalue(), thumbnail.width, thumbnail.height)


def _decoded(content: bytes) -> Image.Image | None:
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            return image.convert("RGB")
    except (*_BROKEN_PICTURE, Image.DecompressionBombError):
        return None
