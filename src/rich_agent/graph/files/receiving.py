"""Reads the files that came with a message: each content of a conversation once."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from rich_agent.domain.answer.links import is_web
from rich_agent.domain.message import IncomingMessage, Photo, SentFile
from rich_agent.domain.text import estimate_tokens, printable, shorten
from rich_agent.domain.user_files import FileUnit, NewUserFile, ReadFile, UserFile
from rich_agent.domain.vision import Image, image_type
from rich_agent.errors import (
    DailyLimitError,
    ImageRefusedError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import (
    FilesState,
    ReadFileState,
    RefusedFileState,
    TurnState,
    TurnUpdate,
    input_of,
    input_to_state,
    photos_to_state,
    request_of,
    request_with,
)
from rich_agent.graph.views import images_in, message_of
from rich_agent.ports.user_files import FetchedFile, FileRefusedError
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import run_all

_NAME_CHARS = 120
_PAGES_AT_ONCE = 4
_UNNAMED = "file"


async def read_all(
    files: Sequence[SentFile], state: TurnState, runtime: Runtime[NodeContext]
) -> tuple[FilesState, Sequence[Photo]]:
    """The files, each read or refused, and those that are images.

    A page is a file whose id is its address. One is read after the other: each takes memory.
    Raises: UpstreamError where the same file may be had later.
    """
    before = {file["file_id"]: file for file in state.get("files", {}).get("read", ())}
    read: list[ReadFileState] = []
    refused: list[RefusedFileState] = []
    pictures: list[Photo] = []
    for sent in files:
        if known := before.get(sent.file_id):
            read.append(known)
            continue
        try:
            found = await _read(sent, state, runtime)
        except FileRefusedError as error:
            runtime.context.run.notes.survive("file_refused", error)
            is_page = is_web(sent.file_id)
            refused.append({"name": _name(sent), "reason": error.reason, "is_page": is_page})
        else:
            if isinstance(found, tuple):
                file, has_macros = found
                read.append({**_read_state(file, sent), "has_macros": has_macros})
            else:
                pictures.append(found)
    return {"read": read, "refused": refused}, pictures


def as_images(state: TurnState, pictures: Sequence[Photo]) -> TurnUpdate:
    """The request and its input with these files as images of the message."""
    if not pictures:
        return {}
    request, seen = request_of(state), _with_images(input_of(state), pictures)
    return {
        "request": request_with(state, _with_images(request.message, pictures)),
        "input": input_to_state(seen),
        "last_images": photos_to_state(images_in(seen)),
        "messages": [message_of(seen, request.request_id)],
    }


def _with_images(message: IncomingMessage, pictures: Sequence[Photo]) -> IncomingMessage:
    reply = message.reply
    return replace(
        message,
        photos=(*message.photos, *pictures),
        files=_without(pictures, message.files),
        reply=replace(reply, files=_without(pictures, reply.files)) if reply else None,
    )


def _without(pictures: Sequence[Photo], files: Sequence[SentFile]) -> tuple[SentFile, ...]:
    known = {picture.file_id for picture in pictures}
    return tuple(file for file in files if file.file_id not in known)


def _read_state(file: UserFile, sent: SentFile) -> ReadFileState:
    return {
        "id": file.id,
        "file_id": sent.file_id,
        "name": file.name,
        "units": file.units,
        "is_kept": file.is_kept,
        "unread_pages": file.unread_pages,
    }


async def _read(
    sent: SentFile, state: TurnState, runtime: Runtime[NodeContext]
) -> tuple[UserFile, bool] | Photo:
    """The stored file, and whether macros in it were left alone; those of before were told of.

    An image is only named: a vision model looks at it.
    """
    services, request = runtime.context.services, request_of(state)
    user_id, thread_id = request.message.user.telegram_user_id, request.thread_id
    runtime.stream_writer({"stage": "reading"})
    async with services.file_slots:
        got = await _fetch(sent, services)
        data, sha256 = got.data, hashlib.sha256(got.data).hexdigest()
        if image_type(data) and not is_web(sent.file_id):
            return Photo(sent.file_id, len(data), sha256=sha256)
        if known := await services.user_files.known(user_id, thread_id, sha256):
            return known, False
        found = await services.file_reader.read(user_id, got.name, got.mime, data)
        units = await _with_bare_pages(user_id, found, data, runtime)
    if not units:
        raise FileRefusedError("empty", "no text in it")
    pages = {unit.number for unit in units}
    stored = await services.user_files.store(
        NewUserFile(
            *(user_id, thread_id, _title(sent, found), found.media_type, len(data), sha256),
            *(sent.file_id, units),
            unread_pages=sum(page not in pages for page in found.bare_pages),
            tables=found.tables,
            is_private=got.is_private,
        )
    )
    return stored, found.has_macros


async def _fetch(sent: SentFile, services: Services) -> FetchedFile:
    """The bytes; what the messenger announced is enough to refuse a file.

    Raises: FileRefusedError, UpstreamError.
    """
    if is_web(sent.file_id):
        return await services.pages.fetch(sent.file_id)
    most = services.limits.images.max_bytes
    if (sent.size_bytes or 0) > most:
        raise FileRefusedError("too_large", f"{sent.size_bytes} bytes are over {most}")
    try:
        data = await services.files.fetch(sent.file_id)
    except ImageRefusedError as error:
        is_large = error.reason == "too_large"
        raise FileRefusedError("too_large" if is_large else "gone", str(error)) from error
    except UpstreamRefusedError as error:
        raise FileRefusedError("gone", str(error)) from error
    return FetchedFile(data, sent.mime, _name(sent))


async def _with_bare_pages(
    user_id: int, found: ReadFile, data: bytes, runtime: Runtime[NodeContext]
) -> Sequence[FileUnit]:
    """The text of all pages: what a vision model reads on those that have none, within limits."""
    pages = found.bare_pages[: runtime.context.services.limits.scanned_pages]
    if not pages:
        return found.units
    runtime.stream_writer({"stage": "looking"})
    slots = asyncio.Semaphore(_PAGES_AT_ONCE)

    async def look(number: int) -> FileUnit | None:
        async with slots:
            return await _look_at_page(user_id, data, number, runtime.context)

    seen = await run_all(look(number) for number in pages)
    return sorted([*found.units, *filter(None, seen)], key=lambda unit: unit.number)


async def _look_at_page(
    user_id: int, data: bytes, number: int, context: NodeContext
) -> FileUnit | None:
    """Read a page by its picture, None if nothing is on it, or no more images may be looked at."""
    services, notes = context.services, context.run.notes
    try:
        page = await services.file_reader.render_page(user_id, data, number)
        picture = Image(page, "image/jpeg")
        text = (await services.vision.look(picture, render_prompt("N13_read_page"))).strip()
    except DailyLimitError as error:
        notes.survive("page_over_limit", error)
        return None
    except (UpstreamError, FileRefusedError) as error:
        notes.survive("page_not_read", error)
        return None
    unit = FileUnit("page", number, "", text)
    return replace(unit, tokens=estimate_tokens(text)) if text else None


def _title(sent: SentFile, found: ReadFile) -> str:
    """The name of a file; what a page calls itself."""
    titled = shorten(found.title, _NAME_CHARS) if is_web(sent.file_id) else ""
    return titled or _name(sent)


def _name(sent: SentFile) -> str:
    return shorten(printable(sent.name), _NAME_CHARS) or _UNNAMED
