"""The page's form “Connect a model”, whose requests go to the program that runs the bot.

The requests are lines of JSON on standard output, the answers are lines on standard input, and so
are the states of a download of a model. A key is passed on, and not stored.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from rich_agent_sandbox.telegram.refusals import SimError

_DEADLINE_S = 150.0
ControlWish = Literal["test", "use", "reset", "download", "cancel", "look"]
_LOOPBACK = frozenset({"127.0.0.1", "::1"})


class ModelWish(BaseModel):
    """A server and one of its models; without `model`, the program chooses one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str = Field(pattern=r"^https?://\S+$", max_length=2_000)
    api_key: SecretStr = Field(default=SecretStr(""), max_length=4_000)
    model: str = Field(default="", max_length=200)
    sees: bool = False


class DownloadWish(BaseModel):
    """A model to download, the proposed one without a name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(default="", max_length=200)


@dataclass(slots=True, eq=False)
class ModelControl:
    """Passes requests on through `write`, and waits for the answers.

    `about` describes the model in use, `download` the download of one, if the program offers it.
    """

    write: Callable[[str], None]
    about: tuple[str, ...] = ()
    download: Mapping[str, Any] | None = None
    publish: Callable[[str], None] = lambda _topic: None
    _waiting: dict[int, "asyncio.Future[dict[str, Any]]"] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def publish_in(self, loop: asyncio.AbstractEventLoop, publish: Callable[[str], None]) -> None:
        """Have `publish` called in `loop` with "bot" or "download" when one of them changes."""

        def publish_soon(topic: str) -> None:
            with suppress(RuntimeError):  # the sandbox is ending
                loop.call_soon_threadsafe(publish, topic)

        self.publish = publish_soon

    async def ask(
        self, wish: ControlWish, peer: str, fields: ModelWish | DownloadWish | None = None
    ) -> dict[str, Any]:
        """The program's answer to a request of a page on this machine. Raises: SimError."""
        if peer not in _LOOPBACK:
            raise SimError("a model can be connected from this machine only")
        number = next(self._numbers)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self.write(json.dumps({"id": number, "wish": wish, **_values(fields)}))
            async with asyncio.timeout(_DEADLINE_S):
                return self._read(await answer)
        except TimeoutError as error:
            raise SimError("the bot did not answer; try again") from error
        finally:
            del self._waiting[number]

    def receive(self, line: bytes) -> None:
        """Process a line from the program, in any thread."""
        answer = json.loads(line)
        if "about" in answer:
            self.about = tuple(answer["about"])
            self.publish("bot")
        if "download" in answer:
            self.download = answer["download"]
            self.publish("download")
        if future := self._waiting.get(answer.pop("id", 0)):
            future.get_loop().call_soon_threadsafe(_set, future, answer)

    @staticmethod
    def _read(answer: dict[str, Any]) -> dict[str, Any]:
        if "error" in answer:
            raise SimError(" ".join(filter(None, (answer["error"], answer.get("hint")))))
        return answer


def _set(future: "asyncio.Future[dict[str, Any]]", answer: dict[str, Any]) -> None:
    if not future.done():
        future.set_result(answer)


def _values(fields: ModelWish | DownloadWish | None) -> Mapping[str, Any]:
    if isinstance(fields, ModelWish):
        return {**fields.model_dump(), "api_key": fields.api_key.get_secret_value()}
    return fields.model_dump() if fields else {}
