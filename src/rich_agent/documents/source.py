"""Sources of documents: web pages, lists of addresses, sitemaps, files, folders and services."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from wcmatch import glob

from rich_agent.errors import RichAgentError

_WEB_SCHEMES = frozenset({"http", "https"})
_LIST_SIZE_BYTES = 1_000_000
_SITEMAP_NAME = re.compile(r"sitemap.*\.(xml(\.gz)?|txt)|.*\.xml\.gz")
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_OF_FILES = frozenset({"file", "folder"})
_OF_MANY = frozenset({"folder", "url-list", "sitemap"})

_LONGEST_NAME = 60
SITEMAP_DEPTH = 3
SourceJob = Literal["content", "rights", "watch"]
"""The jobs of a source: read its documents, read its rights, watch its folder."""
SourceType = Literal["page", "url-list", "sitemap", "file", "folder", "connected", "upload"]
"""The types of sources. A connected source is read from a service, an upload from the database."""


class SourceError(RichAgentError):
    """The target cannot be registered as a source."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place from which documents are read."""

    id: str
    type: SourceType
    root_url: str
    """An http(s) address, or the file:// URI of an absolute path."""
    name: str
    status: Literal["active", "inactive"] = "active"
    internal: bool = False
    base_url: str = ""
    """Address at which the folder, or the folder of a single file, is published, "" for none.

    The address of a file is this address and the file's relative path.
    """
    strip_suffix: bool = False
    """Whether published addresses lack the suffix of the file."""
    include: tuple[str, ...] = ()
    """Patterns of documents to read, as in `Selection`."""
    exclude: tuple[str, ...] = ()
    """Patterns of documents to leave out, as in `Selection`."""
    depth: int = SITEMAP_DEPTH
    """Deepest level of nested sitemaps."""
    space: str = ""
    """Space whose readers may read the source, "" if everybody who may use the bot may read it."""


def make_source(  # noqa: PLR0913 - what `ingest add-source` can be told
    target: str,
    *,
    kind: SourceType | None = None,
    name: str | None = None,
    internal: bool = False,
    base_url: str = "",
    strip_suffix: bool = False,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    depth: int | None = None,
    space: str = "",
) -> Source:
    """The source for an address or a path; without `kind`, the kind is detected.

    The id depends only on kind and address, so a target always gives the same source.

    Raises: SourceError for a missing path, an address without a scheme, or an unfit kind or option.
    """
    _require_target(kind, target)
    root_url = root_address(target)
    path = local_path(root_url)
    source_type = kind or (_kind_of_path(path) if path else kind_of_address(root_url))
    _require_fit(source_type, target, path)
    _require_use(source_type, base_url=base_url, patterns=[*include, *exclude], depth=depth)
    digest = sha256(f"{source_type}\n{root_url}".encode()).hexdigest()
    return Source(
        id=f"src_{digest[:12]}",
        type=source_type,
        root_url=root_url,
        name=name or _default_name(root_url, path),
        internal=internal,
        base_url=web_address(base_url).rstrip("/") if base_url else "",
        strip_suffix=strip_suffix,
        include=tuple(filter(None, include)),
        exclude=tuple(filter(None, exclude)),
        depth=SITEMAP_DEPTH if depth is None else depth,
        space=space,
    )


def connected_source(
    name: str, root_url: str, *, internal: bool = False, space: str = ""
) -> Source:
    """The source of a connected service. The same name always gives the same source.

    Raises: SourceError for a name that cannot be part of a principal.
    """
    if not name or len(name) > _LONGEST_NAME or any(char.isspace() or char == ":" for char in name):
        hint = f"Give it one word of at most {_LONGEST_NAME} characters, without a colon."
        raise SourceError(f"{name}: this cannot be the name of a service", hint=hint)
    digest = sha256(f"connected\n{name.lower()}".encode()).hexdigest()
    return Source(
        id=f"src_{digest[:12]}",
        type="connected",
        root_url=root_url,
        name=name,
        internal=internal,
        space=space,
    )


def uploaded_source(name: str, *, space: str = "") -> Source:
    """The source of uploaded files with a name. The same name always gives the same source.

    Raises: SourceError for a name that is empty or too long.
    """
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST_NAME:
        hint = f"Give them a name of at most {_LONGEST_NAME} characters."
        raise SourceError("uploaded files need a short name", hint=hint)
    digest = sha256(f"upload\n{name.lower()}".encode()).hexdigest()
    source_id = f"src_{digest[:12]}"
    return Source(
        id=source_id, type="upload", root_url=f"upload:{source_id}", name=name, space=space
    )


def root_address(target: str) -> str:
    """The normal form of an http(s) address, or the file:// URI of an existing path.

    Raises: SourceError.
    """
    scheme = urlsplit(target.strip()).scheme.lower() if "://" in target else ""
    if scheme in _WEB_SCHEMES:
        return web_address(target)
    if scheme not in {"", "file"}:
        raise SourceError(
            f"{target}: addresses that begin with {scheme}:// are not read",
            hint="Give an http:// or https:// address, or a path on this machine.",
        )
    path = local_path(target) if scheme else Path(target).expanduser()
    if path is None or not path.exists():
        raise SourceError(
            f"{target}: there is no such file or folder",
            hint=f"Check the path; for a web page write https://{target.lstrip('/')}"
            if _looks_like_host(target)
            else "Check the path.",
        )
    return path.resolve().as_uri()


