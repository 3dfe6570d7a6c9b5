"""Reads a chat prompt: tagged context, passages, images, and the final question."""

import html
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
_CORRECTION = re.compile(r"\bcorrect your last message\b[^\n]{0,40}\bpassages\b", re.IGNORECASE)
_IMAGE_NUMBER = re.compile(r"about the image has the number \[(\d{1,3})\]")
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
    """A topic with its own intent; `text` is its description and example phrases."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier message of the conversation; its role is `user` or `assistant`.

    `photos` and `files` are the numbers of photos and files that were sent with it.
    """

    role: str
    text: str
    photos: int = 0
    files: int = 0


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An archived turn; `date` is as in the prompt, "" if there is none."""

    date: str
    asked: str
    answered: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One of several numbered texts to choose from; `kind` is as in the prompt."""

    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Act:
    """A call of a tool and its result; calls with the same `round` were made together."""

    name: str
    result: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """The content of a request as the stand-in read it; fields of missing tags are empty.

    `instructions`: the system text and the message with the question, without tagged parts.
    `persona`: the name that the bot is given, of several the last one.
    `acts`: the calls made after the question.
    `draft`: an answer to check or to correct.
    `image_number`: the image's citation number.
    `schema`: a JSON schema in a message.
    `tools`: functions that a message describes.
    `files`: names of the user's files by their numbers.
    `files_came`: the number of the first files that were sent with the message.
    `links`: the addresses of pages, listed after the files.
    `file_text`: a part of a file to read.
    `tables`: declarations of the user's tables.
    `begun`: the incomplete answer so far.
    `manner`, `language`: if the message asks for another answer to an earlier question, which then
     replaces it, the manner and the language of that answer.
    """

    question: str
    instructions: str = ""
    passages: tuple[Passage, ...] = ()
    domains: tuple[Domain, ...] = ()
    sources: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    persona: str = ""
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
    tables: str = ""
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
        image_text = "\n".join([*self.image_summaries, *self.image_answers])
        image_passage = Passage(self.image_number, "photo", "", "", "", image_text)
        return (*self.passages, *([image_passage] if self.image_number else []))

    @property
    def today(self) -> date | None:
        """The last day that the instructions name as today."""
        matches = list(_TODAY.finditer(self.instructions))
        return date.fromisoformat(matches[-1]["day"]) if matches else None

    @property
    def now(self) -> datetime | None:
        """The last local time that the instructions name as the present."""
        matches = [match for match in _TODAY.finditer(self.instructions) if match["clock"]]
        return (
            datetime.fromisoformat(f"{matches[-1]['day']}T{matches[-1]['clock']}")
            if matches
            else None
        )

    @property
    def is_in_utc(self) -> bool:
        """Whether the present is in UTC, because the user's time zone is unknown."""
        matches = [match for match in _TODAY.finditer(self.instructions) if match["clock"]]
        return bool(matches and matches[-1]["utc"])

    @property
    def offered_tools(self) -> frozenset[str]:
        """The names in the sentence that says when `action` is true; empty without one."""
        match = _ACTION.search(self.instructions)
        return frozenset(_NAME.findall(match[1])) if match else frozenset()

    @property
    def language_told(self) -> str:
        """The last tag of a language for the answer in the instructions; "" without one."""
        tags = _LANGUAGE.findall(self.instructions)
        return tags[-1] if tags else ""

    @property
    def last_came(self) -> str:
        """The kind of attachment of the user's last message: "photo", "file" or ""."""
        last_turn = next((turn for turn in reversed(self.turns) if turn.role == "user"), None)
        if last_turn is None:
            return ""
        return "photo" if last_turn.photos else "file" if last_turn.files else ""

    @property
    def earlier_questions(self) -> list[str]:
        """The user's earlier messages, oldest first."""
        return [turn.text for turn in self.turns if turn.role == "user"]


