"""Lists and reads the files of a source, with blocking calls that need a thread."""

import os
from glob import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

from rich_agent.documents.fetch.files import FileError, list_folder, read_file
from rich_agent.documents.fetch.outcomes import Listing, Outcome, RawDocument, Unreadable
from rich_agent.documents.media import SUFFIXES, media_type_of_path
from rich_agent.documents.source import LEFT_OUT, Selection, Source, local_path

_MOST_FILES: Final = 50_000


def list_files(source: Source) -> Listing:
    """The current listing of a file or folder source; an incomplete listing after a failure."""
    folder, name = _place(source)
    if name:
        return Listing((_address(source, folder, name),), is_complete=True)
    selection = Selection(source.include, source.exclude)

    def why_not(path: str) -> str:
        if not _is_document(path):
            return Path(path).suffix.lower().removeprefix(".") or "without a suffix"
        return "" if selection.has(path) else LEFT_OUT

    folder_listing = list_folder(folder, why_not, _MOST_FILES)
    urls: dict[str, None] = {}
    for path in folder_listing.paths:
        url = _address(source, folder, path)
        if url in urls:
            folder_listing.skipped.add("with the address of another file", path)
        urls[url] = None
    return Listing(
        tuple(urls), not folder_listing.problem, folder_listing.skipped, folder_listing.problem
    )


def read_document(source: Source, url: str, most_bytes: int) -> Outcome:
    """The file of the source with this address; Unreadable if it has more than `most_bytes`."""
    folder, file_name = _place(source)
    try:
        path = file_name or _path_of(source, folder, url)
        content = read_file(folder, path, most_bytes)
    except FileError as error:
        return Unreadable(url, str(error), error.is_gone)
    return RawDocument(url, content, media_type_of_path(path) or "text/plain")


def moves(before: Source, after: Source) -> tuple[str, str] | None:
    """The old and the new prefix of the addresses of a file or folder source.

    None if the prefix stays, or if the addresses change beyond the prefix; then all files count as
    new.
    """
    strips_suffixes = [bool(source.base_url and source.strip_suffix) for source in (before, after)]
    if before.base_url == after.base_url or strips_suffixes[0] != strips_suffixes[1]:
        return None
    return _prefix(before, _place(before)[0]), _prefix(after, _place(after)[0])


def _place(source: Source) -> tuple[str, str]:
    """The folder of a source, and the name of its single file, "" for a whole folder."""
    root = str(local_path(source.root_url))
    if source.type == "folder":
        return root, ""
    folder, _, name = root.rpartition("/")
    return folder or "/", name


def _is_document(path: str) -> bool:
    return media_type_of_path(path) is not None


def _address(source: Source, folder: str, path: str) -> str:
    """The address at which a file is published, or its file:// URI."""
    if source.base_url and source.strip_suffix:
        path = path.removesuffix(Path(path).suffix)
    return _prefix(source, folder) + quote_from_bytes(os.fsencode(path))


def _path_of(source: Source, folder: str, url: str) -> str:
    """The path below the folder for an address. The file may be missing."""
    prefix = _prefix(source, folder)
    if not url.startswith(prefix):
        raise FileError("the address is not one of this folder")
    path = os.fsdecode(unquote_to_bytes(url.removeprefix(prefix)))
    if not (source.base_url and source.strip_suffix):
        return path
    return _with_suffix(folder, path)


def _with_suffix(folder: str, path: str) -> str:
    """The path of the first file with any readable suffix, else the path itself."""
    for suffix in SUFFIXES:
        if Path(folder, path + suffix).is_file():
            return path + suffix
    parent, slash, name = path.rpartition("/")
    siblings = sorted(Path(folder, parent).glob(f"{escape(name)}.*"))
    unusual_suffixes = (
        file.suffix for file in siblings if file.stem == name and _is_document(file.name)
    )
    return f"{parent}{slash}{name}{next(unusual_suffixes, '')}"


def _prefix(source: Source, folder: str) -> str:
    base = source.base_url or Path(folder).as_uri()
    return base.rstrip("/") + "/"
