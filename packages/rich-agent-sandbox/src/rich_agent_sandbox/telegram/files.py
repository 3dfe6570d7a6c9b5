"""The files of both sides, held in memory, with Telegram's ids and photo sizes."""

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
# Those of a photo in Telegram or of a picture that a client sends as one. Others (EPS, WMF) would
# run programs of this machine.
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
    """Bytes under one file_id; `path` is what getFile answers."""

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
        """Return the fields that every file object of the Bot API has."""
        return {
            "file_id": self.file_id,
            "file_unique_id": self.unique_id,
            "file_size": self.size_bytes,
        }


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture in three sizes, smallest first; the last one has the original bytes."""

    sizes: tuple[dict[str, Any], ...]

    @property
    def largest_id(self) -> str:
        """The file_id of the picture as it was sent."""
        return str(self.sizes[-1]["file_id"])


@dataclass(frozen=True, slots=True)
class Document:
    """A file that is sent as it is."""

    file: StoredFile

    def to_json(self) -> dict[str, Any]:
        """As the Bot API writes it."""
        described = {"file_name": self.file.file_name, "mime_type": self.file.mime_type}
        told = {name: value for name, value in described.items() if value is not None}
        return {**told, **self.file.to_json()}


@dataclass(frozen=True, slots=True)
class PictureSize:
    """One size of a picture, ready to be stored."""

    content: bytes
    width: int
    height: int


@dataclass(slots=True)
class Files:
    """Every file of the sandbox, by file_id and by path."""

    _by_id: dict[str, StoredFile] = field(default_factory=dict)
    _by_path: dict[str, StoredFile] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def add_photo(self, sizes: tuple[PictureSize, ...]) -> Photo:
        """Store the sizes of a picture (see `picture_sizes`); each gets its own new file_id."""
        stored = []
        for size in sizes:
            file = self._store("AgACAgIAAxkBAAI", "photos", size.content, "image.jpg")
            stored.append({**file.to_json(), "width": size.width, "height": size.height})
        return Photo(tuple(stored))

    def add_document(
        self,
        content: bytes,
        file_name: str,
        mime_type: str | None,
        announced_bytes: int | None = None,
    ) -> Document:
        """Store a file; a missing type is guessed from the name, "" means no type."""
        stored = self._store(
            "BQACAgIAAxkBAAI", "documents", content, file_name, mime_type=mime_type
        )
        return Document(self._put(replace(stored, announced_bytes=announced_bytes)))

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
        """The file of an id, or None."""
        return self._by_id.get(file_id)

    def find_path(self, path: str) -> StoredFile | None:
        """The file of a path that getFile gave, or None."""
        return self._by_path.get(path)

    def describe_download(self, file_id: str) -> dict[str, Any]:
        """The `File` object of getFile. Raises: BotApiError when unknown or over 20 MB."""
        file = self.find(file_id)
        if file is None:
            raise bad_request("invalid file_id")
        if file.size_bytes > DOWNLOAD_LIMIT_BYTES:
            raise bad_request("file is too big")
        return {**file.to_json(), "file_path": file.path}

    def all(self) -> list[StoredFile]:
        """Every file, in the order they came."""
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
    """Two JPEG thumbnails and the bytes as given, smallest first.

    Unreadable pictures get blank thumbnails, because users can send them too.
    """
    size = pixel_size(content)
    picture = _decoded(content) if size and math.prod(size) <= DECODED_PIXELS_LIMIT else None
    return (*_thumbnails(picture), PictureSize(content, *(size or UNREADABLE_SIZE)))


def pixel_size(content: bytes) -> tuple[int, int] | None:
    """Width and height from the header, None if it is not a picture.

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
        small = picture.copy()
        small.thumbnail((side, side))
        buffer = io.BytesIO()
        small.save(buffer, "JPEG")
        yield PictureSize(buffer.getvalue(), small.width, small.height)


def _decoded(content: bytes) -> Image.Image | None:
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            return image.convert("RGB")
    except (*_BROKEN_PICTURE, Image.DecompressionBombError):
        return None
