"""Objects that see a text while it is written, and whether their work depends on the piece alone.

To register an object, add a line to `GROWING`: its class, and what makes it and gives the function
that takes the next piece. `python -m tests.growing NAME` feeds it in a process that counts, see
`tests.counted_work`, and prints the pumps that grow; `NAME "PUMP"…` tries these alone.
"""

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from typing_extensions import override

from tests import counted_work
from tests.sources import parsed

COUNTED = ("rich_agent", "markdown_it", "tests.growing_examples")
LENGTH = 40_000
PIECE = 10
MOST_GROWTH = 1.5
WINDOW = 4_000
"""Characters at the start, and at the end, that are fed piece by piece.

Tokens are held back until they are certain, for about half as many.
"""
BATCH = 1_000
"""Characters between that come at once, as when a text is replayed."""
_EVENTS = frozenset({"RunEvent", "TurnEvent", "TextSoFar", "CallSoFar"})

Feed = Callable[[str], object]

PUMPS: Mapping[str, str] = {
    "words": "word ",
    "long words": "incomprehensibility and straightforwardness ",
    "one letter": "a",
    "base64": "aGVsbG8gd29ybGQh+/Z",
    "digits": "1234567890",
    "exclamation marks": "!",
    "full stops": ".",
    "dashes": "-",
    "dashes and blanks": "- ",
    "blanks": " ",
    "empty lines": "\n",
    "open brackets": "[",
    "brackets and words": "[a ",
    "open targets": "](",
    "open labels": "[a](b",
    "open parentheses": "(",
    "open angles": "<",
    "tags": "<a href=x>",
    "ends of tags": "</b>",
    "quotes": '"',
    "quoted lines": "> a\n",
    "nested quotes": "> ",
    "numbered quotes": "> - 1. ",
    "tables": "|a|b|\n|-|-|\n",
    "one row": "|a",
    "fences": "```\na\n```\n",
    "marks of a fence": "`` `",
    "backticks": "`",
    "spans of code": "`a` ",
    "tildes": "~",
    "open emphasis": "**a ",
    "stars": "*",
    "underlines": "_a",
    "Chinese": "漢字仮名交文",
    "Japanese": "これは本です。",
    "directions": "\u202ea\u2066ב",
    "unseen": "a\u200b",
    "dollars": "$",
    "formulas": "$a$ \\(b\\) ",
    "escapes": "\\",
    "addresses": "https://a.example/b?c=d ",
    "one address": "a/b?",
    "hosts": "a.com.",
    "mails": "a@b.",
    "markers": "A claim [1]. ",
    "items": "- [ ] a\n",
    "entities": "&amp;",
}


@dataclass(frozen=True, slots=True)
class Grown:
    """Steps for a character, at the start and at the end; `how` it came."""

    pump: str
    how: str
    at_start: float
    at_end: float

    @property
    def is_steep(self) -> bool:
        """Whether a character costs more at the end; a step for each is always allowed."""
        return self.at_end > MOST_GROWTH * max(self.at_start, 1.0)

    @override
    def __str__(self) -> str:
        return f"{self.pump}, {self.how}: {self.at_start:.1f} -> {self.at_end:.1f} steps"


class _Loaded:
    """The modules of the product, loaded where they are asked for."""

    def __getattr__(self, name: str) -> Any:
        return import_module(f"rich_agent.{name.replace('__', '.')}")


_rich: Any = _Loaded()


def _events(take: Callable[[Any], object]) -> Feed:
    """Feeds what takes the events of a run: those of an answer that is shown while it grows."""
    made = _rich.domain__runs.RunEvent
    number = count(3)
    _taken(take(made(1, "started", {})))
    _taken(take(made(2, "planned", {"intent": "chat", "plan": "direct", "acts": False})))
    return lambda piece: _taken(take(made(next(number), "text", {"message": 0, "delta": piece})))


def _taken(told: object) -> object:
    return list(told) if isinstance(told, Iterator) else told


def _run() -> Any:
    runs = _rich.domain__runs
    return runs.Run(-1, 1, "r", "t", runs.RunAsked("See https://ok.example"))


def _spoken() -> Any:
    return _rich.web__run_text.RunText.of(_run())


def _passage(number: int) -> Any:
    place = f"https://docs.example/{number}"
    return _rich.domain__retrieval__passage.Passage(f"c{number}", "document", "A", place, "A")


