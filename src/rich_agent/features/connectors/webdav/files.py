"""Files on WebDAV servers, and on Nextcloud and ownCloud with their shares.

Folders are requested one by one. If the ETag of a folder covers all files below it, as in
Nextcloud, unchanged folders are not requested again.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

import httpx
from pydantic import Field
from typing_extensions import override

from rich_agent.feature.connectors import (
    Changes,
    ConnectorError,
    Entry,
    Intranet,
    Outcome,
    PlaceReaders,
    RawDocument,
    Selection,
    ServiceConfig,
    ServiceGroup,
    Unreadable,
    WebAddress,
    media_type_of_path,
    too_large,
)
from rich_agent.feature.webdav import (
    XML,
    WebdavClient,
    WebdavError,
    WebdavRequest,
    plain_path,
    require_safe,
    require_success,
    webdav_session,
)
from rich_agent.features.connectors.webdav.folder_listing import WANTED, WebdavListing
from rich_agent.features.connectors.webdav.folder_walk import FolderWalk, WalkedFolder
from rich_agent.features.connectors.webdav.nextcloud_shares import (
    NextcloudShares,
    Shares,
    group_name,
)

_PORTION: Final = 1_000
_MOST_LISTING_BYTES: Final = 1_000_000_000
_TIMEOUT_S: Final = 60.0
_DEADLINE_S: Final = 600.0
_PAUSES_S: Final = (0.5, 2.0)
_CLOSED: Final = frozenset({403, 404, 410})
_HINTS: Final = {
    "login": "Make a new app password at the server, and connect the source again with it.",
    "insecure": "Use an https:// address, or list the host in INTRANET_HOSTS.",
    "address": "Check the address; Nextcloud shows it in the settings of Files, as WebDAV.",
    "refused": "Check the address, and that the user may read what is there.",
}


class WebdavConfig(ServiceConfig):
    """The folder that is read, and the user who reads it."""

    address: WebAddress = Field(description="WebDAV address of the folder that is read.")
    user: str = Field(description="User name at the server.")
    include: tuple[str, ...] = Field(
        default=(), description="Only paths that match, such as docs/**."
    )
    exclude: tuple[str, ...] = Field(
        default=(), description="Not paths that match, such as *.draft.md."
    )
    shares: bool = Field(
        default=True,
        description="Nextcloud: only those with whom a file is shared may read it.",
    )

    @property
    def root(self) -> str:
        """The address of the folder, with a final slash."""
        return f"{self.address}/"

    @property
    def nextcloud(self) -> str:
        """The address of the Nextcloud or ownCloud server, "" for another server."""
        root, separator, _ = self.address.partition("/remote.php/")
        return root if separator else ""

    @property
    @override
    def has_rights(self) -> bool:
        """Whether the server tells who may read a file."""
        return bool(self.nextcloud) and self.shares

    @property
    def home(self) -> str:
        """The path of the user's files. Paths of shares are relative to it."""
        path = plain_path(self.root)
        path_prefix, _, path_below = path.partition("/remote.php/")
        parts = path_below.split("/")
        home_length = 3 if parts[:2] == ["dav", "files"] else 1
        return f"{path_prefix}/remote.php/{'/'.join(parts[:home_length])}"


def open_webdav(
    config: WebdavConfig, secret: str, *, source: str, intranet: Intranet | None = None
) -> "WebdavConnector":
    """Open a folder; `intranet` names the hosts outside the public internet that may be reached."""
    private_hosts = intranet or Intranet()
    login = (config.user, secret)
    session = webdav_session(login, private_hosts, setting="INTRANET_HOSTS", timeout_s=_TIMEOUT_S)
    return WebdavConnector(config, source, private_hosts, session)


