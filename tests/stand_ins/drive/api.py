"""The REST interfaces of Google Drive v3, of its access tokens, and of the directory of groups.

Forms and fields: the discovery documents of Drive v3 and of the Directory API (directory_v1), and
https://developers.google.com/identity/protocols/oauth2/service-account. Faults (`Fault.kind`), each
for one method or for all:

- `429` (with Retry-After), `403_rate`, `500`, `410`: refused in Google's form.
- `slow`: waits `delay_s`, then answers.
- `truncated`: half of the answer, then the connection drops.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from rich_agent_sandbox.exchange import Endpoint, Exchange, RefusalError, UpstreamRules
from rich_agent_sandbox.ledger import Fault, Ledger
from tests.stand_ins.drive.fields import selected
from tests.stand_ins.drive.state import FOLDER, DriveSandbox, StoredFile

_ZEROS = bytes(65_536)
_QUERY = f"trashed = false and mimeType != '{FOLDER}'"
_TOKEN_LIFETIME_S = 3_599
_BY_KEY = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def drive_routes(state: DriveSandbox, ledger: Ledger) -> list[BaseRoute]:
    """All routes: `/drive/v3`, `/admin/directory/v1` and `/token`; calls go to `ledger`."""
    rules = UpstreamRules(
        upstream="drive",
        check_key=lambda request: _check_token(state, request),
        refuse_by_fault=_refuse_by_fault,
        bad_body=lambda message: refusal(400, "badRequest", message),
    )
    api = _Api(state)

    def route(path: str, method: str, handle: Callable[[Request], Any]) -> Route:
        async def answer(call: Exchange) -> Response:
            found = handle(call.request)
            if isinstance(found, Response):
                return found
            fields = call.request.query_params.get("fields", "*")
            return JSONResponse(selected(found, fields))

        return Route(path, Endpoint(ledger, rules, method, answer).answer, methods=["GET"])

    async def token(request: Request) -> Response:
        started_at = ledger.clock()
        status, found = _token(state, await request.body())
        ledger.record("drive", "token", {}, status=status, started_at=started_at)
        return JSONResponse(found, status)

    files = "/drive/v3/files"
    return [
        Route("/token", token, methods=["POST"]),
        route("/drive/v3/about", "about", api.about),
        route("/drive/v3/drives/{id}", "drive", api.drive),
        route("/drive/v3/changes/startPageToken", "start_token", api.start_token),
        route("/drive/v3/changes", "changes", api.changes),
        route(files, "files", api.files),
        route(f"{files}/{{id}}", "file", api.file),
        route(f"{files}/{{id}}/export", "export", api.export),
        route(f"{files}/{{id}}/permissions", "permissions", api.permissions),
        route("/admin/directory/v1/groups/{key}/members", "members", api.members),
    ]


class _Api:
    def __init__(self, state: DriveSandbox) -> None:
        self._state = state

    def about(self, _: Request) -> dict[str, Any]:
        """`about.get`."""
        name = self._state.account.partition("@")[0]
        user = {"kind": "drive#user", "displayName": name, "emailAddress": self._state.account}
        return {"kind": "drive#about", "user": user}

    def drive(self, request: Request) -> dict[str, Any]:
        """`drives.get`."""
        drive = request.path_params["id"]
        if drive not in self._state.drives:
            raise refusal(404, "notFound", f"Shared drive not found: {drive}")
        return {"kind": "drive#drive", "id": drive, "name": self._state.drives[drive]}

    def start_token(self, request: Request) -> dict[str, Any]:
        """`changes.getStartPageToken`."""
        self._shared_drive(request)
        token = f"{self._state.generation}-{len(self._state.log)}"
        return {"kind": "drive#startPageToken", "startPageToken": token}

    def changes(self, request: Request) -> dict[str, Any]:
        """`changes.list`: each file that changed, as it is now."""
        drive, start, size = self._shared_drive(request), self._start(request), _size(request)
        log = self._state.log
        end = min(start + size, len(log))
        latest = dict.fromkeys(reversed(log[start:end]))
        changes = [self._change(file_id, drive) for file_id in latest]
        found: dict[str, Any] = {
            "kind": "drive#changeList",
            "changes": [one for one in changes if one],
        }
        token = f"{self._state.generation}-{end}"
        found["nextPageToken" if end < len(log) else "newStartPageToken"] = token
        return found

    def _change(self, file_id: str, drive: str) -> dict[str, Any] | None:
        file = self._state.files.get(file_id)
        is_there = file is not None and self._state.sees(file)
        is_there = is_there and (not drive or (file is not None and file.drive == drive))
        change = {
            "kind": "drive#change",
            "changeType": "file",
            "time": "2026-01-01T00:00:00.000Z",
            "removed": not is_there,
            "fileId": file_id,
        }
        return {**change, "file": self._form(file)} if is_there and file else change

    def files(self, request: Request) -> dict[str, Any]:
        """`files.list`, for the query that the API's guide gives: no folders, no trash."""
        query = request.query_params
        if query.get("q") != _QUERY:
            raise refusal(400, "invalid", "Invalid Value", location="q")
        drive, start, size = self._shared_drive(request), self._start(request), _size(request)
        if "permissions" in query.get("fields", ""):
            size = min(size, 100)
        shared = query.get("includeItemsFromAllDrives") == "true"
        found = list(islice(self._listed(start, drive, shared=shared), size + 1))
        answer: dict[str, Any] = {
            "kind": "drive#fileList",
            "incompleteSearch": False,
            "files": [self._form(one) for one in found[:size]],
        }
        if len(found) > size:
            answer["nextPageToken"] = f"{self._state.generation}-{int(found[size - 1].id[1:])}"
        return answer

    def _listed(self, after: int, drive: str, *, shared: bool) -> Iterable[StoredFile]:
        """The files whose ids follow, which are given out without gaps."""
        number = after
        while number < self._state.newest:
            number += 1
            file = self._state.files.get(f"1{number:032d}")
            if file is None or file.trashed or file.mime_type == FOLDER:
                continue
            if (file.drive == drive if drive else shared or not file.drive) and self._state.sees(
                file
            ):
                yield file

    def file(self, request: Request) -> dict[str, Any] | Response:
        """`files.get`, also with `alt=media`."""
        file = self._file(request)
        if request.query_params.get("alt") != "media":
            return self._form(file)
        if file.mime_type.startswith("application/vnd.google-apps."):
            message = "Only files with binary content can be downloaded."
            raise refusal(403, "fileNotDownloadable", message)
        if not file.can_download:
            raise refusal(403, "cannotDownloadFile", "This file cannot be downloaded by the user.")
        headers = {"content-length": str(file.size)}
        return StreamingResponse(_bytes_of(file), headers=headers, media_type=file.mime_type)

    def export(self, request: Request) -> Response:
        """`files.export`."""
        file = self._file(request)
        if not file.mime_type.startswith("application/vnd.google-apps."):
            raise refusal(403, "fileNotExportable", "Export only supports Docs Editors files.")
        if len(file.exported) > 10_000_000:
            message = "This file is too large to be exported."
            raise refusal(403, "exportSizeLimitExceeded", message)
        return Response(file.exported, media_type=request.query_params["mimeType"])

    def permissions(self, request: Request) -> dict[str, Any]:
        """`permissions.list`."""
        file = self._file(request)
        if not self._state.may_share(file):
            message = "The user does not have sufficient permissions for this file."
            raise refusal(403, "insufficientFilePermissions", message)
        found, start, size = self._state.permissions_of(file), self._start(request), _size(request)
        answer: dict[str, Any] = {
            "kind": "drive#permissionList",
            "permissions": [_permission(one) for one in found[start : start + size]],
        }
        if start + size < len(found):
            answer["nextPageToken"] = f"{self._state.generation}-{start + size}"
        return answer

    def members(self, request: Request) -> dict[str, Any]:
        """`members.list` of the Directory API."""
        group = unquote(request.path_params["key"])
        if request.headers["authorization"].rpartition(":")[2] not in self._state.administrators:
            message = "Not Authorized to access this resource/api"
            raise refusal(403, "forbidden", message)
        if group not in self._state.groups:
            raise refusal(404, "notFound", f"Resource Not Found: groupKey: {group}")
        deep = request.query_params.get("includeDerivedMembership") == "true"
        found: Sequence[tuple[str, str]] = (
            self._state.members(group) if deep else self._state.groups[group]
        )
        start = int(request.query_params.get("pageToken", 0))
        size = int(request.query_params.get("maxResults", 200))
        answer: dict[str, Any] = {"kind": "admin#directory#members", "etag": '"0"'}
        answer["members"] = [
            {
                "kind": "admin#directory#member",
                "id": str(number),
                "email": email,
                "role": "MEMBER",
                "type": kind,
                "status": "ACTIVE",
            }
            for number, (email, kind) in enumerate(found[start : start + size])
        ]
        if start + size < len(found):
            answer["nextPageToken"] = str(start + size)
        return answer

    def _file(self, request: Request) -> StoredFile:
        file_id = request.path_params["id"]
        file = self._state.files.get(file_id)
        is_shared = request.query_params.get("supportsAllDrives") == "true"
        if file is None or not self._state.sees(file) or (file.drive and not is_shared):
            raise refusal(404, "notFound", f"File not found: {file_id}.", location="fileId")
        return file

    def _shared_drive(self, request: Request) -> str:
        drive = request.query_params.get("driveId", "")
        if drive and drive not in self._state.drives:
            raise refusal(404, "notFound", f"Shared drive not found: {drive}")
        if drive and request.query_params.get("supportsAllDrives") != "true":
            message = "The driveId parameter needs supportsAllDrives."
            raise refusal(403, "teamDrivesParentLimit", message)
        return drive

    def _start(self, request: Request) -> int:
        token = request.query_params.get("pageToken")
        if token is None:
            return 0
        generation, _, start = token.partition("-")
        if generation != str(self._state.generation) or not start.isdigit():
            raise refusal(400, "invalid", "Invalid Value", location="pageToken")
        return int(start)

    def _form(self, file: StoredFile) -> dict[str, Any]:
        """A file in the form of its resource."""
        is_google = file.mime_type.startswith("application/vnd.google-apps.")
        found: dict[str, Any] = {
            "kind": "drive#file",
            "id": file.id,
            "name": file.name,
            "mimeType": file.mime_type,
            "trashed": file.trashed,
            "explicitlyTrashed": file.trashed,
            "parents": [file.parent] if file.parent else [],
            "modifiedTime": file.modified.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z",
            "webViewLink": f"https://drive.google.com/file/d/{file.id}/view?usp=drivesdk",
            "capabilities": {
                "canDownload": file.can_download,
                "canShare": self._state.may_share(file),
            },
        }
        if not is_google:
            found |= {"size": str(file.size), "md5Checksum": file.md5}
        if file.drive:
            found |= {
                "driveId": file.drive,
                "teamDriveId": file.drive,
                "hasAugmentedPermissions": bool(file.permissions),
            }
        elif self._state.may_share(file):
            found["permissions"] = [_permission(one) for one in self._state.permissions_of(file)]
        return found