def web_address(address: str) -> str:
    """The address in its normal form, without its fragment.

    The host is in lower case, the default port is left out, and no character is escaped needlessly.
    Raises: SourceError if the address is not http(s), or contains a user name or password.
    """
    import httpx  # noqa: PLC0415 - a fifth of the start of commands that need no address

    try:
        url = httpx.URL(address.strip())
    except httpx.InvalidURL as error:
        raise SourceError(f"{address}: {error}", hint="Check the address.") from error
    if url.scheme not in _WEB_SCHEMES or not url.host:
        raise SourceError(
            f"{address}: this is not a web address", hint="Begin it with http:// or https://."
        )
    if url.userinfo:
        raise SourceError(
            f"an address of {url.host} contains a user name or a password",
            hint="Give an address that opens without one.",
        )
    target = _ESCAPED.sub(_unescape, url.raw_path.decode("ascii"))
    return str(url.copy_with(fragment=None, raw_path=target.encode("ascii")))


def local_path(root_url: str) -> Path | None:
    """The path of a file:// URI, None for any other address."""
    parts = urlsplit(root_url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def addresses(lines: str) -> tuple[list[str], list[str]]:
    """The distinct addresses in a URL list, in order, and the lines that are no addresses.

    Empty lines and lines that begin with # are ignored.
    """
    urls: dict[str, None] = {}
    odd_lines: list[str] = []
    for line in (line.strip() for line in lines.splitlines()):
        if not line or line.startswith("#"):
            continue
        try:
            urls[web_address(line)] = None
        except SourceError:
            odd_lines.append(line)
    return list(urls), odd_lines


def _unescape(match: re.Match[str]) -> str:
    """A percent escape, decoded if its character is unreserved, else in capitals.

    Source: RFC 3986, 6.2.2.
    """
    character = chr(int(match[0][1:], 16))
    return character if _UNRESERVED.fullmatch(character) else match[0].upper()


def _kind_of_path(path: Path) -> SourceType:
    if path.is_dir():
        return "folder"
    if path.suffix.lower() in {"", ".txt"} and path.stat().st_size <= _LIST_SIZE_BYTES:
        urls, odd_lines = addresses(path.read_text("utf-8", errors="replace"))
        if urls and not odd_lines:
            return "url-list"
    return "file"


def kind_of_address(address: str) -> SourceType:
    """The kind of a web address: a sitemap by its name, else a page."""
    name = urlsplit(address).path.rpartition("/")[2].lower()
    return "sitemap" if _SITEMAP_NAME.fullmatch(name) else "page"


def _require_target(kind: SourceType | None, target: str) -> None:
    """Check that sources of this kind are made from a target. Raises: SourceError."""
    if kind == "connected":
        raise SourceError(f"{target}: a service is connected", hint="Use `ingest connect`.")
    if kind == "upload":
        hint = "Add the file by its path, or upload it on the page Knowledge of the bot."
        raise SourceError(f"{target}: files are uploaded on a page", hint=hint)


def _require_fit(kind: SourceType, target: str, path: Path | None) -> None:
    is_fitting_by_kind = {
        "page": path is None,
        "sitemap": path is None,
        "url-list": path is None or path.is_file(),
        "file": path is not None and path.is_file(),
        "folder": path is not None and path.is_dir(),
    }
    if not is_fitting_by_kind[kind]:
        target_phrase_by_kind = {
            "page": "a web address",
            "sitemap": "a web address",
            "url-list": "a file or a web address",
            "file": "a file on this machine",
            "folder": "a folder on this machine",
        }
        raise SourceError(
            f"{target}: a {kind} source is {target_phrase_by_kind[kind]}",
            hint="Leave the kind out; it is detected from the target.",
        )


def _require_use(
    kind: SourceType, *, base_url: str, patterns: Sequence[str], depth: int | None
) -> None:
    """Check the options. Raises: SourceError for an option that does not apply to this kind."""
    if base_url and kind not in _OF_FILES:
        raise SourceError(
            f"a {kind} source has its own addresses",
            hint="Leave the base address out; it is for files and folders.",
        )
    if any(patterns) and kind not in _OF_MANY:
        raise SourceError(
            f"a {kind} source is one document, so patterns do not apply",
            hint="Leave the patterns out; they are for folders, URL lists and sitemaps.",
        )
    if depth is not None and kind != "sitemap":
        raise SourceError(
            f"a {kind} source has no nested sitemaps",
            hint="Leave the depth out; it is for sitemaps.",
        )


def _looks_like_host(target: str) -> bool:
    return "." in target.partition("/")[0].strip(".")


def _default_name(root_url: str, path: Path | None) -> str:
    if path is not None:
        return path.name or str(path)
    url_parts = urlsplit(root_url)
    return url_parts.netloc + url_parts.path.rstrip("/")


LEFT_OUT = "left out by --include or --exclude"
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX


class Selection:
    """A selection of paths: they match any `include` pattern, if given, and no `exclude` pattern.

    `*` and `?` match within one part of a path, `**` matches across parts. A pattern without a
    slash matches the last part, at any depth. Any other pattern matches the whole path, with or
    without a leading slash.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._matcher = glob.compile(
            [_anchor_pattern(pattern) for pattern in include] or ["**"],
            flags=_FLAGS,
            exclude=[_anchor_pattern(pattern) for pattern in exclude],
        )

    def has(self, path: str) -> bool:
        """Whether the path, relative to the folder or the host, is selected."""
        return self._matcher.match(path.lstrip("/"))


def _anchor_pattern(pattern: str) -> str:
    return pattern.lstrip("/") if "/" in pattern else f"**/{pattern}"
