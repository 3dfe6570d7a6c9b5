"""A walk through the folders of a server, which can be interrupted and resumed.

A folder is finished when everything in it was listed. While the tag of a finished folder stays the
same, the folder is not listed again.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel

from rich_agent.feature.connectors import Changes, Entry, Skipped, pack_state, unpack_state


@dataclass(slots=True)
class WalkedFolder:
    """A folder of the walk.

    `path`: ends with a slash.
    `tag`: changes when anything in the folder changes, "" if the server has no such tag.
    `mount`: the nearest folder at or above it into which no outer share reaches.
    `keys`: the keys of its files.
    """

    path: str
    tag: str
    mount: str = "/"
    is_mounted: bool = False
    keys: list[str] = field(default_factory=list)
    is_listed: bool = False


class _State(BaseModel):
    """The state of a walk.

    `folders`: finished folders, each with its tag and the keys of its files.
    `lost`: keys of files that may be gone.
    """

    folders: dict[str, tuple[str, list[str]]] = {}
    lost: list[str] = []


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
        """Whether the folder and everything in it are unchanged, so that it is skipped."""
        state = self._earlier_folders.get(folder.path)
        if state is None or state[0] != folder.tag:
            return False
        for path in self._earlier_below(folder.path):
            self._finished[path] = self._earlier_folders.pop(path)
        return True

    def add(self, folder: WalkedFolder, entry: Entry) -> int:
        """Add a file; return the number of added files that are in no portion yet."""
        folder.keys.append(entry.key)
        self._unfinished.add(entry.key)
        self._entries.append(entry)
        return len(self._entries)

    def finish(self, folder: WalkedFolder) -> None:
        """Finish a folder after all folders in it were finished or skipped."""
        for path in self._earlier_below(folder.path):
            self._lost.update(self._earlier_folders.pop(path)[1])
        # Without a tag every walk lists everything, and nothing has to be remembered.
        self._finished[folder.path] = folder.tag, folder.keys if folder.tag else []
        self._unfinished.difference_update(folder.keys)

    def portion(self, skips: Skipped) -> Changes:
        """Return the files that were added since the last portion."""
        folders = {**self._earlier_folders, **self._finished}
        # A file of an unfinished folder may be deleted before the walk is resumed.
        state = _State(folders=folders, lost=sorted(self._lost | self._unfinished))
        return Changes(self._take_entries(), pack_state(state), skipped=skips)

    def end(self, skips: Skipped) -> Changes:
        """Return the last files, and the keys of files that no longer exist."""
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
        """The folder and the folders in it, except finished and lost ones."""
        first = bisect_left(self._paths, path)
        last = bisect_left(self._paths, path + "\x7f")  # paths are escaped
        return (
            folder_path
            for folder_path in self._paths[first:last]
            if folder_path in self._earlier_folders
        )
