"""Reads a chat prompt: tagged context, passages, images, and the final question."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from rich_agent_sandbox.model.declared import DeclaredTable, declared_tables
from rich_agent_sandbox.model.message_parts import image_parts, images_of, text_of
from rich_agent_sandbox.model.written import (
    written_calls,
    written_results,
    written_schema,
    written_tools,
)

_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_PASSAGE = re.compile(r'<passage\s((?:[^>"]|"[^"]*")*)>(.*?)</passage>', re.DOTALL)
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)
_UNREAD = re.compile(r"\bcannot (?:see|hear|read|open)\b[^\n(]{0,40}\(([^\n()]*)\)")
_SENT_FILE = re.compile(r'<sent_file name="[^"]*"/>')
_FILE = re.compile(r"^\d+\. (.*) \(\d+ parts?\)$", re.MULTILINE)
_LINK = re.compile(r"^\d+\. web page (\S+)$", re.MULTILINE)
_FILES_CAME = re.compile(r"\bfirst (\d+) came with (?:this|the) message\b")
_PHOTOS = re.compile(r'<photos count="(\d+)"/>')


@dataclass(frozen=True, slots=True)
class Passage:
    """A numbered text that an answer may quote as `[number]`."""

    number: int
    kind: str
    title: str
    section: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Domain:
    """A topic with its own intent: what it is and example phrases, as one text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier message of the conversation; role `user` or `assistant`, `photos` came with it."""

    role: str
    text: str
    photos: int = 0


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An archived turn; `date` as given, "" if there is none."""

    date: str
    asked: str
    answered: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One of several numbered texts to choose from; `kind` as given."""

    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Act:
    """A call that was made of a tool, and what it gave; those of one `round` came together."""

    name: str
    result: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """The content of a request as the stand-in read it; fields of missing tags are empty.

    `instructions` is the system text without its tagged parts, `acts` are the calls made after the
    question, `draft` is an answer to check, `image_number` is the image's citation number, `unread`
    is content of the message that cannot be seen or heard, `schema` is a JSON schema in a message,
    `tools` are functions described there, `tables` are declared in SQL, `files` are names of the
    user's files by their numbers, of which the first `files_came` came with the message, `links`
    are pages behind them, `file_text` is a part of a file to read,
    `begun` is the answer so far, if it broke off.
    """

    question: str
    instructions: str = ""
    passages: tuple[Passage, ...] = ()
    domains: tuple[Domain, ...] = ()
    sources: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    conversation_summary: str = ""
    past_turns: tuple[PastTurn, ...] = ()
    image_summaries: tuple[str, ...] = ()
    image_answers: tuple[str, ...] = ()
    replied_to: str = ""
    asked_back: str = ""
    answer_to_it: str = ""
    notices: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    images: tuple[bytes, ...] = ()
    acts: tuple[Act, ...] = ()
    draft: str = ""
    image_number: int = 0
    unread: str = ""
    files: tuple[str, ...] = ()
    files_came: int = 0
    links: tuple[str, ...] = ()
    file_text: str = ""
    entries: tuple[Entry, ...] = ()
    schema: Mapping[str, Any] | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    tables: tuple[DeclaredTable, ...] = ()
    begun: str = ""

    @property
    def citable(self) -> tuple[Passage, ...]:
        """The passages, and the image's summary if it has a number."""
        shown = "\n".join([*self.image_summaries, *self.image_answers])
        photo = Passage(self.image_number, "photo", "", "", "", shown)
        return (*self.passages, *([photo] if self.image_number else []))

    @property
    def earlier_questions(self) -> list[str]:
        """The user's earlier messages, oldest first."""
        return [turn.text for turn in self.turns if turn.role == "user"]


def read_prompt(messages: Sequence[Mapping[str, Any]]) -> Prompt:
    """Understand the messages of a chat completion request.

    Tags count in system messages and in the message with the question. That is the last one with an
    image, else with a marked question (later ones, such as a request for a repair, ask nothing
    new), else the last user message.
    Raises: ImageUnreadableError for an image part that is not a base64 data URI.
    """
    last = _asking(messages)
    asked = messages[last] if last is not None else {"content": ""}
    asked_text = text_of(asked)
    system = "\n".join(_texts_of(messages, "system", "developer"))
    after = messages[(last or 0) + 1 :]
    acts = _acts(after)
    tagged = "\n".join([system, _QUESTION.sub("", asked_text), *(act.result for act in acts)])
    return Prompt(
        # If the user only forwards something, the question is about that.
        question=_question_of(asked_text) or "\n".join(_texts(tagged, "forwarded")),
        instructions=_without_tags(system),
        passages=tuple(_passages(tagged)),
        domains=tuple(_domains(tagged)),
        sources=tuple(_sources(tagged)),
        memory=tuple(_items(_texts(tagged, "memory"))),
        preferences=tuple(_items(_texts(tagged, "preferences"))),
        conversation_summary="\n".join(_texts(tagged, "conversation_summary")),
        past_turns=tuple(_past_turns(tagged)),
        image_summaries=tuple(_texts(tagged, "image_summary")),
        image_answers=tuple(_texts(tagged, "image_answer")),
        image_number=_image_number(tagged),
        unread=unread[1] if (unread := _UNREAD.search(system)) else "",
        draft="\n".join(_texts(tagged, "answer")),
        replied_to="\n".join(_texts(tagged, "reply_to")),
        asked_back="\n".join(_texts(tagged, "asked_back")),
        answer_to_it="\n".join(_texts(tagged, "answer_to_it")),
        notices=tuple(_texts(tagged, "notice")),
        entries=tuple(_entries(tagged)),
        files=tuple(_FILE.findall("\n".join(_texts(tagged, "files")))),
        links=tuple(_LINK.findall("\n".join(_texts(tagged, "files")))),
        files_came=int(came[1]) if (came := _FILES_CAME.search(system)) else 0,
        file_text="\n".join(_texts(tagged, "file")),
        turns=tuple(_turns(messages[:last])),
        images=tuple(images_of(asked)),
        acts=tuple(acts),
        tools=tuple(written_tools(system)),
        tables=tuple(declared_tables(system)),
        schema=written_schema("\n".join(map(text_of, messages))),
        begun="".join(text_of(m) for m in after if m["role"] == "assistant" and not acts),
    )


