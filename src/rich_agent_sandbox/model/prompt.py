"""Reads a chat prompt: tagged context, passages, images, and the question that stands last."""

import base64
import binascii
import contextlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_PASSAGE = re.compile(r'<passage\b((?:[^>"]|"[^"]*")*)>(.*?)</passage>', re.DOTALL)
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)
_UNREAD = re.compile(r"With the message came something that .{0,40}?\((.*?)\)", re.DOTALL)
_PHOTOS = re.compile(r'<photos count="(\d+)"/>')
_DATA_URI = re.compile(r"data:[\w.+/-]*(?:;[\w=.-]+)*;base64,(.*)", re.DOTALL)
_ROLES_OF_INSTRUCTION = ("system", "developer")


class ImageUnreadableError(ValueError):
    """An image part is not a base64 data URI; the text says what it is instead."""


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
    """A turn of long ago; `date` as it was given, "" without one."""

    date: str
    asked: str
    answered: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One of several texts to choose from, by its number; `kind` as it was given."""

    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the stand-in understood of a request; a tag that is not there is empty.

    `instructions` is the system text without its tagged parts, `tool_results` what tools answered
    after the question, `draft` an answer to be checked, `image_number` how the image is cited,
    `unread` what came with the message and cannot be seen or heard, `schema` the JSON schema that
    is written out in a message, `begun` what was answered to the question before it broke off.
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
    tool_results: tuple[str, ...] = ()
    draft: str = ""
    image_number: int = 0
    unread: str = ""
    entries: tuple[Entry, ...] = ()
    schema: Mapping[str, Any] | None = None
    begun: str = ""

    @property
    def citable(self) -> tuple[Passage, ...]:
        """The passages, and what is said of the image where it has a number."""
        shown = "\n".join([*self.image_summaries, *self.image_answers])
        photo = Passage(self.image_number, "photo", "", "", "", shown)
        return (*self.passages, *([photo] if self.image_number else []))

    @property
    def earlier_questions(self) -> list[str]:
        """What the user said before, oldest first."""
        return [turn.text for turn in self.turns if turn.role == "user"]


def read_prompt(messages: Sequence[Mapping[str, Any]]) -> Prompt:
    """Understand the messages of a chat completion request.

    Tags count in system messages and in the message that asks: the last one with an image, else
    with a marked question (what comes after it, such as a wish for a repair, asks nothing new),
    else the last user message.
    Raises: ImageUnreadableError for an image part that is no base64 data URI.
    """
    said = [i for i, message in enumerate(messages) if message["role"] == "user"]
    showing = [i for i in said if image_parts(messages[i])]
    marked = [i for i in said if _QUESTION.search(text_of(messages[i]))]
    last = max(showing or marked or said, default=None)
    asked = messages[last] if last is not None else {"content": ""}
    asked_text = text_of(asked)
    system = "\n".join(text_of(m) for m in messages if m["role"] in _ROLES_OF_INSTRUCTION)
    tagged = system + "\n" + _QUESTION.sub("", asked_text)
    return Prompt(
        # A user who only forwards something asks about that.
        question=_question_of(asked_text) or "\n".join(_texts(tagged, "forwarded")),
        instructions=_without_tags(system),
        passages=tuple(_passages(tagged)),
        domains=tuple(
            Domain(attributes.get("name", ""), text)
            for attributes, text in _tagged(tagged, "domain")
        ),
        sources=tuple(
            title.strip()
            for listed in _texts(tagged, "sources")
            for title in listed.split(";")
            if listed != "none"
        ),
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
        turns=tuple(_turns(messages[:last])),
        images=tuple(images_of(asked)),
        tool_results=tuple(
            text_of(m) for m in messages[(last or 0) :] if m["role"] in ("tool", "function")
        ),
        schema=written_schema("\n".join(map(text_of, messages))),
        begun="".join(text_of(m) for m in messages[(last or 0) + 1 :] if m["role"] == "assistant"),
    )


def written_schema(text: str) -> Mapping[str, Any] | None:
    """The last JSON schema of an object that a text holds, if there is one."""
    if '"properties"' not in text:
        return None
    found, at, decoder = None, text.find("{"), json.JSONDecoder()
    while at >= 0:
        end = at + 1
        with contextlib.suppress(ValueError):
            value, end = decoder.raw_decode(text, at)
            if isinstance(value, dict) and isinstance(value.get("properties"), dict):
                found = value
        at = text.find("{", end)
    return found


def text_of(message: Mapping[str, Any]) -> str:
    """The text parts of a message, one a line; images and other parts are left out."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part.get("text") or "" for part in parts if part.get("type") == "text")


def images_of(message: Mapping[str, Any]) -> list[bytes]:
    """The bytes of the image parts of a message, in order.

    Raises: ImageUnreadableError.
    """
    return [image_bytes(part) for part in image_parts(message)]


def image_parts(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The `image_url` parts of a message, in order."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return [part for part in parts if part.get("type") == "image_url"]


def image_bytes(part: Mapping[str, Any]) -> bytes:
    """The bytes of one `image_url` part.

    Raises: ImageUnreadableError.
    """
    link = part.get("image_url")
    url = link.get("url") if isinstance(link, Mapping) else link
    match = _DATA_URI.fullmatch(url) if isinstance(url, str) else None
    if not match:
        raise ImageUnreadableError("an image must be a base64 data URI: no address is fetched here")
    try:
        return base64.b64decode(match[1], validate=True)
    except binascii.Error as error:
        raise ImageUnreadableError("the data URI of an image is not valid base64") from error


def _question_of(text: str) -> str:
    tagged = _QUESTION.findall(text)
    return html.unescape(tagged[-1]).strip() if tagged else _without_tags(text)


def _without_tags(text: str) -> str:
    names = (
        "memory|preferences|conversation_summary|past_turn|image_summary|image_answer|reply_to|quote"
        "|forwarded|notice|entry|unsupported|passage|domain|sources|question|answer|asked_back|answer_to_it"
    )
    return re.sub(rf"<({names})\b[^>]*>.*?</\1>", "", text, flags=re.DOTALL).strip()


def _tagged(text: str, name: str) -> list[tuple[dict[str, str], str]]:
    found = re.findall(rf"<{name}\b([^>]*)>(.*?)</{name}>", text, re.DOTALL)
    return [(_attributes(raw), html.unescape(inner).strip()) for raw, inner in found]


def _texts(text: str, name: str) -> list[str]:
    return [inner for _, inner in _tagged(text, name) if inner]


def _image_number(text: str) -> int:
    """The number by which what is said of the image is cited, 0 without one."""
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
    return Turn("user", _question_of(_PHOTOS.sub("", text)), photos)
