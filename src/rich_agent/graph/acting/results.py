"""Results of tools, as a model reads them, as they can be cited, and as the user is told."""

from collections.abc import Iterator
from itertools import count

from rich_agent.domain.agenda.day_timeline import DayTimelineState
from rich_agent.domain.answer.markdown import plain_markdown
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.text import shorten
from rich_agent.domain.tools import CallState, ResultState, ToolCall
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import acting_of, locale_of
from rich_agent.phrases import say_tool
from rich_agent.ports.models import ToolRound
from rich_agent.prompts import tagged

_LEAST_RESULT_CHARS = 400
_CHARS_PER_TOKEN = 3


def found_by_tools(state: TurnState) -> list[Passage]:
    """Return what tools found as passages to cite: those of searches, else whole results."""
    return [
        passage
        for one in acting_of(state).get("rounds", [])
        for call, result in zip(one["calls"], one["results"], strict=True)
        for passage in _passages(call, result, locale_of(state))
    ]


def _passages(call: CallState, result: ResultState, locale: str) -> list[Passage]:
    """Return the passages of a result that can be cited: none of a change, or of a failure."""
    if result["passages"]:
        return [Passage.from_state(passage) for passage in result["passages"]]
    if result["done"] or result["status"] != "success":
        return []
    title = say_tool(locale, call["name"])
    return [Passage(f"tool:{call['id']}", "tool", result["content"], "", title)]


def rounds_for_prompt(
    state: TurnState, first_number: int, room_tokens: int
) -> tuple[ToolRound, ...]:
    """The calls of this turn as a model reads them, results numbered on from `first_number`."""
    rounds, locale, numbers = (
        acting_of(state).get("rounds", []),
        locale_of(state),
        count(first_number),
    )
    results = sum(len(one["results"]) for one in rounds)
    most = max(_LEAST_RESULT_CHARS, room_tokens * _CHARS_PER_TOKEN // max(1, results))

    def material(call: CallState, result: ResultState) -> str:
        shown = [(passage, str(next(numbers))) for passage in _passages(call, result, locale)]
        if result["passages"]:
            share = max(_LEAST_RESULT_CHARS, most // len(shown))
            return "\n".join(
                tagged("passage", shorten(passage.content, share), n=number, title=passage.title)
                for passage, number in shown
            )
        cited = {"n": shown[0][1]} if shown else {}
        about = {**cited, "tool": call["name"], "status": result["status"]}
        return tagged("tool_result", shorten(result["content"], most), **about)

    return tuple(
        ToolRound(
            one["text"],
            tuple(ToolCall(**call) for call in one["calls"]),
            tuple(map(material, one["calls"], one["results"])),
        )
        for one in rounds
    )


def done_lines(state: TurnState) -> Iterator[str]:
    """A line for each change that was made in this turn, but for those with a card."""
    for result in _results(state):
        if result["done"] and not result.get("card"):
            yield f"✓ {plain_markdown(result['done'])}"


def cards(state: TurnState) -> list[str]:
    """The cards of what was done, each once; of several of a day the last, which has all of it."""
    shown = {
        (drawn["day"] if (drawn := result.get("timeline")) else card): card
        for result in _results(state)
        if (card := result.get("card"))
    }
    return list(shown.values())


def timeline_of(state: TurnState) -> DayTimelineState | None:
    """The day to draw: one for each turn, that of the last card with a day."""
    drawn = [result["timeline"] for result in _results(state) if "timeline" in result]
    return drawn[-1] if drawn else None


def is_undoable(state: TurnState) -> bool:
    """Whether something of what was done can be taken back."""
    return any(result["undoable"] for result in _results(state))


def _results(state: TurnState) -> Iterator[ResultState]:
    return (result for one in acting_of(state).get("rounds", []) for result in one["results"])
