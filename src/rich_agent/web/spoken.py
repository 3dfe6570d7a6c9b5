"""A run as one text that only grows: for clients that can take nothing back.

What is checked after it was written is told once it is final. So is a question of the bot, with how
to answer it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.answer.citation import Citation
from rich_agent.domain.answer.links import AllowedLinks, links_in
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.domain.usage.usage import NOTHING, Usage, total
from rich_agent.phrases import say
from rich_agent.ports.runs import Runs
from rich_agent.web.answers import answer_markdown
from rich_agent.web.link_guard import LinkGuard, guard_links

_UNCHECKED_PLAN = "direct"
_BREAK = "\n\n---\n\n"
"""Between a text that was begun and another one that took its place."""


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why a run ended without an answer: a word for programs, and words for its user."""

    code: str
    message: str


@dataclass(slots=True)
class SpokenRun:
    """Turns the events of a run into text to append. The same events always give the same text."""

    allowed: Iterable[str]
    is_errand: bool = False
    said: str = ""
    citations: tuple[Citation, ...] = ()
    outcome: str = ""
    is_cut: bool = False
    failure: RunFailure | None = None
    used: Usage = NOTHING
    _grows: bool = False
    _message: int = 0
    _growing: str = ""
    _begun: str = ""
    _guard: LinkGuard = field(init=False)

    def __post_init__(self) -> None:
        self._guard = LinkGuard(AllowedLinks.of(self.allowed))

    @classmethod
    def of(cls, run: Run) -> "SpokenRun":
        """For a run from its beginning; it may link to what its user wrote."""
        return cls(links_in(run.asked.text), run.asked.is_errand)

    def take(self, event: RunEvent) -> str:
        """What an event adds to the text."""
        data = event.data
        match event.kind:
            case "planned":
                self._grows = data["plan"] == _UNCHECKED_PLAN and not data["acts"]
            case "text" | "rewritten":
                return self._grow(data)
            case "answer":
                return self._complete(data)
            case "question":
                return self._follow(question_markdown(data))
            case "ended":
                self._end(data)
            case _:
                pass
        return ""

    def _grow(self, data: Mapping[str, Any]) -> str:
        if data["message"] != self._message:
            self._message, self._growing = data["message"], ""
        self._growing = data["text"] if "text" in data else self._growing + data["delta"]
        if not self._grows:
            return ""
        shown = self._guard.guard(self._growing, is_whole=False)
        if not shown.startswith(self.said):
            return ""  # another text than what was told; it is told when it is complete
        self._begun = self._growing
        return self._append(shown[len(self.said) :])

    def _complete(self, data: Mapping[str, Any]) -> str:
        self.citations = tuple(Citation.from_state(one) for one in data["citations"])
        self.is_cut = data["is_cut"]
        if self.is_errand:  # no person reads it, and it may be JSON
            return self._follow(data["text"])
        answer = Answer(data["text"], self.citations)
        return self._follow(answer_markdown(answer, self.allowed))

    def _follow(self, text: str) -> str:
        if text.startswith(self.said):
            return self._append(text[len(self.said) :])
        # What was begun ends with its code closed.
        begun = self._guard.guard(self._begun)
        return self._append(begun[len(self.said) :] + _BREAK + text)

    def _append(self, text: str) -> str:
        self.said += text
        return text

    def _end(self, data: Mapping[str, Any]) -> None:
        self.outcome = data["outcome"]
        self.used = total(Usage.from_json(one) for one in data.get("usage", ()))
        if self.outcome == "error":
            self.failure = RunFailure(
                data.get("code") or "failed", data.get("message") or say("en", "apology-spent")
            )


def question_markdown(data: Mapping[str, Any]) -> str:
    """A question of the bot, its choices, and how to answer it in words."""
    text, choices = data["question"], data["choices"]
    locale = choose_locale(text, None)
    parts = [guard_links(text)]
    if data["approves"]:
        yes, no = (guard_links(choice) for choice in choices)
        parts.append(say(locale, "web-approve-in-words", yes=yes, no=no))
    elif choices:
        parts.append("\n".join(f"- {guard_links(choice)}" for choice in choices))
    return "\n\n".join(parts)


async def said_in_answer(runs: Runs, user_id: int, thread: str, said: RunAsked) -> RunAsked:
    """The words of a user; a decision if they name a choice of the question that waits for them.

    Other words are for the model to understand. Raises: DatabaseUnavailableError.
    """
    waiting = await runs.waiting_in(user_id, thread)
    if waiting is None:
        return said
    asked = [event.data for event in await runs.events(waiting) if event.kind == "question"]
    return decided(said, asked[-1]) if asked and asked[-1]["approves"] else said


def decided(said: RunAsked, question: Mapping[str, Any]) -> RunAsked:
    """What a user says to calls that wait, if it is one of the two choices."""
    words: Sequence[str] = [choice.casefold() for choice in question["choices"]]
    if said.images or said.files or said.text.strip().casefold() not in words[:2]:
        return said
    is_approved = said.text.strip().casefold() == words[0]
    return RunAsked(
        said.text,
        answers=question["request_id"],
        decision="approved" if is_approved else "cancelled",
        approves=question["approves"],
        language=said.language,
    )
