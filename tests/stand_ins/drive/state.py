"""State of Google Drive: files, folders, shared drives, permissions, and the log of changes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import md5
from typing import Any

FOLDER = "application/vnd.google-apps.folder"
DOCUMENT = "application/vnd.google-apps.document"
_WRITERS = frozenset({"owner", "organizer", "fileOrganizer", "writer"})


@dataclass(slots=True)
class StoredFile:
    """A file or a folder; `permissions` are those directly on it, by their ids.

    The bytes of a file are its `content`, and zeros up to its `size`.
    """

    id: str
    name: str
    mime_type: str
    parent: str
    drive: str
    modified: datetime
    content: bytes = b""
    size: int = 0
    trashed: bool = False
    can_download: bool = True
    exported: bytes = b""
    permissions: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def md5(self) -> str:
        """The checksum of its bytes, "" if it has none of its own."""
        if self.mime_type.startswith("application/vnd.google-apps."):
            return ""
        return md5(self.content + str(self.size).encode(), usedforsecurity=False).hexdigest()


@dataclass(slots=True)
class DriveSandbox:
    """Google Drive, as `account` sees it, with methods for what people do there.

    `refresh_token` and assertions of `read_assertion` get access tokens, which `expire_tokens`
    makes invalid. `drives` are the names of shared drives.
    """

    account: str = "bot@project.iam.gserviceaccount.com"
    refresh_token: str = "1//refresh"
    client_secret: str = "GOCSPX-client"
    read_assertion: Callable[[str], Mapping[str, Any]] = lambda _: {}
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    files: dict[str, StoredFile] = field(default_factory=dict)
    drives: dict[str, str] = field(default_factory=dict)
    groups: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    administrators: set[str] = field(default_factory=set)
    shows_permissions: bool = True
    log: list[str] = field(default_factory=list)
    generation: int = 0
    tokens: int = 0
    _count: int = 0

    def add_drive(self, name: str) -> StoredFile:
        """A new shared drive, as its top folder; the account is a content manager of it."""
        top = self.add(name, FOLDER)
        top.drive = top.id
        self.drives[top.id] = name
        self.share(top, self.account, role="fileOrganizer")
        return top

    def add(
        self,
        name: str,
        mime_type: str = "text/markdown",
        content: bytes = b"",
        *,
        parent: StoredFile | None = None,
        size: int = 0,
    ) -> StoredFile:
        """A new file or folder."""
        self._count += 1
        file = StoredFile(
            id=f"1{self._count:032d}",
            name=name,
            mime_type=mime_type,
            parent=parent.id if parent else "",
            drive=parent.drive if parent else "",
            modified=self.clock(),
            content=content,
            size=size or len(content),
        )
        self.files[file.id] = file
        self.log.append(file.id)
        return file

    def share(
        self,
        file: StoredFile,
        to: str,
        *,
        kind: str = "user",
        role: str = "reader",
        discoverable: bool = False,
        **more: object,
    ) -> None:
        """Give a permission to a person, a group, a domain, or ("") to anyone."""
        key = f"{kind}:{to}"
        entry: dict[str, Any] = {"id": key, "type": kind, "role": role, **more}
        if kind in {"domain", "anyone"}:
            entry["allowFileDiscovery"] = discoverable
        if to:
            entry["domain" if kind == "domain" else "emailAddress"] = to
        file.permissions[key] = entry
        self.log.append(file.id)

    def unshare(self, file: StoredFile, to: str, *, kind: str = "user") -> None:
        """Take a permission away. Of what a folder holds, the log of changes says nothing."""
        del file.permissions[f"{kind}:{to}"]
        self.log.append(file.id)

    def edit(self, file: StoredFile, *, name: str = "", content: bytes = b"") -> None:
        """Rename a file, or save a new content."""
        file.name = name or file.name
        if content:
            file.content, file.size = content, len(content)
            file.modified = self.clock()
        self.log.append(file.id)

    def move(self, file: StoredFile, folder: StoredFile) -> None:
        """Put a file into another folder."""
        file.parent, file.drive = folder.id, folder.drive
        self.log.append(file.id)

    def trash(self, file: StoredFile) -> None:
        """Put a file into the trash."""
        file.trashed = True
        self.log.append(file.id)

    def delete(self, file: StoredFile) -> None:
        """Delete a file for good."""
        del self.files[file.id]
        self.log.append(file.id)

    @property
    def newest(self) -> int:
        """The number of files that there ever were; their ids end with numbers up to this."""
        return self._count

    def expire_tokens(self) -> None:
        """Make the access tokens that were given out invalid."""
        self.tokens += 1

    def forget_tokens(self) -> None:
        """Reject all page tokens from now on."""
        self.generation += 1

    def permissions_of(self, file: StoredFile) -> list[dict[str, Any]]:
        """The permissions on a file and on all folders that it is in, with where they come from."""
        found: dict[str, dict[str, Any]] = {}
        for one in self._way_up(file):
            for key, entry in one.permissions.items():
                if key not in found:
                    detail = {
                        "permissionType": "file" if one.id not in self.drives else "member",
                        "role": entry["role"],
                        "inherited": one is not file,
                        **({"inheritedFrom": one.id} if one is not file else {}),
                    }
                    found[key] = {**entry, "permissionDetails": [detail]}
        return list(found.values())

    def _way_up(self, file: StoredFile) -> Iterator[StoredFile]:
        at: StoredFile | None = file
        while at is not None:
            yield at
            at = self.files.get(at.parent)

    def sees(self, file: StoredFile) -> bool:
        """Whether the account may read a file."""
        return any(one.get("emailAddress") == self.account for one in self.permissions_of(file))

    def may_share(self, file: StoredFile) -> bool:
        """Whether the account may share a file, and so sees its permissions."""
        return self.shows_permissions and any(
            one.get("emailAddress") == self.account and one["role"] in _WRITERS
            for one in self.permissions_of(file)
        )

    def members(self, group: str, seen: Iterable[str] = ()) -> list[tuple[str, str]]:
        """The members of a group and of groups within it: pairs of e-mail address and type."""
        found = []
        for email, kind in self.groups[group]:
            found.append((email, kind))
            if kind == "GROUP" and email not in seen:
                found += self.members(email, [*seen, group])
        return found
