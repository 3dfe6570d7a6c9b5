"""Lets the demo's page try a model server, and has the demo's bot begin again with its model.

The page's wishes are lines of JSON from the sandbox. A key stays in the memory of this process: it
is neither stored nor logged nor sent back.
"""

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import structlog
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from rich_agent.commands.demo_download import DemoDownload
from rich_agent.commands.demo_models import about_model, models_at
from rich_agent.commands.diagnosis.model_offers import server_at
from rich_agent.commands.model_choice import NO_KEY, ModelSearch
from rich_agent.commands.model_offer import DownloadOffer
from rich_agent.composition.bot import Roles
from rich_agent.composition.model_server import open_models
from rich_agent.composition.serving import serve_bot
from rich_agent.errors import RichAgentError
from rich_agent.settings.fields import Group
from rich_agent.settings.models import ChatSettings, RoleName, RoleSettings
from rich_agent.settings.settings import Settings
from rich_agent.settings.types import Url
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.refusals import translate_openai_errors

_FIRST_WORD_S = 90.0
"""A local server may load its model first."""
_WORD_TOKENS = 16
_NOBODYS = 0
"""The number of a wish that no page waits for."""
_OTHERS: tuple[RoleName, ...] = ("vision", "embedding", "rerank")
_EVERYTHING = Roles(receive=True, work=True, http=True)
log = structlog.get_logger()


class Wish(BaseModel):
    """A wish of the page: to test a server, to use its model, or to go back to the first one.

    Or to download a model, to cancel that, or to look for servers again.
    """

    model_config = ConfigDict(frozen=True)

    id: int
    wish: Literal["test", "use", "reset", "download", "cancel", "look"]
    base_url: Url = "http://127.0.0.1"
    api_key: SecretStr = SecretStr("")
    model: str = ""
    sees: bool = False

    @property
    def key(self) -> str:
        """The key to send; most servers on one's own machine ask for none."""
        return self.api_key.get_secret_value() or NO_KEY


@dataclass(frozen=True, slots=True)
class _Next:
    """The settings that the bot begins again with, and the number of the wish for them."""

    wish: int
    settings: Settings
    about: tuple[str, ...]


@dataclass(slots=True, eq=False)
class ModelSwitch:
    """Serves the bot, again and again as the page wishes; `answer` writes a line to the sandbox."""

    settings: Settings
    about: tuple[str, ...]
    answer: Callable[[str], None]
    _first: Settings = field(init=False)
    _next: _Next | None = None
    _starting: _Next | None = None
    _reply: Mapping[str, object] = field(default_factory=dict)
    _download: DemoDownload | None = None
    _is_settled: threading.Event = field(default_factory=threading.Event)
    _has_started: threading.Event = field(default_factory=threading.Event)
    _change: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._first = self.settings

    @contextmanager
    def offer_download(
        self, search: ModelSearch, offer: DownloadOffer | None, notes: Path, *, at_once: bool
    ) -> Iterator[None]:
        """Have the page offer the download of a model while the block runs. See `DemoDownload`."""
        with DemoDownload(search, notes, self._tell_download, self._use, offer) as download:
            self._download = download
            download.begin(at_once=at_once)
            yield

    def run(self, announce: Callable[[str], None]) -> None:
        """Serve until it is stopped; `announce` is called once. Raises: RichAgentError."""
        is_first_start = True

        def on_start(name: str) -> None:
            nonlocal is_first_start
            if is_first_start:
                announce(name)
            is_first_start = False
            self._has_started.set()
            self._settle({"about": self._starting.about} if self._starting else {})

        while True:
            previous_settings = self.settings
            if self._starting:
                self.settings = self._starting.settings
            try:
                asyncio.run(serve_bot(self.settings, _EVERYTHING, on_start))
            except RichAgentError as error:
                if self._starting is None:
                    raise
                self._settle(_problem(error))
                self.settings = previous_settings
                continue
            self._starting, self._next = self._next, None
            if self._starting is None:
                return

    def serve(self, lines: Iterable[str]) -> None:
        """Fulfil the wishes of these lines, one after the other, in a thread of their own."""
        for line in lines:
            message = json.loads(line)
            try:
                self._fulfil(Wish.model_validate(message))
            except ValidationError:
                hint = "Write it as http://127.0.0.1:11434/v1."
                self._tell(message["id"], {"error": "this is no web address", "hint": hint})
            except RichAgentError as error:
                self._tell(message["id"], _without(message.get("api_key"), _problem(error)))
            except Exception as error:  # noqa: BLE001 - the page can try another server
                log.warning("model_not_connected", reason=type(error).__name__)
                self._tell(message["id"], {"error": "the server's answer was not understood"})

    def _fulfil(self, wish: Wish) -> None:
        if wish.wish == "test":
            self._tell(wish.id, asyncio.run(try_model(wish)))
        elif wish.wish in {"use", "reset"}:
            self._begin_again(wish)
        else:
            self._change_download(wish)

    def _change_download(self, wish: Wish) -> None:
        download = self._download
        if download is None:
            raise RichAgentError("a real model answers already")
        if wish.wish == "download":
            download.start(wish.model)
        elif wish.wish == "cancel":
            download.cancel()
        else:
            download.look_again()
        self._tell(wish.id, {})

    def _use(self, base_url: str, model: str) -> None:
        """Begin again with a model of this machine. Raises: RichAgentError."""
        reply = self._begin_again(Wish(id=_NOBODYS, wish="use", base_url=base_url, model=model))
        if error := reply.get("error"):
            raise RichAgentError(str(error), hint=str(reply.get("hint", "")))

    def _tell_download(self, state: Mapping[str, object]) -> None:
        self.answer(json.dumps({"download": state}))

    def _begin_again(self, wish: Wish) -> Mapping[str, object]:
        """The reply once the bot has begun again, or could not. Raises: RichAgentError."""
        self._has_started.wait()  # before, a signal would end the demo
        with self._change:
            return self._follow(wish)

    def _follow(self, wish: Wish) -> Mapping[str, object]:
        if wish.wish == "reset":
            following = _Next(wish.id, self._first, self.about)
        else:
            trial = asyncio.run(try_model(wish))
            settings = with_model(self._first, wish, trial)
            following = _Next(wish.id, settings, about_model(trial["model"]))
        self._is_settled.clear()
        self._next = following
        # The bot ends as it does for a service manager: what was begun is finished or handed over.
        os.kill(os.getpid(), signal.SIGTERM)
        self._is_settled.wait()
        return self._reply

    def _settle(self, reply: Mapping[str, object]) -> None:
        """Answer the wish for which the bot starts anew, if there is one."""
        if self._starting:
            self._tell(self._starting.wish, reply)
            self._reply = reply
        self._starting = None
        self._is_settled.set()

    def _tell(self, wish: int, reply: Mapping[str, object]) -> None:
        self.answer(json.dumps({"id": wish, **reply}))


