"""Readers of files in Google Drive, by the files' direct and inherited permissions.

A link is not a permission, because nobody knows who has it. A permission that the account cannot
see admits nobody.

Source: https://developers.google.com/workspace/drive/api/reference/rest/v3/permissions.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

import httpx
from pydantic import Field, ValidationError

from rich_agent.feature.connectors import ConnectorError, PlaceReaders, ServiceGroup
from rich_agent.feature.rest_client import Params, RestClient, ServiceRefusedError
from rich_agent.features.connectors.drive.files import GoogleAnswer

_PERMISSION: Final = (
    "type,role,emailAddress,domain,allowFileDiscovery,deleted,view,expirationTime,"
    "inheritedPermissionsDisabled,permissionDetails(inherited)"
)
_FIELDS: Final = (
    "nextPageToken,incompleteSearch,"
    f"files(id,driveId,parents,hasAugmentedPermissions,permissions({_PERMISSION}))"
)
_PERMISSIONS_AT_ONCE: Final = 100
_MEMBERS_AT_ONCE: Final = 200
_ALWAYS_ADMITTED: Final = frozenset({"owner", "organizer"})
_REFUSED: Final = frozenset({httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND})


class _Detail(GoogleAnswer):
    inherited: bool = False


class _Permission(GoogleAnswer):
    type: str
    role: str
    email_address: str = ""
    domain: str = ""
    allow_file_discovery: bool = False
    deleted: bool = False
    view: str = ""
    expiration_time: datetime | None = None
    inherited_permissions_disabled: bool = False
    permission_details: list[_Detail] = Field(default_factory=list)

    def name(self) -> str:
        """The person, group or domain that may read the file, "" if nobody may.

        A permission with a `view` shows only a published version, or that the file exists.
        """
        is_expired = self.expiration_time and self.expiration_time <= datetime.now(UTC)
        is_cut_off = (
            self.inherited_permissions_disabled
            and self.role not in _ALWAYS_ADMITTED
            and all(detail.inherited for detail in self.permission_details)
        )
        if self.deleted or self.view or is_expired or is_cut_off:
            return ""
        if self.type in {"user", "group"}:
            return self.email_address.lower()
        is_open = self.type == "domain" and self.allow_file_discovery
        return self.domain.lower() if is_open else ""

    @property
    def is_public(self) -> bool:
        """Whether everybody can find the file, without a link."""
        return self.type == "anyone" and self.allow_file_discovery and not self.view


class _Shared(GoogleAnswer):
    """A file with its permissions.

    For a file of a shared drive, Google leaves out the permissions.
    """

    id: str
    drive_id: str = ""
    parents: list[str] = Field(default_factory=list)
    has_augmented_permissions: bool | None = None
    permissions: list[_Permission] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DriveRights:
    """One reading of all rights. With `directory`, the members of groups are read, too."""

    client: RestClient
    directory: RestClient | None
    source: str
    _groups: set[str] = field(default_factory=set)
    _reader_sets: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)
    _in_folders: dict[str, frozenset[str]] = field(default_factory=dict)

    async def all(self, params: Params) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """The readers of each listed file, then the members of groups among the readers."""
        try:
            async for answer in self._answers("/files", {**params, "fields": _FIELDS}):
                if answer.get("incompleteSearch"):
                    raise ConnectorError("Google Drive: the listing is not complete")
                for file_json in answer["files"]:
                    file = _Shared.model_validate(file_json)
                    yield PlaceReaders(file.id, await self._readers(file))
            if self.directory:
                for group in sorted(self._groups):
                    members = await self._members(self.directory, group)
                    if members is not None:
                        yield ServiceGroup(self._principal(group), members)
        except (ValidationError, KeyError, TypeError) as error:
            raise ConnectorError("Google Drive: an answer that cannot be read") from error

    async def _readers(self, file: _Shared) -> frozenset[str]:
        """The readers of a file. In a shared drive, they are requested once for each folder."""
        if not file.drive_id:
            return self._readers_by(file.permissions)
        if file.has_augmented_permissions is not False or not file.parents:
            return await self._readers_of_file(file.id)
        folder = file.parents[0]
        if folder not in self._in_folders:
            self._in_folders[folder] = await self._readers_of_file(file.id)
        return self._in_folders[folder]

    async def _readers_of_file(self, file_id: str) -> frozenset[str]:
        params: Params = {
            "supportsAllDrives": "true",
            "pageSize": _PERMISSIONS_AT_ONCE,
            "fields": f"nextPageToken,permissions({_PERMISSION})",
        }
        permissions: list[_Permission] = []
        try:
            async for answer in self._answers(f"/files/{file_id}/permissions", params):
                permissions += [
                    _Permission.model_validate(permission_json)
                    for permission_json in answer["permissions"]
                ]
        except ServiceRefusedError as error:
            if error.status not in _REFUSED or not error.is_refused:
                raise
            return frozenset()
        return self._readers_by(permissions)

    def _readers_by(self, permissions: Iterable[_Permission]) -> frozenset[str]:
        readers = set()
        for permission in permissions:
            if permission.is_public:
                readers.add("everybody")
            elif name := permission.name():
                readers.add(self._principal(name))
                if permission.type == "group":
                    self._groups.add(name)
        principals = frozenset(readers)
        return self._reader_sets.setdefault(
            principals, principals
        )  # one object for files with equal readers

    async def _members(self, directory: RestClient, group: str) -> frozenset[str] | None:
        """The people in a group and in groups within it, None if the account may not see them."""
        params: Params = {"includeDerivedMembership": "true", "maxResults": _MEMBERS_AT_ONCE}
        path = f"/groups/{quote(group, safe='')}/members"
        principals: set[str] = set()
        try:
            async for answer in self._answers(path, params, directory):
                for member in answer.get("members", ()):
                    if member["type"] == "USER" and member.get("email"):
                        principals.add(self._principal(member["email"].lower()))
        except ServiceRefusedError as error:
            if error.status not in _REFUSED or not error.is_refused:
                raise
            return None
        return frozenset(principals)

    async def _answers(
        self, path: str, params: Params, client: RestClient | None = None
    ) -> AsyncIterator[Mapping[str, Any]]:
        page_token = ""
        while True:
            query = {**params, "pageToken": page_token} if page_token else params
            answer = await (client or self.client).get(path, query)
            yield answer
            page_token = str(answer.get("nextPageToken") or "")
            if not page_token:
                return

    def _principal(self, name: str) -> str:
        return f"external:{self.source}:{name}"
