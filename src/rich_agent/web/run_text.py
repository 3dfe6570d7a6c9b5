"""A run as one text that only grows, for clients that cannot replace text.

Text that is checked after it was written is added once it is final. A question of the bot is added
together with instructions for answering it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.answer.links import AllowedLinks, links_in
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import DECISIONS
from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.domain.usage_limits import NOTHING, Usage, total
from rich_agent.phrases import say
from rich_agent.ports.runs import Runs
from rich_agent.web.answers import (
    allowed_links,
    answer_markdown,
    cards_of_question,
    question_markdown,
    sources_markdown,
    verbatim_markdown,
)
from rich_agent.web.link_guard import LinkGuard, TextBehind, guard_links

_UNCHECKED_PLAN = "direct"
_BREAK = "\n\n---\n\n"
"""Between an incomplete text and the text that replaces it."""


@dataclass(frozen=True, slots=True)
class RunFailure:
    """The reason why a run ended without an answer: a code for programs, a message for the user."""

    code: str
    message: str


@dataclass(slots=True)
class RunText:
    """Converts the events of a run into text to append.

    The same events always give the same text.
    """

    user_links: Iterable[str]
    is_errand: bool = False
    is_shaped: bool = False
    refusal: str = ""
    citations: tuple[Citation, ...] = ()
    outcome: str = ""
    is_cut: bool = False
    failure: RunFailure | None = None
    used: Usage = NOTHING
    _grows: bool = False
    _message: int = 0
    _parts: list[str] = field(default_factory=list)
    _waiting: list[str] = field(default_factory=list)
    _growing: TextBehind = field(init=False)
    _current: TextBehind = field(init=False)

    def __post_init__(self) -> None:
        self._growing = self._current = self._text_behind()

    def _text_behind(self) -> TextBehind:
        return TextBehind(LinkGuard(AllowedLinks.of(self.user_links)), self.whole)

    @property
    def whole(self) -> str:
        """The whole text so far."""
        self._parts = ["".join(self._parts)]
        return self._parts[0]

    @classmethod
    def of(cls, run: Run) -> "RunText":
        """The text of a run from its beginning; it may link to addresses in its user's words."""
        request = run.asked
        return cls(links_in(request.text), request.is_errand, bool(request.shape))

    def take(self, event: RunEvent) -> str:
        """The text that an event adds."""
        data = event.data
        match event.kind:
            case "text" | "rewritten" | "answer" if self.is_shaped and not self.is_errand:
                pass
            case "question" if self.is_shaped:
                self.refusal = question_in_words(data)
            case "shaped":
                return self._append(data["text"])
            case "planned":
                self._grows = data["plan"] == _UNCHECKED_PLAN and not data["acts"]
            case "text" | "rewritten":
                return self._grow(data)
            case "answer":
                return self._complete(data)
            case "question":
                return self._follow(question_in_words(data))
            case "ended":
                self._end(data)
            case _:
                pass
        return ""

    def _grow(self, data: Mapping[str, Any]) -> str:
        if data["message"] != self._message or "text" in data:
            self._message, self._growing = data["message"], self._text_behind()
            self._waiting.clear()
        self._waiting.append(data["text"] if "text" in data else data["delta"])
        if not self._grows:
            return ""
        # A text that replaces the sent text is added when it is complete.
        new_text = self._growing.feed("".join(self._waiting))
        self._waiting.clear()
        if new_text:
            self._current = self._growing
        return self._append(new_text)

    def _complete(self, data: Mapping[str, Any]) -> str:
        self.citations = tuple(Citation.from_state(citation) for citation in data["citations"])
        self.is_cut = data["is_cut"]
        if self.is_errand:  # only programs read it, and it may be JSON
            return self._follow(data["text"])
        if data.get("verbatim"):
            return self._follow(verbatim_markdown(data["text"], data["locale"]))
        remaining_text = None
        is_same = data["message"] == self._message and not self._waiting
        if is_same and not allowed_links(self.citations):
            remaining_text = self._growing.rest_of(data["text"])
        if remaining_text is None:
            answer = Answer(data["text"], self.citations)
            return self._follow(answer_markdown(answer, self.user_links))
        self._append(added_text := remaining_text + sources_markdown(self.citations))
        self._growing = self._current = self._text_behind()
        return added_text

    def _follow(self, text: str) -> str:
        previous_text, self._current = self._current, self._text_behind()
        if text.startswith(self.whole):
            return self._append(text[len(self.whole) :])
        # An open block of code in the previous text is closed.
        return self._append(previous_text.end() + _BREAK + text)

    def _append(self, text: str) -> str:
        self._parts.append(text)
        return text

    def _end(self, data: Mapping[str, Any]) -> None:
        self.outcome = data["outcome"]
        self.used = total(Usage.from_json(usage) for usage in data.get("usage", ()))
        if self.outcome == "error":
            self.failure = RunFailure(
                data.get("code") or "failed", data.get("message") or say("en", "apology-spent")
            )


def question_in_words(data: Mapping[str, Any]) -> str:
    """A question of the bot, its choices, and instructions for answering it in words."""
    choices = data["choices"]
    locale = choose_locale(data["question"], None)
    parts = [question_markdown(data, cards_of_question(data))]
    if data["approves"]:
        approval, rejection, *_ = (guard_links(choice) for choice in choices)
        parts.append(say(locale, "web-approve-in-words", yes=approval, no=rejection))
    elif choices:
        parts.append("\n".join(f"- {guard_links(choice)}" for choice in choices))
    return "\n\n".join(parts)


async def words_or_decision(runs: Runs, user_id: int, thread: str, message: RunAsked) -> RunAsked:
    """The user's words, as a decision if they are a choice of the waiting question.

    The model interprets other words. Raises: DatabaseUnavailableError.
    """
    waiting_run = await runs.waiting_in(user_id, thread)
    if waiting_run is None:
        return message
    questions = [event.data for event in await runs.events(waiting_run) if event.kind == "question"]
    if questions and questions[-1]["approves"]:
        return decision_in(message, questions[-1])
    return message


def decision_in(message: RunAsked, question: Mapping[str, Any]) -> RunAsked:
    """The user's decision on waiting calls, if the words are one of the choices."""
    choices: Sequence[str] = [choice.casefold() for choice in question["choices"]]
    if message.images or message.files or message.text.strip().casefold() not in choices:
        return message
    return RunAsked(
        message.text,
        answers=question["request_id"],
        decision=DECISIONS[choices.index(message.text.strip().casefold())],
        approves=question["approves"],
        language=message.language,
    )
