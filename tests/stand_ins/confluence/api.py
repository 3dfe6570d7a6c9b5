"""The REST interfaces of a Confluence site: v2, and the parts of v1 that v2 does not have.

Forms and fields: https://developer.atlassian.com/cloud/confluence/rest/v2 and .../rest/v1 (their
OpenAPI documents). Faults (`Fault.kind`), each for one method or for all:

- `429` (with Retry-After), `500`, `401`: refused in Confluence's form.
- `slow`: waits `delay_s`, then answers.
- `truncated`: half of the answer, then the connection drops.
"""

import base64
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from rich_agent_sandbox.exchange import Endpoint, Exchange, RefusalError, UpstreamRules
from rich_agent_sandbox.ledger import Fault, Ledger
from tests.stand_ins.confluence.forms import (
    attachment_form,
    found_form,
    member_form,
    page_form,
    permission_forms,
    restriction_form,
    space_form,
    user_form,
)
from tests.stand_ins.confluence.site import ConfluenceSandbox, StoredContent

_MOST_AT_ONCE = 250
_MOST_MEMBERS = 200
_TYPES = {"pages": "page", "blogposts": "blogpost", "attachments": "attachment"}
_CQL = re.compile(r"type in \(([a-z, ]{1,200})\)(?: and space in \(([^()]{1,4000})\))?")
_ZEROS = bytes(65_536)


def confluence_routes(site: ConfluenceSandbox, ledger: Ledger) -> list[BaseRoute]:
    """The routes below `/wiki`; every call goes to `ledger`."""
    rules = UpstreamRules(
        upstream="confluence",
        check_key=lambda request: _check_key(site, request),
        refuse_by_fault=_refuse_by_fault,
        bad_body=lambda message: _refusal(400, message),
    )

    def route(path: str, method: str, handle: Callable[[Exchange], Any]) -> Route:
        async def answer(call: Exchange) -> Response:
            found = handle(call)
            return found if isinstance(found, Response) else JSONResponse(found)

        return Route(path, Endpoint(ledger, rules, method, answer).answer, methods=["GET"])

    api = _Api(site)

    def listing(kind: str) -> Route:
        return route(f"/api/v2/{kind}", kind, lambda call: api.contents(call.request, kind))

    one = [
        route(f"/api/v2/{kind}/{{id}}", kind.removesuffix("s"), lambda call: api.one(call.request))
        for kind in (*_TYPES, "folders")
    ]
    content = "/rest/api/content"
    return [
        *map(listing, _TYPES),
        *one,
        route("/api/v2/spaces", "spaces", lambda call: api.spaces(call.request)),
        route(
            "/api/v2/spaces/{id}/permissions",
            "space_permissions",
            lambda call: api.permissions(call.request),
        ),
        route("/rest/api/user/current", "current_user", lambda call: api.current(call.request)),
        route(f"{content}/search", "search", lambda call: api.search(call.request)),
        route(
            f"{content}/{{id}}/restriction/byOperation/read",
            "restriction",
            lambda call: api.restriction(call.request),
        ),
        route(
            f"{content}/{{page}}/child/attachment/{{id}}/download",
            "download",
            lambda call: api.download(call.request),
        ),
        route("/media/{id}", "media", lambda call: api.media(call.request)),
        route(
            "/rest/api/group/{id}/membersByGroupId",
            "members",
            lambda call: api.members(call.request),
        ),
    ]