def _permission(entry: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "drive#permission", "deleted": False, "pendingOwner": False, **entry}


async def _bytes_of(file: StoredFile) -> AsyncIterator[bytes]:
    yield file.content
    left = file.size - len(file.content)
    while left > 0:
        yield _ZEROS[: min(left, len(_ZEROS))]
        left -= len(_ZEROS)


def _size(request: Request) -> int:
    size = int(request.query_params.get("pageSize", 100))
    if not 1 <= size <= 1_000:
        raise refusal(400, "invalidParameter", "Invalid value", location="pageSize")
    return size


def _token(state: DriveSandbox, body: bytes) -> tuple[int, dict[str, Any]]:
    """The answer to a request for an access token: a status, and its JSON."""
    form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
    subject = ""
    if form.get("grant_type") == "refresh_token":
        if form.get("client_secret") != state.client_secret:
            return 401, {"error": "invalid_client", "error_description": "Unauthorized"}
        if form.get("refresh_token") != state.refresh_token:
            words = "Token has been expired or revoked."
            return 400, {"error": "invalid_grant", "error_description": words}
    elif form.get("grant_type") == _BY_KEY:
        try:
            subject = str(state.read_assertion(form["assertion"]).get("sub", ""))
        except Exception:  # noqa: BLE001 - whatever is wrong with a signature
            words = "Invalid JWT Signature."
            return 400, {"error": "invalid_grant", "error_description": words}
    else:
        return 400, {"error": "unsupported_grant_type", "error_description": "Invalid grant_type"}
    token = f"ya29.{state.tokens}:{subject}"
    return 200, {"access_token": token, "expires_in": _TOKEN_LIFETIME_S, "token_type": "Bearer"}


def _check_token(state: DriveSandbox, request: Request) -> None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer" or token.partition(":")[0] != f"ya29.{state.tokens}":
        raise refusal(401, "authError", "Invalid Credentials", location="Authorization")


def refusal(status: int, reason: str, message: str, *, location: str = "") -> RefusalError:
    """A refusal in Google's form."""
    error = {"message": message, "domain": "global", "reason": reason}
    if location:
        error |= {"location": location, "locationType": "parameter"}
    payload = {"error": {"errors": [error], "code": status, "message": message}}
    return RefusalError(status, json.loads(json.dumps(payload)))


def _refuse_by_fault(fault: Fault) -> None:
    if fault.kind == "429":
        raise refusal(429, "rateLimitExceeded", "Rate Limit Exceeded").retried_after(fault)
    if fault.kind == "403_rate":
        raise refusal(403, "userRateLimitExceeded", "User Rate Limit Exceeded")
    if fault.kind == "500":
        raise refusal(500, "backendError", "Internal Error")
    if fault.kind == "410":
        raise refusal(410, "updatedMinTooLongAgo", "Gone")
