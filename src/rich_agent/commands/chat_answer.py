"""A turn at the terminal: its status, its growing text, its sources, and cards to approve."""

import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import wcwidth

from rich_agent.attachments import block_of
from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.answer.markdown import complete_markdown
from rich_agent.domain.approving.cards import ApprovalCard, card_text
from rich_agent.domain.text import printable
from rich_agent.phrases import say_doing
from rich_agent.rendering.charts import table_lines
from rich_agent.terminal.console import StatusLine, out
from rich_agent.turns.runner import (
    Answered,
    Finished,
    QuestionAsked,
    QuestionClosed,
    StageChanged,
    TextSoFar,
    TurnEvent,
)
from rich_agent.turns.streaming import ShownText, word_end

if TYPE_CHECKING:
    from rich.live import Live

_STAGES = {
    "reading": "Reading the file…",
    "looking": "Looking at the image…",
    "thinking": "Thinking…",
    "searching": "Searching…",
    "searching_web": "Searching the web…",
    "drafting": "Drafting…",
    "busy": "The model server is busy; waiting up to a minute…",
}


_LONGEST_BLOCK = 4_000
"""So many characters at most are drawn again for each piece."""
_LONGEST_FENCE = 80
DECISION_KEYS = ("y", "n", "a")
"""What is typed at a card that shows what waits for approval, by the places of its choices."""


def doing(stage: StageChanged) -> str:
    """The words for the bot's present activity."""
    return _STAGES.get(stage.stage) or say_doing("en", stage.tool)


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """The question that a printed turn ended with, None without one, else its answer."""

    question: QuestionAsked | None
    answer: Answer | None = None


class GrowingText:
    """Prints a text while it grows: as Markdown to a person, as it is to a program.

    On a terminal, whole blocks stay, and the last one is drawn again as it grows. One that becomes
    very long stays as it is, and goes on below.
    """

    def __init__(self) -> None:
        self._shown = ""
        self._settled = 0
        self._fence = ""
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich.console import Console  # noqa: PLC0415 - only where a terminal shows it
            from rich.live import Live  # noqa: PLC0415 - the same

            self._live = Live(console=Console(), auto_refresh=False, transient=True)
        return self

    def __exit__(self, *_failure: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, text: str) -> None:
        """Show the text so far. A text that began again is printed below the earlier one."""
        if not text.startswith(self._shown):
            self._settle(len(self._shown))
            out("\n")
            self._shown, self._settled, self._fence = "", 0, ""
        new_text, self._shown = text[len(self._shown) :], text
        if self._live is None:
            out(new_text, newline=False)
            return
        blocks_length, fence = _whole_blocks(text[self._settled :], self._fence)
        self._settle(self._settled + blocks_length)
        if len(text) - self._settled > _LONGEST_BLOCK:
            self._settle(len(text), fence=fence)
        self._live.start()
        self._draw(self._live, text[self._settled :])

    def _settle(self, end: int, *, fence: str = "") -> None:
        """Print the text up to `end` for good; with a `fence`, its code goes on behind."""
        part = self._shown[self._settled : end]
        if self._live is not None and part.strip():
            from rich.markdown import Markdown  # noqa: PLC0415 - only where a terminal shows it

            markdown = Markdown(printable(self._fence + part), hyperlinks=False)
            self._draw(self._live, "")
            self._live.stop()
            self._live.console.print(markdown)
            self._live.console.print()
        if end > self._settled:
            self._settled, self._fence = end, fence

    def finish(self, text: str) -> None:
        """The whole text."""
        self.show(text)
        self._settle(len(text))

    def _draw(self, live: "Live", text: str) -> None:
        from rich.markdown import Markdown  # noqa: PLC0415 - only where a terminal shows it

        markdown_text = complete_markdown(printable(self._fence + text if text else ""))
        live.update(Markdown(markdown_text, hyperlinks=False), refresh=live.is_started)


def _whole_blocks(text: str, fence: str) -> tuple[int, str]:
    """The length of the part of a Markdown text that ends with its last blank line; 0 without one.

    A blank line within a code block ends nothing: `fence` opened the one in which the text begins.
    Also the line that opened the one in which it ends, "" outside.
    """
    line_end = blocks_end = 0
    for line in text.splitlines(keepends=True):
        line_end += len(line)
        if line.lstrip().startswith(("```", "~~~")):
            fence = "" if fence else f"{line.strip()[:_LONGEST_FENCE]}\n"
        elif not fence and not line.strip() and line.endswith("\n"):
            blocks_end = line_end
    return blocks_end, fence


