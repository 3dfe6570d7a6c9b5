"""Shares and groups of Nextcloud and ownCloud, as one of their users sees them.

Public links, mail addresses and other servers are not readers, because the bot knows no user by
them.

Sources: Nextcloud's developer manual, "OCS Share API"; its administration manual, "Instruction set
for groups".
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, field_validator

from rich_agent.feature.connectors import PlaceReaders, ServiceGroup
from rich_agent.feature.webdav import WebdavClient, WebdavError, WebdavRequest, require_success

HOME: Final = "home"
"""The place of files that are in no share. Only their owner may read these files."""
_SHARES: Final = "ocs/v2.php/apps/files_sharing/api/v1/shares"
_MAY_READ: Final = 1  # Nextcloud's Constants::PERMISSION_READ
_WITH_USER, _WITH_GROUP = 0, 1
_HEADERS: Final = {"OCS-APIRequest": "true", "Accept": "application/json"}
_MOST_BYTES = 200_000_000
_DEADLINE_S = 120.0


class NextcloudShare(BaseModel):
    """A file or folder that a user shared or received.

    `path`: its path among the user's files.
    `uid_owner`: the user who shared it.
    `uid_file_owner`: the user who owns it.
    `storage`: the storage that it is on. If the storage of its parent folder differs, the item is
    mounted there and not shared with that folder.
    """

    share_type: int
    file_source: int
    path: str = Field(min_length=1)
    permissions: int
    storage: int | str
    uid_owner: str
    uid_file_owner: str
    share_with: str | None = None
    expiration: str | None = None

    @field_validator("share_with", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return str(value) if isinstance(value, int) else value

    def is_valid(self, now: datetime) -> bool:
        """Whether the share lets a person or a group of the server read, and has not expired."""
        if self.share_type not in {_WITH_USER, _WITH_GROUP} or not self.share_with:
            return False
        if not self.permissions & _MAY_READ:
            return False
        if not self.expiration:
            return True
        with suppress(ValueError):
            expires_at = datetime.fromisoformat(self.expiration)
            return (expires_at if expires_at.tzinfo else expires_at.replace(tzinfo=UTC)) > now
        return False


class _User(BaseModel):
    id: str


class _Members(BaseModel):
    users: list[str]


@dataclass(frozen=True, slots=True)
class SharedPath:
    """A shared file or folder."""

    id: str
    """Its number, which is the name of its place."""
    storage: str
    readers: frozenset[str]
    """The people and groups with whom it is shared, and its owners."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares that one user gave or received, by path."""

    source: str
    owner: str
    shared: Mapping[str, SharedPath]
    paths: Sequence[str]
    groups: frozenset[str]

    @classmethod
    def of(cls, source: str, owner: str, shares: Sequence[NextcloudShare]) -> "Shares":
        """Group the listed shares by path; invalid shares are left out."""
        shared_by_path: dict[str, SharedPath] = {}
        groups: set[str] = set()
        now = datetime.now(UTC)
        for share in filter(lambda share: share.is_valid(now), shares):
            path, recipient = "/" + share.path.strip("/"), share.share_with or ""
            is_group = share.share_type == _WITH_GROUP
            groups |= {recipient} if is_group else set()
            readers = {
                _group(source, recipient) if is_group else _person(source, recipient),
                _person(source, share.uid_owner),
                _person(source, share.uid_file_owner),
            }
            readers_before = (
                shared_by_path[path].readers if path in shared_by_path else frozenset[str]()
            )
            place, storage = str(share.file_source), str(share.storage)
            shared_by_path[path] = SharedPath(place, storage, readers_before | readers)
        return cls(source, owner, shared_by_path, sorted(shared_by_path), frozenset(groups))

    def place_of(self, path: str, mount: str = "/") -> str:
        """The place of a file or folder: the nearest share that has it, at or below `mount`."""
        for outer_path in _upwards(path):
            if outer_path in self.shared:
                return self.shared[outer_path].id
            if outer_path == mount:
                break
        return HOME

    def mark_of(self, folder: str, mount: str = "/") -> str:
        """A text that changes when files at or below a folder get another place."""
        folder_path = folder.rstrip("/")
        start = bisect_left(self.paths, folder_path + "/")
        end = bisect_left(self.paths, folder_path + "0")  # the character that follows "/"
        inner_shares = [
            f"{inner_path} {self.shared[inner_path].id}" for inner_path in self.paths[start:end]
        ]
        return sha256(
            "\n".join([self.place_of(folder, mount), *inner_shares]).encode()
        ).hexdigest()[:12]

    def accesses(self) -> Iterator[PlaceReaders]:
        """The readers of each place.

        Readers of a folder may also read items that are shared inside it.
        """
        owner = _person(self.source, self.owner)
        readers_by_place: dict[str, set[str]] = {HOME: {owner}}
        for path, share in self.shared.items():
            outer_shares = (
                self.shared[outer_share]
                for outer_share in _upwards(path)
                if outer_share in self.shared
            )
            readers_above = (
                outer_share.readers
                for outer_share in outer_shares
                if outer_share.storage == share.storage
            )
            readers_by_place.setdefault(share.id, {owner}).update(*readers_above)
        for place, place_readers in readers_by_place.items():
            yield PlaceReaders(place, frozenset(place_readers))


