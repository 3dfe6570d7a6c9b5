"""Output of a conversation at the terminal, and when it is printed."""

import io
import re
from collections.abc import AsyncIterator
from typing import get_args

import pytest
from typing_extensions import override

from rich_agent.commands.chat_answer import GrowingText, doing, show_turn
from rich_agent.commands.chat_talk import meaning_of_line
from rich_agent.domain.answer.markdown import complete_markdown
from rich_agent.domain.message import TurnRequest, User
from rich_agent.terminal.conversation import ask_turn, terminal_request
from rich_agent.turns.events import Stage
from rich_agent.turns.runner import QuestionAsked, StageChanged, TextSoFar, TurnEvent
from tests.integration.telegram_support import ScriptedTurns, answered
from tests.twins.inbox import InMemoryInbox


class Pieces(io.StringIO):
    """Keeps each write apart."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    @override
    def write(self, text: str) -> int:
        """Keep one piece."""
        length = super().write(text)
        if text:
            self.written.append(text)
        return length


async def print_turn(monkeypatch: pytest.MonkeyPatch, *events: TurnEvent) -> list[str]:
    """The text that is written to stdout, piece by piece."""

    async def script(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        for event in events:
            yield event

    pieces = Pieces()
    monkeypatch.setattr("sys.stdout", pieces)
    await show_turn(
        ask_turn(terminal_request(User(1), "?"), ScriptedTurns(script), InMemoryInbox())
    )
    return pieces.written


async def test_terminal_prints_whole_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word appears when it is complete; the end comes whole; nothing twice."""
    whole = "Proof of history"
    texts = [TextSoFar(whole[:length]) for length in range(1, len(whole) + 1)]
    written = await print_turn(monkeypatch, StageChanged("drafting"), *texts, *answered(whole))
    assert "".join(written) == f"{whole}\n\n"
    assert written[:3] == ["Proof", " ", "of"]


async def test_terminal_prints_japanese_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script without spaces is not held back until the end."""
    whole = "歴史の証明"
    texts = [TextSoFar(whole[:length]) for length in range(1, len(whole) + 1)]
    written = await print_turn(monkeypatch, *texts, *answered(whole))
    assert "".join(written) == f"{whole}\n\n"
    assert written[0] == "歴史の"


async def test_terminal_prints_an_answer_that_was_begun_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stream that broke off: the whole answer follows what was printed."""
    broken = (TextSoFar("One two three"), TextSoFar("Another"))
    written = await print_turn(monkeypatch, *broken, *answered("Another answer"))
    assert "".join(written) == "One two \n\nAnother answer\n\n"


class Terminal(Pieces):
    """A terminal that keeps what is written to it."""

    @override
    def isatty(self) -> bool:
        """A person reads it."""
        return True


@pytest.mark.parametrize("opening", ["", "```python\n"])
def test_terminal_draws_a_long_line_no_more_than_once_in_full(
    monkeypatch: pytest.MonkeyPatch, opening: str
) -> None:
    """Text drawn again for a piece stays short; each word is printed, and code stays code."""
    drawn: list[str] = []

    def noted(text: str) -> str:
        drawn.append(text)
        return complete_markdown(text)

    words = [f"w{number}" for number in range(2_000)]
    whole = opening + " ".join(words)
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setattr("rich_agent.commands.chat_answer.complete_markdown", noted)
    with GrowingText() as shown:
        for count in range(1, len(words), 80):
            shown.show(opening + " ".join(words[:count]) + " ")
        shown.finish(whole)
    assert max(map(len, drawn)) < 4_500
    assert all(text.startswith(opening) for text in drawn if text)
    printed = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", " ", "".join(terminal.written))
    assert {*words} <= {*printed.split()}


@pytest.mark.req("INT-1")
async def test_terminal_numbers_the_choices_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of one, as the next line, is that choice; anything else is itself."""
    asked = QuestionAsked("r1", "Which exchange?", ("Drift", "Jupiter"))
    _, finished = answered("Which exchange?")
    written = await print_turn(monkeypatch, asked, finished)
    assert "".join(written) == "\n\nWhich exchange?\n  1. Drift\n  2. Jupiter\n\n".lstrip()
    assert meaning_of_line("2", asked.choices) == "Jupiter"
    assert meaning_of_line("3", asked.choices) == "3"
    assert meaning_of_line("2", ()) == "2"


@pytest.mark.feature("agenda")
def test_stages_all_have_words_at_a_terminal() -> None:
    """A turn that acts is shown like one that searches."""
    assert all(doing(StageChanged(stage, "get_tasks")) for stage in get_args(Stage))
    assert doing(StageChanged("acting", "get_tasks")) == "Looking through your tasks…"
