"""The addresses of AG-UI: begin, follow, join and stop runs, and upload images."""

import base64
import binascii
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature.runs import (
    ImageLimits,
    Run,
    RunAsked,
    RunEvent,
    Runs,
    RunService,
    SentFile,
    ThreadBusyError,
    TooManyRunsError,
    Uploads,
    on_one_line,
    take_event,
)
from rich_agent.feature.text import whole_number
from rich_agent.feature.web import (
    Caller,
    GuardedRoute,
    PlacedStreamResponse,
    RequestRefusedError,
    StreamPlaces,
    caller_of,
    handled_by,
    language_of,
    stop_at_refusal,
)
from rich_agent.features.web_chat.agui.conversations import ConversationEndpoints
from rich_agent.features.web_chat.agui.events import EventWriter
from rich_agent.features.web_chat.agui.history import MOST_MESSAGES, ThreadHistory
from rich_agent.features.web_chat.agui.interrupts import Wire, answer_to, interrupted_run
from rich_agent.features.web_chat.agui.places import Places
from rich_agent.features.web_chat.agui.requests import (
    MOST_IMAGES,
    MOST_TEXT_CHARS,
    BlockPress,
    ContentPart,
    Resumption,
    RunInput,
    SaidMessage,
    is_name,
    read_input,
    refused_input,
)
from rich_agent.features.web_chat.agui.turns import question_again

KEEP_ALIVE_S = 15.0
_SSE, _NDJSON = "text/event-stream", "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class RunStream:
    """The events of a run after the first `skip` events."""

    runs: Runs
    writer: EventWriter
    skip: int = 0
    beat_s: float = KEEP_ALIVE_S
    media_type: str = _SSE

    async def lines(self) -> AsyncIterator[str]:
        """The pieces of the stream, up to the end of the run. Raises: DatabaseUnavailableError."""
        event_number, run, skip = 0, self.writer.run, self.skip
        for event in self.writer.opening():
            event_number += 1
            if event_number > skip:
                yield self._frame(event_number, event)
        async with self.runs.following(run, beat_s=self.beat_s) as batches:
            async for batch in batches:
                if not batch:
                    yield ":\n\n" if self.media_type == _SSE else "\n"
                if any(event.data.get("verbatim") for event in batch):
                    skip = 0  # verbatim events are not those that the client counted
                for run_event in batch:
                    for event in await take_event(run_event, self._wire_of):
                        event_number += 1
                        if event_number > skip:
                            yield self._frame(event_number, event)

    def _wire_of(self, event: RunEvent) -> list[Wire]:
        return list(self.writer.take(event))

    def _frame(self, event_number: int, event: Wire) -> str:
        # U+2028 does not end a line in either format, and JSON escapes CR and LF.
        event_id = f"{self.writer.run.run_id}:{event_number}"
        if self.media_type == _NDJSON:
            return on_one_line({"id": event_id, "event": event}) + "\n"
        return f"id: {event_id}\ndata: {on_one_line(event)}\n\n"


def framing_of(accept: str) -> str:
    """The media type of a stream: server-sent events, unless only lines of JSON are accepted."""
    return _NDJSON if _NDJSON in accept and _SSE not in accept else _SSE


_MOST_INPUT_BYTES = 12_000_000
"""Most bytes of an input with images. Larger images are uploaded."""
_CAPABILITIES: Mapping[str, Mapping[str, Any]] = {
    "identity": {"name": "rich-agent", "type": "rich-agent"},
    "transport": {"streaming": True, "resumable": True, "websocket": False, "httpBinary": False},
    "tools": {"supported": True, "clientProvided": False},
    "state": {"snapshots": False, "deltas": False, "memory": True, "persistentState": True},
    "multimodal": {
        "input": {"image": True, "audio": False, "video": False, "pdf": True, "file": True}
    },
    "humanInTheLoop": {
        "supported": True,
        "approvals": True,
        "interrupts": True,
        "approveWithEdits": True,
    },
}


