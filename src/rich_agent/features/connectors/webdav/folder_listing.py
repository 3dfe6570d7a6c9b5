"""Reads a WebDAV server's listing of a folder: its documents, and its folders."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final
from urllib.parse import unquote

from rich_agent.feature.connectors import Entry, Selection, Skipped, why_not
from rich_agent.feature.webdav import (
    DAV,
    WebdavClient,
    WebdavError,
    href_of,
    plain_path,
    properties,
    propfind,
    responses,
    strong,
)
from rich_agent.features.connectors.webdav.folder_walk import WalkedFolder
from rich_agent.features.connectors.webdav.nextcloud_shares import Shares

_OWNCLOUD: Final = "http://owncloud.org/ns"
_ETAG, _CHANGED, _LENGTH, _COLLECTION = (
    f"{{{DAV}}}{name}"
    for name in ("getetag", "getlastmodified", "getcontentlength", "resourcetype")
)
_ID, _PERMISSIONS = (f"{{{_OWNCLOUD}}}{name}" for name in ("fileid", "permissions"))
WANTED: Final = propfind(_ETAG, _CHANGED, _LENGTH, _COLLECTION, _ID, _PERMISSIONS)
"""The request for the properties that are read."""
# Letters of oc:permissions: the file was shared with the user, or is on a mounted storage.
_SHARED, _MOUNTED = "S", "M"
_DEEPEST: Final = 100
_LONGEST_PATH: Final = 2_000
_MOST_CHARS: Final = 500


@dataclass(slots=True)
class WebdavListing:
    """The content of folders of a server, for one walk."""

    server: WebdavClient
    nextcloud: str
    """Address of a server that identifies files by numbers, "" for another server."""
    home: str
    """Path to which the paths of shares are relative."""
    selection: Selection
    shares: Shares | None
    """Shares that give files their places; None if files have no places."""
    _skipped: Skipped = field(default_factory=Skipped)

    def root(self, body: BinaryIO) -> WalkedFolder:
        """The folder at the configured address. Raises: WebdavError if it is not a folder."""
        path = plain_path(self.server.url)
        about = next((_About.of(response) for response in responses(body)), None)
        if about is None or not about.is_folder:
            raise WebdavError("address", "this is not a folder")
        # A storage may be mounted above this folder at an unknown place. A folder that was shared
        # with the user is known by its share.
        has_no_share = about.is_mounted and _SHARED not in about.permissions
        mount = self._own_path(path) if has_no_share else "/"
        return WalkedFolder(path, self._tag(path, about, mount), mount, about.is_mounted)

    def items_in(self, folder: WalkedFolder, body: BinaryIO) -> Iterator[WalkedFolder | Entry]:
        """The documents and folders in a folder.

        Raises: WebdavError if the answer is about another folder.
        """
        is_about_it = False
        for response in responses(body):
            about = _About.of(response)
            path = plain_path(href_of(response))
            if about.is_folder:
                path = f"{path.rstrip('/')}/"
            is_about_it |= path == folder.path
            name = unquote(path.removeprefix(folder.path).rstrip("/"))
            is_inside = path.startswith(folder.path) and name and "/" not in name
            if not is_inside or name.startswith("."):
                continue
            item = self._item_at(folder, path, about)
            if item:
                yield item
        if not is_about_it:
            raise WebdavError("address", "the server describes other folders than it is asked for")

    def skip_folder(self, path: str, reason: str) -> None:
        """Record a folder that is not listed."""
        self._skipped.add(reason, unquote(path))

    def take_skips(self) -> Skipped:
        """The entries that were skipped since the last call."""
        skips, self._skipped = self._skipped, Skipped()
        return skips

    def _item_at(
        self, folder: WalkedFolder, path: str, about: "_About"
    ) -> WalkedFolder | Entry | None:
        if len(path) > _LONGEST_PATH or path.count("/") > _DEEPEST:
            self.skip_folder(path[:100], "with too long a path")
            return None
        is_mount = about.is_mounted and not folder.is_mounted
        mount_path = self._own_path(path) if is_mount else folder.mount
        if about.is_folder:
            return WalkedFolder(
                path, self._tag(path, about, mount_path), mount_path, about.is_mounted
            )
        relative_path = unquote(path.removeprefix(plain_path(self.server.url)))
        reason = why_not(relative_path, self.selection)
        if reason:
            self._skipped.add(reason, relative_path)
            return None
        has_id = self.nextcloud and about.id
        return Entry(
            key=about.id if has_id else path,
            # Not the path, which names folders of the owner that readers of the file may not see.
            url=f"{self.nextcloud}/f/{about.id}" if has_id else self.server.address(path),
            version=f"{about.version} {path}",
            place=self.shares.place_of(self._own_path(path), mount_path) if self.shares else "",
        )

    def _tag(self, path: str, about: "_About", mount: str) -> str:
        """The tag of a folder, "" except in Nextcloud.

        Only in Nextcloud, the ETag of a folder covers all files below the folder.
        """
        if not self.nextcloud or not about.etag:
            return ""
        share_mark = self.shares.mark_of(self._own_path(path), mount) if self.shares else ""
        return f"{about.etag} {share_mark}"

    def _own_path(self, path: str) -> str:
        return f"/{unquote(path.removeprefix(self.home)).strip('/')}"


@dataclass(frozen=True, slots=True)
class _About:
    """The properties of a file or folder; missing ones are empty."""

    is_folder: bool
    etag: str
    version: str
    id: str
    permissions: str

    @property
    def is_mounted(self) -> bool:
        return bool({_SHARED, _MOUNTED}.intersection(self.permissions))

    @classmethod
    def of(cls, response: Any) -> "_About":  # noqa: ANN401 - lxml has no types
        property_elements = properties(response)

        def text(name: str) -> str:
            texts = ((element.findtext(name) or "").strip() for element in property_elements)
            return next(filter(None, texts), "")[:_MOST_CHARS]

        etag = strong(text(_ETAG))
        collection_path = f"{_COLLECTION}/{{{DAV}}}collection"
        return cls(
            is_folder=any(
                element.find(collection_path) is not None for element in property_elements
            ),
            etag=etag,
            version=etag or f"{text(_CHANGED)} {text(_LENGTH)}",
            id=text(_ID),
            permissions=text(_PERMISSIONS),
        )
