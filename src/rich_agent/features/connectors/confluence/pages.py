"""Confluence Cloud: pages, blog posts and attachments, and the readers of each."""

import time
from collections.abc import AsyncIterator, Generator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Annotated, Any, Final

import httpx
from pydantic import BaseModel, Field
from typing_extensions import override

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
    Skipped,
    Unreadable,
    WebAddress,
    media_type_of_path,
    state_in,
)
from rich_agent.feature.rest_client import (
    RequestLimits,
    RestClient,
    RestService,
    ServiceRefusedError,
    too_large,
)
from rich_agent.features.connectors.confluence.rights import ConfluenceRights
from rich_agent.features.connectors.confluence.site import (
    KINDS,
    ConfluenceContent,
    ConfluenceSite,
    ContentPortion,
    Spaces,
    read_content,
)

_SKEW_S: Final = 600.0  # between Confluence's clock and this machine's
_WHOLE_EVERY_S: Final = 86_400.0
_OLDEST_FIRST: Final = {"sort": "id", "status": "current"}
_NEWEST_FIRST: Final = {"sort": "-modified-date", "status": "current"}
_HINTS: Final = {
    401: "The API token is wrong or has expired. Make a new one at "
    "https://id.atlassian.com/manage-profile/security/api-tokens and connect again.",
    403: "Give the token's account access to Confluence and to the spaces.",
    404: "Check the address: https://NAME.atlassian.net.",
}


class ConfluenceConfig(ServiceConfig):
    """The site and the spaces that are read, and who reads them."""

    address: WebAddress = Field(
        description="Address of the site, such as https://example.atlassian.net.",
    )
    email: str = Field(
        default="", description="Address of the API token's account; none for a service account."
    )
    spaces: tuple[Annotated[str, Field(pattern=r"^~?[A-Za-z0-9._:-]+$")], ...] = Field(
        default=(), description="Keys of the spaces; all that the token may read, if omitted."
    )


class _Cursor(BaseModel):
    """A position in a listing of all contents, or its end. Times are in seconds since the epoch."""

    whole: float  # when the last whole listing began
    begun: float  # when the last listing began
    kind: int = 0
    page: str = ""
    is_done: bool = False

    def after(self, kind: int, page: str) -> str:
        """The cursor after a portion. `page` is "" after the last portion of a kind."""
        position = {"kind": kind if page else kind + 1, "page": page}
        is_done = not page and kind + 1 == len(KINDS)
        return self.model_copy(update={**position, "is_done": is_done}).model_dump_json()


class _Bearer(httpx.Auth):
    def __init__(self, token: str) -> None:
        self._token = token

    @override
    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request


def open_confluence(
    config: ConfluenceConfig,
    secret: str,
    *,
    source: str,
    intranet: Intranet | None = None,
    limits: RequestLimits | None = None,
) -> "Confluence":
    """Open a site with an API token."""
    auth = httpx.BasicAuth(config.email, secret) if config.email else _Bearer(secret)
    root = config.address.removesuffix("/wiki") + "/wiki"
    client = RestClient(RestService("Confluence", root, auth, _HINTS), intranet, limits)
    return Confluence(client, ConfluenceSite(client, config.spaces), source)