async def show_turn(events: AsyncIterator[TurnEvent]) -> ShownTurn:
    """Print a turn while it runs.

    The choices of a question back are numbered; what waits for approval is a card with keys.

    Raises: what reading the events raises.
    """
    growing, status = ShownText(word_end), StatusLine()
    turn = ShownTurn(None)
    with status, GrowingText() as terminal_text:
        async for event in events:
            match event:
                case StageChanged():
                    status.show(doing(event))
                case TextSoFar(text):
                    growing.grow(text, time.monotonic())
                    if words := growing.take(time.monotonic()):
                        status.clear()
                        terminal_text.show(words)
                case QuestionAsked(question=question):
                    turn = replace(turn, question=event, answer=Answer(question))
                case QuestionClosed() if event.notice:
                    status.clear()
                    out(event.notice)
                case Answered(answer):
                    turn = replace(turn, answer=answer)
                case Finished(outcome) if turn.question is None:
                    turn = replace(turn, answer=outcome.answer)
                case _:
                    pass
        status.clear()
        _end(terminal_text, turn)
    return turn


def _end(terminal_text: GrowingText, turn: ShownTurn) -> None:
    """Print the rest of the text, then its sources and the choices of a question."""
    if turn.answer is None:
        return
    terminal_text.finish(turn.answer.text)
    below = (
        tables_of(turn.answer)
        + sources_of(_undefined_sources(turn.answer))
        + (choices_of(turn.question) if turn.question else "")
    )
    if not sys.stdout.isatty():
        out(f"{below}\n")
    elif below:  # a block of Markdown has ended with an empty line
        out(below.lstrip("\n") + "\n")


def _undefined_sources(answer: Answer) -> tuple[Citation, ...]:
    """The sources that the printed text does not define; the text of another bot may define them.

    Where Markdown is rendered, definitions are not shown.
    """
    if sys.stdout.isatty():
        return answer.citations
    return tuple(c for c in answer.citations if f"\n[{c.number}]: <" not in answer.text)


def choices_of(question: QuestionAsked) -> str:
    """The lines below a question: its numbered choices, or its cards and the keys to decide."""
    if not question.approves:
        return choice_lines(question.choices)
    pairs = zip(DECISION_KEYS, question.choices, strict=False)
    key_lines = "".join(f"\n  {key}. {choice}" for key, choice in pairs)
    return f"\n\n{printed_cards(question.cards)}\n{key_lines}\n  Or write what to change."


def choice_lines(choices: tuple[str, ...]) -> str:
    """A line for each choice, after a line end."""
    return "".join(f"\n  {n}. {choice}" for n, choice in enumerate(choices, start=1))


def tables_of(answer: Answer) -> str:
    """The charts of an answer as tables, each below its title; "" without any."""
    blocks = [block_of(attachment, answer.locale or "en") for attachment in answer.attachments]
    return "".join(
        "\n\n" + printable("\n".join([block.title, *table_lines(block.chart)]))
        for block in blocks
        if block and block.chart
    )


def sources_of(citations: tuple[Citation, ...]) -> str:
    """The sources below an answer, "" without any."""
    if not citations:
        return ""
    lines = [f"[{c.number}] {c.label}\n    {c.link}".rstrip() for c in citations]
    return "\n\nSources\n" + "\n".join(lines)


_GOES_ON = "┊ "
_LEAST_COLUMNS = 20


def printed_cards(cards: Iterable[ApprovalCard]) -> str:
    """The cards as they are printed: on a terminal, a line that goes on says so by its mark."""
    text = card_text(cards)
    if not sys.stdout.isatty():
        return text
    column_count = max(_LEAST_COLUMNS, shutil.get_terminal_size().columns) - 1
    return "\n".join(
        part for line in text.split("\n") for part in _lines_within(line, column_count)
    )


def _lines_within(line: str, columns: int) -> Iterator[str]:
    """Parts of the line that fit into the columns; a character keeps its combining marks."""
    part, width = "", 0
    for grapheme in wcwidth.iter_graphemes(line):
        grapheme_width = max(0, wcwidth.wcswidth(grapheme))
        if width + grapheme_width > columns:
            yield part
            part, width = _GOES_ON, len(_GOES_ON)
        part, width = part + grapheme, width + grapheme_width
    yield part