@dataclass(frozen=True, slots=True)
class AguiEndpoints:
    """Runs for clients of AG-UI. Runs of other users are not found."""

    service: RunService
    uploads: Uploads
    images: ImageLimits
    addresses: Places
    history: ThreadHistory
    conversations: ConversationEndpoints
    places: StreamPlaces = field(default_factory=StreamPlaces)

    def routes(self) -> Sequence[GuardedRoute]:
        """All routes, which need the scope `chat`."""
        return (
            GuardedRoute("/agui", "chat", handled_by(self.run), ("POST", "GET"), _MOST_INPUT_BYTES),
            GuardedRoute("/agui/capabilities", "chat", handled_by(self.capabilities)),
            GuardedRoute("/agui/threads", "chat", handled_by(self.threads)),
            GuardedRoute(
                "/agui/threads/{thread_id:path}",
                "chat",
                handled_by(self.thread),
                ("GET", "POST", "DELETE"),
            ),
            GuardedRoute("/agui/runs/{run_id:path}/stop", "chat", handled_by(self.stop), ("POST",)),
            GuardedRoute(
                "/agui/uploads", "chat", handled_by(self.upload), ("POST",), self.images.max_bytes
            ),
        )

    async def run(self, request: Request, caller: Caller) -> Response:
        """Begin a run, or follow a run that exists. With GET, join a run or read a thread."""
        if request.method == "GET":
            is_thread = "threadId" in request.query_params
            return await (self.thread if is_thread else self._join)(request, caller)
        run_input = read_input(await request.body())
        last_event_id = request.headers.get("last-event-id", "")
        run = await self.service.runs.find(caller.user_id, run_input.run_id)
        if run is None:
            if last_event_id:
                raise _unknown_run()
            # No run is begun without a place. The stream takes the place before another task can.
            with self.places.place(caller.token_id or -caller.user_id):
                run = await self._begin(run_input, caller, language_of(request))
        return self._follow(run, request, _number_in(last_event_id, run), run_input.messages)

    async def _join(self, request: Request, caller: Caller) -> Response:
        last_event_id, run_id = (request.query_params.get(name) for name in ("offset", "runId"))
        if last_event_id is None or run_id is None:
            raise refused_input("To join a run, name it: ?runId=…&offset=-1.")
        run = await self._find_run(run_id, caller)
        before = await self.history.before(run)
        return self._follow(run, request, _number_in(last_event_id, run), before)

    async def thread(self, request: Request, caller: Caller) -> Response:
        """The messages of a thread, page by page, and what is open; or change a conversation."""
        params = request.query_params
        thread = request.path_params.get("thread_id") or params.get("threadId", "")
        limit, cursor = _page_bounds(request)
        if not is_name(thread):
            raise refused_input("This is no id of a thread.")
        if request.method != "GET":
            return await self.conversations.change(request, caller, thread)
        is_earlier = False
        if turn := params.get("at", ""):
            cursor = await self.conversations.behind(caller, thread, turn)
            is_earlier = cursor is not None
        page = await self.history.page(caller.user_id, thread, limit=limit, before=cursor)
        return JSONResponse({**page, "later": True} if is_earlier else page)

    async def threads(self, request: Request, caller: Caller) -> Response:
        """The caller's conversations, page by page."""
        limit, cursor = _page_bounds(request)
        page = await self.history.threads(caller.user_id, limit=limit, before=cursor)
        return JSONResponse(page)

    async def capabilities(self, _request: Request, _caller: Caller) -> Response:
        """The capabilities of this agent. Source: AG-UI 1.0, AgentCapabilities."""
        return JSONResponse(_CAPABILITIES)

    def _follow(
        self, run: Run, request: Request, skip: int, before: Sequence[Wire]
    ) -> PlacedStreamResponse:
        stop_at_refusal(request, partial(self.service.stop_own, run))
        framing, caller = framing_of(request.headers.get("accept", "")), caller_of(request)
        writer = EventWriter(run, self.addresses, before)
        stream = RunStream(self.service.runs, writer, skip, media_type=framing)
        reader_id = caller.token_id or -caller.user_id
        return PlacedStreamResponse(stream.lines(), self.places, reader_id, framing)

    async def _begin(self, run_input: RunInput, caller: Caller, language: str) -> Run:
        if run_input.resume:
            request = await self._resumption(run_input.resume, caller)
        elif pressed := run_input.press:
            request = await self._press_of(pressed, caller)
        elif run_input.replaces:
            request = await question_again(self.service.runs, run_input, caller.user_id)
        else:
            request = await self._question_of(run_input, caller)
        request = replace(request, language=language)
        try:
            return await self.service.begin(
                caller.user_id, run_input.run_id, run_input.thread_id, request, run_input.busy
            )
        except ThreadBusyError as error:
            raise RequestRefusedError(
                409, "thread_busy", "Another answer is being written.", hint=error.hint
            ) from error
        except TooManyRunsError as error:
            raise RequestRefusedError(
                429, "too_many_runs", "Too many runs wait already.", hint=error.hint
            ) from error

    async def _press_of(self, press: BlockPress, caller: Caller) -> RunAsked:
        """The request for a press in a block of the caller's."""
        if await self.service.runs.living_block(caller.user_id, press.run) is None:
            message = "This run has no living block any more: ask for it again."
            raise RequestRefusedError(409, "button_outdated", message)
        return RunAsked("", press=press.data, of_run=press.run)

    async def _resumption(self, resume: Sequence[Resumption], caller: Caller) -> RunAsked:
        run = await self._find_run(interrupted_run(resume), caller)
        events = await self.service.runs.events(run)
        questions = [event.data for event in events if event.kind == "question"]
        waiting_run = await self.service.runs.waiting_in(caller.user_id, run.thread)
        if waiting_run is None or waiting_run.run_id != run.run_id:
            raise RequestRefusedError(
                409, "question_closed", "The question was answered, or expired."
            )
        return answer_to(run, questions[-1], resume)

    async def _question_of(self, run_input: RunInput, caller: Caller) -> RunAsked:
        message = run_input.last_user_message()
        if message is None:
            raise refused_input("The last message has to be the user's.")
        text = message.text()
        if len(text) > MOST_TEXT_CHARS:
            raise refused_input(f"A message has at most {MOST_TEXT_CHARS:,} characters.", 413)
        attachments = await self._attachments_of(message, caller)
        if not text.strip() and not attachments:
            raise refused_input("The message is empty.")
        images = tuple(file.file_id for file in attachments if file.mime.startswith("image/"))
        files = tuple(file for file in attachments if not file.mime.startswith("image/"))
        return RunAsked(text, images, files, message_id=message.id, is_spoken=run_input.is_spoken)

    async def _attachments_of(self, message: SaidMessage, caller: Caller) -> list[SentFile]:
        parts = message.attachments()
        if len(parts) > MOST_IMAGES:
            raise refused_input(f"A message has at most {MOST_IMAGES} images and files.")
        attachments = [_attachment_of(part) for part in parts]
        return [
            SentFile(
                await self._upload_id(attachment, caller),
                attachment.name,
                attachment.mime,
                len(attachment.data) or None,
            )
            for attachment in attachments
        ]

    async def _upload_id(self, image: "_Given", caller: Caller) -> str:
        if image.upload_id:
            if not await self.uploads.has(caller.user_id, image.upload_id):
                raise RequestRefusedError(404, "unknown_upload", "This upload is not known.")
            return image.upload_id
        return await self._keep(image.mime, image.data, caller)

    async def _keep(self, mime: str, data: bytes, caller: Caller) -> str:
        if not data or len(data) > self.images.max_bytes:
            raise refused_input(f"A file has 1 to {self.images.max_bytes:,} bytes.", 413)
        return await self.uploads.keep(caller.user_id, mime, data)

    async def upload(self, request: Request, caller: Caller) -> Response:
        """Store the image or file in the body. Its type is the Content-Type of the request."""
        mime = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        upload_id = await self._keep(mime, await request.body(), caller)
        return JSONResponse({"id": upload_id, "mimeType": mime}, 201)

    async def stop(self, request: Request, caller: Caller) -> Response:
        """Stop a run, which ends with its text so far."""
        run = await self._find_run(request.path_params["run_id"], caller)
        return JSONResponse({"stopped": await self.service.stop(run)}, 202)

    async def _find_run(self, run_id: str, caller: Caller) -> Run:
        run = await self.service.runs.find(caller.user_id, run_id) if is_name(run_id) else None
        if run is None:
            raise _unknown_run()
        return run


