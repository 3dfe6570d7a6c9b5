"""Reads the files that came with a message; equal content is read once in a conversation."""

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
    """The files that were read or refused, and the files that are images.

    A page is a file whose id is its address. Files are read one after the other, because each takes
    memory.

    Raises: UpstreamError if the file may be available later.
    """
    earlier_by_id = {
        user_file["file_id"]: user_file for user_file in state.get("files", {}).get("read", ())
    }
    files_read: list[ReadFileState] = []
    refusals: list[RefusedFileState] = []
    pictures: list[Photo] = []
    for sent_file in files:
        if earlier_file := earlier_by_id.get(sent_file.file_id):
            files_read.append(earlier_file)
            continue
        try:
            content = await _read(sent_file, state, runtime)
        except FileRefusedError as error:
            runtime.context.run.notes.survive("file_refused", error)
            refusals.append(_refusal_state(error, sent_file))
        else:
            if isinstance(content, tuple):
                user_file, has_macros = content
                files_read.append({**_read_state(user_file, sent_file), "has_macros": has_macros})
            else:
                pictures.append(content)
    return {"read": files_read, "refused": refusals}, pictures


def as_images(state: TurnState, pictures: Sequence[Photo]) -> TurnUpdate:
    """The state in which these files are images of the message."""
    if not pictures:
        return {}
    request, message = request_of(state), _with_images(input_of(state), pictures)
    return {
        "request": request_with(state, _with_images(request.message, pictures)),
        "input": input_to_state(message),
        "last_images": photos_to_state(images_in(message)),
        "messages": [message_of(message, request.request_id)],
    }


def _with_images(message: IncomingMessage, pictures: Sequence[Photo]) -> IncomingMessage:
    """The message with these files as images."""
    reply = message.reply
    return replace(
        message,
        photos=(*message.photos, *pictures),
        files=_without(pictures, message.files),
        reply=replace(reply, files=_without(pictures, reply.files)) if reply else None,
    )


def _without(pictures: Sequence[Photo], files: Sequence[SentFile]) -> tuple[SentFile, ...]:
    """The files that are not among these images."""
    image_ids = {picture.file_id for picture in pictures}
    return tuple(file for file in files if file.file_id not in image_ids)


def _read_state(file: UserFile, source: SentFile) -> ReadFileState:
    """A stored file as the state keeps it."""
    return {
        "id": file.id,
        "file_id": source.file_id,
        "name": file.name,
        "units": file.units,
        "is_kept": file.is_kept,
        "unread": file.inventory.unread,
    }


def _refusal_state(error: FileRefusedError, source: SentFile) -> RefusedFileState:
    """A file that cannot be read, as the state keeps it."""
    return {
        "name": _name(source),
        "reason": error.reason,
        "is_page": is_web(source.file_id),
        "unread": error.unread,
    }


async def _read(
    source: SentFile, state: TurnState, runtime: Runtime[NodeContext]
) -> tuple[UserFile, bool] | Photo:
    """The stored file, and whether it holds macros that were not run; an image as a photo.

    A file that was stored before counts as one without macros: the user knows about them. An image
    is only hashed here; a vision model looks at it later.
    """
    services, request = runtime.context.services, request_of(state)
    user_id, thread_id = request.message.user.telegram_user_id, request.thread_id
    runtime.stream_writer({"stage": "reading"})
    async with services.file_slots:
        download = await _fetch(source, services)
        file_bytes, sha256 = download.data, hashlib.sha256(download.data).hexdigest()
        if image_type(file_bytes) and not is_web(source.file_id):
            return Photo(source.file_id, len(file_bytes), sha256=sha256)
        if stored_file := await services.user_files.find_same(user_id, thread_id, sha256):
            return stored_file, False
        content = await services.file_reader.read(user_id, download.name, download.mime, file_bytes)
        file_units = await _with_bare_pages(user_id, content, file_bytes, runtime)
    if not file_units:
        raise FileRefusedError("empty", "no text in it", content.inventory.unread)
    page_count = len(file_units) - len(content.units)
    user_file = await services.user_files.store(
        NewUserFile(
            *(
                user_id,
                thread_id,
                _title(source, content),
                content.media_type,
                len(file_bytes),
                sha256,
            ),
            *(source.file_id, file_units),
            tables=content.tables,
            is_private=download.is_private,
            inventory=content.inventory.with_read("page", page_count),
        )
    )
    return user_file, content.has_macros


async def _fetch(source: SentFile, services: Services) -> FetchedFile:
    """The bytes of a file, refused by its announced size if that is too large.

    Raises: FileRefusedError, UpstreamError.
    """
    if is_web(source.file_id):
        return await services.pages.fetch(source.file_id)
    most_bytes = services.limits.images.max_bytes
    if (source.size_bytes or 0) > most_bytes:
        raise FileRefusedError("too_large", f"{source.size_bytes} bytes are over {most_bytes}")
    try:
        file_bytes = await services.files.fetch(source.file_id)
    except ImageRefusedError as error:
        is_large = error.reason == "too_large"
        raise FileRefusedError("too_large" if is_large else "gone", str(error)) from error
    except UpstreamRefusedError as error:
        raise FileRefusedError("gone", str(error)) from error
    return FetchedFile(file_bytes, source.mime, _name(source))


async def _with_bare_pages(
    user_id: int, content: ReadFile, pdf_bytes: bytes, runtime: Runtime[NodeContext]
) -> Sequence[FileUnit]:
    """The units of a file; a vision model reads the pages without text, up to a limit."""
    page_numbers = content.bare_pages[: runtime.context.services.limits.scanned_pages]
    if not page_numbers:
        return content.units
    runtime.stream_writer({"stage": "looking"})
    slots = asyncio.Semaphore(_PAGES_AT_ONCE)

    async def look(page_number: int) -> FileUnit | None:
        async with slots:
            return await _look_at_page(user_id, pdf_bytes, page_number, runtime.context)

    page_units = await run_all(look(number) for number in page_numbers)
    units = [*content.units, *filter(None, page_units)]
    # Attached files follow the pages.
    return sorted(units, key=lambda unit: (unit.kind != "page", unit.number))


async def _look_at_page(
    user_id: int, pdf_bytes: bytes, page_number: int, context: NodeContext
) -> FileUnit | None:
    """The text on a page's picture; None if it has none, cannot be read or is over the limit."""
    services, notes = context.services, context.run.notes
    try:
        page = await services.file_reader.render_page(user_id, pdf_bytes, page_number)
        picture = Image(page, "image/jpeg")
        text = await services.vision.transcribe(picture, render_prompt("N13_read_page"))
    except DailyLimitError as error:
        notes.survive("page_over_limit", error)
        return None
    except (UpstreamError, FileRefusedError) as error:
        notes.survive("page_not_read", error)
        return None
    unit = FileUnit("page", page_number, "", text)
    return replace(unit, tokens=estimate_tokens(text)) if text else None


def _title(source: SentFile, content: ReadFile) -> str:
    """The title of a page, else the name of the file."""
    page_title = shorten(content.title, _NAME_CHARS) if is_web(source.file_id) else ""
    return page_title or _name(source)


def _name(source: SentFile) -> str:
    """The name of a file, shortened; the word "file" for a file without a name."""
    return shorten(printable(source.name), _NAME_CHARS) or _UNNAMED
