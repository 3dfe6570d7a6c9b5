"""Extracts what can be quoted from a Markdown passage: whole sentences and table rows.

Headings, code, table heads, lists of links and short introductory lines are left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rich_agent_sandbox.model.language.text import normalise, sentences

Form = Literal["prose", "fragment", "item", "row"]

_FOOTNOTE = re.compile(r"\s*\[\d+\]")
ADDRESS = re.compile(r"<?https?://\S+")
_END_MARK = re.compile(r"[.!?。！？…][\"'”’)\]」』）]*$")
_WRAPPED_AT = 50  # characters; shorter lines were broken on purpose
_LONGEST_LEAD_IN = 60  # characters; a longer sentence before a list has content of its own
_LONGEST_ROW = 200  # characters; longer rows are unreadable outside their table
_SMALLEST_SHARE_OF_LETTERS = 0.6  # a text with less is code or figures
_LISTS = ("bullet_list_open", "ordered_list_open", "bullet_list_close", "ordered_list_close")
_LINK_SECTION = re.compile(
    r"sources|references|bibliography|(?:related |external )?links|see also|further reading"
    r"|出典|参考(?:文献|資料|リンク)?|関連リンク"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A quotable text without markup; a `fragment` is prose without final punctuation."""

    text: str
    form: Form


def quotable_sentences(text: str, section: str) -> list[Sentence]:
    """The sentences in order; none under a heading such as Sources, which `section` may end in."""
    heading = last_heading(section)
    found: list[Sentence] = []
    for block in _blocks(_parser().parse(_FOOTNOTE.sub("", text))):
        if block.form == "heading":
            heading = block.text
        elif not _LINK_SECTION.fullmatch(normalise(heading).strip()):
            found += _sentences_of(block)
    return found


def last_heading(section: str) -> str:
    """The innermost heading of a path such as `Page > Chapter` or `Page › Chapter`."""
    return section.replace(" › ", " > ").rpartition(" > ")[2]


@dataclass(frozen=True, slots=True)
class _Block:
    text: str
    form: Literal["heading", "prose", "item", "row"]


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _blocks(tokens: Sequence[Token]) -> Iterator[_Block]:
    depth_of_list = 0
    cells: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type in _LISTS:
            depth_of_list += token.nesting
        elif token.type == "tr_open":
            cells = []
        elif token.type == "tr_close" and any(cells):
            yield _Block(" | ".join(cells), "row")
        elif token.type == "inline" and before:
            words = _words(token)
            if before.type == "td_open":
                cells.append(words)
            elif before.type == "heading_open":
                yield _Block(words, "heading")
            elif before.type == "paragraph_open" and not _only_links(token):
                yield _Block(words, "item" if depth_of_list else "prose")


def _words(inline: Token) -> str:
    """The text as displayed, with code in backticks and wrapped lines joined."""
    text = ""
    for child in inline.children or ():
        if child.type == "text":
            text += child.content
        elif child.type == "code_inline":
            text += f"`{child.content}`"
        elif child.type in ("softbreak", "hardbreak"):
            wrapped = child.type == "softbreak" and len(text.rpartition("\n")[2]) >= _WRAPPED_AT
            text += " " if wrapped else "\n"
    return text


def _only_links(inline: Token) -> bool:
    """Whether a block contains only links and a label."""
    depth, linked, unlinked = 0, False, ""
    for child in inline.children or ():
        if child.type in ("link_open", "link_close"):
            depth += child.nesting
            linked = True
        elif not depth:
            unlinked += child.content
    label = ADDRESS.sub("", unlinked).strip()
    linked = linked or label != unlinked.strip()
    return linked and (not re.search(r"\w", label) or label.endswith((":", "：")))


def _sentences_of(block: _Block) -> Iterator[Sentence]:
    if block.form == "row":
        if len(block.text) <= _LONGEST_ROW:
            yield Sentence(block.text, "row")
        return
    for sentence in sentences(block.text):
        leads_on = sentence.endswith((":", "："))
        letters = sum(character.isalpha() or character.isspace() for character in sentence)
        is_empty = leads_on and len(sentence) <= _LONGEST_LEAD_IN
        if is_empty or letters < _SMALLEST_SHARE_OF_LETTERS * len(sentence):
            continue
        text = f"{sentence[:-1]}…" if leads_on else sentence
        prose: Form = "prose" if _END_MARK.search(text) else "fragment"
        yield Sentence(text, "item" if block.form == "item" else prose)
