"""The data that this program keeps on this machine, and their removal."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rich_agent.errors import RichAgentError
from rich_agent.repositories.database import embedded_root
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.pools import describe_address
from rich_agent.settings.settings import Settings
from rich_agent.settings.storage import users_data_dir

_OWN_NAMES = ("postgres", "postgres.*", "connected", "demo", "eval_*", "running", "sandbox")
_DEMO = ("demo",)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder of data; `entries` are what this program has made in it, or for it elsewhere."""

    path: Path
    entries: tuple[Path, ...]

    @property
    def size_bytes(self) -> int:
        """The bytes of all files."""
        files = (file for entry in self.entries for file in (entry, *entry.rglob("*")))
        return sum(file.lstat().st_size for file in files if not file.is_dir())


def data_folders(settings: Settings) -> list[DataFolder]:
    """The folders of DATA_DIR and of the demo that hold something of this program."""
    names_by_folder: dict[Path, Sequence[str]] = {users_data_dir().resolve(): _DEMO}
    names_by_folder[settings.storage.data_dir.resolve()] = _OWN_NAMES
    folders = [
        DataFolder(path, tuple(_entries(path, names))) for path, names in names_by_folder.items()
    ]
    return [folder for folder in folders if folder.entries]


def _entries(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        for path in sorted(folder.glob(name)):
            # For root, the database may be elsewhere.
            for link in (path, path / "postgres"):
                place = link.resolve().parent
                if link.is_symlink() and place.parent == embedded_root.HOME and place.is_dir():
                    yield place
            yield path


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
            for place in (folder.path, folder.path / "demo"):
                stack.enter_context(EmbeddedPostgres.kept_stopped(place))
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
    except OSError as error:
        raise RichAgentError(
            f"{error.filename} cannot be deleted: {error.strerror}",
            hint="Run `rich-agent uninstall` again as the user who owns it.",
        ) from error
