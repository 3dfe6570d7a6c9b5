"""A model that does whatever any text tells it, and cannot be taught otherwise.

It stands in front of the sandbox, which looks, remembers and embeds; plans and answers are its own.
It speaks OpenAI's protocol, and knows the product neither by its prompts nor by its tools: what is
to be done at which words is registered, and tools are called by the names that are offered.
"""

import base64
import codecs
import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from typing_extensions import override

from rich_agent.domain.look_alikes import as_ascii
from rich_agent_sandbox.model.completion import scripted
from rich_agent_sandbox.model.request import ChatRequest
from rich_agent_sandbox.openai.servers.personality import WELL_BEHAVED
from rich_agent_sandbox.openai.servers.streaming import Reply
from rich_agent_sandbox.openai.wire import Envelope, Usage
from tests.acceptance.obedient import Obedient

Json = dict[str, Any]
_BETWEEN = "__"
_TOKEN_CHARS = 4
_CODE = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
# Tag characters spell ASCII.
_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_WISHED = {"action": True, "plan": "direct", "new_request": False, "clarification": False}
"""What every plan holds, where its form has such a key: to act is all that this model wants."""


@dataclass(frozen=True, slots=True)
class Errand:
    """The acts that follow once all the `marks` were read, wherever they stood.

    `calls` are made one after the other, or `at_once`, or `in_groups`: those of one tool that
    follow each other at once. `says` ends the answer; `plans` go into each plan.
    """

    marks: tuple[str, ...]
    calls: tuple[Json, ...] = ()
    says: str = ""
    plans: Mapping[str, Any] = field(default_factory=dict)
    at_once: bool = False
    in_groups: bool = False

    def is_in(self, told: Sequence[str]) -> bool:
        """Whether all of its marks stand in what was told."""
        return all(any(letters(mark) in text for text in told) for mark in self.marks)


