"""The sources of an answer as a living block: their places, and passages that may be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from rich_agent.domain.answer.citation import Citation
from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.living_blocks import MOST_ACTION_BYTES, BlockAction, BlockRow, LivingBlock
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.knowledge import DocumentExcerpt
from rich_agent.rendering.answers import source_line
from rich_agent.rendering.markdown import convert
from rich_agent.rendering.widgets import widget_html

MOST_SOURCES: Final = 12
"""The most sources in a block. Each of a document is looked up."""
_LENGTHS: Final = (
    *((2_000, 600), (2_000, 250), (1_500, 100)),
    *((1_500, 0), (900, 0), (500, 0), (200, 0)),
)
"""The most characters of the passage that was asked for, and of others, until the block fits."""
_LONGEST_LINE: Final = 160


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A citation, with its passage if that is of a document which the reader may read."""

    citation: Citation
    excerpt: DocumentExcerpt | None = None


@dataclass(frozen=True, slots=True)
class SourceButtons:
    """The buttons that show the passages of one answer."""

    verb: str
    update_id: int
    locale: str

    def of(self, source: CitedSource) -> tuple[BlockAction, ...]:
        """The button that sends the whole passage; () if its data would be too long."""
        data = f"{self.verb}:{self.update_id}:{source.citation.id}"
        label = say(self.locale, "passage-read")
        name = f"{label} [{source.citation.number}]"
        fits = len(data.encode()) <= MOST_ACTION_BYTES
        return (BlockAction(label, data, name),) if fits else ()


def sources_block(
    sources: Sequence[CitedSource], current_id: str, buttons: SourceButtons
) -> LivingBlock | None:
    """The block of an answer's sources, in which one passage is open.

    Passages are as long as there is room; a button sends the whole of one that was cut. None if no
    widget has room for them.
    """
    blocks = (
        LivingBlock(
            "sources",
            say(buttons.locale, "sources-heading"),
            buttons.locale,
            tuple(_row(source, current_id, lengths, buttons) for source in sources),
        )
        for lengths in _LENGTHS
    )
    return next((block for block in blocks if widget_html(block)), None)


def _row(
    source: CitedSource, current_id: str, lengths: tuple[int, int], buttons: SourceButtons
) -> BlockRow:
    citation, excerpt = source.citation, source.excerpt
    is_current = citation.id == current_id
    passage = "\n".join(_lines_of(excerpt)) if excerpt else ""
    body = _cut(passage, lengths[0] if is_current else lengths[1])
    line = _visible(source_line(citation, buttons.locale).text)
    place = _visible(excerpt.source if excerpt else urlsplit(citation.link).hostname or "")
    return BlockRow(
        line,
        citation.id,
        details="" if place in line else place,
        body=body,
        mark="current" if is_current else "",
        actions=buttons.of(source) if excerpt and body != passage else (),
        url=citation.link if citation.link.startswith("https://") else "",
    )


def _lines_of(excerpt: DocumentExcerpt) -> Iterator[str]:
    """Yield the lines of a passage, without characters that hide or move others."""
    for line in convert(excerpt.passage.content).text.splitlines():
        if words := " ".join(line.split()):
            yield escape_invisible(words)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length].rstrip() + "…" if length else ""


def _visible(text: str) -> str:
    return escape_invisible(shorten(text, _LONGEST_LINE))
