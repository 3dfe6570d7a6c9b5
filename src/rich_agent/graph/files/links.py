"""The parts of a message: its attachments with their hashes, its links, and reading their pages."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from langgraph.runtime import Runtime

from rich_agent.domain.answer.links import web_links
from rich_agent.domain.message import IncomingMessage, Photo, ReplyContext, SentFile
from rich_agent.domain.routing.plan import GENERAL, Clarification, Plan, Routing
from rich_agent.domain.text import shorten
from rich_agent.errors import ImageRefusedError
from rich_agent.graph.files.receiving import read_all
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import FilesState, RefusedFileState, TurnState, input_of, reply_of
from rich_agent.graph.views import is_in_group, locale_of
from rich_agent.phrases import say
from rich_agent.runtime.concurrency import run_all

_LINK_CHARS = 60
_WISHES: tuple[Literal["summary", "keep", "ignore"], ...] = ("summary", "keep", "ignore")


def links_of(state: TurnState) -> list[str]:
    """The addresses in the message, then those in the message it replies to; none in a group."""
    if is_in_group(state):
        return []
    message = input_of(state)
    links = [*(message.links or ()), *(message.reply.links if message.reply else ())]
    return list(dict.fromkeys(links))


def about_links(state: TurnState) -> Clarification:
    """The question to the user what to do with links that came without words."""
    locale, links = locale_of(state), links_of(state)
    link_list = ", ".join(shorten(link, _LINK_CHARS) for link in links)
    question = say(locale, "ask-about-links", links=link_list, count=len(links))
    return Clarification(question, tuple(say(locale, f"link-wish-{wish}") for wish in _WISHES))


def route_wish(state: TurnState) -> Routing | None:
    """The routing for a button that was pressed below links; None for the user's own words."""
    question = state.get("clarification") or {}
    choices, reply = question.get("choices", []), reply_of(state)
    answer = reply.message.text if reply else ""
    if not input_of(state).is_only_links or answer not in choices:
        return None
    if len(choices) != len(_WISHES):
        return None
    wish = _WISHES[choices.index(answer)]
    no_search = Routing(GENERAL, "direct", web="never", teaches=False)
    if wish == "ignore":
        return replace(no_search, rule="link_ignored")
    routing = replace(no_search, links=tuple(links_of(state)))
    if wish == "keep":
        return replace(routing, rule="link_kept")
    return replace(routing, rule="link_read", query=answer, reads_whole=True)


async def read_links(
    routing: Routing, state: TurnState, runtime: Runtime[NodeContext]
) -> tuple[Routing, FilesState]:
    """The routing with the linked pages as files, and the state of the turn's files.

    Raises: DatabaseUnavailableError.
    """
    services, link_limit = runtime.context.services, runtime.context.services.limits.links
    files = [_as_file(link) for link in routing.links]
    file_results, _ = await read_all(files[:link_limit], state, runtime)
    surplus_refusals: list[RefusedFileState] = [
        {"name": link, "reason": "too_many_links", "is_page": True}
        for link in routing.links[link_limit:]
    ]
    earlier_files = state.get("files") or {}
    page_ids = [file["id"] for file in file_results["read"]]
    if routing.rule == "link_kept":
        user_id = state["user"]["telegram_user_id"]
        await services.user_files.keep(user_id, page_ids, kept=True)
        file_results["read"] = [{**file, "is_kept": True} for file in file_results["read"]]
    file_state: FilesState = {
        **earlier_files,
        "read": [*earlier_files.get("read", ()), *file_results["read"]],
        "refused": [*earlier_files.get("refused", ()), *file_results["refused"], *surplus_refusals],
    }
    return _with_files(routing, page_ids), file_state


def _with_files(routing: Routing, new_file_ids: Sequence[int]) -> Routing:
    """The routing if the answer rests on these files; kept pages do not change it."""
    if not new_file_ids or routing.rule == "link_kept":
        return routing
    files = tuple(dict.fromkeys((*routing.files, *new_file_ids)))
    if "rag" in routing.plan:
        return replace(routing, files=files)
    plan: Plan = "rag+web" if routing.plan == "web" else "rag"
    rule = routing.rule or "link_read"
    return replace(routing, files=files, plan=plan, rule=rule, files_only=True)


def _as_file(link: str) -> SentFile:
    """A link as a file whose id is the address."""
    return SentFile(link, link)


def link_notice(state: TurnState) -> str:
    """The reply to a button below links, "" if a model has to answer."""
    rule, locale = state["routing"].get("rule"), locale_of(state)
    if rule == "link_ignored":
        return say(locale, "link-ignored")
    files = (state.get("files") or {}).get("read", ())
    if rule != "link_kept" or not files:
        return ""
    link_names = ", ".join(shorten(file["name"], _LINK_CHARS) for file in files)
    return say(locale, "link-kept", names=link_names, count=len(files))


async def receive(message: IncomingMessage, context: NodeContext) -> IncomingMessage:
    """The message as a turn reads it, with the hashes of its images.

    Raises: ImageRefusedError if an image is too large to be fetched; UpstreamError.
    """
    links, is_only_links = _links_in(message, context)
    return replace(
        message,
        photos=await _hash_images(message.photos, context),
        links=links,
        is_only_links=is_only_links,
        reply=await _reply(message.reply, context) if message.reply else None,
    )


def _links_in(message: IncomingMessage, context: NodeContext) -> tuple[tuple[str, ...], bool]:
    """The links, and whether the message is nothing else.

    If the messenger did not mark links, those in the text count.
    """
    if not context.services.limits.links:
        return (), False
    if message.links is not None:
        return message.links, message.is_only_links and bool(message.links)
    links, is_only = web_links(message.text)
    return tuple(links), is_only


async def _reply(reply: ReplyContext, context: NodeContext) -> ReplyContext:
    """The message replied to; attachments of the bot's own messages are left out."""
    if reply.author == "assistant":
        return replace(reply, photos=(), links=(), files=())
    links = reply.links if context.services.limits.links else ()
    return replace(reply, photos=await _hash_images(reply.photos, context), links=links)


async def _hash_images(photos: Iterable[Photo], context: NodeContext) -> tuple[Photo, ...]:
    """The images with their hashes.

    Raises: ImageRefusedError before anything is fetched, if the announced size of one is too large.
    """
    limit = context.services.limits.images.max_bytes
    for photo in photos:
        if (photo.size_bytes or 0) > limit:
            raise ImageRefusedError("too_large", f"{photo.size_bytes} bytes are over {limit}")
    return tuple(await run_all(_hash_image(photo, context) for photo in photos))


async def _hash_image(photo: Photo, context: NodeContext) -> Photo:
    """The image with its hash; an image that has one already is not fetched again."""
    if photo.sha256:
        return photo
    async with context.turn.reading:
        image_bytes = await context.services.files.fetch(photo.file_id)
        sha256, size_bytes = hashlib.sha256(image_bytes).hexdigest(), len(image_bytes)
        del image_bytes
    return replace(photo, sha256=sha256, size_bytes=size_bytes)
