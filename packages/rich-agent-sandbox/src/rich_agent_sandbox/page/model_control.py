"""The page's form “Connect a model”, whose requests go to the program that runs the bot.

The requests are lines of JSON on standard output, the answers are lines on standard input. A key is
passed on, and not stored.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from rich_agent_sandbox.telegram.refusals import SimError

_DEADLINE_S = 150.0
_LOOPBACK = frozenset({"127.0.0.1", "::1"})


class ModelWish(BaseModel):
    """A server and one of its models; without `model`, the program chooses one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str = Field(pattern=r"^https?://\S+$", max_length=2_000)
    api_key: SecretStr = Field(default=SecretStr(""), max_length=4_000)
    model: str = Field(default="", max_length=200)
    sees: bool = False


@dataclass(slots=True, eq=False)
class ModelControl:
    """Passes requests on through `write`, and waits for the answers.

    `about` describes the model in use.
    """

    write: Callable[[str], None]
    about: tuple[str, ...] = ()
    _waiting: dict[int, "asyncio.Future[dict[str, Any]]"] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def ask(
        self, wish: Literal["test", "use", "reset"], peer: str, server: ModelWish | None = None
    ) -> dict[str, Any]:
        """The program's answer to a request of a page on this machine. Raises: SimError."""
        if peer not in _LOOPBACK:
            raise SimError("a model can be connected from this machine only")
        number = next(self._numbers)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self.write(json.dumps({"id": number, "wish": wish, **_server_fields(server)}))
            async with asyncio.timeout(_DEADLINE_S):
                return self._read(await answer)
        except TimeoutError as error:
            raise SimError("the bot did not answer; try again") from error
        finally:
            del self._waiting[number]

    def receive(self, line: bytes) -> None:
        """Process a line from the program, in any thread."""
        answer = json.loads(line)
        if future := self._waiting.get(answer.pop("id")):
            future.get_loop().call_soon_threadsafe(_set, future, answer)

    def _read(self, answer: dict[str, Any]) -> dict[str, Any]:
        if "error" in answer:
            raise SimError(" ".join(filter(None, (answer["error"], answer.get("hint")))))
        if "about" in answer:
            self.about = tuple(answer["about"])
        return answer


def _set(future: "asyncio.Future[dict[str, Any]]", answer: dict[str, Any]) -> None:
    if not future.done():
        future.set_result(answer)


def _server_fields(server: ModelWish | None) -> Mapping[str, Any]:
    if server is None:
        return {}
    return {**server.model_dump(), "api_key": server.api_key.get_secret_value()}
