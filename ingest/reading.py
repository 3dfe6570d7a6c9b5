"""Lists what a source holds, and reads one document of it, from the web or from a folder.

A file is read only inside the folder that was registered; links that lead out are not followed.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from glob import escape
from pathlib import Path, PurePosixPath
from types import MappingProxyType, TracebackType
from typing import Final, Literal, Self
from urllib.parse import quote, unquote, urlsplit

from ingest.fetching import Fetcher, FetchError, FetchOptions, Page
from ingest.files import FileError, list_folder, read_file
from ingest.sources import Source, addresses, local_path

MediaType = Literal["text/html", "text/markdown", "text/plain"]

_BY_SUFFIX: Final[Mapping[str, MediaType]] = MappingProxyType(
    {
        ".md": "text/markdown",
        ".markdown": "text/markdown",
        ".html": "text/html",
        ".htm": "text/html",
        ".txt": "text/plain",
        ".rst": "text/plain",
    }
)
_BY_CONTENT_TYPE: Final[Mapping[str, MediaType]] = MappingProxyType(
    {
        "text/html": "text/html",
        "application/xhtml+xml": "text/html",
        "text/markdown": "text/markdown",
        "text/x-markdown": "text/markdown",
        "text/x-rst": "text/plain",
    }
)
_SAYS_LITTLE = frozenset({"", "text/plain", "application/octet-stream"})
_MOST_FILES = 50_000


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document's bytes as they came; `charset` is what the server said, if it did."""

    url: str
    data: bytes
    media_type: MediaType
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that the document is the one we have."""

    url: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be had; `is_gone` if it was there once and is known not to be."""

    url: str
    reason: str
    is_gone: bool = False


Outcome = RawDocument | NotModified | Unreadable


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server sent with a page, to ask it whether the page is still that one."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The addresses of a source's documents, each once.

    If it is not complete, `problem` says why, and nothing may be taken for removed. `skipped`
    counts what is there and is no document.
    """

    urls: tuple[str, ...]
    is_complete: bool
    skipped: int = 0
    problem: str = ""


class Reader:
    """Reads sources; many documents may be read at once, it keeps to the limits by itself."""

    def __init__(self, options: FetchOptions | None = None) -> None:
        self._options = options or FetchOptions()
        self._fetcher = Fetcher(self._options)
        self._open_files = asyncio.Semaphore(self._options.concurrency)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._fetcher.aclose()

    async def list_documents(self, source: Source) -> Listing:
        """What the source holds now; a failure is a listing that is not complete."""
        match source.type:
            case "page":
                return Listing((source.root_url,), is_complete=True)
            case "url-list":
                return await self._list_addresses(source)
            case "sitemap":
                return Listing((), is_complete=False, problem="sitemaps cannot be read yet")
            case "file" | "folder":
                return await asyncio.to_thread(_list_files, source)

    async def read(self, source: Source, url: str, validators: Validators) -> Outcome:
        """A document of the source's listing."""
        if source.type in {"file", "folder"}:
            return await self._read_file(source, url)
        return await self._read_page(url, validators)

    async def _list_addresses(self, source: Source) -> Listing:
        try:
            data = await self._list_bytes(source)
        except (FetchError, FileError) as error:
            return Listing((), is_complete=False, problem=f"{source.root_url}: {error}")
        found, refused = addresses(data.decode("utf-8-sig", errors="replace"))
        problem = "" if found else f"{source.root_url} holds no address"
        if refused:
            problem = f"{source.root_url}: {refused[0][:100]!r} is no web address"
        return Listing(tuple(found), not problem, len(refused), problem)

    async def _list_bytes(self, source: Source) -> bytes:
        path = local_path(source.root_url)
        if path is not None:
            return await asyncio.to_thread(read_file, path.parent, path, self._options.max_bytes)
        page = await self._fetcher.fetch(source.root_url)
        return page.data if page else b""

    async def _read_page(self, url: str, validators: Validators) -> Outcome:
        try:
            page = await self._fetcher.fetch(
                url, etag=validators.etag, last_modified=validators.last_modified
            )
        except FetchError as error:
            return Unreadable(url, str(error), error.is_gone)
        return NotModified(url) if page is None else _document(url, page)

    async def _read_file(self, source: Source, url: str) -> Outcome:
        async with self._open_files:
            return await asyncio.to_thread(_read_file, source, url, self._options.max_bytes)


def _list_files(source: Source) -> Listing:
    path = _root(source)
    if source.type == "file":
        return Listing((_published(source, path),), is_complete=True)
    found = list_folder(path, frozenset(_BY_SUFFIX), _MOST_FILES)
    urls = dict.fromkeys(_published(source, file) for file in found.paths)
    skipped = found.skipped + len(found.paths) - len(urls)
    return Listing(tuple(urls), not found.problem, skipped, found.problem)


def _read_file(source: Source, url: str, most_bytes: int) -> Outcome:
    path = _file_of(source, url)
    try:
        data = read_file(_folder(source), path, most_bytes)
    except FileError as error:
        return Unreadable(url, str(error), error.is_gone)
    return RawDocument(url, data, _BY_SUFFIX.get(path.suffix.lower(), "text/plain"))


def _root(source: Source) -> Path:
    return Path(unquote(urlsplit(source.root_url).path))


def _folder(source: Source) -> Path:
    root = _root(source)
    return root.parent if source.type == "file" else root


def _published(source: Source, path: Path) -> str:
    """The address of a file: where it is published, or its own."""
    if not source.base_url:
        return path.as_uri()
    place = path.relative_to(_folder(source))
    if source.strip_suffix:
        place = place.with_suffix("")
    return f"{source.base_url}/{quote(place.as_posix())}"


def _file_of(source: Source, url: str) -> Path:
    """The file that has this address; for one that is not there, where it would be."""
    if source.type == "file":
        return _root(source)
    if not source.base_url:
        return Path(unquote(urlsplit(url).path))
    path = _root(source) / unquote(url.removeprefix(f"{source.base_url}/"))
    if not source.strip_suffix:
        return path
    siblings = sorted(path.parent.glob(f"{escape(path.name)}.*"))
    named = (file for file in siblings if file.stem == path.name)
    return next((file for file in named if file.suffix.lower() in _BY_SUFFIX), path)


def _document(url: str, page: Page) -> Outcome:
    message = Message()
    message["Content-Type"] = page.content_type
    content_type = message.get_content_type() if page.content_type else ""
    media_type = _media_type(content_type, url)
    if media_type is None:
        return Unreadable(url, f"the page is {content_type}, which cannot be read yet")
    charset = message.get_content_charset()
    return RawDocument(url, page.data, media_type, charset, page.etag, page.last_modified)


def _media_type(content_type: str, url: str) -> MediaType | None:
    """What a page is; servers that know no Markdown call it plain text."""
    if content_type in _BY_CONTENT_TYPE:
        return _BY_CONTENT_TYPE[content_type]
    if content_type not in _SAYS_LITTLE:
        return None
    by_suffix = _BY_SUFFIX.get(PurePosixPath(urlsplit(url).path).suffix.lower())
    if content_type == "text/plain":
        return "text/markdown" if by_suffix == "text/markdown" else "text/plain"
    return by_suffix
