"""Leads a guided session, of which the tools on offer tell what is to come of it.

Where it stands is read from the conversation: from the question that was asked last.
"""

from collections.abc import Callable, Sequence

from rich_agent_sandbox.model.acting.arguments import (
    Wish,
    arguments_for,
    parts_of,
)
from rich_agent_sandbox.model.acting.day_planning import LedDay
from rich_agent_sandbox.model.acting.results import (
    is_failure,
)
from rich_agent_sandbox.model.acting.session import LedSession
from rich_agent_sandbox.model.acting.steps import Intended, Step
from rich_agent_sandbox.model.acting.wishes import asks_for_action, concepts
from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import FunctionSpec


def lead(prompt: Prompt, offered: Sequence[FunctionSpec], usual: Callable[[], Step]) -> Step | None:
    """The next step of a session, None without a tool that ends one; `usual` is that without it."""
    session = LedSession(prompt, offered, usual)
    if session.tool("complete") is None:
        return None
    if session.tool("create", "event"):
        return LedDay(prompt, offered, usual).next_step()
    kind = LedReview if session.tool("delete", "task") else LedIdeas
    return kind(prompt, offered, usual).next_step()


_REVIEW = ("review_left", "review_wins", "review_intentions")


class LedReview(LedSession):
    """A week is looked back at."""

    def next_step(self) -> Step:
        """By the question that was asked last."""
        if self.is_kept():
            return Step(words=self.say("review_end"))
        asked = self.asked
        if asked == "review_left" or (asked in _REVIEW and asks_for_action(self.said)):
            step = self.usual()
            follows = "review_wins" if asked == "review_left" and not step.words else asked
            # What could not be done is told, and the question asked again.
            again = "\n\n".join(filter(None, [step.words, self.say(follows)]))
            return step if step.calls else Step(words=again)
        match asked:
            case "review_wins":
                return Step(words=self.say("review_intentions"))
            case "review_intentions":
                answers = self.answers("review_wins", "review_intentions")
                return self.end(answers, "summary")
        tasks = self.tool("get", "task")
        if tasks and not self.made("get", "task"):
            closed = {
                name: True
                for name, part in parts_of(tasks.parameters)
                if part.get("type") == "boolean" and concepts("acts", name.replace("_", " "))
            }
            return Step((Intended(tasks.name, closed),))
        done = [task.title for task in self.tasks() if task.is_done]
        left = [task.title for task in self.tasks() if not task.is_done]
        shown = self.say("review_found", done=_joined(done), left=_joined(left))
        return Step(words=f"{shown}\n\n{self.say('review_left' if left else 'review_wins')}")


class LedIdeas(LedSession):
    """Ideas are collected."""

    def next_step(self) -> Step:
        """By the question that was asked last."""
        if self.is_kept():
            return Step(words=self.say("ideas_end"))
        ideas = self.answers("ideas_more")
        is_enough = bool(concepts("values", self.said) & {"enough"})
        match self.asked:
            case "ideas_subject" | "ideas_more" if not is_enough:
                return Step(words=f"{_bullets(ideas)}\n\n{self.say('ideas_more')}".strip())
            case "ideas_subject" | "ideas_more":
                return Step(words=f"{_bullets(ideas[:-1])}\n\n{self.say('ideas_which')}".strip())
            case "ideas_which":
                return self._make_tasks(ideas)
        return Step(words=self.say("ideas_subject"))

    def _make_tasks(self, ideas: Sequence[str]) -> Step:
        """A task of each idea that the message names, then the end."""
        create = self.tool("create", "task")
        terms = set(content_terms(self.said))
        wanted = [one for one in ideas if set(content_terms(one)) & terms]
        made = self.made("create", "task")
        if create and wanted and not made and not any(map(is_failure, self.prompt.acts)):
            texts = [f"“{one}”" for one in wanted]
            given = [arguments_for(create.parameters, Wish(text, self.now))[0] for text in texts]
            return Step(tuple(Intended(create.name, one) for one in given))
        return self.end(ideas, "summary")


def _joined(titles: Sequence[str]) -> str:
    return ", ".join(titles) or "–"


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
