"""The demo's download of a model: offered on its page, resumed after a kill, used when it is there.

Its thread outlives no demo. What the page shows is sent to it as it changes.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import structlog

from rich_agent.commands.model_choice import ModelSearch, choose, physical_memory
from rich_agent.commands.model_download import Snapshot, download, started, wait_for_server
from rich_agent.commands.model_offer import (
    DownloadOffer,
    Machine,
    Recommended,
    install_line,
    offer_from,
)
from rich_agent.errors import RichAgentError
from rich_agent.terminal.console import out
from rich_agent.upstreams.servers.local import find_local_servers

_END_S = 15.0
_LINE_PERCENT = 10
"""A line of the terminal comes each time so many percent were downloaded."""
log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class DemoDownload:
    """At most one download at a time.

    `tell` sends the state to the page, `use` has the bot answer with a model at an address, and
    `notes` is the file that remembers a download until it ends.
    """

    search: ModelSearch
    notes: Path
    tell: Callable[[Mapping[str, Any]], None]
    use: Callable[[str, str], None]
    offer: DownloadOffer | None
    _stack: ExitStack = field(default_factory=ExitStack)
    _task: "asyncio.Task[None] | None" = None
    _loop: asyncio.AbstractEventLoop | None = None
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        """End the download, which a later demo resumes."""
        self._end()
        self._stack.close()

    def begin(self, *, at_once: bool) -> None:
        """Offer the download; begin it `at_once`, or if an earlier demo was ended in it."""
        self._set("offered" if self.offer else "missing")
        if self.offer is None:
            self.notes.unlink(missing_ok=True)
            return
        model_name = self._noted()
        if model_name:
            out(f"the download of {model_name} goes on")
        if model_name or at_once:
            self.start(model_name)

    def start(self, model_name: str) -> None:
        """Begin the download of a model, the proposed one without a name; not a second one."""
        offer = self.offer
        if offer is None or (self._thread and self._thread.is_alive()):
            return
        model = offer.model(model_name)
        note = {"server": offer.server.title, "model": model.name}
        self.notes.write_text(json.dumps(note), encoding="utf-8")
        self._set("running", model=model.name)
        self._thread = threading.Thread(target=self._run, args=(offer, model), daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """End the download at the user's wish; what was downloaded stays at the server."""
        if self._task is None:
            return
        self.notes.unlink(missing_ok=True)
        self._end()
        self._set("offered" if self.offer else "missing")

    def look_again(self) -> None:
        """Search for servers again, and use a model that chats by now. Raises: RichAgentError."""
        servers = asyncio.run(find_local_servers(self.search.places, self.search.patience))
        if chat := choose(servers, memory_bytes=physical_memory()).chat:
            self._use(chat.server.base_url, chat.model.name)
            return
        self.offer = offer_from(servers, self.search, Machine.here())
        self._set("offered" if self.offer else "missing")

    def _use(self, base_url: str, model_name: str) -> None:
        self._set("starting", model=model_name)
        self.use(base_url, model_name)
        self.notes.unlink(missing_ok=True)
        out(f"{model_name} answers from now on")
        self._set("ready", model=model_name)

    def _noted(self) -> str:
        """The model whose download an earlier demo did not end, "" without one."""
        with suppress(OSError, ValueError):
            note = json.loads(self.notes.read_text("utf-8"))
            if self.offer and note.get("server") == self.offer.server.title:
                return str(note.get("model", ""))
        return ""

    def _end(self) -> None:
        task, loop = self._task, self._loop
        if task is None or loop is None or self._thread is None:
            return
        with suppress(RuntimeError):  # the loop may have ended meanwhile
            loop.call_soon_threadsafe(task.cancel)
        self._thread.join(_END_S)

    def _run(self, offer: DownloadOffer, model: Recommended) -> None:
        try:
            asyncio.run(self._download(offer, model))
            self._use(offer.server.base_url, asyncio.run(self._name_at(offer, model)))
        except asyncio.CancelledError:
            return
        except RichAgentError as error:
            out(f"the download of {model.name} failed: {error.explain()}")
            self._set("failed", model=model.name, error=str(error), hint=error.hint)
        except Exception as error:  # noqa: BLE001 - the page can try again
            log.warning("model_not_downloaded", reason=type(error).__name__)
            self._set("failed", model=model.name, error="the server's answer was not understood")

    async def _download(self, offer: DownloadOffer, model: Recommended) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            if offer.program:
                self._stack.enter_context(started(offer))
                await wait_for_server(offer)
            line_percent = 0
            async with aclosing(download(offer, model)) as states:
                async for state in states:
                    self._show(model, state)
                    if state.total_bytes and state.percent >= line_percent:
                        line_percent = state.percent + _LINE_PERCENT
                        out(f"{offer.server.title} downloads {model.name}: {state.explain()}")
        finally:
            self._task = None

    async def _name_at(self, offer: DownloadOffer, model: Recommended) -> str:
        """The name by which the server lists the model that it was asked for by a link."""
        servers = await find_local_servers(self.search.places, self.search.patience)
        same_server = [one for one in servers if one.base_url == offer.server.base_url]
        chat = choose(same_server, model_name=model.name).chat
        return chat.model.name if chat else model.name

    def _show(self, model: Recommended, state: Snapshot) -> None:
        self._set(
            "running",
            model=model.name,
            step=state.step,
            done_bytes=state.done_bytes,
            total_bytes=state.total_bytes,
            left_s=state.left_s,
        )

    def _set(self, state: str, **details: object) -> None:
        offer = self.offer
        self.tell(
            {
                "state": state,
                "server": offer.server.title if offer else "",
                "starts_server": bool(offer and offer.program),
                "models": [
                    {"name": one.name, "size_bytes": one.size_bytes}
                    for one in (offer.models if offer else ())
                ],
                "free_bytes": offer.free_bytes if offer else None,
                "install_line": "" if offer else install_line(),
                **details,
            }
        )
