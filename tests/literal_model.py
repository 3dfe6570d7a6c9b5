"""A model server that knows nothing but what its prompt says.

It understands the messages of a test as a person would, and then does only what it was told it can
do: it plans what the prompt explains and lists, fills only fields of the schema that it was sent,
and calls only tools that it is offered. It shares no code with the sandbox.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Json = dict[str, Any]
_TAG = re.compile(r"<(\w+)\b[^>]*>.*?</\1>", re.DOTALL)
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)
_FILE = re.compile(r"^(\d+)\. (.+?) \(", re.MULTILINE)
_FILES = re.compile(r"<files\b[^>]*>(.*?)</files>", re.DOTALL)
_TOOL = re.compile(r"<tool>(.*?)</tool>")
_RESULT = re.compile(r"<tool_result\b[^>]*>(.*?)</tool_result>", re.DOTALL)
_ENTRY = re.compile(r'<entry n="(\d+)"[^>]*>(.*?)</entry>', re.DOTALL)
_PASSAGE = re.compile(r'<(?:passage|tool_result) n="(\d+)"[^>]*>(.*?)</', re.DOTALL)


@dataclass(frozen=True, slots=True)
class NumberOf:
    """The number of an entry, which a tool has to be asked for first."""

    title: str


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a message: calls of tools, one after the other, or what else it wants.

    `fact` is what it teaches, `forget` the subject that it wants forgotten, `query` what has to be
    looked up on the web, `documents` what in the documents, `file` the name of the file that it is
    about, and `reply` what it does with calls that wait for approval.
    """

    language: str = "en"
    calls: Sequence[tuple[str, Json]] = ()
    fact: str = ""
    forget: str = ""
    query: str = ""
    documents: str = ""
    file: str = ""
    reply: str = "other"


@dataclass(slots=True)
class LiteralModel:
    """The routes of a model server; `meanings` are those of the messages that it gets."""

    meanings: Mapping[str, Meaning]

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.chat, methods=["POST"]),
                Route("/v1/models", self.models, methods=["GET"]),
            ]
        )

    async def models(self, _: Request) -> Response:
        """The one model."""
        return JSONResponse({"object": "list", "data": [{"id": "literal", "object": "model"}]})

    async def chat(self, request: Request) -> Response:
        """A form where one is sent, else an answer or calls."""
        body = await request.json()
        messages = body["messages"]
        system = "\n".join(_instructions(messages))
        question = _asked(messages)
        meaning = self.meanings.get(question, Meaning())
        if form := (body.get("response_format") or {}).get("json_schema"):
            filled = _form(form["schema"], system, _text(messages[-1]), meaning)
            return _whole(json.dumps(filled, ensure_ascii=False))
        tools = {one["function"]["name"]: one["function"] for one in body.get("tools") or ()}
        message = _acting(tools, messages, meaning) or {"content": _answer(system, messages)}
        if not body.get("stream"):
            return _whole(message["content"])
        return StreamingResponse(_pieces(message), media_type="text/event-stream")


def _form(schema: Json, system: str, asked: str, meaning: Meaning) -> Json:
    properties = schema["properties"]
    if "intent" in properties:
        wanted = _plan(properties, system, meaning)
    elif "facts" in properties and meaning.fact:
        wanted = {"facts": [{"said": meaning.fact, "text": meaning.fact, "action": "add"}]}
    elif "numbers" in properties:
        subject = (_QUESTION.search(asked) or [asked, asked])[1].casefold()
        told = [(int(n), text.casefold()) for n, text in _ENTRY.findall(system)]
        words = set(re.findall(r"\w{3,}|[\u3040-\u9fff]+", subject))
        wanted = {"numbers": [n for n, text in told if any(word in text for word in words)]}
    elif "supported" in properties:
        sentences = [int(n) for n, _ in _ENTRY.findall(asked)]
        wanted = {"supported": [{"sentence": n, "passages": [1]} for n in sentences]}
    elif {"scope", "what", "words"} <= properties.keys() and meaning.forget:
        subject = {"scope": "subject", "what": meaning.forget, "words": meaning.forget.split()}
        wanted = subject if "`words`" in asked else {}
    elif "steps" in properties:
        wanted = {"steps": _steps(system, asked, meaning)}
    elif "reply" in properties:
        wanted = {"reply": meaning.reply}
    elif "summary" in properties:
        wanted = {"summary": "A photo.", "entities": [], "tables": [], "warnings": []}
    else:
        wanted = {}
    return {name: value for name, value in wanted.items() if name in properties}


