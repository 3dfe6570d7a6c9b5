"""Google Drive: files shared with an account, or a shared drive, and the readers of each file.

Source: https://developers.google.com/workspace/drive/api/reference/rest/v3
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, Field, ValidationError, field_validator

from rich_agent.feature.connectors import (
    Changes,
    ConnectorError,
    CursorExpiredError,
    Entry,
    Intranet,
    Outcome,
    PlaceReaders,
    RawDocument,
    ServiceConfig,
    ServiceGroup,
    Unreadable,
    state_in,
)
from rich_agent.feature.rest_client import (
    Params,
    RequestLimits,
    RestClient,
    RestService,
    ServiceRefusedError,
    too_large,
)
from rich_agent.features.connectors.drive.files import (
    FILE_FIELDS,
    READABLE,
    DriveFile,
    GoogleAnswer,
    documents_of,
)
from rich_agent.features.connectors.drive.google_auth import GoogleAuth, GoogleCredentials
from rich_agent.features.connectors.drive.rights import DriveRights

_AT_ONCE: Final = 1_000
_SCOPES: Final = ("https://www.googleapis.com/auth/drive.readonly",)
_MEMBER_SCOPES: Final = ("https://www.googleapis.com/auth/admin.directory.group.member.readonly",)
_BUSY: Final = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded"})
_HINTS: Final = {
    401: "Google no longer accepts the key. Make a new one and connect again.",
    403: "Enable the Google Drive API in the project of the key, and share the files with its "
    "account.",
    404: "Check the address, and that the shared drive has the account as a member.",
}


class DriveConfig(ServiceConfig):
    """The part of Google Drive that is read, and the administrator who can read groups."""

    address: str = Field(
        default="https://drive.google.com/drive/my-drive",
        description="Address of a shared drive, .../drive/folders/ID; if omitted, all that is "
        "shared with the account.",
    )
    admin: str = Field(
        default="",
        description="Administrator of Google Workspace as whom groups are read, by e-mail.",
    )

    @field_validator("address")
    @classmethod
    def _is_known(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.hostname != "drive.google.com" or not parts.path.startswith("/drive/"):
            raise ValueError("an address of Drive begins with https://drive.google.com/drive/")
        return value

    @property
    def drive(self) -> str:
        """The id of a shared drive, "" for all files that the account sees."""
        prefix, separator, drive_id = (
            urlsplit(self.address).path.rstrip("/").rpartition("/folders/")
        )
        return drive_id if prefix and separator else ""


class _Files(GoogleAnswer):
    files: list[DriveFile]
    next_page_token: str = ""
    incomplete_search: bool = False


class _Change(GoogleAnswer):
    change_type: str = "file"
    removed: bool = False
    file_id: str = ""
    file: DriveFile | None = None


class _ChangeList(GoogleAnswer):
    changes: list[_Change]
    next_page_token: str = ""
    new_start_page_token: str = ""


class _Cursor(BaseModel):
    """The position in the changes, or in a listing of all files."""

    token: str
    """Token of the changes to read next."""
    page: str = ""
    """Next page of the listing of all files."""
    is_done: bool = True
    """Whether the listing of all files has ended."""


@dataclass(frozen=True, slots=True)
class GoogleHosts:
    """The addresses of Google's APIs."""

    api: str = "https://www.googleapis.com"
    directory: str = "https://admin.googleapis.com"


def open_drive(  # noqa: PLR0913 - each is an independent option
    config: DriveConfig,
    secret: str,
    *,
    source: str,
    intranet: Intranet | None = None,
    hosts: GoogleHosts | None = None,
    limits: RequestLimits | None = None,
) -> "Drive":
    """Open Google Drive. `secret` is the content of a key file.

    Raises: ConnectorError if `secret` is no key file.
    """
    hosts, credentials = hosts or GoogleHosts(), GoogleCredentials.read(secret)

    def client(root: str, auth: GoogleAuth) -> RestClient:
        service = RestService("Google Drive", root, auth, _HINTS, _says_busy)
        return RestClient(service, intranet, limits)

    directory = GoogleAuth(credentials, _MEMBER_SCOPES, config.admin)
    return Drive(
        client(f"{hosts.api}/drive/v3", GoogleAuth(credentials, _SCOPES)),
        client(f"{hosts.directory}/admin/directory/v1", directory) if config.admin else None,
        config.drive,
        source,
    )