def read_prompt(messages: Sequence[Mapping[str, Any]]) -> Prompt:
    """Read the messages of a chat completion request.

    Tags are read in system messages and in the message with the question. That is the last message
    with an image, else the last with a marked question, else the last user message. Messages after
    it, such as a request for a repair, contain no question, but may contain numbered entries.

    Raises: ImageUnreadableError for an image part that is not a base64 data URI.
    """
    question_index = _question_index(messages)
    question_message = messages[question_index] if question_index is not None else {"content": ""}
    question_text = text_of(question_message)
    system_text = "\n".join(_texts_of(messages, "system", "developer"))
    around_question = _around_question(question_text)
    is_marked = around_question != question_text
    instruction_text = f"{system_text}\n{around_question}" if is_marked else system_text
    later_messages = messages[(question_index or 0) + 1 :]
    acts = _acts(later_messages)
    requests = _texts_of(later_messages, "user")
    last_answer = next(reversed(_texts_of(later_messages, "assistant")), "")
    is_correction = bool(requests and _CORRECTION.search(requests[-1]))
    tagged_text = _TaggedText(
        "\n".join([system_text, around_question, *(act.result for act in acts)])
    )
    return Prompt(
        # If the user only forwards something, the question is about that.
        question=_question_of(question_text) or tagged_text.text("forwarded"),
        is_forwarded=bool(tagged_text.text("forwarded")) and not _question_of(question_text),
        instructions=without_elements(instruction_text),
        passages=tuple(map(_passage, tagged_text.numbered("passage"))),
        domains=_domains(tagged_text),
        sources=tuple(_sources(tagged_text)),
        memory=tagged_text.items("memory"),
        preferences=tagged_text.items("preferences"),
        persona=_persona(tagged_text),
        conversation_summary=tagged_text.text("conversation_summary"),
        past_turns=tuple(map(_past_turn, tagged_text.all("past_turn"))),
        image_summaries=tagged_text.texts("image_summary"),
        image_answers=tagged_text.texts("image_answer"),
        image_number=_image_number(instruction_text),
        draft=last_answer if is_correction else tagged_text.text("answer"),
        replied_to=tagged_text.text("reply_to"),
        asked_back=tagged_text.text("asked_back"),
        answer_to_it=tagged_text.text("answer_to_it"),
        entries=_entries(tagged_text) or _entries(_TaggedText("\n".join(requests))),
        **_files(tagged_text),
        file_text=tagged_text.text("file"),
        tables=tagged_text.text("tables"),
        is_in_session=bool(tagged_text.text("open_session")),
        turns=tuple(_turns(messages[:question_index])),
        images=tuple(images_of(question_message)),
        acts=tuple(acts),
        tools=tuple(written_tools(system_text)),
        schema=written_schema("\n".join(map(text_of, messages))),
        begun="" if acts or is_correction else "".join(_texts_of(later_messages, "assistant")),
    )


class _TaggedText:
    """The elements of a prompt, by name."""

    def __init__(self, text: str) -> None:
        self._elements = elements(text)

    def all(self, *names: str) -> list[Element]:
        return [element for element in self._elements if element.name in names]

    def numbered(self, *names: str) -> list[Element]:
        return [element for element in self.all(*names) if element.number]

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(element.text for element in self.all(name) if element.text)

    def text(self, name: str) -> str:
        return "\n".join(self.texts(name))

    def items(self, name: str) -> tuple[str, ...]:
        """The items of the lists in the elements."""
        lines = map(str.strip, self.text(name).splitlines())
        return tuple(line[2:].strip() for line in lines if line.startswith("- "))


