"""The data that this program keeps on this machine, and their removal."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rich_agent.errors import RichAgentError
from rich_agent.repositories.database import embedded_root
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import GUARD, LEASE, LINGER
from rich_agent.repositories.database.pools import describe_address
from rich_agent.settings.settings import Settings
from rich_agent.settings.storage import users_data_dir

_DEMO = "demo"
_RUNNING = "running"  # the demo makes it first, and holds it
_OF_DEMO = ("sandbox", "sandbox.unreadable", "download.json", _RUNNING)
# The lease last: by it, a removal that failed knows the others again.
_OF_SERVER = ("postgres.start", "postgres.log", LINGER, GUARD, LEASE)
_UNFINISHED = re.compile(r"postgres\.new\.\d+")
_PAGES = re.compile(r"eval_[0-9a-f]{12}")
_SOURCE = re.compile(r"src_[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder of data; `entries` are what this program has made in it, or for it elsewhere."""

    path: Path
    entries: tuple[Path, ...]

    @property
    def has_database(self) -> bool:
        """Whether one of the entries is an embedded database."""
        return self.path / "postgres" in self.entries and EmbeddedPostgres.is_in(self.path)

    @property
    def size_bytes(self) -> int:
        """The bytes of all files, of which a server may delete some meanwhile."""
        return sum(_size_of(file) for entry in self.entries for file in (entry, *_files_in(entry)))


def data_folders(settings: Settings) -> list[DataFolder]:
    """The folders that hold something of this program: those of demos, and DATA_DIR."""
    data_dir = settings.storage.data_dir.resolve()
    demos = {place / _DEMO: None for place in (users_data_dir().resolve(), data_dir)}
    folders = [DataFolder(demo, tuple(_entries_of_demo(demo))) for demo in demos]
    folders.append(DataFolder(data_dir, tuple(_entries(data_dir))))
    return [folder for folder in folders if folder.entries]


def _entries_of_demo(demo: Path) -> Iterator[Path]:
    if (demo / _RUNNING).is_file() and not demo.is_symlink():
        yield from _entries(demo)
        yield from (path for name in _OF_DEMO if (path := demo / name).exists())


def _entries(folder: Path) -> Iterator[Path]:
    """The files of this program in a folder; names of users' own files may be like these."""
    yield from (path for path in _folders_in(folder) if _PAGES.fullmatch(path.name))
    connected = folder / "connected"
    clones = [path for path in _folders_in(connected) if _SOURCE.fullmatch(path.name)]
    is_whole = connected.is_dir() and len(clones) == len(list(connected.iterdir()))
    yield from [connected] if is_whole else clones
    if (folder / LEASE).is_file():
        yield from _entries_of_server(folder)


def _entries_of_server(folder: Path) -> Iterator[Path]:
    pgdata = folder / "postgres"
    place, has_data = pgdata.resolve(), (pgdata / "PG_VERSION").is_file()
    if pgdata.is_symlink() and place.parent.parent == embedded_root.HOME:
        yield from [place.parent] if place.parent.is_dir() else []
    elif pgdata.is_symlink() and has_data:
        yield place
    if has_data or (pgdata.is_symlink() and not place.exists()):
        yield pgdata
    yield from (path for path in _folders_in(folder) if _UNFINISHED.fullmatch(path.name))
    yield from (path for name in _OF_SERVER if (path := folder / name).is_file())


def _folders_in(folder: Path) -> list[Path]:
    if folder.is_symlink() or not folder.is_dir():
        return []
    return [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.is_symlink()]


def _files_in(entry: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(entry) if not entry.is_symlink() else ():
        yield from (Path(folder, name) for name in names)


def _size_of(file: Path) -> int:
    with suppress(OSError):
        return 0 if file.is_dir() else file.lstat().st_size
    return 0


def unknown_database(settings: Settings) -> Path | None:
    """A folder `postgres` in DATA_DIR that no server of this program has used; None without one."""
    data_dir = settings.storage.data_dir.resolve()
    is_unknown = EmbeddedPostgres.is_in(data_dir) and not (data_dir / LEASE).is_file()
    return data_dir / "postgres" if is_unknown else None


def stored_elsewhere(settings: Settings) -> list[str]:
    """The addresses of the databases that the settings name, which this program never deletes."""
    storage = settings.storage
    urls = {storage.database_url: None, storage.rag_database_url: None}
    return [describe_address(url) for url in urls if url]


def shared_by_root() -> Path | None:
    """The folder that all bots of root share, with the programs of PostgreSQL; None for others."""
    is_there = os.geteuid() == 0 and embedded_root.HOME.is_dir()
    return embedded_root.HOME if is_there else None


@contextmanager
def unused_data(folders: Sequence[DataFolder]) -> Iterator[None]:
    """Keep processes from the data while the block runs; servers have stopped before.

    Raises: RichAgentError if a bot or a command uses them.
    """
    with ExitStack() as stack:
        for folder in folders:
            stack.enter_context(EmbeddedPostgres.kept_stopped(folder.path))
        yield


def remove_data(folders: Sequence[DataFolder]) -> None:
    """Delete the data, and folders that hold nothing else. Raises: RichAgentError."""
    try:
        for folder in folders:
            for entry in folder.entries:
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry)
                else:
                    entry.unlink(missing_ok=True)
            with suppress(OSError):
                folder.path.rmdir()
                if folder.path.name == _DEMO:
                    folder.path.parent.rmdir()
    except OSError as error:
        raise RichAgentError(
            f"{error.filename} cannot be deleted: {error.strerror}",
            hint="Run `rich-agent uninstall` again as the user who owns it.",
        ) from error