@dataclass(frozen=True, slots=True)
class Drive:
    """Implements `Connector` for a shared drive, or for all shared files. A place is a file."""

    client: RestClient
    directory: RestClient | None
    """Client of the directory with the members of groups, None without access to it."""
    drive: str
    """Id of the shared drive, "" for all shared files."""
    source: str

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        await self.client.aclose()
        if self.directory:
            await self.directory.aclose()

    async def check(self) -> str:
        """See `Connector.check`."""
        fields = {"fields": "user(displayName,emailAddress)"}
        user = (await self.client.get("/about", fields)).get("user", {})
        description = f"signed in as {user.get('emailAddress')}, who reads "
        if self.drive:
            drive_json = await self.client.get(f"/drives/{self.drive}", {"fields": "id,name"})
            description += f"the shared drive {drive_json.get('name')}"
        else:
            description += "what is shared with this account"
        group_note = "known" if self.directory else "not known: set admin"
        return f"{description}; members of groups are {group_note}"

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`."""
        if cursor:
            state = state_in(cursor, _Cursor)
        else:
            answer = await self.client.get("/changes/startPageToken", self._within())
            state = _Cursor(token=str(answer["startPageToken"]), is_done=False)
        listing = self._since(state) if state.is_done else self._whole(state)
        try:
            async for changes in listing:
                yield changes
        except ServiceRefusedError as error:
            if cursor and error.status in {httpx.codes.BAD_REQUEST, httpx.codes.GONE}:
                raise CursorExpiredError("Google Drive no longer knows this place") from error
            raise
        except (ValidationError, KeyError) as error:
            raise ConnectorError("Google Drive: an answer that cannot be read") from error

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`."""
        params = {**self._corpus(), "q": READABLE, "pageSize": _AT_ONCE}
        async for place in DriveRights(self.client, self.directory, self.source).all(params):
            yield place

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        path = f"/files/{entry.key}"
        try:
            answer = await self.client.get(
                path, {"fields": FILE_FIELDS, "supportsAllDrives": "true"}
            )
            return await self._read(entry, DriveFile.model_validate(answer), most_bytes)
        except ValidationError as error:
            raise ConnectorError("Google Drive: an answer that cannot be read") from error
        except ServiceRefusedError as error:
            if error.status == httpx.codes.NOT_FOUND:
                return Unreadable(entry.url, "there is no such file any more", is_gone=True)
            if error.status == httpx.codes.FORBIDDEN and error.is_refused:
                return Unreadable(entry.url, str(error))
            raise

    async def _read(self, entry: Entry, file: DriveFile, most_bytes: int) -> Outcome:
        media_type = file.media_type
        if file.trashed:
            return Unreadable(entry.url, "the file is in the trash", is_gone=True)
        if media_type is None:
            return Unreadable(entry.url, "files of this kind are not read")
        if not file.capabilities.can_download:
            return Unreadable(entry.url, "its owner does not permit that it is downloaded")
        path, params = f"/files/{file.id}", {"alt": "media"}
        if file.export_suffix:
            path, params = f"{path}/export", {"mimeType": media_type}
        elif file.size > most_bytes:
            return too_large(entry.url, most_bytes)
        file_bytes = await self.client.download(
            path, most_bytes, {**params, "supportsAllDrives": "true"}
        )
        if file_bytes is None:
            return too_large(entry.url, most_bytes)
        return RawDocument(entry.url, file_bytes, media_type, name=file.name + file.export_suffix)

    async def _whole(self, state: _Cursor) -> AsyncIterator[Changes]:
        fields = f"nextPageToken,incompleteSearch,files({FILE_FIELDS})"
        params = {**self._corpus(), "q": READABLE, "pageSize": _AT_ONCE, "fields": fields}
        page = state.page
        while True:
            query = {**params, "pageToken": page} if page else params
            listing = _Files.model_validate(await self.client.get("/files", query))
            if listing.incomplete_search:
                raise ConnectorError("Google Drive: the listing is not complete")
            page = listing.next_page_token
            next_cursor = _Cursor(token=state.token, page=page, is_done=not page)
            entries, skips = documents_of(listing.files)
            yield Changes(entries, next_cursor.model_dump_json(), skipped=skips)
            if not page:
                return

    async def _since(self, state: _Cursor) -> AsyncIterator[Changes]:
        change_fields = f"changes(changeType,removed,fileId,file({FILE_FIELDS}))"
        fields = f"nextPageToken,newStartPageToken,{change_fields}"
        params = {**self._within(), "includeItemsFromAllDrives": "true", "pageSize": _AT_ONCE}
        token = state.token
        while token:
            query = {**params, "pageToken": token, "fields": fields}
            listing = _ChangeList.model_validate(await self.client.get("/changes", query))
            changes_by_id = {
                change.file_id: change for change in listing.changes if change.change_type == "file"
            }
            present_files = [
                change.file
                for change in changes_by_id.values()
                if change.file and not change.removed and not change.file.trashed
            ]
            entries, skips = documents_of(present_files)
            removed_keys = tuple(changes_by_id.keys() - {entry.key for entry in entries})
            token = listing.next_page_token
            next_cursor = _Cursor(token=token or listing.new_start_page_token)
            yield Changes(entries, next_cursor.model_dump_json(), removed_keys, skips)

    def _within(self) -> dict[str, str | int]:
        """Parameters of a request for changes in the shared drive or of the account."""
        drive = {"driveId": self.drive} if self.drive else {}
        return {"supportsAllDrives": "true", **drive}

    def _corpus(self) -> Params:
        """Parameters of a request for a listing."""
        corpora = "drive" if self.drive else "user"
        return {**self._within(), "includeItemsFromAllDrives": "true", "corpora": corpora}


def _says_busy(body: object) -> bool:
    """Whether a refusal stands for too many requests, which Google may answer with 403."""
    error = body.get("error") if isinstance(body, dict) else None
    errors = error.get("errors") if isinstance(error, dict) else None
    return isinstance(errors, list) and any(
        isinstance(item, dict) and item.get("reason") in _BUSY for item in errors
    )
