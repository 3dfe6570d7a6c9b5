"""A guided session as a model sees it: the tools on offer, and what was asked and said."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from rich_agent_sandbox.model.acting.arguments import (
    ids_needed_by,
    needed_by,
    parts_of,
)
from rich_agent_sandbox.model.acting.results import (
    ListedThing,
    amendment_in,
    is_failure,
    things_in,
)
from rich_agent_sandbox.model.acting.steps import Intended, Step
from rich_agent_sandbox.model.acting.wishes import named_in
from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.small_talk import say, wordings
from rich_agent_sandbox.model.language.days import now_in
from rich_agent_sandbox.model.prompt import Act, Prompt
from rich_agent_sandbox.model.request import FunctionSpec

_ENDS = " .。-•*"
LINES = re.compile(r",\s+|、|;|\n+")
"""Edges between the items of a list."""
_QUESTIONS = (
    *("plan_empty", "review_left", "review_wins", "review_intentions"),
    *("ideas_subject", "ideas_more", "ideas_which"),
)


@dataclass(frozen=True, slots=True)
class LedSession:
    """A session as its tools and the conversation show it; `usual` is what is done without one."""

    prompt: Prompt
    offered: Sequence[FunctionSpec]
    usual: Callable[[], Step]

    def tool(self, act: str, thing: str = "") -> FunctionSpec | None:
        """The tool that does this to such a thing, or to nothing that is named."""
        for spec in self.offered:
            named = named_in(spec.name)
            if act in named.acts and (thing in named.things if thing else not named.things):
                needs_id = bool(ids_needed_by(spec.parameters))
                if act != "get" or not needs_id:
                    return spec
        return None

    @property
    def now(self) -> datetime:
        """The present, as the prompt tells it."""
        return now_in(self.prompt.instructions) or datetime(1970, 1, 1)  # noqa: DTZ001 - local time

    @property
    def said(self) -> str:
        """The newest words of the user: instead of an approval, as an answer, or the message."""
        told = [amendment_in(act) for act in self.prompt.acts]
        return next(filter(None, reversed(told)), "") or self.prompt.question

    @property
    def asked(self) -> str:
        """The question that the message answers, "" for none of this model's own."""
        last = next((t.text for t in reversed(self.prompt.turns) if t.role == "assistant"), "")
        return _question_in(last)

    def say(self, kind: str, **slots: str) -> str:
        """Own words in the language of the conversation."""
        return say(kind, language_wanted(self.prompt), **slots)

    def made(self, act: str, thing: str) -> list[Act]:
        """The calls of a tool in this turn that did what they should."""
        tool = self.tool(act, thing)
        return [one for one in self.prompt.acts if tool and one.name == tool.name and went(one)]

    def is_kept(self) -> bool:
        """Whether the session has been ended."""
        return any("complete" in named_in(act.name).acts for act in self.prompt.acts)

    def end(self, result: Sequence[str], kind: str) -> Step:
        """Keep what came of the session, and end it."""
        calls = []
        for spec in (self.tool("create"), self.tool("complete")):
            if spec is None:
                continue
            given: dict[str, object] = {}
            for name, part in parts_of(spec.parameters):
                if name in needed_by(spec.parameters):
                    choices = part.get("enum", ())
                    given[name] = kind if kind in choices else next(iter(choices), list(result))
            calls.append(Intended(spec.name, given))
        return Step(tuple(calls))

    def tasks(self) -> list[ListedThing]:
        """The tasks as they were listed last."""
        listed = self.made("get", "task")
        return things_in(listed[-1]) if listed else []

    def answers(self, *questions: str) -> list[str]:
        """Return the user's answers to these questions, each item for itself."""
        spoken = [*self.prompt.turns]
        pairs = [
            (_question_in(before.text), after.text)
            for before, after in pairwise(spoken)
            if before.role == "assistant" and after.role == "user"
        ]
        pairs.append((self.asked, self.prompt.question))
        told = [text for question, text in pairs if question in questions]
        return [
            part.strip(_ENDS) for text in told for part in LINES.split(text) if part.strip(_ENDS)
        ]


def went(act: Act) -> bool:
    """Whether a call did what it should."""
    return not is_failure(act)


def _question_in(text: str) -> str:
    return next((kind for kind in _QUESTIONS if any(words in text for words in wordings(kind))), "")
