"""Git repositories over HTTP: the files of one branch, from a bare shallow clone.

Nothing is checked out, and no code of a repository is run. Very large files stay at the server, if
the server can leave them out.
"""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Final, Literal, cast
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes, urlsplit

import structlog
from pydantic import Field

from rich_agent.feature.connectors import (
    LEFT_OUT,
    Changes,
    ConnectorError,
    CursorExpiredError,
    Entry,
    OptionalAddress,
    Outcome,
    PlaceReaders,
    RawDocument,
    Selection,
    ServiceConfig,
    ServiceGroup,
    Skipped,
    Unreadable,
    WebAddress,
    media_type_of_path,
)
from rich_agent.features.connectors.git.server import BranchHead, GitServer

if TYPE_CHECKING:
    from dulwich.objects import Commit, ObjectID
    from dulwich.repo import Repo

Host = Literal["github", "gitlab", "gitea"]
_log = structlog.get_logger(__name__)
_PORTION: Final = 1_000
_MOST_PACKS: Final = 50
_LFS: Final = b"version https://git-lfs.github.com/spec/"
_PATHS: Final = {
    "github": "blob/{branch}",
    "gitlab": "-/blob/{branch}",
    "gitea": "src/branch/{branch}",
}


class GitConfig(ServiceConfig):
    """The repository and the part of it that is read."""

    address: WebAddress = Field(
        description="Address to clone from, such as https://github.com/a/b."
    )
    branch: str = Field("", description="The branch; that of the repository if omitted.")
    include: tuple[str, ...] = Field((), description="Only paths that match, such as docs/**.")
    exclude: tuple[str, ...] = Field((), description="Not paths that match, such as *.draft.md.")
    host: Host | None = Field(None, description="Kind of server, for links; by the address.")
    web: OptionalAddress = Field(
        "", description="Where the files are published; {branch} is filled in."
    )
    username: str = Field("oauth2", description="Login of the token, where it matters.")

    def page_of(self, branch: str) -> str:
        """The address below which people can see the files of a branch."""
        if self.web:
            return self.web.replace("{branch}", quote(branch))
        address = self.address.removesuffix(".git")
        return f"{address}/{_PATHS[self.host or self._host()].format(branch=quote(branch))}"

    def _host(self) -> Host:
        host = urlsplit(self.address).hostname or ""
        if "gitlab" in host:
            return "gitlab"
        is_gitea = any(name in host for name in ("gitea", "forgejo", "codeberg"))
        return "gitea" if is_gitea else "github"


def open_git(config: GitConfig, secret: str, *, source: str, folder: Path) -> "GitConnector":  # noqa: ARG001 - a repository names nobody
    """Open a repository, whose clone is in the folder."""
    return GitConnector(config, secret, folder)


@dataclass(frozen=True, slots=True)
class _Difference:
    """The difference between two commits."""

    found: Sequence[Entry]
    """Entries of new and changed files."""
    gone: Sequence[str]
    """Keys of removed files."""
    skipped: Skipped
    """Files that are not documents."""