class _Api:
    def __init__(self, site: ConfluenceSandbox) -> None:
        self._site = site

    def contents(self, request: Request, kind: str) -> dict[str, Any]:
        """`GET /pages`, `/blogposts`, `/attachments`."""
        query = request.query_params
        form = attachment_form if kind == "attachments" else page_form
        selected = partial(self._selects, request, kind)
        if query.get("id"):
            wanted = [self._site.contents.get(one) for one in query["id"].split(",")]
            found = [one for one in wanted if one and selected(one)]
        elif query.get("sort") == "-modified-date":
            found = sorted(
                filter(selected, self._site.contents.values()),
                key=lambda one: one.modified,
                reverse=True,
            )
        else:
            return self._portion_by_id(request, selected, lambda one: form(self._site, one))
        return self._portion(request, found, lambda one: form(self._site, one))

    def _selects(self, request: Request, kind: str, content: StoredContent) -> bool:
        query = request.query_params
        # /attachments has no such parameter, so Confluence ignores it.
        spaces = query.get("space-id") if kind != "attachments" else None
        return (
            content.type == _TYPES[kind]
            and content.status in query.get("status", "current,archived").split(",")
            and (not spaces or content.space in spaces.split(","))
            and self._shows(request, content)
        )

    def one(self, request: Request) -> dict[str, Any]:
        """`GET /pages/{id}` and the like."""
        content = self._content(request)
        if content.type == "attachment":
            return attachment_form(self._site, content)
        return page_form(self._site, content, body=request.query_params.get("body-format", ""))

    def spaces(self, request: Request) -> dict[str, Any]:
        """`GET /spaces`."""
        keys = request.query_params.get("keys")
        found = [
            one
            for one in self._site.spaces.values()
            if (not keys or one.key in keys.split(",")) and _is_signed_in(self._site, request)
        ]
        return self._portion(request, found, space_form)

    def permissions(self, request: Request) -> dict[str, Any]:
        """`GET /spaces/{id}/permissions`."""
        space = self._site.spaces.get(request.path_params["id"])
        if space is None:
            raise _refusal(404, "Not Found")
        return self._portion(request, permission_forms(space), lambda one: one)

    def search(self, request: Request) -> dict[str, Any]:
        """`GET /content/search`, for two conditions of CQL."""
        asked = _CQL.fullmatch(request.query_params.get("cql", ""))
        if asked is None:
            raise _v1_refusal(400, "Could not parse cql")
        types = asked[1].replace(" ", "").split(",")
        keys = {key.strip(' "') for key in asked[2].split(",")} if asked[2] else None
        expand = request.query_params.get("expand", "")

        def matches(content: StoredContent) -> bool:
            return (
                content.type in types
                and content.status == "current"
                and (keys is None or self._site.spaces[content.space].key in keys)
                and content.id not in self._site.unindexed
                and self._shows(request, content)
            )

        return self._portion_by_id(request, matches, lambda one: found_form(one, expand))

    def restriction(self, request: Request) -> dict[str, Any]:
        """`GET /content/{id}/restriction/byOperation/read`."""
        content = self._content(request, v1=True)
        start, limit = _v1_range(request, 100)
        return restriction_form(content, start, limit)

    def members(self, request: Request) -> dict[str, Any]:
        """`GET /group/{id}/membersByGroupId`."""
        start, limit = _v1_range(request, 200)
        if limit > _MOST_MEMBERS:
            raise _v1_refusal(400, "limit may not be greater than 200")
        if not self._site.shows_groups:
            raise _v1_refusal(403, "The calling user may not view users")
        found = self._site.groups.get(request.path_params["id"])
        if found is None:
            raise _v1_refusal(404, "No group with this id")
        results = [member_form(one) for one in found[start : start + limit]]
        return {"results": results, "start": start, "limit": limit, "size": len(results)}

    def current(self, request: Request) -> dict[str, Any]:
        """`GET /user/current`."""
        if _is_signed_in(self._site, request):
            return user_form(self._site.account, "Bot", email=self._site.email)
        return {**user_form("", "Anonymous"), "type": "anonymous", "accountId": None}

    def download(self, request: Request) -> Response:
        """`GET /content/{id}/child/attachment/{id}/download`: leads to where the bytes are."""
        content = self._content(request, v1=True)
        if content.parent != request.path_params["page"]:
            raise _v1_refusal(404, "No attachment with this id")
        return RedirectResponse(f"/wiki/media/{content.id}", 302)

    def media(self, request: Request) -> Response:
        """The bytes of an attachment."""
        content = self._content(request, v1=True)
        headers = {"content-length": str(content.size)}
        return StreamingResponse(_bytes_of(content), headers=headers)

    def _content(self, request: Request, *, v1: bool = False) -> StoredContent:
        content = self._site.contents.get(request.path_params["id"])
        if content is None or not self._shows(request, content):
            refuse = _v1_refusal if v1 else _refusal
            raise refuse(404, "Not Found")
        return content

    def _shows(self, request: Request, content: StoredContent) -> bool:
        return _is_signed_in(self._site, request) and self._site.sees(content)

    def _portion(
        self, request: Request, found: Sequence[Any], form: Callable[[Any], Any]
    ) -> dict[str, Any]:
        """A portion of a listing."""
        start, limit = self._start(request), _limit(request)
        results = [form(one) for one in found[start : start + limit]]
        return self._linked(request, results, start + limit if start + limit < len(found) else None)

    def _portion_by_id(
        self,
        request: Request,
        matches: Callable[[StoredContent], bool],
        form: Callable[[StoredContent], Any],
    ) -> dict[str, Any]:
        """A portion of the contents in the order of their ids."""
        limit = _limit(request)
        later = filter(matches, self._site.after(self._start(request)))
        found = list(islice(later, limit + 1))
        mark = self._site.number_of(found[limit - 1]) if len(found) > limit else None
        return self._linked(request, [form(one) for one in found[:limit]], mark)

    def _linked(self, request: Request, results: list[Any], mark: int | None) -> dict[str, Any]:
        """An answer with the link to the next portion, which begins behind `mark`."""
        url, query = request.url, dict(request.query_params)
        links = {"base": f"{url.scheme}://{url.netloc}/wiki", "context": "/wiki"}
        if mark is not None:
            cursor = json.dumps([self._site.generation, mark]).encode()
            query["cursor"] = base64.urlsafe_b64encode(cursor).decode()
            links["next"] = f"{url.path}?{urlencode(query)}"
        size = len(results)
        return {"results": results, "limit": _limit(request), "size": size, "_links": links}

    def _start(self, request: Request) -> int:
        cursor = request.query_params.get("cursor")
        if not cursor:
            return 0
        try:
            generation, start = json.loads(base64.urlsafe_b64decode(cursor))
        except ValueError:
            generation, start = -1, 0
        if generation != self._site.generation:
            raise _refusal(400, "Provided value for 'cursor' is not valid")
        return int(start)


