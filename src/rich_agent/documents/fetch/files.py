"""Lists and reads the files of a folder; refuses links that lead out of it."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil
from operator import attrgetter
from pathlib import Path

from rich_agent.documents.fetch.outcomes import Skipped
from rich_agent.errors import RichAgentError

_NO_FILE = "that lead out of the folder or are not files"


class FileError(RichAgentError):
    """A file cannot be read.

    The message is for people; `is_gone` tells that the file does not exist.
    """

    def __init__(self, reason: str, *, is_gone: bool = False) -> None:
        super().__init__(reason)
        self.is_gone = is_gone


@dataclass(frozen=True, slots=True)
class FolderListing:
    """Sorted paths of the documents below a folder, and the other files.

    `problem` tells why the listing is incomplete, "" if it is complete.
    """

    paths: tuple[str, ...]
    skipped: Skipped = field(default_factory=Skipped)
    problem: str = ""


def list_folder(root: str, why_not: Callable[[str], str], most: int) -> FolderListing:
    """The documents below `root`, at most `most`; hidden files are ignored.

    `why_not` gets the path of a file below `root`, and returns "" for a document, else a reason to
    skip the file. Links to folders are not followed.
    """
    if not Path(root).is_dir():
        return FolderListing((), problem=f"{root}: there is no such folder")
    paths: list[str] = []
    problems: list[str] = []
    skips = Skipped()
    prefix_length = len(root.rstrip("/")) + 1
    for entry in _walk(root, problems):
        path = entry.path[prefix_length:]
        reason = why_not(path) or ("" if _is_file_below(root, entry) else _NO_FILE)
        if reason:
            skips.add(reason, path)
        elif len(paths) == most:
            problems.append(f"{root} holds more than {most:,} documents")
            break
        else:
            paths.append(path)
    if not paths and not problems:
        problems.append(f"{root} contains no document" + (" that matches" if skips.total else ""))
    return FolderListing(tuple(paths), skips, problems[0] if problems else "")


def read_file(root: str, path: str, most_bytes: int) -> bytes:
    """The bytes of a file by its path below `root`. Raises: FileError."""
    full_path = f"{root}/{path}"
    try:
        if _may_lead_out(root, path) and not _is_below(root, full_path):
            raise FileError("the file is a link that leads out of its folder")
        # Without O_NONBLOCK, opening a pipe would wait forever.
        descriptor = os.open(full_path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            content = _read(descriptor, most_bytes)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise FileError("there is no such file", is_gone=True) from error
    except OSError as error:
        raise FileError(f"the file cannot be read: {error.strerror}") from error
    return content


def _walk(root: str, problems: list[str]) -> Iterator[os.DirEntry[str]]:
    entries = _entries(root, problems)
    while entries:
        entry = entries.pop()
        if not _is_folder(entry):
            yield entry
        elif not entry.is_symlink():
            entries += _entries(entry.path, problems)


def _entries(folder: str, problems: list[str]) -> list[os.DirEntry[str]]:
    """The entries of a folder, in reverse order of names."""
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        problems.append(f"{folder}: {error.strerror}")
        return []
    return sorted(visible, key=attrgetter("name"), reverse=True)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_file_below(root: str, entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file() and (not entry.is_symlink() or _is_below(root, entry.path))
    except OSError:
        return False


def _may_lead_out(root: str, path: str) -> bool:
    """Whether the path from `root` to a file contains `..` or a link."""
    parts = path.split("/")
    full_path = root
    for part in parts:
        full_path = f"{full_path}/{part}"
        if part == ".." or stat.S_ISLNK(os.lstat(full_path).st_mode):
            return True
    return False


def _is_below(root: str, full_path: str) -> bool:
    """Whether a path is below `root`. Raises: OSError for a broken or circular link."""
    real_root = os.path.realpath(root, strict=True)
    real_path = os.path.realpath(full_path, strict=True)
    return os.path.commonpath([real_root, real_path]) == real_root


def _read(descriptor: int, most_bytes: int) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise FileError("this is not a file")
    if status.st_size > most_bytes:
        raise _too_large(status.st_size, most_bytes)
    # Reading one byte more than the file's size shows whether it grew.
    content = os.read(descriptor, min(status.st_size, most_bytes) + 1)
    if len(content) > most_bytes:
        raise _too_large(len(content), most_bytes)
    return content


def _too_large(size_bytes: int, most_bytes: int) -> FileError:
    # Rounded up and down, so that 20.01 MB is not shown as 20 MB.
    size_mb, most_mb = ceil(size_bytes / 100_000) / 10, most_bytes / 1_000_000
    return FileError(
        f"the file has {size_mb:g} MB, and at most {most_mb:g} MB are read; "
        "set MAX_FILE_MB to read larger ones"
    )
