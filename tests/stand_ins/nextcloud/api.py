"""The interfaces of a Nextcloud over HTTP, as far as files, shares and groups are read.

Forms: RFC 4918; Nextcloud's developer manual, "WebDAV: basic APIs" and "OCS Share API"; its
administration manual, "Instruction set for groups" and "for users".
"""

import base64
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape

from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.stand_ins.nextcloud.cloud import (
    SHARE_TYPES,
    CloudNode,
    CloudShare,
    NextcloudSandbox,
)

_FILES = "/remote.php/dav/files"
_HEAD = (
    '<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" '
    'xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">'
)
_RESPONSE = """<d:response><d:href>{href}</d:href><d:propstat><d:prop>
<d:getetag>&quot;{etag}&quot;</d:getetag><oc:fileid>{id}</oc:fileid>
<oc:permissions>{letters}</oc:permissions>{more}</d:prop>
<d:status>HTTP/1.1 200 OK</d:status></d:propstat>
<d:propstat><d:prop><d:getcontentlanguage/></d:prop>
<d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>"""
_FOLDER = "<d:resourcetype><d:collection/></d:resourcetype>"
_FILE = "<d:resourcetype/><d:getcontentlength>{size}</d:getcontentlength>"
_ZEROS = bytes(65_536)
_AT_ONCE = 500


class _AnyPath(PathConvertor):
    """A path with line ends in it, too."""

    regex = "(?s:.*)"


def nextcloud_app(cloud: NextcloudSandbox) -> Starlette:
    """The routes of a cloud."""
    register_url_convertor("anypath", _AnyPath())
    api = _Api(cloud)
    methods = ["GET", "HEAD", "PROPFIND"]
    return Starlette(
        routes=[
            Route(_FILES + "/{user}", api.files, methods=methods),
            Route(_FILES + "/{user}/{path:anypath}", api.files, methods=methods),
            Route("/ocs/v2.php/cloud/user", api.user),
            Route("/ocs/v2.php/cloud/groups/{group:path}/users", api.group),
            Route("/ocs/v2.php/apps/files_sharing/api/v1/shares", api.shares),
        ]
    )