_MAKERS: Mapping[str, Callable[[], Feed]] = {
    "LinkGuard": lambda: (
        _rich.web__link_guard.LinkGuard(
            _rich.domain__answer__links.AllowedLinks.of(["https://ok.example"])
        ).feed
    ),
    "RunText": lambda: _events(_spoken().take),
    "NamedEvents": lambda: _events(
        _rich.features__agent_api__endpoints.NamedEvents(_run(), _spoken()).take
    ),
    "EventWriter": lambda: _events(
        _rich.features__web_chat__agui__events.EventWriter(
            _run(), _rich.features__web_chat__agui__places.Places.below()
        ).take
    ),
    "ThinkingFilter": lambda: _rich.upstreams__servers__reasoning.ThinkingFilter().feed,
    "TemplateTextFilter": lambda: _rich.upstreams__servers__template_text.TemplateTextFilter().feed,
    "ContinuationJoin": lambda: (
        _rich.upstreams__models__chat.ContinuationJoin("It was said before. " * 9).feed
    ),
    "ProseCallReader": lambda: (
        _rich.upstreams__servers__tool_calls.ProseCallReader(frozenset({"remind"})).feed
    ),
    "GrowingCitations": lambda: (
        _rich.domain__answer__citation.GrowingCitations(list(map(_passage, range(1, 9)))).feed
    ),
}
_FEATURES: Mapping[str, str] = {"NamedEvents": "agent_api"}
"""The features of classes that are a feature's."""
_FOLDER = Path(__file__).parents[1] / "src/rich_agent/features"
GROWING = {
    name: make
    for name, make in _MAKERS.items()
    if name not in _FEATURES or (_FOLDER / _FEATURES[name]).is_dir()
}
"""By the name of the class."""
_OUTER = frozenset({"RunText", "NamedEvents", "EventWriter"})
"""Those that hand the text on to LinkGuard, which is fed every pump: what it lets through, holds
back and changes does.
"""
_TELLING = frozenset(
    {
        "words",
        "one letter",
        "open brackets",
        "Chinese",
        "fences",
        "addresses",
        "markers",
        "entities",
    }
)
NOT_FED: Mapping[str, str] = {
    "_Pieces": "joins the pieces of a tenth of a second, and hands them on",
    "AnswerSoFar": "adds a piece to its text, and hands it to LoopWatch",
    "StreamSoFar": "hands its pieces to a ThinkingFilter",
    "LoopWatch": "It compares the last 13,500 characters, once in 500; before it has these, less.",
    "GuardedLine": "the line of a LinkGuard",
    "TextBehind": "a LinkGuard, as RunText and EventWriter have it",
    "Runs": "a port",
    "RunRecorder": "is given whole texts, which it compares and copies; it reads none",
    "_TurnRecording": "hands its events to a RunRecorder",
    "PostgresTurnRuns": "stores each event by itself, and reads none",
    "ChatEvents": "writes each event once, as it comes",
    "AnswerWriter": "hands its events on to AnswerProgress",
    "Running": "hands its events on",
    "OpenQuestions": "hands its events to a RunRecorder",
    "Delivery": "sends what was rendered",
    "GuestDelivery": "sends what was rendered",
    "EphemeralDelivery": "sends what was rendered",
    "PrivateDelivery": "sends what was rendered",
    "AnswerProgress": "renders for each edit what one message shows, and nothing once it is full",
    "ToolCallReader": "keeps 50,000 characters of a call at most",
    "ShownText": "AnswerProgress feeds it; it compares and copies what is shown, no more",
    "CallsInProgress": "copies the arguments of a call, 50,000 characters at most",
    "RunStream": "hands its events on to an EventWriter",
    "EventProof": "hashes each part of a body once, and keeps none",
}
"""Classes that look as if they saw a growing text, and why they are not fed."""


def classes_that_see() -> Iterator[str]:
    """The classes of the product with a method `feed` or `grow`, or one that takes such events."""
    root = Path(__file__).parents[1] / "src/rich_agent"
    for file in sorted(root.rglob("*.py")):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ClassDef) and any(map(_sees, node.body)):
                yield node.name


def _sees(member: ast.stmt) -> bool:
    if not isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    arguments = [one.annotation for one in member.args.args if one.annotation]
    named = {n.id for one in arguments for n in ast.walk(one) if isinstance(n, ast.Name)}
    return member.name.strip("_") in {"feed", "grow"} or bool(named & _EVENTS)


def _example(name: str) -> Callable[[], Feed]:
    return lambda: getattr(import_module("tests.growing_examples"), name)().feed


EXAMPLES: Mapping[str, Callable[[], Feed]] = {
    name: _example(name)
    for name in ("Linear", "Bounded", "Rereads", "Searches", "Copies", "Compares", "Loops")
}


def grown(make: Callable[[], Feed], pump: str) -> Iterator[Grown]:
    """The work of one object on one pump, as it grows and as it is replayed, while it is low."""
    feed, letters = make(), PUMPS[pump]
    text = (letters * (LENGTH // len(letters) + 1))[:LENGTH]

    def steps(first: int, size: int) -> float:
        before, end = counted_work.Work.steps, first + WINDOW
        for place in range(first, end, size):
            feed(text[place : min(place + size, end)])
        return (counted_work.Work.steps - before) / WINDOW

    counted_work.Work.count(is_counted=True)
    start = steps(0, PIECE)
    first_batches = steps(WINDOW, BATCH)
    for first in range(2 * WINDOW, LENGTH - WINDOW, WINDOW):
        is_last = first + 2 * WINDOW >= LENGTH
        counted_work.Work.count(is_counted=is_last)
        more = steps(first, BATCH)
        batches = Grown(pump, "in batches", first_batches, more)
        if batches.is_steep:
            yield batches
            return
    yield batches
    yield Grown(pump, "piece by piece", start, steps(LENGTH - WINDOW, PIECE))


def _main(name: str, pumps: list[str]) -> None:
    counted_work.install(*COUNTED)
    make = {**GROWING, **EXAMPLES}[name]
    for pump in pumps or (_TELLING if name in _OUTER else PUMPS):
        for found in grown(make, pump):
            if found.is_steep:
                sys.stdout.write(f"{found}\n")


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2:])
