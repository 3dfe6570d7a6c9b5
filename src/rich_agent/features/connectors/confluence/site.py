"""A site of Confluence Cloud through its REST APIs: spaces, contents, and paging.

Source: https://developer.atlassian.com/cloud/confluence/rest/v2, and .../rest/v1 for functions that
v2 lacks.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from rich_agent.feature.connectors import ConnectorError
from rich_agent.feature.rest_client import Params, RestClient

KINDS: Final = ("pages", "blogposts", "attachments")
"""Kinds of contents that are read, by their path in v2."""
MOST_AT_ONCE: Final = 250
"""Largest portion of a listing in v2."""

Spaces = Mapping[str, str]
"""Keys of spaces, by space id."""


class _Answer(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class _Version(_Answer):
    number: int
    created_at: datetime


class ConfluenceContent(_Answer):
    """A page, a blog post or an attachment in a listing of v2."""

    id: str
    title: str = ""
    status: str = "current"
    space_id: str = ""
    parent_id: str | None = None
    parent_type: str | None = None
    page_id: str | None = None
    blog_post_id: str | None = None
    file_size: int = 0
    version: _Version
    links: dict[str, str] = Field(default_factory=dict, alias="_links")


@dataclass(frozen=True, slots=True)
class ContentPortion:
    """A portion of a listing."""

    contents: Sequence[ConfluenceContent]
    root: str
    """Address below which people open the contents."""
    after: str
    """Cursor of the next portion, "" at the end."""


@dataclass(frozen=True, slots=True)
class ConfluenceSite:
    """Reads a site, or only some spaces of it. Methods may raise ConnectorError."""

    client: RestClient
    space_keys: Sequence[str]
    """Keys of the spaces to read; all spaces if empty."""

    async def account(self) -> str:
        """The name of the token's account.

        Raises: ConnectorError for an invalid token. Some sites are open to everybody, so such a
        token could still read them, but would see less than before.
        """
        user = await self.client.get("/rest/api/user/current")
        if user.get("type") == "anonymous" or not user.get("accountId"):
            raise ConnectorError(
                "Confluence: nobody is signed in",
                hint="The API token or its e-mail address is wrong, or the token has expired. "
                "Connect again with a new one.",
                is_refused=True,
            )
        return str(user.get("displayName") or user["accountId"])

    async def spaces(self, *, are_all_needed: bool = True) -> Spaces:
        """The spaces to read.

        Raises: ConnectorError if `are_all_needed` and a configured space is missing.
        """
        params: dict[str, str | int] = {"status": "current", "limit": MOST_AT_ONCE}
        if self.space_keys:
            params["keys"] = ",".join(self.space_keys)
        keys_by_id = {
            str(space["id"]): str(space["key"])
            async for answer in self.answers("/api/v2/spaces", params)
            for space in answer["results"]
        }
        missing_keys = sorted(set(self.space_keys).difference(keys_by_id.values()))
        if missing_keys and are_all_needed:
            raise ConnectorError(
                f"Confluence: no space {', '.join(missing_keys)}",
                hint="Check the keys, and that the token's account may read these spaces.",
                is_refused=True,
            )
        return keys_by_id

    async def contents(
        self, spaces: Spaces, kind: str, params: Params, page: str = ""
    ) -> AsyncIterator[ContentPortion]:
        """The contents of a kind in portions, beginning at the cursor `page`."""
        query = {**params, "limit": MOST_AT_ONCE}
        if self.space_keys and kind != "attachments":
            query["space-id"] = ",".join(spaces)
        async for answer in self.answers(f"/api/v2/{kind}", query, page):
            yield ContentPortion(
                [read_content(content) for content in answer["results"]],
                str(answer.get("_links", {}).get("base", "")),
                next_page(answer),
            )

    async def answers(
        self, path: str, params: Params, page: str = ""
    ) -> AsyncIterator[Mapping[str, Any]]:
        """The portions of a listing, beginning at the cursor `page`."""
        while True:
            answer = await self.client.get(path, {**params, "cursor": page} if page else params)
            if not isinstance(answer.get("results"), list):
                raise ConnectorError("Confluence: an answer without results")
            yield answer
            page = next_page(answer)
            if not page:
                return


def next_page(answer: Mapping[str, Any]) -> str:
    """The cursor in the link to the next portion, "" at the end."""
    link = str(answer.get("_links", {}).get("next", ""))
    return parse_qs(urlsplit(link).query).get("cursor", [""])[0]


def read_content(answer: object) -> ConfluenceContent:
    """Read a content in an answer. Raises: ConnectorError if it has another form."""
    try:
        return ConfluenceContent.model_validate(answer)
    except ValidationError as error:
        raise ConnectorError("Confluence: an answer that cannot be read") from error