@dataclass
class WebdavConnector:
    """Implements `Connector`."""

    config: WebdavConfig
    source: str
    private: Intranet
    session: httpx.AsyncClient

    def __post_init__(self) -> None:
        self._server = WebdavClient(self.session, self.config.root)
        self._shares = NextcloudShares(self._server, self.config.nextcloud, self.source)

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`. A cursor has the finished folders with their ETags."""
        walk = FolderWalk(cursor)
        shares = None
        if self.config.has_rights:
            with self._translate_errors():
                shares = await self._shares.read()
        listing = self._listing(shares)
        pending_folders = [await self._root(listing)]
        while pending_folders:
            folder = pending_folders.pop()
            if folder.is_listed:
                walk.finish(folder)
                continue
            if walk.skips(folder):
                continue
            folder.is_listed = True
            pending_folders.append(folder)
            async for item in self._items_in(folder, listing):
                if isinstance(item, WalkedFolder):
                    pending_folders.append(item)
                elif walk.add(folder, item) >= _PORTION:
                    yield walk.portion(listing.take_skips())
        yield walk.end(listing.take_skips())

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`. The version of a document ends with its path."""
        path = entry.version.rpartition(" ")[2]
        name = unquote(path.rpartition("/")[2])
        headers = {"Accept-Encoding": "identity"}
        request = WebdavRequest("GET", b"", headers, most_bytes, _DEADLINE_S)
        try:
            response = await self._ask(path, request)
        except WebdavError as error:
            if error.problem == "too_large":
                return too_large(entry.url, error.size_bytes, most_bytes)
            if error.status in _CLOSED:
                is_gone = error.status != httpx.codes.FORBIDDEN
                reason = "there is no such file" if is_gone else "the user may not read it"
                return Unreadable(entry.url, reason, is_gone)
            raise self._error(error) from error
        media_type = media_type_of_path(name) or "text/plain"
        return RawDocument(entry.url, response.content, media_type, name=name)

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`. A place is the number of a shared file or folder."""
        if not self.config.has_rights:
            return
        with self._translate_errors():
            shares = await self._shares.read()
            groups = await self._shares.groups(shares)
        for access in shares.accesses():
            yield access
        for group in groups:
            yield group

    async def check(self) -> str:
        """See `Connector.check`."""
        await self._root(self._listing(None))
        description = f"reads {self.config.address} as {self.config.user}"
        if not self.config.has_rights:
            return description
        with self._translate_errors():
            shares = await self._shares.read()
            groups = await self._shares.groups(shares)
        description += f"; {len(shares.shared):,} files and folders are shared"
        hidden_groups = [group_name(group) for group in groups if not group.members]
        if hidden_groups:
            description += (
                f"; the members of {', '.join(hidden_groups)} cannot be seen, so that nobody reads "
                "anything as one of them: only an administrator of a group sees who is in it"
            )
        return description

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        await self.session.aclose()

    def _listing(self, shares: Shares | None) -> WebdavListing:
        config = self.config
        selection = Selection(config.include, config.exclude)
        return WebdavListing(self._server, config.nextcloud, config.home, selection, shares)

    async def _root(self, listing: WebdavListing) -> WalkedFolder:
        with self._translate_errors():
            require_safe(self.config.root, self.private)
            with tempfile.TemporaryFile() as body:
                await self._describe(plain_path(self.config.root), "0", body)
                return listing.root(body)

    async def _items_in(
        self, folder: WalkedFolder, listing: WebdavListing
    ) -> AsyncIterator[WalkedFolder | Entry]:
        """The items in a folder; none if the folder was deleted or closed meanwhile."""
        # In a file, because the reader of the portions may take longer than the server waits.
        with tempfile.TemporaryFile() as body, self._translate_errors():
            try:
                await self._describe(folder.path, "1", body)
            except WebdavError as error:
                if error.status not in _CLOSED or folder.path == plain_path(self.config.root):
                    raise
                listing.skip_folder(folder.path, "folders that were closed or deleted")
                return
            for item in listing.items_in(folder, body):
                yield item

    async def _describe(self, path: str, depth: str, into: BinaryIO) -> None:
        request = WebdavRequest(
            "PROPFIND", WANTED, {**XML, "Depth": depth}, _MOST_LISTING_BYTES, _DEADLINE_S, into
        )
        await self._ask(path, request)
        into.seek(0)

    async def _ask(self, path: str, request: WebdavRequest) -> httpx.Response:
        """A successful answer. After a failure that may be temporary, the request is repeated."""
        for pause_s in (*_PAUSES_S, None):
            try:
                response = await self._server.ask(path, request)
                require_success(response)
            except WebdavError as error:
                if error.problem != "away" or error.wait_s is not None or pause_s is None:
                    raise
            else:
                return response
            if request.into:
                request.into.seek(0)
                request.into.truncate()
            await asyncio.sleep(pause_s)
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except WebdavError as error:
            raise self._error(error) from error

    def _error(self, error: WebdavError) -> ConnectorError:
        hint = _HINTS.get(error.problem, "")
        return ConnectorError(
            f"{urlsplit(self.config.address).hostname}: {error}",
            hint=hint,
            after_s=error.wait_s,
            is_refused=error.problem != "away",
        )