class _Api:
    def __init__(self, cloud: NextcloudSandbox) -> None:
        self._cloud = cloud

    async def files(self, request: Request) -> Response:
        """`PROPFIND` with a depth of 0 or 1, and `GET`."""
        user, refusal = self._admit(request)
        if refusal:
            return refusal
        path = request.path_params.get("path", "")
        if request.path_params["user"] != user:
            return Response(status_code=404)
        try:
            node = self._cloud.seen(user, path)
        except KeyError:
            return Response(status_code=404)
        if request.method == "PROPFIND":
            depth = request.headers.get("Depth", "infinity")
            listed = self._multistatus(user, path.strip("/"), node, depth)
            return StreamingResponse(listed, 207, media_type="application/xml; charset=utf-8")
        if node.is_folder:
            return Response(status_code=405)
        headers = {"Content-Length": str(node.size), "OC-ETag": f'"{node.etag}"'}
        return StreamingResponse(self._content(node), headers=headers)

    async def user(self, request: Request) -> Response:
        """`GET /cloud/user`: who asks."""
        user, refusal = self._admit(request, is_ocs=True)
        return refusal or _ocs({"id": user, "displayname": user.title(), "enabled": True})

    async def group(self, request: Request) -> Response:
        """`GET /cloud/groups/{group}/users`, for an administrator of the group."""
        user, refusal = self._admit(request, is_ocs=True)
        name = request.path_params["group"]
        if refusal:
            return refusal
        if name not in self._cloud.groups:
            return _ocs([], 404, "The requested group could not be found")
        if user not in self._cloud.group_admins[name]:
            return _ocs([], 403)
        return _ocs({"users": sorted(self._cloud.groups[name])})

    async def shares(self, request: Request) -> Response:
        """`GET /shares`: those that the user gave, or with `shared_with_me` those that they got."""
        user, refusal = self._admit(request, is_ocs=True)
        if refusal:
            return refusal
        got = self._cloud.received(user)
        if request.query_params.get("shared_with_me") == "true":
            return _ocs([_share(one, f"/{name}") for name, one in got.items()])
        given = [one for one in self._cloud.shares.values() if one.node.owner == user]
        return _ocs([_share(one, one.node.path) for one in given])

    def _admit(self, request: Request, *, is_ocs: bool = False) -> tuple[str, Response | None]:
        """The user who asks, and a refusal."""
        self._cloud.requests.append((request.method, request.url.path))
        for fault in self._cloud.faults:
            if fault.times and fault.path in request.url.path:
                fault.times -= 1
                return "", Response(status_code=fault.status, headers=fault.headers)
        kind, _, given = request.headers.get("Authorization", "").partition(" ")
        user, _, password = base64.b64decode(given).decode().partition(":")
        if kind != "Basic" or not password or self._cloud.passwords.get(user) != password:
            return "", _ocs([], 997, "Current user is not logged in") if is_ocs else Response(
                status_code=401, headers={"WWW-Authenticate": 'Basic realm="Nextcloud"'}
            )
        if is_ocs and "OCS-APIRequest" not in request.headers:
            return "", _ocs([], 412, "CSRF check failed")
        return user, None

    def _multistatus(self, user: str, path: str, node: CloudNode, depth: str) -> Iterator[str]:
        base = f"{_FILES}/{quote(user)}/" + (f"{path}/" if path else "")
        yield _HEAD
        yield self._response(user, base if node.is_folder else base.rstrip("/"), node)
        if node.is_folder and depth != "0":
            children = list(self._cloud.content(user, node))
            for at in range(0, len(children), _AT_ONCE):
                yield "".join(
                    self._response(user, base + child.name + "/" * child.is_folder, child)
                    for child in children[at : at + _AT_ONCE]
                )
        yield "</d:multistatus>"

    def _response(self, user: str, path: str, node: CloudNode) -> str:
        is_mounted = node.storage != self._cloud.node(user).storage
        letters = "S" * (node.owner != user) + "RGDNVW" + "M" * is_mounted
        return _RESPONSE.format(
            href=escape(quote(path, safe="/()~")),
            etag=self._cloud.etag(user, node),
            id=node.id,
            letters=letters,
            more=_FOLDER if node.is_folder else _FILE.format(size=node.size),
        )

    def _content(self, node: CloudNode) -> Iterator[bytes]:
        left = node.size
        if node.data:
            self._cloud.sent_bytes += len(node.data)
            left -= len(node.data)
            yield node.data
        while left > 0:
            part = _ZEROS[:left]
            self._cloud.sent_bytes += len(part)
            left -= len(part)
            yield part


def _ocs(data: Any, code: int = 200, message: str = "") -> Response:
    """An answer of version 2, whose status is that of HTTP."""
    is_ok = code == 200
    meta = {
        "status": "ok" if is_ok else "failure",
        "statuscode": code,
        "message": "OK" if is_ok else message,
    }
    return JSONResponse({"ocs": {"meta": meta, "data": data}}, 401 if code == 997 else code)


def _share(share: CloudShare, path: str) -> dict[str, Any]:
    """The fields of a share, as the server formats it."""
    node = share.node
    return {
        "id": str(share.id),
        "share_type": SHARE_TYPES[share.kind],
        "uid_owner": node.owner,
        "displayname_owner": node.owner.title(),
        "permissions": share.permissions,
        "stime": 1_700_000_000,
        "parent": None,
        "expiration": share.expiration,
        "token": "abc" if share.kind in {"link", "mail"} else None,
        "uid_file_owner": node.owner,
        "displayname_file_owner": node.owner.title(),
        "path": path,
        "item_type": "folder" if node.is_folder else "file",
        "storage_id": f"home::{node.owner}",
        "storage": node.storage,
        "item_source": node.id,
        "file_source": node.id,
        "file_parent": node.parent.id if node.parent else node.id,
        "file_target": f"/{node.name}",
        "share_with": None if share.kind == "link" else share.receiver,
        "share_with_displayname": share.receiver,
        "mail_send": 0,
    }