def _question_index(messages: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the message with the question."""
    user_indexes = [index for index, message in enumerate(messages) if message["role"] == "user"]
    image_indexes = [index for index in user_indexes if image_parts(messages[index])]
    marked_indexes = [index for index in user_indexes if _questions(text_of(messages[index]))]
    return max(image_indexes or marked_indexes or user_indexes, default=None)


def _acts(messages: Sequence[Mapping[str, Any]]) -> list[Act]:
    """Each result with the name of its call, which is found by its id."""
    names_by_id: dict[Any, str] = {}
    call_names: list[str] = []
    acts: list[Act] = []
    round_count = 0
    for message in messages:
        round_count += bool(_calls(message))
        if message["role"] == "user" and call_names:
            round_count += 1
            acts += map(
                Act,
                call_names,
                written_results(text_of(message), len(call_names)),
                repeat(round_count),
            )
        call_names = written_calls(text_of(message)) if message["role"] == "assistant" else []
        names_by_id |= {
            call.get("id"): call.get("function", {}).get("name", "") for call in _calls(message)
        }
        if message["role"] in ("tool", "function"):
            name = names_by_id.get(message.get("tool_call_id"), "")
            acts.append(Act(name, text_of(message), round_count))
    return acts


def _calls(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return message.get("tool_calls") or ()


def _texts_of(messages: Sequence[Mapping[str, Any]], *roles: str) -> list[str]:
    return [text_of(message) for message in messages if message["role"] in roles]


def _questions(text: str) -> list[Element]:
    return [element for element in elements(text) if element.name == "question"]


def _question_of(text: str) -> str:
    questions = _questions(text)
    return questions[-1].text if questions else without_elements(text)


def _around_question(text: str) -> str:
    """The text without the question, because the user may write tags in the question."""
    for question in reversed(_questions(text)):
        text = text[: question.start] + text[question.end :]
    return text


def _passage(element: Element) -> Passage:
    attributes = {
        name: element.attributes.get(name, "") for name in ("kind", "title", "section", "url")
    }
    return Passage(number=element.number, text=element.text, **attributes)


def _domains(tagged_text: _TaggedText) -> tuple[Domain, ...]:
    return tuple(
        Domain(element.attributes.get("name", ""), element.text)
        for element in tagged_text.all("domain")
    )


def _persona(tagged_text: _TaggedText) -> str:
    names = [element.attributes.get("name", "") for element in tagged_text.all("persona")]
    return html.unescape(names[-1]) if names else ""


def _image_number(text: str) -> int:
    match = _IMAGE_NUMBER.search(text)
    return int(match[1]) if match else 0


def _entries(tagged_text: _TaggedText) -> tuple[Entry, ...]:
    return tuple(
        Entry(element.number, element.attributes.get("kind", ""), element.text)
        for element in tagged_text.numbered("entry")
    )


def _sources(tagged_text: _TaggedText) -> list[str]:
    name_lists = [*tagged_text.texts("sources"), *tagged_text.texts("titles")]
    lists = [names for names in name_lists if names != "none"]
    return [title.strip() for titles in lists for title in titles.split(";")]


def _files(tagged_text: _TaggedText) -> dict[str, Any]:
    """The user's files and links, which are numbered in one list; a link is an address."""
    items = [item.partition(". ")[2] for item in tagged_text.text("files").splitlines()]
    links = [item.rpartition(" ")[2] for item in items if "://" in item.rpartition(" ")[2]]
    counts = [element.attributes.get("came", "") for element in tagged_text.all("files")]
    return {
        "files": tuple(item.rpartition(" (")[0] for item in items if item.endswith(")")),
        "links": tuple(links),
        "files_came": int(next(filter(str.isdecimal, counts), 0)),
    }


def _past_turn(element: Element) -> PastTurn:
    parts = _TaggedText(element.written)
    return PastTurn(element.attributes.get("date", ""), parts.text("asked"), parts.text("answered"))


def _turns(messages: Sequence[Mapping[str, Any]]) -> list[Turn]:
    roles_and_texts = [(message["role"], text_of(message)) for message in messages]
    return [
        _user_turn(text) if role == "user" else Turn(role, text)
        for role, text in roles_and_texts
        if role in ("user", "assistant") and text.strip()
    ]


def _user_turn(text: str) -> Turn:
    attachments = elements(text)
    photo_counts = [
        element.attributes.get("count", "") for element in attachments if element.name == "photos"
    ]
    file_count = sum(element.name == "sent_file" for element in attachments)
    return Turn(
        "user", _question_of(text), sum(map(int, filter(str.isdecimal, photo_counts))), file_count
    )
