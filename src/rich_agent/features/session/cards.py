"""Cards with the result of a session: a heading and lines, as Markdown of limited length."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from rich_agent.feature.text import plain_markdown, printable, shorten

MOST_LINES = 40
_LINE_CHARS = 200
_MOST_READ_CHARS = 8_000
_DEEPEST = 4
"""Depth up to which lists are shown, because nobody could follow deeper lists in a chat."""
_MORE = "…"


def data_card(heading: str, data: object) -> str:
    """A text, a list or an object of a model, of any form and depth, as at most 40 lines."""
    lines = list(islice(_lines(data, 0), MOST_LINES + 1))
    return _card(heading, lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], _MORE])


def _card(heading: str, lines: Iterable[str]) -> str:
    bullets = (f"{' ' * (len(line) - len(line.lstrip()))}- {line.lstrip()}" for line in lines)
    return "\n".join([f"**{heading}**", "", *bullets])


def _lines(data: object, depth: int) -> Iterator[str]:
    """The lines of a value, indented by its depth."""
    indent = "  " * depth
    if depth > _DEEPEST:
        yield f"{indent}{_MORE}"
    elif isinstance(data, Mapping):
        for key, value in data.items():
            label = _text(str(key).replace("_", " "))
            if _is_flat(value):
                yield f"{indent}{label}: {_text(value)}"
            else:
                yield f"{indent}{label}:"
                yield from _lines(value, depth + 1)
    elif isinstance(data, Sequence) and not isinstance(data, str):
        for item in data:
            yield from _item_lines(item, depth)
    else:
        text_lines = str(data)[:_MOST_READ_CHARS].splitlines()
        yield from (f"{indent}{_text(line)}" for line in text_lines if line.strip())


def _item_lines(item: object, depth: int) -> Iterator[str]:
    """The lines of a list item. An object of plain values is one line."""
    if isinstance(item, Mapping) and all(map(_is_flat, item.values())):
        yield "  " * depth + " · ".join(map(_text, item.values()))
    else:
        yield from _lines(item, depth if _is_flat(item) else depth + 1)


def _is_flat(value: object) -> bool:
    return not isinstance(value, Mapping | list | tuple)


def _text(value: object) -> str:
    return plain_markdown(shorten(printable(str(value)[:_MOST_READ_CHARS]), _LINE_CHARS))
