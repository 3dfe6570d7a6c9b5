"""The lines below an answer in which the product tells what the model cannot be left to say."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.retrieval.passage import Passage, are_of_files
from rich_agent.graph.answer.material import Material
from rich_agent.graph.answer.verification import VerifiedAnswer
from rich_agent.graph.files.footnotes import notes_on_files, notes_on_refused
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import (
    UNPLANNED,
    acting_of,
    lacks_plan,
    locale_of,
    marked_before,
)
from rich_agent.phrases import say


def noted(answer: Answer, notes: Iterable[str], done: Iterable[str] = ()) -> Answer:
    """The answer with these lines of the product below it, and what was done."""
    # Two spaces end a line within a paragraph.
    said = [answer.text, "  \n".join(done), *(f"_{note}_" for note in notes)]
    return replace(answer, text="\n\n".join(filter(None, said)))


def notes_on_message(state: TurnState) -> Iterator[str]:
    """Yield notes on what was not looked at in the message, and what a failed plan leaves undone.

    A model must not claim it.
    """
    locale = locale_of(state)
    if kinds := state["input"].get("unread"):
        named = [say(locale, f"unread-{kind.replace('_', '-')}") for kind in kinds]
        yield say(locale, "unread-note", things=" · ".join(named))
    yield from notes_on_refused(state)
    if lacks_plan(state) and not marked_before(state, UNPLANNED):
        yield say(locale, "planner-failed-note")
    if (limit := acting_of(state).get("limit")) in {"calls", "errors"}:
        yield say(locale, f"acting-limit-{limit}")


def notes_on_grounds(
    state: TurnState, grounded: VerifiedAnswer, material: Material
) -> Iterator[str]:
    """Yield what the user has to know about the grounds of the answer."""
    locale, plan = locale_of(state), state["routing"]["plan"]
    yield from notes_on_files(state, material.passages)
    if grounded.found_nothing:
        yield say(locale, _nothing_cited(plan, material.passages))
    if "web_error" in state["rag"]:
        yield state["rag"].get("web_limit") or say(locale, "web-unavailable")
    if limit := state["vision"].get("limit"):
        yield limit
    if "look_error" in state["vision"]:
        yield say(locale, "look-failed")
    if material.is_shortened:
        yield say(locale, "question-shortened")


def _nothing_cited(plan: str, passages: list[Passage]) -> str:
    if are_of_files(passages):
        return "nothing-found-files"
    return "nothing-cited-web" if plan == "web" else "nothing-found"
