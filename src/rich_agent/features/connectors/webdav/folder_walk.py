"""A walk through the folders of a server, which can be interrupted and resumed.

A folder is finished once all items in it were listed. While the tag of a finished folder stays the
same, the folder is not listed again.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel

from rich_agent.feature.connectors import Changes, Entry, Skipped, pack_state, unpack_state


@dataclass(slots=True)
class WalkedFolder:
    """A folder of the walk."""

    path: str
    """Path with a final slash."""
    tag: str
    """Text that changes when anything below the folder changes, "" if the server has none."""
    mount: str = "/"
    """The nearest folder, at or above this one, into which no outer share reaches."""
    is_mounted: bool = False
    keys: list[str] = field(default_factory=list)
    """Keys of the files in the folder."""
    is_listed: bool = False


class _State(BaseModel):
    """The state of a walk."""

    folders: dict[str, tuple[str, list[str]]] = {}
    """Finished folders, each with its tag and the keys of its files."""
    lost: list[str] = []
    """Keys of files that may be gone."""


class FolderWalk:
    """A walk that resumes from a cursor. Raises: CursorExpiredError."""

    def __init__(self, cursor: str) -> None:
        state = unpack_state(cursor, _State)
        self._earlier_folders = state.folders
        self._paths = sorted(self._earlier_folders)
        self._finished: dict[str, tuple[str, list[str]]] = {}
        self._lost = set(state.lost)
        self._unfinished: set[str] = set()
        self._entries: list[Entry] = []

    def skips(self, folder: WalkedFolder) -> bool:
        """Whether a folder is skipped, because nothing below it has changed."""
        earlier_state = self._earlier_folders.get(folder.path)
        if earlier_state is None or earlier_state[0] != folder.tag:
            return False
        for path in self._earlier_below(folder.path):
            self._finished[path] = self._earlier_folders.pop(path)
        return True

    def add(self, folder: WalkedFolder, entry: Entry) -> int:
        """Add a file; return how many added files are not yet in a portion."""
        folder.keys.append(entry.key)
        self._unfinished.add(entry.key)
        self._entries.append(entry)
        return len(self._entries)

    def finish(self, folder: WalkedFolder) -> None:
        """Finish a folder after all folders in it were finished or skipped."""
        for path in self._earlier_below(folder.path):
            self._lost.update(self._earlier_folders.pop(path)[1])
        # Without tags, every walk lists all folders, so no keys are remembered.
        self._finished[folder.path] = folder.tag, folder.keys if folder.tag else []
        self._unfinished.difference_update(folder.keys)

    def portion(self, skips: Skipped) -> Changes:
        """The files that were added since the last portion."""
        folders = {**self._earlier_folders, **self._finished}
        # A file of an unfinished folder may be deleted before the walk is resumed.
        state = _State(folders=folders, lost=sorted(self._lost | self._unfinished))
        return Changes(self._take_entries(), pack_state(state), skipped=skips)

    def end(self, skips: Skipped) -> Changes:
        """The last files, and the keys of files that no longer exist."""
        entries = self._take_entries()
        if not all(tag for tag, _ in self._finished.values()):
            return Changes(entries, "", skipped=skips)
        self._lost.update(key for _, keys in self._earlier_folders.values() for key in keys)
        present_keys = {key for _, keys in self._finished.values() for key in keys}
        removed_keys = tuple(sorted(self._lost - present_keys))
        return Changes(entries, pack_state(_State(folders=self._finished)), removed_keys, skips)

    def _take_entries(self) -> tuple[Entry, ...]:
        entries, self._entries = tuple(self._entries), []
        return entries

    def _earlier_below(self, path: str) -> Iterator[str]:
        """The folder and the folders below it, except finished and lost folders."""
        start = bisect_left(self._paths, path)
        end = bisect_left(self._paths, path + "\x7f")  # paths are escaped
        return (
            folder_path
            for folder_path in self._paths[start:end]
            if folder_path in self._earlier_folders
        )
