"""`/sim`: the API for users (the chat page) and tests.

Refusals are `{"error": ...}`. The fault kinds of Telegram are in `telegram.faults`, those of other
upstreams in their modules.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from rich_agent_sandbox.ledger import Fault
from rich_agent_sandbox.page.model_control import (
    DownloadWish,
    ModelControl,
    ModelWish,
)
from rich_agent_sandbox.page.ranges import answer_part
from rich_agent_sandbox.page.requests import (
    Age,
    CallsQuery,
    NewFault,
    NewMember,
    NewMessage,
    Pause,
    Press,
    Server,
    WidgetPress,
)
from rich_agent_sandbox.page.user_actions import (
    change_member,
    press_button,
    query_widget,
    send_message,
    stop_generation,
)
from rich_agent_sandbox.page.view import bot_view, chat_summary, chat_view
from rich_agent_sandbox.page.widget_page import widget_response
from rich_agent_sandbox.pictures import sample_pictures
from rich_agent_sandbox.responses import AsciiJSONResponse
from rich_agent_sandbox.telegram import faults as telegram_faults
from rich_agent_sandbox.telegram.refusals import SimError
from rich_agent_sandbox.telegram.sandbox import Sandbox
from rich_agent_sandbox.telegram.widgets import Widget

KEEP_ALIVE_S = 15.0
_Body = TypeVar("_Body", bound=BaseModel)
_Handler = Callable[[Request], Awaitable[dict[str, Any]]]


def sim_routes(sandbox: Sandbox, control: ModelControl | None = None) -> list[BaseRoute]:
    """The routes of `/sim`; with `control`, the page can connect a model."""
    sim = _Sim(sandbox, control)
    return [
        _route("/sim", sim.forget, "DELETE"),
        _route("/sim/bot", sim.bot, "GET"),
        _route("/sim/chats", sim.chats, "GET"),
        _route("/sim/chats/{chat_id}", sim.chat, "GET"),
        _route("/sim/chats/{chat_id}/messages", sim.send, "POST"),
        _route("/sim/chats/{chat_id}/press", sim.press, "POST"),
        _route("/sim/chats/{chat_id}/widget-queries", sim.query_widget, "POST"),
        _route("/sim/chats/{chat_id}/stop", sim.stop, "POST"),
        _route("/sim/chats/{chat_id}/age", sim.age, "POST"),
        _route("/sim/chats/{chat_id}/pause", sim.pause, "POST"),
        _route("/sim/groups/{chat_id}/members", sim.member, "POST"),
        _route("/sim/server", sim.server, "POST"),
        _route("/sim/faults", sim.plan_fault, "POST"),
        _route("/sim/faults", sim.drop_faults, "DELETE"),
        _route("/sim/calls", sim.calls, "GET"),
        _route("/sim/deliveries", sim.deliveries, "GET"),
        _route("/sim/model/test", sim.test_model, "POST"),
        _route("/sim/model/use", sim.use_model, "POST"),
        _route("/sim/model/reset", sim.reset_model, "POST"),
        _route("/sim/model/download", sim.download_model, "POST"),
        _route("/sim/model/download", sim.download, "GET"),
        _route("/sim/model/cancel", sim.cancel_download, "POST"),
        _route("/sim/model/look", sim.look_for_servers, "POST"),
        Route("/sim/events", sim.events, methods=["GET"]),
        Route("/sim/files/{file_id}", sim.file, methods=["GET"]),
        Route("/sim/pictures/{name}", sim.picture, methods=["GET"]),
        Route("/sim/widgets/{chat_id:int}/{message_id:int}", sim.widget, methods=["GET"]),
    ]


def _route(path: str, handler: _Handler, method: str) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            return AsciiJSONResponse(await handler(request))
        except SimError as error:
            return AsciiJSONResponse({"error": str(error)}, status_code=error.status)

    return Route(path, endpoint, methods=[method])


@dataclass(frozen=True, slots=True)
class _Sim:
    sandbox: Sandbox
    control: ModelControl | None

    async def send(self, request: Request) -> dict[str, Any]:
        """Send or edit a message of the user."""
        new = await _body(request, NewMessage)
        user_id = _chat_id(request)
        if user_id <= 0:
            raise SimError("user_id: a user's id is a positive number")
        sent = await send_message(self.sandbox, user_id, new)
        return {"message_id": sent.message_id, "update_id": sent.update_id}

    async def member(self, request: Request) -> dict[str, Any]:
        """Change a user's status in a group."""
        change_member(self.sandbox, _chat_id(request), await _body(request, NewMember))
        return {}

    async def press(self, request: Request) -> dict[str, Any]:
        """Press an inline button as the user."""
        press = await _body(request, Press)
        query_id, update = press_button(self.sandbox, _chat_id(request), press)
        return {"callback_query_id": query_id, "update_id": update.update_id if update else None}

    async def query_widget(self, request: Request) -> dict[str, Any]:
        """Send a query of a widget as the user; refused with 429 for more than 5 in 5 s."""
        press = await _body(request, WidgetPress)
        query_id, update = query_widget(self.sandbox, _chat_id(request), press)
        return {"query_id": query_id, "update_id": update.update_id if update else None}

    async def stop(self, request: Request) -> dict[str, Any]:
        """Stop the current draft as the user; harmless without a draft."""
        update = stop_generation(self.sandbox, _chat_id(request))
        return {"stopped": update is not None, "update_id": update.update_id if update else None}

    async def pause(self, request: Request) -> dict[str, Any]:
        """Shift the dates of the user's later messages, and return at once."""
        pause = await _body(request, Pause)
        chat = self.sandbox.chats.find(_chat_id(request))
        if chat is None:
            raise SimError("chat_id: there is no such chat")
        chat.ahead_s += pause.seconds
        return {}

    async def age(self, request: Request) -> dict[str, Any]:
        """Date back all messages of a chat, also those of the bot."""
        age = await _body(request, Age)
        chat = self.sandbox.chats.find(_chat_id(request))
        if chat is None:
            raise SimError("chat_id: there is no such chat")
        chat.age(age.seconds)
        return {}

    async def chat(self, request: Request) -> dict[str, Any]:
        """A user's current view of the chat: that of its owner, or of another member."""
        viewer = request.query_params.get("viewer", "")
        if viewer and not viewer.isdecimal():
            raise SimError("viewer: must be the number of a user")
        return chat_view(self.sandbox, _chat_id(request), int(viewer) if viewer else None)

    async def server(self, request: Request) -> dict[str, Any]:
        """Be a Bot API server of another age."""
        server = await _body(request, Server)
        self.sandbox.ephemerals.server = server.age
        self.sandbox.ephemerals.answered_within_s = server.answered_within_s
        return {}

    async def chats(self, _: Request) -> dict[str, Any]:
        """All chats, each with its last message."""
        return {"chats": [chat_summary(chat) for chat in self.sandbox.chats.all()]}

    async def bot(self, _: Request) -> dict[str, Any]:
        """The bot's identity."""
        about = self.control.about if self.control else self.sandbox.config.about
        return bot_view(self.sandbox, about, has_control=self.control is not None)

    async def test_model(self, request: Request) -> dict[str, Any]:
        """The models of a server, after a test of the best one."""
        server = await _body(request, ModelWish)
        return await self._controlled().ask("test", _peer(request), server)

    async def use_model(self, request: Request) -> dict[str, Any]:
        """Let the bot answer with a model of a server from now on."""
        fields = await _body(request, ModelWish)
        return await self._controlled().ask("use", _peer(request), fields)

    async def reset_model(self, request: Request) -> dict[str, Any]:
        """Let the bot answer with its original model again."""
        return await self._controlled().ask("reset", _peer(request))

    async def download_model(self, request: Request) -> dict[str, Any]:
        """Begin the download of a model; its progress is in the view of the bot."""
        fields = await _body(request, DownloadWish)
        return await self._controlled().ask("download", _peer(request), fields)

    async def cancel_download(self, request: Request) -> dict[str, Any]:
        """Cancel the download; what was downloaded stays."""
        return await self._controlled().ask("cancel", _peer(request))

    async def look_for_servers(self, request: Request) -> dict[str, Any]:
        """Search for model servers again."""
        return await self._controlled().ask("look", _peer(request))

    async def download(self, _: Request) -> dict[str, Any]:
        """The state of the download that the program offers, null if it offers none."""
        return {"download": self.control.download if self.control else None}

    def _controlled(self) -> ModelControl:
        if self.control is None:
            raise SimError("this sandbox was not started by a program that can change the model")
        return self.control

    async def plan_fault(self, request: Request) -> dict[str, Any]:
        """Plan a fault of an upstream."""
        fault = await _body(request, NewFault)
        if fault.upstream == "telegram" and fault.kind not in telegram_faults.KINDS:
            known_kinds = ", ".join(sorted(telegram_faults.KINDS))
            raise SimError(f"kind: telegram knows {known_kinds}")
        self.sandbox.ledger.plan_fault(Fault(**fault.model_dump()))
        return {"ok": True}

    async def drop_faults(self, _: Request) -> dict[str, Any]:
        """Drop all planned faults."""
        self.sandbox.ledger.drop_faults()
        return {"ok": True}

    async def calls(self, request: Request) -> dict[str, Any]:
        """The bot's calls, and the number of the newest call."""
        query = _validated(CallsQuery, dict(request.query_params))
        ledger = self.sandbox.ledger
        calls = [call for call in ledger.calls(query.upstream) if call.number > query.since]
        return {"calls": [call.to_json() for call in calls], "newest": ledger.newest}

    async def deliveries(self, _: Request) -> dict[str, Any]:
        """The progress of each update."""
        records = self.sandbox.queue.deliveries()
        return {"deliveries": [record.to_json() for record in records]}

    async def forget(self, _: Request) -> dict[str, Any]:
        """Drop everything except the registrations of a running bot."""
        self.sandbox.forget()
        return {"ok": True}

    async def file(self, request: Request) -> Response:
        """The bytes of a photo or document, for the page."""
        file = self.sandbox.files.find(request.path_params["file_id"])
        if file is None:
            return AsciiJSONResponse({"error": "no such file"}, status_code=404)
        headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "max-age=3600"}
        if not file.path.startswith("photos/"):
            headers["Content-Disposition"] = "attachment"
        return answer_part(
            request, Response(file.content, media_type=file.mime_type, headers=headers)
        )

    async def picture(self, request: Request) -> Response:
        """A picture that the page offers."""
        name = request.path_params["name"]
        picture = next(
            (sample_picture for sample_picture in sample_pictures() if sample_picture.name == name),
            None,
        )
        if picture is None:
            return AsciiJSONResponse({"error": "no such picture"}, status_code=404)
        return Response(picture.content, media_type="image/png")

    async def widget(self, request: Request) -> Response:
        """The document of a widget, for a frame of the page."""
        chat = self.sandbox.chats.find(request.path_params["chat_id"])
        message = chat.messages.get(request.path_params["message_id"]) if chat else None
        if message is None or not isinstance(message.media, Widget):
            return AsciiJSONResponse({"error": "no such widget"}, status_code=404)
        return widget_response(message.media)

    async def events(self, _: Request) -> Response:
        """Server-sent events: `{"topics": [...]}`, chat ids, "calls", "bot", "download", "all"."""
        headers = {"Cache-Control": "no-store"}
        return StreamingResponse(self._topics(), media_type="text/event-stream", headers=headers)

    async def _topics(self) -> AsyncIterator[str]:
        yield ": open\n\n"
        async for topics in self.sandbox.changes.listen(quiet_s=KEEP_ALIVE_S):
            content = json.dumps({"topics": sorted(topics, key=str)})
            yield f"data: {content}\n\n" if topics else ": quiet\n\n"


def _peer(request: Request) -> str:
    return request.client.host if request.client else ""


def _chat_id(request: Request) -> int:
    try:
        return int(request.path_params["chat_id"])
    except ValueError as error:
        raise SimError("user_id: must be a number") from error


async def _body(request: Request, model: type[_Body]) -> _Body:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise SimError(f"the body is not JSON: {error}") from error
    return _validated(model, body)


def _validated(model: type[_Body], value: object) -> _Body:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        problems = (
            f"{'.'.join(map(str, item['loc'])) or 'body'}: {item['msg']}"
            for item in error.errors(include_url=False, include_context=False, include_input=False)
        )
        raise SimError("; ".join(problems)) from error
