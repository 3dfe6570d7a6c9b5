"""Readers of pages in Confluence: those of the space whom every restriction on the way admits.

Anonymous readers and roles do not count: what Confluence does not tell by name admits nobody.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from rich_agent.feature.connectors import PlaceReaders, ServiceGroup
from rich_agent.feature.rest_client import Params, ServiceRefusedError
from rich_agent.features.connectors.confluence.site import (
    MOST_AT_ONCE,
    ConfluenceSite,
    Spaces,
)

_MEMBERS_AT_ONCE: Final = 200
_RESTRICTIONS_AT_ONCE: Final = 100
_READERS: Final = "restrictions.read.restrictions"
_CONTAINERS: Final = {
    "page": "pages",
    "folder": "folders",
    "whiteboard": "whiteboards",
    "database": "databases",
    "embed": "embeds",
}
_REFUSED: Final = frozenset({httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND})

Principals = frozenset[str]
_NOBODY: Final[Principals] = frozenset()


@dataclass(frozen=True, slots=True)
class ConfluenceRights:
    """One reading of who may read what; keeps the parent and the space of each page."""

    site: ConfluenceSite
    source: str
    spaces: Spaces
    _space_of: dict[str, str] = field(default_factory=dict)
    _parents: dict[str, tuple[str, str]] = field(default_factory=dict)
    _admitted: dict[str, Principals | None] = field(default_factory=dict)
    _members: dict[str, Principals | None] = field(default_factory=dict)

    async def all(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """The readers of each page and blog post, and the groups that are named."""
        if not self.spaces:
            return
        of_spaces = {space: await self._space_readers(space) for space in self.spaces}
        await self._read_restrictions()
        for kind in ("pages", "blogposts"):
            async for portion in self.site.contents(self.spaces, kind, {"status": "current"}):
                for one in portion.contents:
                    self._space_of[one.id] = one.space_id
                    if one.parent_id:
                        self._parents[one.id] = one.parent_id, one.parent_type or "page"
        readers: dict[tuple[str, tuple[Principals, ...]], Principals] = {}
        for place, space in self._space_of.items():
            levels = space, await self._limits(place)
            if levels not in readers:
                readers[levels] = self._common(of_spaces.get(space, _NOBODY), levels[1])
            yield PlaceReaders(place, readers[levels])
        for group, members in self._members.items():
            if members is not None:
                yield ServiceGroup(group, members)

    def _common(self, readers: Principals, limits: tuple[Principals, ...]) -> Principals:
        """The readers whom all limits admit: groups that are named everywhere, and people."""
        if not limits:
            return readers
        return frozenset.intersection(*(self._with_members(one) for one in (readers, *limits)))

    def _with_members(self, principals: Principals) -> Principals:
        members = (self._members.get(one) or _NOBODY for one in principals)
        return principals.union(*members)

    async def _limits(self, content: str) -> tuple[Principals, ...]:
        """The restrictions of a page and of all that it is in."""
        limits: dict[Principals, None] = {}
        at, kind, path = content, "page", set[str]()
        while at and at not in path:
            path.add(at)
            if at not in self._admitted:
                self._admitted[at] = await self._restriction(at)
            if (readers := self._admitted[at]) is not None:
                limits[readers] = None
            if at not in self._parents and at not in self._space_of:
                self._parents[at] = await self._parent(at, kind)
            at, kind = self._parents.get(at, ("", ""))
        return tuple(limits)

    async def _parent(self, content: str, kind: str) -> tuple[str, str]:
        """The parent of a folder, or of a page that is not listed; ("", "") at the top."""
        path = f"/api/v2/{_CONTAINERS.get(kind, 'pages')}/{content}"
        try:
            answer = await self.site.client.get(path)
        except ServiceRefusedError as error:
            if error.status not in _REFUSED:
                raise
            self._admitted[content] = _NOBODY
            return "", ""
        return str(answer.get("parentId") or ""), str(answer.get("parentType") or "page")

    async def _space_readers(self, space: str) -> Principals:
        readers = set()
        path = f"/api/v2/spaces/{space}/permissions"
        async for answer in self.site.answers(path, {"limit": MOST_AT_ONCE}):
            for one in answer["results"]:
                principal, operation = one["principal"], one["operation"]
                if (operation["key"], operation["targetType"]) != ("read", "space"):
                    continue
                if principal["type"] == "user":
                    readers.add(self._principal_of(principal["id"]))
                elif principal["type"] == "group":
                    readers.add(await self._group(principal["id"]))
        return frozenset(readers)

    async def _read_restrictions(self) -> None:
        """Learn in large portions what is restricted; most pages are not."""
        cql = "type in (page, blogpost)"
        if self.site.space_keys:
            keys = ", ".join(f'"{key}"' for key in self.spaces.values())
            cql = f"{cql} and space in ({keys})"
        expand = f"{_READERS}.user,{_READERS}.group"
        params: Params = {"cql": cql, "expand": expand, "limit": _RESTRICTIONS_AT_ONCE}
        async for answer in self.site.answers("/rest/api/content/search", params):
            for one in answer["results"]:
                read = one.get("restrictions", {}).get("read", {}).get("restrictions")
                if read and not _goes_on(read):
                    self._admitted[str(one["id"])] = await self._principals(read)

    async def _restriction(self, content: str) -> Principals | None:
        """The people and groups whom a content admits, None if it is open."""
        path = f"/rest/api/content/{content}/restriction/byOperation/read"
        readers_so_far: Principals | None = None
        start, goes_on = 0, True
        while goes_on:
            params = {"start": start, "limit": _RESTRICTIONS_AT_ONCE}
            try:
                read = (await self.site.client.get(path, params))["restrictions"]
            except ServiceRefusedError as error:
                if error.status not in _REFUSED:
                    raise
                return _NOBODY
            if (readers := await self._principals(read)) is not None:
                readers_so_far = readers | (readers_so_far or _NOBODY)
            start, goes_on = start + _RESTRICTIONS_AT_ONCE, _goes_on(read)
        return readers_so_far

    async def _principals(self, read: Mapping[str, Any]) -> Principals | None:
        users = [self._principal_of(one["accountId"]) for one in read["user"]["results"]]
        groups = [await self._group(one["id"]) for one in read["group"]["results"]]
        return frozenset([*users, *groups]) or None

    async def _group(self, group_id: str) -> str:
        """The principal of a group, whose members are read once."""
        name = self._principal_of(group_id)
        if name in self._members:
            return name
        path = f"/rest/api/group/{group_id}/membersByGroupId"
        members: set[str] = set()
        start, goes_on = 0, True
        while goes_on:
            params = {"start": start, "limit": _MEMBERS_AT_ONCE}
            try:
                results = (await self.site.client.get(path, params))["results"]
            except ServiceRefusedError as error:
                if error.status not in _REFUSED:
                    raise
                self._members[name] = None
                return name
            members.update(
                self._principal_of(one["accountId"]) for one in results if "accountId" in one
            )
            start, goes_on = start + len(results), len(results) == _MEMBERS_AT_ONCE
        self._members[name] = frozenset(members)
        return name

    def _principal_of(self, principal_id: str) -> str:
        """The principal of a person or a group: their ids are distinct in Atlassian's directory."""
        return f"external:{self.source}:{principal_id}"


def _goes_on(read: Mapping[str, Any]) -> bool:
    """Whether a list of users or groups fills its portion, so that there may be more."""
    return any(
        len(read[kind]["results"]) >= read[kind].get("limit", _RESTRICTIONS_AT_ONCE)
        for kind in ("user", "group")
    )
