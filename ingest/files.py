"""The files of a folder, and nothing outside of it: links that lead out are refused."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich_agent.errors import RichAgentError


class FileError(RichAgentError):
    """A file that cannot be read, in words a person understands; `is_gone` if it is not there."""

    def __init__(self, reason: str, *, is_gone: bool = False) -> None:
        super().__init__(reason)
        self.is_gone = is_gone


@dataclass(frozen=True, slots=True)
class FolderListing:
    """Paths of files, sorted; `skipped` counts the others; `problem` if not all could be seen."""

    paths: tuple[Path, ...]
    skipped: int = 0
    problem: str = ""


def list_folder(root: Path, suffixes: frozenset[str], most: int) -> FolderListing:
    """The files below `root` with one of the suffixes, at most `most`; hidden ones do not count.

    Links to folders are not followed.
    """
    if not root.is_dir():
        return FolderListing((), problem=f"{root}: there is no such folder")
    paths: list[Path] = []
    problems: list[str] = []
    skipped = 0
    for path in _walk(root, problems):
        if path.suffix.lower() not in suffixes or not _is_file_below(root, path):
            skipped += 1
        elif len(paths) == most:
            problems.append(f"{root} holds more than {most:,} documents")
            break
        else:
            paths.append(path)
    if not paths and not problems:
        problems.append(f"{root} holds no document")
    return FolderListing(tuple(sorted(paths)), skipped, problems[0] if problems else "")


def read_file(root: Path, path: Path, most_bytes: int) -> bytes:
    """The bytes of a file below `root`.

    Raises: FileError.
    """
    try:
        if not path.resolve(strict=True).is_relative_to(root.resolve()):
            raise FileError("the file is a link that leads out of its folder")
        # Without O_NONBLOCK a pipe in a file's place would be waited on for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError("this is no file")
            data = file.read(most_bytes + 1)
    except FileNotFoundError as error:
        raise FileError("there is no such file", is_gone=True) from error
    except OSError as error:
        raise FileError(f"the file cannot be read: {error.strerror}") from error
    if len(data) > most_bytes:
        raise FileError(f"the file is larger than {most_bytes / 1_000_000:g} MB")
    return data


def _walk(root: Path, problems: list[str]) -> Iterator[Path]:
    def note(error: OSError) -> None:
        problems.append(f"{error.filename}: {error.strerror}")

    for folder, subfolders, names in os.walk(root, onerror=note):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _is_file_below(root: Path, path: Path) -> bool:
    try:
        return path.is_file() and path.resolve(strict=True).is_relative_to(root.resolve())
    except OSError:
        return False
