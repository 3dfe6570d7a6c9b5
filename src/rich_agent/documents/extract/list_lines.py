"""Writes paragraphs and items of lists as HTML, with the numbers that they have in a document."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class ListLine:
    """A paragraph: its HTML, its level if it is an item of a list, and the number or bullet."""

    html: str
    depth: int | None = None
    label: str = ""
    is_block: bool = False
    """Whether the HTML is blocks already."""

    @property
    def start(self) -> int | None:
        """The number of an item that HTML can number itself, as "3.", else None."""
        digits = self.label.removesuffix(".")
        return int(digits) if digits != self.label and digits.isdecimal() else None


def lines_html(lines: Iterable[ListLine]) -> str:
    """Paragraphs and nested lists; numbers that HTML does not know stand as text."""
    pieces: list[str] = []
    open_lists: list[str] = []

    def close(count: int) -> None:
        while len(open_lists) > count:
            pieces.append(f"</li></{open_lists.pop()}>")

    for line in lines:
        if line.depth is None:
            close(0)
            pieces.append(line.html if line.is_block else f"<p>{line.html}</p>")
            continue
        depth = min(line.depth, len(open_lists))
        close(depth + 1)
        tag = "ul" if line.start is None else "ol"
        if len(open_lists) > depth and open_lists[-1] != tag:
            close(depth)
        if len(open_lists) > depth:
            pieces.append("</li>")
        else:
            open_lists.append(tag)
            pieces.append(f'<ol start="{line.start}">' if tag == "ol" else "<ul>")
        is_text = line.start is None and line.label not in {"", "•"}
        pieces.append(f"<li>{escape(line.label)} {line.html}" if is_text else f"<li>{line.html}")
    close(0)
    return "".join(pieces)
