"""Reads a chat prompt: tagged context, passages, images, and the final question."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import repeat
from typing import Any

from rich_agent_sandbox.model.markup import Element, elements, without_elements
from rich_agent_sandbox.model.message_parts import image_parts, images_of, text_of
from rich_agent_sandbox.model.written import (
    written_calls,
    written_results,
    written_schema,
    written_tools,
)

_TODAY = re.compile(
    r"\b(?:today|now|date|time)\b[^\n]{0,80}?(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[T ,]{1,2}(?P<clock>\d{2}:\d{2})(?P<utc> UTC\b)?)?",
    re.IGNORECASE,
)

_ACTION = re.compile(r"`action` is true\b[^:]{0,400}:([\w\-, \n]{1,8000})")
_NAME = re.compile(r"[\w-]++")
_LANGUAGE = re.compile(r"\blanguage\b[^\n`]{0,40}`([a-z]{2})\b", re.IGNORECASE)


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
    """An earlier message of the conversation; role `user` or `assistant`.

    So many `photos` and `files` came with it.
    """

    role: str
    text: str
    photos: int = 0
    files: int = 0


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
    question, `draft` is an answer to check, `image_number` is the image's citation number, `schema`
    is a JSON schema in a message, `tools` are functions described there,
    `files` are names of the user's files by their numbers, of which the first `files_came`
    came with the message, `links` are pages behind them, `file_text` is a part of a file to read,
    `begun` is the answer so far, if it broke off. Where the message comes back to an earlier
    question, which then stands in its place, `manner` is how, and `language` the one it asks for.
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
    turns: tuple[Turn, ...] = ()
    images: tuple[bytes, ...] = ()
    acts: tuple[Act, ...] = ()
    draft: str = ""
    image_number: int = 0
    files: tuple[str, ...] = ()
    files_came: int = 0
    links: tuple[str, ...] = ()
    file_text: str = ""
    entries: tuple[Entry, ...] = ()
    schema: Mapping[str, Any] | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    begun: str = ""
    manner: str = ""
    language: str = ""
    is_in_session: bool = False
    is_forwarded: bool = False

    @property
    def citable(self) -> tuple[Passage, ...]:
        """The passages, and the image's summary if it has a number."""
        shown = "\n".join([*self.image_summaries, *self.image_answers])
        photo = Passage(self.image_number, "photo", "", "", "", shown)
        return (*self.passages, *([photo] if self.image_number else []))

    @property
    def today(self) -> date | None:
        """The day that the instructions give as today, where they do last."""
        found = list(_TODAY.finditer(self.instructions))
        return date.fromisoformat(found[-1]["day"]) if found else None

    @property
    def now(self) -> datetime | None:
        """The local time that the instructions give as the present, where they do last."""
        found = [one for one in _TODAY.finditer(self.instructions) if one["clock"]]
        return datetime.fromisoformat(f"{found[-1]['day']}T{found[-1]['clock']}") if found else None

    @property
    def is_in_utc(self) -> bool:
        """Whether the present is told in UTC, because nobody knows the user's clocks."""
        found = [one for one in _TODAY.finditer(self.instructions) if one["clock"]]
        return bool(found and found[-1]["utc"])

    @property
    def offered_tools(self) -> frozenset[str]:
        """The names in the sentence that says when `action` is true; none where it never is."""
        found = _ACTION.search(self.instructions)
        return frozenset(_NAME.findall(found[1])) if found else frozenset()

    @property
    def language_told(self) -> str:
        """The language that the instructions name for the answer, by its tag; "" without one."""
        found = _LANGUAGE.search(self.instructions)
        return found[1] if found else ""

    @property
    def last_came(self) -> str:
        """The kind of thing that came with the user's last message: "photo", "file" or ""."""
        last = next((turn for turn in reversed(self.turns) if turn.role == "user"), None)
        if last is None:
            return ""
        return "photo" if last.photos else "file" if last.files else ""

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
    given = _Given("\n".join([system, _around_question(asked_text), *(a.result for a in acts)]))
    return Prompt(
        # If the user only forwards something, the question is about that.
        question=_question_of(asked_text) or given.text("forwarded"),
        is_forwarded=bool(given.text("forwarded")) and not _question_of(asked_text),
        instructions=without_elements(system),
        passages=tuple(map(_passage, given.numbered("passage"))),
        domains=tuple(Domain(e.attributes.get("name", ""), e.text) for e in given.all("domain")),
        sources=tuple(_sources(given)),
        memory=given.items("memory"),
        preferences=given.items("preferences"),
        conversation_summary=given.text("conversation_summary"),
        past_turns=tuple(map(_past_turn, given.all("past_turn"))),
        image_summaries=given.texts("image_summary"),
        image_answers=given.texts("image_answer"),
        image_number=next(
            (one.number for one in given.numbered("image_summary", "image_answer")), 0
        ),
        draft=given.text("answer"),
        replied_to=given.text("reply_to"),
        asked_back=given.text("asked_back"),
        answer_to_it=given.text("answer_to_it"),
        entries=tuple(
            Entry(one.number, one.attributes.get("kind", ""), one.text)
            for one in given.numbered("entry")
        ),
        **_files(given),
        file_text=given.text("file"),
        is_in_session=bool(given.text("open_session")),
        turns=tuple(_turns(messages[:last])),
        images=tuple(images_of(asked)),
        acts=tuple(acts),
        tools=tuple(written_tools(system)),
        schema=written_schema("\n".join(map(text_of, messages))),
        begun="".join(text_of(m) for m in after if m["role"] == "assistant" and not acts),
    )