@dataclass(frozen=True, slots=True)
class Confluence:
    """Implements `Connector`. A place is the id of a page or a blog post."""

    client: RestClient
    site: ConfluenceSite
    source: str

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        await self.client.aclose()

    async def check(self) -> str:
        """See `Connector.check`."""
        name = await self.site.account()
        keys = sorted((await self.site.spaces()).values())
        return f"signed in as {name}, who may read {len(keys):,} spaces: {', '.join(keys)}"

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`.

        A cursor expires after a day. Confluence does not report contents as changed that were
        moved, restored from the trash, or deleted from the trash. The daily listing of all contents
        finds these.
        """
        await self.site.account()
        spaces = await self.site.spaces()
        now = time.time()
        state = state_in(cursor, _Cursor) if cursor else _Cursor(whole=now, begun=now)
        if state.is_done and now - state.whole > _WHOLE_EVERY_S:
            raise CursorExpiredError("everything is listed again once a day")
        listing = self._since(spaces, state, now) if state.is_done else self._whole(spaces, state)
        async for changes in listing:
            yield changes

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`. A space that the token can no longer read has no readers."""
        await self.site.account()
        spaces = await self.site.spaces(are_all_needed=False)
        try:
            async for places in ConfluenceRights(self.site, self.source, spaces).all():
                yield places
        except (KeyError, TypeError, AttributeError) as error:
            raise ConnectorError("Confluence: an answer of another form") from error

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        kind, _, content_id = entry.key.partition("/")
        try:
            if kind == "attachments":
                return await self._attachment(entry, content_id, most_bytes)
            return await self._page(entry, f"/api/v2/{kind}/{content_id}", most_bytes)
        except ServiceRefusedError as error:
            if error.status == httpx.codes.NOT_FOUND:
                return Unreadable(entry.url, "there is no such page any more", is_gone=True)
            if error.status == httpx.codes.FORBIDDEN:
                return Unreadable(entry.url, "the token may not read this page")
            raise

    async def _page(self, entry: Entry, path: str, most_bytes: int) -> Outcome:
        content_json = await self.client.get(path, {"body-format": "export_view"})
        content = read_content(content_json)
        if content.status != "current":
            return Unreadable(entry.url, f"the page is {content.status}", is_gone=True)
        title = escape(content.title)
        body = _text(content_json, "body", "export_view", "value")
        html = (
            f"<!doctype html><html><head><title>{title}</title></head>"
            f"<body><main><h1>{title}</h1>{body}</main></body></html>"
        ).encode()
        if len(html) > most_bytes:
            return too_large(entry.url, most_bytes)
        return RawDocument(entry.url, html, "text/html", "utf-8", name=content.title)

    async def _attachment(self, entry: Entry, content_id: str, most_bytes: int) -> Outcome:
        file = read_content(await self.client.get(f"/api/v2/attachments/{content_id}"))
        media_type = media_type_of_path(file.title)
        if file.status != "current":
            return Unreadable(entry.url, f"the file is {file.status}", is_gone=True)
        if media_type is None:
            return Unreadable(entry.url, "files of this kind are not read")
        if file.file_size > most_bytes:
            return too_large(entry.url, most_bytes)
        path = f"/rest/api/content/{_page_of(file)}/child/attachment/{content_id}/download"
        file_bytes = await self.client.download(path, most_bytes)
        if file_bytes is None:
            return too_large(entry.url, most_bytes)
        return RawDocument(entry.url, file_bytes, media_type, name=file.title)

    async def _whole(self, spaces: Spaces, state: _Cursor) -> AsyncIterator[Changes]:
        for kind_index, kind in enumerate(KINDS[state.kind :], state.kind):
            page = state.page if kind_index == state.kind else ""
            try:
                async for portion in self.site.contents(spaces, kind, _OLDEST_FIRST, page):
                    entries, skips = await self._entries(spaces, kind, portion, portion.contents)
                    yield Changes(entries, state.after(kind_index, portion.after), skipped=skips)
            except ServiceRefusedError as error:
                if page and error.status == httpx.codes.BAD_REQUEST:
                    raise CursorExpiredError("Confluence forgot this listing") from error
                raise

    async def _since(self, spaces: Spaces, state: _Cursor, now: float) -> AsyncIterator[Changes]:
        """The changes since a listing. After a crash, all of these are listed again."""
        cursor, earliest_s = state.model_dump_json(), state.begun - _SKEW_S
        for kind in KINDS:
            async for portion in self.site.contents(spaces, kind, _NEWEST_FIRST):
                new_contents = [
                    content
                    for content in portion.contents
                    if content.version.created_at.timestamp() >= earliest_s
                ]
                entries, skips = await self._entries(spaces, kind, portion, new_contents)
                yield Changes(entries, cursor, skipped=skips)
                if len(new_contents) < len(portion.contents):
                    break
            async for portion in self.site.contents(spaces, kind, {"status": "trashed"}):
                removed_keys = tuple(f"{kind}/{content.id}" for content in portion.contents)
                yield Changes((), cursor, gone=removed_keys)
        yield Changes((), state.model_copy(update={"begun": now}).model_dump_json())

    async def _entries(
        self,
        spaces: Spaces,
        kind: str,
        portion: ContentPortion,
        contents: Sequence[ConfluenceContent],
    ) -> tuple[tuple[Entry, ...], Skipped]:
        """The documents among the contents. An attachment counts only if its page exists."""
        skips = Skipped()
        if kind == "attachments":
            readable_contents = []
            for content in contents:
                if media_type_of_path(content.title):
                    readable_contents.append(content)
                else:
                    skips.add(content.title.rpartition(".")[2].lower() or "file", content.title)
            present_page_ids = await self._present(spaces, readable_contents)
            contents = [
                content for content in readable_contents if _page_of(content) in present_page_ids
            ]
        entries = tuple(
            Entry(
                key=f"{kind}/{content.id}",
                url=portion.root + content.links.get("webui", f"/{content.id}"),
                version=str(content.version.number),
                place=_page_of(content) if kind == "attachments" else content.id,
            )
            for content in contents
        )
        return entries, skips

    async def _present(self, spaces: Spaces, attachments: Sequence[ConfluenceContent]) -> set[str]:
        """The ids of the attachments' pages and blog posts that exist in these spaces."""
        ids_by_kind = {
            "pages": {content.page_id for content in attachments if content.page_id},
            "blogposts": {content.blog_post_id for content in attachments if content.blog_post_id},
        }
        present_ids: set[str] = set()
        for kind, ids in ids_by_kind.items():
            if ids:
                params = {"id": ",".join(sorted(ids)), "status": "current"}
                async for portion in self.site.contents(spaces, kind, params):
                    present_ids.update(content.id for content in portion.contents)
        return present_ids


def _page_of(attachment: ConfluenceContent) -> str:
    """The id of an attachment's page or blog post, "" if the attachment belongs to neither."""
    return attachment.page_id or attachment.blog_post_id or ""


def _text(json_value: Any, *path: str) -> str:  # noqa: ANN401 - JSON
    for key in path:
        json_value = json_value.get(key) if isinstance(json_value, dict) else None
    return json_value if isinstance(json_value, str) else ""