@dataclass
class GitConnector:
    """Implements `Connector`. Its calls to the server run in threads, one at a time."""

    config: GitConfig
    secret: str
    folder: Path
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _reading: threading.Lock = field(default_factory=threading.Lock)
    _opened: "Repo | None" = None

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`; a cursor is a commit."""
        head = await asyncio.to_thread(self._find_head)
        commit = head.commit.decode()
        if commit == cursor:
            yield Changes((), cursor)
            return
        await self._in_turn(lambda: self._fetch(head))
        difference = await asyncio.to_thread(self._compare, cursor, head)
        for start in range(0, max(len(difference.found), 1), _PORTION):
            is_last = start + _PORTION >= len(difference.found)
            yield Changes(
                tuple(difference.found[start : start + _PORTION]),
                # A comparison costs little, so an interrupted listing begins again.
                cursor=commit if is_last else cursor,
                gone=tuple(difference.gone) if is_last else (),
                skipped=difference.skipped if is_last else Skipped(),
            )

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        blob = await asyncio.to_thread(self._blob, entry)
        if blob is None:
            head = await asyncio.to_thread(self._find_head)
            await self._in_turn(lambda: self._fetch(head))
            blob = await asyncio.to_thread(self._blob, entry)
        return _outcome(entry, blob, most_bytes)

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`. There are no rights: readers of the source may read all files."""
        no_rights: tuple[PlaceReaders, ...] = ()
        for readers in no_rights:
            yield readers

    async def check(self) -> str:
        """See `Connector.check`."""
        head = await asyncio.to_thread(self._find_head)
        return f"reads {self.config.address}, branch {head.branch} ({head.commit.decode()[:10]})"

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        self._forget_open()

    @property
    def _server(self) -> GitServer:
        return GitServer(self.config.address, self.config.username, self.secret)

    def _find_head(self) -> BranchHead:
        return self._server.find_head(self.config.branch)

    async def _in_turn(self, work: Callable[[], None]) -> None:
        async with self._lock:
            await asyncio.to_thread(work)

    def _repo(self) -> "Repo":
        from dulwich.errors import NotGitRepository  # noqa: PLC0415 - loaded where it is used
        from dulwich.repo import Repo  # noqa: PLC0415 - the same

        try:
            return Repo(str(self.folder))
        except NotGitRepository:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            return Repo.init_bare(str(self.folder))

    def _fetch(self, head: BranchHead) -> None:
        """Fetch the objects of a commit that are missing here.

        A worn or damaged clone is cloned again.
        """
        self._forget_open()
        try:
            with self._repo() as repo:
                if head.commit in repo.object_store:
                    return
                has_few_packs = len(repo.object_store.packs) < _MOST_PACKS
                if has_few_packs:
                    self._server.fetch(repo, head)
                    return
        except ConnectorError:
            raise
        except Exception as error:  # noqa: BLE001 - a damaged clone can cause any error of the library
            _log.warning("git.clone_damaged", folder=str(self.folder), error=repr(error))
        shutil.rmtree(self.folder, ignore_errors=True)
        with self._repo() as repo:
            self._server.fetch(repo, head)

    def _forget_open(self) -> None:
        """Close the open clone, so that the next read opens it again and finds fetched objects."""
        with self._reading:
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    def _compare(self, cursor: str, head: BranchHead) -> "_Difference":
        """The difference between two commits. With the cursor "", all files are new."""
        from dulwich.diff_tree import tree_changes  # noqa: PLC0415 - loaded where it is used

        selection = Selection(self.config.include, self.config.exclude)
        page_url, skips = self.config.page_of(head.branch), Skipped()
        entries, removed_keys = [], []
        with self._repo() as repo:
            object_store, previous_commit = repo.object_store, cast("ObjectID", cursor.encode())
            if cursor and previous_commit not in object_store:
                raise CursorExpiredError("the clone does not have the commit any more")
            tree = cast("Commit", repo[previous_commit]).tree if cursor else None
            for change in tree_changes(object_store, tree, cast("Commit", repo[head.commit]).tree):
                old_file, new_file = change.old, change.new
                if (
                    new_file is not None
                    and S_ISREG(new_file.mode)
                    and _is_wanted(new_file.path, selection, skips)
                ):
                    key = quote_from_bytes(new_file.path)
                    entries.append(Entry(key, f"{page_url}/{key}", new_file.sha.decode()))
                elif old_file is not None and old_file.path is not None:
                    removed_keys.append(quote_from_bytes(old_file.path))
        return _Difference(entries, removed_keys, skips)

    def _blob(self, entry: Entry) -> bytes | None:
        """The content of a file, None if the clone does not have it."""
        with self._reading:
            if self._opened is None:
                self._opened = self._repo()
            sha = cast("ObjectID", entry.version.encode())
            store = self._opened.object_store
            return store.get_raw(sha)[1] if sha in store else None


def _outcome(entry: Entry, blob: bytes | None, most_bytes: int) -> Outcome:
    if blob is None:
        return Unreadable(entry.url, "it is larger than what is read, or was changed meanwhile")
    if len(blob) > most_bytes:
        size_mb, most_mb = len(blob) / 1_000_000, most_bytes / 1_000_000
        reason = f"it has {size_mb:.1f} MB, and at most {most_mb:g} MB are read"
        return Unreadable(entry.url, reason)
    if blob.startswith(_LFS):
        return Unreadable(entry.url, "it is kept in Git LFS, which is not read")
    path = unquote_to_bytes(entry.key).decode("utf-8", "replace")
    return RawDocument(entry.url, blob, media_type_of_path(path) or "text/plain")


def _is_wanted(path: bytes, selection: Selection, skips: Skipped) -> bool:
    """Whether a file is a selected document; hidden files are ignored."""
    path_text = path.decode("utf-8", "replace")
    if any(part.startswith(".") for part in path_text.split("/")):
        return False
    if media_type_of_path(path_text) is None:
        name_parts = path_text.rpartition("/")[2].rpartition(".")
        skips.add(name_parts[2].lower() if name_parts[0] else "without a suffix", path_text)
        return False
    if not selection.has(path_text):
        skips.add(LEFT_OUT, path_text)
        return False
    return True