def _asking(messages: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the message with the question."""
    said = [i for i, message in enumerate(messages) if message["role"] == "user"]
    showing = [i for i in said if image_parts(messages[i])]
    marked = [i for i in said if _QUESTION.search(text_of(messages[i]))]
    return max(showing or marked or said, default=None)


def _acts(messages: Sequence[Mapping[str, Any]]) -> list[Act]:
    """Each result with the name of the call that it belongs to, by its id."""
    names: dict[Any, str] = {}
    written: list[str] = []
    acts: list[Act] = []
    rounds = 0
    for message in messages:
        rounds += bool(_calls(message))
        if message["role"] == "user" and written:
            rounds += 1
            acts += map(
                Act, written, written_results(text_of(message), len(written)), repeat(rounds)
            )
        written = written_calls(text_of(message)) if message["role"] == "assistant" else []
        names |= {one.get("id"): one.get("function", {}).get("name", "") for one in _calls(message)}
        if message["role"] in ("tool", "function"):
            name = names.get(message.get("tool_call_id"), "")
            acts.append(Act(name, text_of(message), rounds))
    return acts


def _calls(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return message.get("tool_calls") or ()


def _texts_of(messages: Sequence[Mapping[str, Any]], *roles: str) -> list[str]:
    return [text_of(message) for message in messages if message["role"] in roles]


def _question_of(text: str) -> str:
    tagged = _QUESTION.findall(text)
    return html.unescape(tagged[-1]).strip() if tagged else _without_tags(text)


def _without_tags(text: str) -> str:
    names = (
        "memory|preferences|conversation_summary|past_turn|image_summary|image_answer|reply_to|quote"
        "|forwarded|notice|entry|unsupported|domain|sources|question|answer|asked_back|answer_to_it"
        "|files|file"
    )
    text = _PASSAGE.sub("", text)
    return re.sub(rf"<({names})\b[^>]*>.*?</\1>", "", text, flags=re.DOTALL).strip()


def _tagged(text: str, name: str) -> list[tuple[dict[str, str], str]]:
    found = re.findall(rf"<{name}\b([^>]*)>(.*?)</{name}>", text, re.DOTALL)
    return [(_attributes(raw), html.unescape(inner).strip()) for raw, inner in found]


def _texts(text: str, name: str) -> list[str]:
    return [inner for _, inner in _tagged(text, name) if inner]


def _domains(text: str) -> list[Domain]:
    return [Domain(told.get("name", ""), inner) for told, inner in _tagged(text, "domain")]


def _sources(text: str) -> list[str]:
    listed = [titles for titles in _texts(text, "sources") if titles != "none"]
    return [title.strip() for titles in listed for title in titles.split(";")]


def _image_number(text: str) -> int:
    """The citation number of the image, 0 if it has none."""
    found = [*_tagged(text, "image_summary"), *_tagged(text, "image_answer")]
    given = [attributes.get("n", "") for attributes, _ in found]
    return next((int(number) for number in given if number.isdecimal()), 0)


def _attributes(raw: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(raw)}


def _items(blocks: Sequence[str]) -> list[str]:
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line.removeprefix("- ").strip() for line in lines if line.startswith("- ")]


def _passages(text: str) -> list[Passage]:
    passages = []
    for raw, inner in _PASSAGE.findall(text):
        given = _attributes(raw)
        if given.get("n", "").isdecimal():
            described = {key: given.get(key, "") for key in ("kind", "title", "section", "url")}
            body = html.unescape(inner).strip()
            passages.append(Passage(number=int(given["n"]), text=body, **described))
    return passages


def _entries(text: str) -> list[Entry]:
    return [
        Entry(int(given["n"]), given.get("kind", ""), inner)
        for given, inner in _tagged(text, "entry")
        if given.get("n", "").isdecimal()
    ]


def _past_turns(text: str) -> list[PastTurn]:
    return [
        PastTurn(
            attributes.get("date", ""),
            "\n".join(_texts(inner, "asked")),
            "\n".join(_texts(inner, "answered")),
        )
        for attributes, inner in _tagged(text, "past_turn")
    ]


def _turns(messages: Sequence[Mapping[str, Any]]) -> list[Turn]:
    spoken = [(message["role"], text_of(message)) for message in messages]
    return [
        _said_by_user(text) if role == "user" else Turn(role, text)
        for role, text in spoken
        if role in ("user", "assistant") and text.strip()
    ]


def _said_by_user(text: str) -> Turn:
    photos = sum(int(count) for count in _PHOTOS.findall(text))
    said = _SENT_FILE.sub("", _PHOTOS.sub("", text))
    return Turn("user", _question_of(said), photos)