async def try_model(wish: Wish) -> dict[str, Any]:
    """The server's models, the one that is best or wished for, and the seconds to its first word.

    Raises: RichAgentError that says what to do.
    """
    server = replace(
        server_at(wish.base_url, wish.key),
        url_setting="the address",
        key_setting="the key",
        model_setting="the model",
        parameters_setting="CHAT_PARAMETERS",
    )
    choice = await models_at(server, wish.model)
    if choice.chat is None:
        raise RichAgentError(
            "the server lists no model that writes",
            hint="Write the name of its model, or load one there.",
        )
    best = choice.chat
    role = replace(server, base_url=best.server.base_url, model=best.model.name)
    began = time.monotonic()
    async with open_models() as access:
        with translate_openai_errors("model", replace(role, timeout_s=_FIRST_WORD_S)):
            async with asyncio.timeout(_FIRST_WORD_S):
                client = open_chat_client(access(role))
                messages: list[Any] = [HumanMessage("Say OK.")]
                async for _ in client.pieces(messages, most_tokens=_WORD_TOKENS):
                    break
    return {
        "base_url": best.server.base_url,
        "model": best.model.name,
        "models": [one.name for one in best.server.models if one.chats],
        "sees": best.model.sees,
        "seconds": round(time.monotonic() - began, 1),
    }


def with_model(first_settings: Settings, wish: Wish, trial: dict[str, Any]) -> Settings:
    """The demo's first settings, with the model that was tried in the place of the one that writes.

    The other roles stay where they were. Private pages are read for servers of this machine only.
    Raises: RichAgentError.
    """
    values = {"base_url": trial["base_url"], "api_key": wish.key, "model": trial["model"]}
    try:
        chat = ChatSettings.model_validate(values)
    except ValidationError as error:
        raise RichAgentError("the server's address or model cannot be used") from error
    other_roles = {
        role_name: _as_it_is(first_settings, role_name, getattr(first_settings.models, role_name))
        for role_name in _OTHERS
    }
    if wish.sees:
        other_roles["vision"] = RoleSettings()
    sections = {
        role_name: _section_as_it_is(first_settings, role_name)
        for role_name in type(first_settings.sections).model_fields
    }
    first_settings = first_settings.with_changes("sections", **sections)
    settings = first_settings.with_changes(
        "models", chat=chat, planner=RoleSettings(), **other_roles
    )
    if _is_loopback(chat.base_url):
        return settings
    return settings.with_changes("tools", link_private_hosts=())


def _section_as_it_is(settings: Settings, feature: str) -> Group:
    """The section of a feature, with the roles of models in it as they are."""
    section: Group = getattr(settings.sections, feature)
    values = {name: getattr(section, name) for name in type(section).model_fields}
    roles = {
        name: _as_it_is(settings, name, value)
        for name, value in values.items()
        if isinstance(value, RoleSettings) and value.model
    }
    return section.model_copy(update=roles)


def _as_it_is(settings: Settings, name: str, own: RoleSettings) -> RoleSettings:
    """The settings of a role, with the values written out that it shares with the chat model."""
    if name == "rerank" and own.model is None:
        return own
    role = settings.models.role_with(name, own)
    key = SecretStr(role.api_key)
    return own.model_copy(update={"model": role.model, "base_url": role.base_url, "api_key": key})


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _problem(error: RichAgentError) -> dict[str, str]:
    words = str(error)
    # The page shows both in one line.
    return {"error": words if words.endswith(".") else f"{words}.", "hint": error.hint}


def _without(key: object, texts: dict[str, str]) -> dict[str, str]:
    """The words without the key, which a server may repeat in a refusal."""
    secret = key if isinstance(key, str) else ""
    return {name: text.replace(secret, "…") if secret else text for name, text in texts.items()}