class _Given:
    """The elements of a prompt, by name."""

    def __init__(self, text: str) -> None:
        self._elements = elements(text)

    def all(self, *names: str) -> list[Element]:
        return [one for one in self._elements if one.name in names]

    def numbered(self, *names: str) -> list[Element]:
        return [one for one in self.all(*names) if one.number]

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(one.text for one in self.all(name) if one.text)

    def text(self, name: str) -> str:
        return "\n".join(self.texts(name))

    def items(self, name: str) -> tuple[str, ...]:
        """The items of lists."""
        lines = map(str.strip, self.text(name).splitlines())
        return tuple(line[2:].strip() for line in lines if line.startswith("- "))


def _asking(messages: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the message with the question."""
    said = [i for i, message in enumerate(messages) if message["role"] == "user"]
    showing = [i for i in said if image_parts(messages[i])]
    marked = [i for i in said if _questions(text_of(messages[i]))]
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


def _questions(text: str) -> list[Element]:
    return [one for one in elements(text) if one.name == "question"]


def _question_of(text: str) -> str:
    marked = _questions(text)
    return marked[-1].text if marked else without_elements(text)


def _around_question(text: str) -> str:
    """The text without the question, in which the user may write tags."""
    for one in reversed(_questions(text)):
        text = text[: one.start] + text[one.end :]
    return text


def _passage(one: Element) -> Passage:
    told = {name: one.attributes.get(name, "") for name in ("kind", "title", "section", "url")}
    return Passage(number=one.number, text=one.text, **told)


def _sources(given: _Given) -> list[str]:
    listed = [titles for titles in given.texts("sources") if titles != "none"]
    return [title.strip() for titles in listed for title in titles.split(";")]


def _files(given: _Given) -> dict[str, Any]:
    """The user's files and links, numbered in one list: a link is an address."""
    listed = [item.partition(". ")[2] for item in given.text("files").splitlines()]
    links = [item.rpartition(" ")[2] for item in listed if "://" in item.rpartition(" ")[2]]
    came = [one.attributes.get("came", "") for one in given.all("files")]
    return {
        "files": tuple(item.rpartition(" (")[0] for item in listed if item.endswith(")")),
        "links": tuple(links),
        "files_came": int(next(filter(str.isdecimal, came), 0)),
    }


def _past_turn(one: Element) -> PastTurn:
    told = _Given(one.written)
    return PastTurn(one.attributes.get("date", ""), told.text("asked"), told.text("answered"))


def _turns(messages: Sequence[Mapping[str, Any]]) -> list[Turn]:
    spoken = [(message["role"], text_of(message)) for message in messages]
    return [
        _said_by_user(text) if role == "user" else Turn(role, text)
        for role, text in spoken
        if role in ("user", "assistant") and text.strip()
    ]


def _said_by_user(text: str) -> Turn:
    came = elements(text)
    counts = [one.attributes.get("count", "") for one in came if one.name == "photos"]
    files = sum(one.name == "sent_file" for one in came)
    return Turn("user", _question_of(text), sum(map(int, filter(str.isdecimal, counts))), files)