@dataclass(frozen=True, slots=True)
class NextcloudShares:
    """Reads the shares of a server, and the members of groups."""

    server: WebdavClient
    root: str
    source: str

    async def read(self) -> Shares:
        """The shares that the user gave and received. Raises: WebdavError."""
        owner = _User.model_validate(await self._data("ocs/v2.php/cloud/user")).id
        given_json = await self._data(f"{_SHARES}?reshares=true")
        received_json = await self._data(f"{_SHARES}?shared_with_me=true")
        adapter = TypeAdapter(list[NextcloudShare])
        try:
            shares = [
                *adapter.validate_python(given_json),
                *adapter.validate_python(received_json),
            ]
        except ValidationError as error:
            raise WebdavError("address", "the shares are in no known form") from error
        return Shares.of(self.source, owner, shares)

    async def groups(self, shares: Shares) -> Sequence[ServiceGroup]:
        """The groups of shares. A group has no members if the user may not see them."""
        return [await self._group(name) for name in sorted(shares.groups)]

    async def _group(self, name: str) -> ServiceGroup:
        members: Sequence[str] = ()
        try:
            members_json = await self._data(f"ocs/v2.php/cloud/groups/{quote(name, safe='')}/users")
            members = _Members.model_validate(members_json).users
        except WebdavError as error:
            # Nextcloud refuses users who do not administer the group, also for deleted groups.
            if error.status not in {403, 404}:
                raise
        member_principals = frozenset(_person(self.source, member) for member in members)
        return ServiceGroup(_group(self.source, name), member_principals)

    async def _data(self, path: str) -> object:
        request = WebdavRequest(
            "GET", headers=_HEADERS, most_bytes=_MOST_BYTES, deadline_s=_DEADLINE_S
        )
        response = await self.server.ask(f"{self.root}/{path}", request)
        require_success(response)
        try:
            return response.json()["ocs"]["data"]
        except (ValueError, KeyError, TypeError) as error:
            raise WebdavError("address", "the answer is not one of Nextcloud") from error


def group_name(group: ServiceGroup) -> str:
    """The name of a group at the server."""
    return group.principal.split(":", 3)[3]


def _person(source: str, name: str) -> str:
    return f"external:{source}:{name}"


def _group(source: str, name: str) -> str:
    # No user has such a name, because Nextcloud permits no colon in names.
    return f"external:{source}:group:{name}"


def _upwards(path: str) -> Iterator[str]:
    """The path and all folders above it, nearest first."""
    path = "/" + path.strip("/")
    while path != "/":
        yield path
        path = path.rpartition("/")[0] or "/"
    yield "/"