async def _bytes_of(content: StoredContent) -> AsyncIterator[bytes]:
    body = content.body.encode()
    yield body
    left = content.size - len(body)
    while left > 0:
        yield _ZEROS[: min(left, len(_ZEROS))]
        left -= len(_ZEROS)


def _limit(request: Request) -> int:
    limit = int(request.query_params.get("limit", 25))
    if not 1 <= limit <= _MOST_AT_ONCE:
        raise _refusal(400, "The limit must be between 1 and 250")
    return limit


def _v1_range(request: Request, most: int) -> tuple[int, int]:
    query = request.query_params
    return int(query.get("start", 0)), int(query.get("limit", most))


def _is_signed_in(site: ConfluenceSandbox, request: Request) -> bool:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme == "Basic":
        return base64.b64decode(value).decode() == f"{site.email}:{site.token}"
    return scheme == "Bearer" and value == site.token


def _check_key(site: ConfluenceSandbox, request: Request) -> None:
    if not site.is_public and not _is_signed_in(site, request):
        raise RefusalError(401, {"code": 401, "message": "Unauthorized"})


def _refusal(status: int, title: str) -> RefusalError:
    """A refusal of v2."""
    error = {"status": status, "code": title.upper().replace(" ", "_"), "title": title}
    return RefusalError(status, {"errors": [{**error, "detail": None}]})


def _v1_refusal(status: int, message: str) -> RefusalError:
    data = {"authorized": True, "valid": True, "errors": [], "successful": False}
    return RefusalError(status, {"statusCode": status, "data": data, "message": message})


def _refuse_by_fault(fault: Fault) -> None:
    if fault.kind == "401":
        raise RefusalError(401, {"code": 401, "message": "Unauthorized"})
    if fault.kind == "429":
        raise _v1_refusal(429, "Rate limit exceeded").retried_after(fault)
    if fault.kind == "500":
        raise _v1_refusal(500, "Internal Server Error")