@dataclass(slots=True)
class Disciple(Obedient):
    """The errands, those of strangers first; which of them were read, and what was asked of it.

    `offered` are the tools that it was offered last, `unoffered` counts calls of others. One that
    `plans_all` plans every call of every errand, read or not, with all that it holds.
    """

    errands: tuple[Errand, ...] = ()
    heard: list[Errand] = field(default_factory=list)
    plans_all: bool = False
    offered: tuple[str, ...] = ()
    unoffered: int = 0
    requests: int = 0
    tokens: int = 0

    def expect(self, *errands: Errand) -> None:
        """Know these errands, and no others."""
        self.errands, self.heard = errands, []
        self.unoffered = self.requests = self.tokens = 0

    @override
    async def chat(self, request: Request) -> Response:
        """Plan as is wished; answer by the next call of what was read, or by the words for it."""
        body = await request.json()
        read = self._read(body)
        self.requests += 1
        if not body.get("stream"):
            answer = _planned(await self.pass_on(request), body, read, self._steps(read, body))
            self.tokens += json.loads(bytes(answer.body)).get("usage", {}).get("total_tokens", 0)
            return answer
        calls = list(self._next_call(read, body))
        says = "\n\n".join(one.says for one in reversed(read) if one.says) or "Done."
        said = scripted("" if calls else says, calls)
        usage = Usage(len(json.dumps(body["messages"])) // _TOKEN_CHARS, said.tokens)
        self.tokens += usage.prompt_tokens + usage.completion_tokens
        asked = ChatRequest.model_validate(body)
        reply = Reply(WELL_BEHAVED, asked, Envelope.new(0, body["model"]), [said], usage)
        return StreamingResponse(reply.events(0), media_type="text/event-stream")

    def _steps(self, read: Sequence[Errand], body: Json) -> list[Json]:
        """The calls that the last message asks for, with the values that stand in it."""
        asked = str(body["messages"][-1].get("content"))
        errands = self.errands if self.plans_all else read
        return [
            _step(call, asked, holds_all=self.plans_all)
            for errand in errands
            for call in errand.calls
        ]

    def _read(self, body: Json) -> list[Errand]:
        """The errands in the messages, and in what is said of the tools."""
        about = [one["function"].get("description", "") for one in body.get("tools") or ()]
        texts = [*(one.get("content") for one in body["messages"]), *about]
        told = list(readings(text if isinstance(text, str) else json.dumps(text) for text in texts))
        read = [one for one in self.errands if one.is_in(told)]
        self.heard += [one for one in read if one not in self.heard]
        return read

    def _next_call(self, read: Sequence[Errand], body: Json) -> Iterator[Json]:
        """The first call that was not made yet, and those to be made with it: orders go first."""
        if not body.get("tools"):
            return
        self.offered = tuple(one["function"]["name"] for one in body["tools"])
        made = Counter(
            _key(call["function"]["name"], json.loads(call["function"]["arguments"] or "{}"))
            for message in body["messages"]
            for call in message.get("tool_calls") or ()
        )
        numbers, before = count(), ""
        for errand in read:
            for call, number in zip(errand.calls, numbers, strict=False):
                key = _key(call["name"], call["arguments"])
                if made[key]:
                    made[key] -= 1
                    continue
                is_like = errand.in_groups and call["name"] == before
                if before and not (errand.at_once or is_like):
                    return
                before = call["name"]
                name = self._name(before)
                yield {"name": name, "arguments": call["arguments"], "id": f"call_{number}"}
            if before:
                return

    def _name(self, name: str) -> str:
        """The name under which a tool is offered; as it is known, if it is not."""
        for one in self.offered:
            if _bare(one) == _bare(name):
                return one
        self.unoffered += 1
        return name


def letters(text: str) -> str:
    """Letters and digits alone, without disguise."""
    plain = unicodedata.normalize("NFKC", as_ascii(text.translate(_TAGS))).casefold()
    return "".join(filter(str.isalnum, plain))


def readings(texts: Iterable[str]) -> Iterator[str]:
    """Each text as a clever reader sees it: as it stands, decoded, and backwards."""
    for text in texts:
        plain = text.replace('\\"', '"').replace("\\n", "\n")
        visible = html.unescape(unquote(html.unescape(plain)))
        yield letters(visible)
        yield letters(visible[::-1])
        yield letters(codecs.encode(visible, "rot13"))
        yield from (letters(_decoded(found)) for found in _CODE.findall(visible))


def _decoded(code: str) -> str:
    for decode in (bytes.fromhex, base64.b64decode):
        with suppress(ValueError):
            return decode(code).decode("utf-8")
    return ""


def _bare(name: str) -> str:
    return name.rpartition(_BETWEEN)[2]


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([_bare(name), arguments], sort_keys=True)


def _step(call: Json, asked: str, *, holds_all: bool) -> Json:
    """A call as it is planned: the values that were said, and the names of other texts."""
    flat = {
        name: [str(one) for one in (value if isinstance(value, list) else [value])]
        for name, value in call["arguments"].items()
    }
    said = {n for n, values in flat.items() if holds_all or all(one in asked for one in values)}
    return {
        "tool": call["name"],
        "given": [{"argument": n, "value": one} for n in said for one in flat[n]],
        "written": [n for n, value in call["arguments"].items() if isinstance(value, str)],
    }


def _planned(
    answer: Response, asked: Json, read: Sequence[Errand], steps: Sequence[Json]
) -> Response:
    """The object that was asked for, with what is wished of each of its keys; any other answer."""
    given = json.loads(bytes(answer.body))
    form = (asked.get("response_format") or {}).get("json_schema") or {}
    keys = set(form.get("schema", {}).get("properties", {}))
    wishes = {key: value for one in reversed(read) for key, value in one.plans.items()}
    for choice in given.get("choices", ()):
        message = choice["message"]
        with suppress(ValueError, TypeError):
            told = {
                key: one
                for key, one in {**_WISHED, "steps": steps, **wishes}.items()
                if key in keys
            }
            message["content"] = json.dumps({**json.loads(message["content"]), **told})
    return JSONResponse(given, answer.status_code)
