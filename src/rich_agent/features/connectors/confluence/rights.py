"""Readers of pages in Confluence: readers of the space whom the restrictions of all parents admit.

Anonymous readers and roles do not count: a reader whom Confluence does not name is not admitted.
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
    """One reading of all rights. It remembers the parent and the space of each page."""

    site: ConfluenceSite
    source: str
    spaces: Spaces
    _space_of: dict[str, str] = field(default_factory=dict)
    _parents: dict[str, tuple[str, str]] = field(default_factory=dict)
    _admitted: dict[str, Principals | None] = field(default_factory=dict)
    _members: dict[str, Principals | None] = field(default_factory=dict)

    async def all(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """The readers of each page and blog post, then the groups among the readers."""
        if not self.spaces:
            return
        space_readers = {space_id: await self._space_readers(space_id) for space_id in self.spaces}
        await self._read_restrictions()
        for kind in ("pages", "blogposts"):
            async for portion in self.site.contents(self.spaces, kind, {"status": "current"}):
                for content in portion.contents:
                    self._space_of[content.id] = content.space_id
                    if content.parent_id:
                        self._parents[content.id] = content.parent_id, content.parent_type or "page"
        readers_by_levels: dict[tuple[str, tuple[Principals, ...]], Principals] = {}
        for page_id, space_id in self._space_of.items():
            space_and_limits = space_id, await self._limits(page_id)
            if space_and_limits not in readers_by_levels:
                readers_by_levels[space_and_limits] = self._common(
                    space_readers.get(space_id, _NOBODY), space_and_limits[1]
                )
            yield PlaceReaders(page_id, readers_by_levels[space_and_limits])
        for group, members in self._members.items():
            if members is not None:
                yield ServiceGroup(group, members)

    def _common(self, readers: Principals, limits: tuple[Principals, ...]) -> Principals:
        """The readers whom all limits admit: groups that all limits name, and people."""
        if not limits:
            return readers
        return frozenset.intersection(
            *(self._with_members(principals) for principals in (readers, *limits))
        )

    def _with_members(self, principals: Principals) -> Principals:
        members = (self._members.get(principal) or _NOBODY for principal in principals)
        return principals.union(*members)

    async def _limits(self, content_id: str) -> tuple[Principals, ...]:
        """The restrictions of a page and of all its parents."""
        limits: dict[Principals, None] = {}
        current_id, content_type, visited_ids = content_id, "page", set[str]()
        while current_id and current_id not in visited_ids:
            visited_ids.add(current_id)
            if current_id not in self._admitted:
                self._admitted[current_id] = await self._restriction(current_id)
            if (readers := self._admitted[current_id]) is not None:
                limits[readers] = None
            if current_id not in self._parents and current_id not in self._space_of:
                self._parents[current_id] = await self._parent(current_id, content_type)
            current_id, content_type = self._parents.get(current_id, ("", ""))
        return tuple(limits)

    async def _parent(self, content_id: str, content_type: str) -> tuple[str, str]:
        """The parent of a folder, or of a page that is not listed; ("", "") at the top."""
        path = f"/api/v2/{_CONTAINERS.get(content_type, 'pages')}/{content_id}"
        try:
            answer = await self.site.client.get(path)
        except ServiceRefusedError as error:
            if error.status not in _REFUSED:
                raise
            self._admitted[content_id] = _NOBODY
            return "", ""
        return str(answer.get("parentId") or ""), str(answer.get("parentType") or "page")

    async def _space_readers(self, space_id: str) -> Principals:
        readers = set()
        path = f"/api/v2/spaces/{space_id}/permissions"
        async for answer in self.site.answers(path, {"limit": MOST_AT_ONCE}):
            for permission in answer["results"]:
                principal, operation = permission["principal"], permission["operation"]
                if (operation["key"], operation["targetType"]) != ("read", "space"):
                    continue
                if principal["type"] == "user":
                    readers.add(self._principal_of(principal["id"]))
                elif principal["type"] == "group":
                    readers.add(await self._group(principal["id"]))
        return frozenset(readers)

    async def _read_restrictions(self) -> None:
        """Read the restrictions of all pages in large portions; most pages have none."""
        cql = "type in (page, blogpost)"
        if self.site.space_keys:
            key_list = ", ".join(f'"{key}"' for key in self.spaces.values())
            cql = f"{cql} and space in ({key_list})"
        expand = f"{_READERS}.user,{_READERS}.group"
        params: Params = {"cql": cql, "expand": expand, "limit": _RESTRICTIONS_AT_ONCE}
        async for answer in self.site.answers("/rest/api/content/search", params):
            for content in answer["results"]:
                restrictions = content.get("restrictions", {}).get("read", {}).get("restrictions")
                if restrictions and not _goes_on(restrictions):
                    self._admitted[str(content["id"])] = await self._principals(restrictions)

    async def _restriction(self, content_id: str) -> Principals | None:
        """The people and groups whom a content admits, None if the content has no restriction."""
        path = f"/rest/api/content/{content_id}/restriction/byOperation/read"
        readers_so_far: Principals | None = None
        start, has_more = 0, True
        while has_more:
            params = {"start": start, "limit": _RESTRICTIONS_AT_ONCE}
            try:
                restrictions = (await self.site.client.get(path, params))["restrictions"]
            except ServiceRefusedError as error:
                if error.status not in _REFUSED:
                    raise
                return _NOBODY
            if (readers := await self._principals(restrictions)) is not None:
                readers_so_far = readers | (readers_so_far or _NOBODY)
            start, has_more = start + _RESTRICTIONS_AT_ONCE, _goes_on(restrictions)
        return readers_so_far

    async def _principals(self, restrictions: Mapping[str, Any]) -> Principals | None:
        user_principals = [
            self._principal_of(entry["accountId"]) for entry in restrictions["user"]["results"]
        ]
        group_principals = [
            await self._group(entry["id"]) for entry in restrictions["group"]["results"]
        ]
        return frozenset([*user_principals, *group_principals]) or None

    async def _group(self, group_id: str) -> str:
        """The principal of a group, whose members are read once."""
        principal = self._principal_of(group_id)
        if principal in self._members:
            return principal
        path = f"/rest/api/group/{group_id}/membersByGroupId"
        members: set[str] = set()
        start, has_more = 0, True
        while has_more:
            params = {"start": start, "limit": _MEMBERS_AT_ONCE}
            try:
                results = (await self.site.client.get(path, params))["results"]
            except ServiceRefusedError as error:
                if error.status not in _REFUSED:
                    raise
                self._members[principal] = None
                return principal
            members.update(
                self._principal_of(member["accountId"])
                for member in results
                if "accountId" in member
            )
            start, has_more = start + len(results), len(results) == _MEMBERS_AT_ONCE
        self._members[principal] = frozenset(members)
        return principal

    def _principal_of(self, principal_id: str) -> str:
        """The principal of a person or a group; ids are unique in Atlassian's directory."""
        return f"external:{self.source}:{principal_id}"


def _goes_on(restrictions: Mapping[str, Any]) -> bool:
    """Whether a list of users or groups fills its portion, so that more may follow."""
    return any(
        len(restrictions[kind]["results"]) >= restrictions[kind].get("limit", _RESTRICTIONS_AT_ONCE)
        for kind in ("user", "group")
    )