def _plan(properties: Json, system: str, meaning: Meaning) -> Json:
    """A plan of nothing that the instructions do not explain."""
    told = _TAG.sub(" ", system)
    plan: Json = {
        "intent": "general_question" if "- general_question:" in told else "",
        "plan": "direct",
        "web": "never",
        "language": meaning.language,
        "teaches": bool(meaning.fact) and "`teaches` is true" in told,
    }
    if meaning.calls and meaning.calls[0][0] in _listed(told):
        plan["action"] = True
    if meaning.forget and "`forget` is " in told and "for a wish that you forget" in told:
        plan["forget"] = True
    if meaning.documents and "- rag:" in told:
        plan |= {"plan": "rag", "query": meaning.documents}
    if meaning.query and "- web:" in told and "web" in properties["plan"]["enum"]:
        plan |= {"plan": "web", "web": "now", "query": meaning.query}
    if meaning.file and "`files` are the numbers" in told:
        listed = "".join(_FILES.findall(system))
        plan["files"] = [int(n) for n, name in _FILE.findall(listed) if name == meaning.file]
    return plan


def _steps(system: str, asked: str, meaning: Meaning) -> list[Json]:
    """The calls of listed tools that change something, each with what stands in the message."""
    listed = {json.loads(tool)["name"] for tool in _TOOL.findall(system)}
    question = _QUESTION.findall(asked)[-1]
    steps = []
    for name, arguments in meaning.calls:
        texts = {key: value for key, value in arguments.items() if isinstance(value, str)}
        copied = {key: value for key, value in texts.items() if value in question}
        given = [{"argument": key, "value": value} for key, value in copied.items()]
        if name in listed:
            written = list(texts.keys() - copied)
            step = {"tool": name, "given": given, "written": written}
            repeats = "`repeats`" in system and any("FREQ=" in value for value in texts.values())
            steps.append({**step, "repeats": repeats})
    return steps


def _listed(told: str) -> frozenset[str]:
    """The tools in the sentence on `action`."""
    _, is_there, rest = told.partition("`action` is true if")
    names, _, _ = rest.partition(". ") if is_there else ("", "", "")
    return frozenset(re.findall(r"[\w-]+", names.rpartition(":")[2]))


def _acting(tools: Mapping[str, Json], messages: Sequence[Json], meaning: Meaning) -> Json | None:
    """The next calls of the message's meaning, those of one tool at once; None if there are none.

    Their arguments are those of the tool's schema.
    """
    last = max(at for at, one in enumerate(messages) if one["role"] == "user")
    made = sum(len(one.get("tool_calls") or ()) for one in messages[last:])
    name, calls = next(groupby(meaning.calls[made:], itemgetter(0)), ("", iter(())))
    if name not in tools:
        return None
    properties = tools[name]["parameters"].get("properties", {})
    results = [_text(one) for one in messages[last:] if one["role"] == "tool"]
    made_now = []
    for at, (_, arguments) in enumerate(calls):
        fitting = {
            key: _number_of(value.title, key, results) if isinstance(value, NumberOf) else value
            for key, value in arguments.items()
            if key in properties
        }
        call = {"name": name, "arguments": json.dumps(fitting, ensure_ascii=False)}
        number = made + at
        made_now.append({"index": at, "id": f"call{number}", "type": "function", "function": call})
    return {"content": None, "tool_calls": made_now}


def _number_of(title: str, key: str, results: Sequence[str]) -> int:
    """The number under this key of the entry with this title in the results of tools; 0: none."""
    pending: list[Any] = [json.loads(one) for one in _RESULT.findall("\n".join(results))]
    while pending:
        entry = pending.pop()
        if isinstance(entry, dict):
            if key in entry and title in {entry.get("title"), entry.get("text")}:
                return int(entry[key])
            pending += entry.values()
        elif isinstance(entry, list):
            pending += entry
    return 0


def _answer(system: str, messages: Sequence[Json]) -> str:
    """The first passage or result with its number, what a tool says is done, or nothing at all."""
    results = [_text(one) for one in messages if one["role"] == "tool"]
    cited = _PASSAGE.search("\n".join([*results, system]))
    if cited:
        # Brackets of its own would be citations.
        return f"{re.sub(r'[][]', ' ', cited[2]).strip()} [{cited[1]}]"
    return "OK." if results else "I can only answer."


def _asked(messages: Sequence[Json]) -> str:
    """The last question in its tag."""
    found = [one for message in messages for one in _QUESTION.findall(_text(message))]
    return found[-1].strip() if found else ""


def _instructions(messages: Sequence[Json]) -> Iterator[str]:
    """The system messages, and what stands around the last question."""
    yield from (_text(one) for one in messages if one["role"] == "system")
    marked = [_text(one) for one in messages if _QUESTION.search(_text(one))]
    yield _QUESTION.sub(" ", marked[-1]) if marked else ""


def _text(message: Json) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


_ABOUT = {"id": "1", "created": 1, "model": "literal"}


def _whole(text: str) -> Response:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    return JSONResponse({**_ABOUT, "object": "chat.completion", "choices": [choice]})


async def _pieces(message: Json) -> AsyncIterator[str]:
    for delta, ending in ((message, None), ({}, "stop")):
        choice = {"index": 0, "delta": delta, "finish_reason": ending}
        chunk = {**_ABOUT, "object": "chat.completion.chunk", "choices": [choice]}
        yield f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"