@dataclass(frozen=True, slots=True)
class _Given:
    """An image or file of a message: its bytes, or an upload."""

    name: str = ""
    mime: str = ""
    data: bytes = b""
    upload_id: str = ""


def _attachment_of(part: ContentPart) -> _Given:
    source = part.its_source()
    if source is None or part.type not in {"image", "binary", "document"}:
        raise RequestRefusedError(
            415, "unsupported_file", f"Parts of the type {part.type[:20]!r} cannot be read."
        )
    if source.type == "url":
        raise refused_input("Addresses are not fetched: send the file itself, or upload it.")
    # Older clients send no type with an upload, which is then an image.
    mime = source.mime_type.lower() or ("" if part.type == "document" else "image/unknown")
    if source.type == "file":
        return _Given(part.name(), mime, upload_id=source.value)
    try:
        return _Given(part.name(), mime, base64.b64decode(source.value, validate=True))
    except binascii.Error:
        raise refused_input("The data of a part is no base64.") from None


def _page_bounds(request: Request) -> tuple[int, int | None]:
    """The number of messages to show, and the cursor before which they are."""
    params = request.query_params
    limit, cursor = (whole_number(params.get(name, "")) for name in ("limit", "before"))
    if "limit" in params and limit is None:
        raise refused_input("This is no limit.")
    return min(max(limit or MOST_MESSAGES, 1), MOST_MESSAGES), cursor


def _unknown_run() -> RequestRefusedError:
    return RequestRefusedError(404, "unknown_run", "This run is not known.")


def _number_in(event_id: str, run: Run) -> int:
    """The number of the last event that a client has; 0 for none."""
    if event_id in {"", "-1"}:
        return 0
    run_id, _, number_text = event_id.rpartition(":")
    if run_id not in {"", run.run_id} or (last_number := whole_number(number_text)) is None:
        raise refused_input("The id of the last event is none of this run.")
    return last_number
