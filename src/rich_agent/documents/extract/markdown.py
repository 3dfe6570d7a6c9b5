"""Converts Markdown or plain text to sections: a heading path, an anchor, and blocks in order.

Blocks keep the original markup; nothing is rendered.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rich_agent.domain.text import normalized

BlockKind = Literal["text", "heading", "fence", "table"]

_ATTRIBUTES = re.compile(r"(?<!\s)\s*+\{:?([^{}]*+)\}\s*+$")
_ID_OR_CLASS = re.compile(r"#\S|\.[^\W\d]|-?[^\W\d][\w-]*=")
_ATTRIBUTE_LIST = re.compile(r"\{:([^{}]*+)\}")
_FRONT_MATTER = re.compile(
    r"\A\s*+(?:---[ \t]*+\n(.*?)\n(?:---|\.\.\.)|\+\+\+[ \t]*+\n(.*?)\n\+\+\+)[ \t]*+(?:\n|\Z)",
    re.DOTALL,
)
_FIELD = re.compile(r"(?:\s|#[^\n]*+\n)*+(?:[\"']?[\w.-]++[\"']?[ \t]*+[:=]|\[|\Z)")
# A title over several lines, after ">" or "|", does not count; the heading is taken instead.
_TITLE_FIELD = re.compile(r"^title[ \t]*+[:=][ \t]*+([^\s>|].*)", re.MULTILINE | re.IGNORECASE)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_FIRST_CHARACTERS = 500
_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text that is kept whole if it fits into a chunk."""

    text: str
    glue: str = "\n\n"
    """White space that separates the block from the previous one."""
    kind: BlockKind = "text"
    anchor: str = ""
    """Id that leads to the block, "" if there is none."""
    later_anchors: tuple[tuple[int, str], ...] = ()
    """Ids of later parts of the block, each with the offset in `text` where the part begins."""

    def parts(self) -> Iterator[tuple[str, str]]:
        """The parts of the text with their ids."""
        starts_and_anchors = [(0, self.anchor), *self.later_anchors]
        ends = [*(start for start, _ in self.later_anchors), len(self.text)]
        for (start, anchor), end in zip(starts_and_anchors, ends, strict=True):
            if part := self.text[start:end].strip():
                yield anchor, part


@dataclass(frozen=True, slots=True)
class Section:
    """The content under one heading, up to the next heading of any level."""

    path: tuple[str, ...]
    """Headings, outermost first; () before the first heading."""
    anchor: str
    """Id of the innermost heading, "" if it has none."""
    blocks: tuple[Block, ...]


@cache
def parser() -> MarkdownIt:
    """The Markdown parser: CommonMark with tables."""
    return _compile_rules(MarkdownIt("commonmark").enable("table"))


@cache
def _block_parser() -> MarkdownIt:
    """The Markdown parser without inline parsing, which takes a third of the time."""
    return _compile_rules(MarkdownIt("commonmark").enable("table").disable("inline"))


def _compile_rules(parser: MarkdownIt) -> MarkdownIt:
    """The parser with compiled rules, which it would otherwise compile with its first text.

    Threads share the parser. A second thread would find only some of the rules while the first
    compiles them.
    """
    for ruler in (parser.core.ruler, parser.block.ruler, parser.inline.ruler, parser.inline.ruler2):
        ruler.getRules("")
    return parser


def split_front_matter(text: str) -> tuple[str, str]:
    """The title in a YAML or TOML front matter ("" if none), and the text after it.

    Lines between two rules are front matter only if they begin with the name of a field.
    """
    match = _FRONT_MATTER.match(text)
    fields = (match[1] or match[2] or "") if match else ""
    if match is None or not _FIELD.match(fields):
        return "", text
    title = _TITLE_FIELD.search(fields)
    return (title[1].rstrip().strip("\"'") if title else ""), text[match.end() :]


def leading_heading(markdown: str) -> tuple[int, str]:
    """Level and words of the leading heading, (0, "") if text comes first."""
    # No heading spans an empty line, so the first paragraphs are enough for most texts.
    excerpt_end = markdown.find("\n\n", _FIRST_CHARACTERS)
    for excerpt in (markdown[: max(excerpt_end, 0)], markdown):
        tokens = _block_parser().parse(excerpt)
        first_index = next(
            (index for index, token in enumerate(tokens) if token.type != "hr"), None
        )
        if first_index is not None:
            break
    if first_index is None or tokens[first_index].type != "heading_open":
        return 0, ""
    return int(tokens[first_index].tag[1]), _heading_words(tokens[first_index + 1])[0]


def top_headings(markdown: str) -> list[str]:
    """The words of each level-1 heading outside quotations and lists, in order."""
    tokens = _block_parser().parse(markdown)
    return [
        _heading_words(tokens[index + 1])[0]
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.tag == "h1"
    ]


def sections_markdown(sections: Iterable[Section]) -> str:
    """The sections as Markdown, each with its headings that the section before does not share."""
    pieces: list[str] = []
    before: tuple[str, ...] = ()
    for section in sections:
        same = takewhile(
            lambda names: names[0] == names[1], zip(before, section.path, strict=False)
        )
        depth = min(len(list(same)), len(section.path) - 1)
        pieces += (
            f"{'#' * level} {name}"
            for level, name in enumerate(section.path, start=1)
            if level > depth
        )
        pieces.append(_text(section))
        before = section.path
    return "\n\n".join(pieces)


def _text(section: Section) -> str:
    return "\n\n".join(block.text for block in section.blocks)


def text_sections(text: str) -> list[Section]:
    """Plain text as one section of paragraphs."""
    paragraphs = [
        paragraph.rstrip() for paragraph in _PARAGRAPH_BREAK.split(text) if paragraph.strip()
    ]
    return (
        [Section((), "", tuple(Block(paragraph) for paragraph in paragraphs))] if paragraphs else []
    )


def markdown_sections(markdown: str, *, slugs: bool, bare_headings: bool = False) -> list[Section]:
    """The sections with text, in order.

    With `slugs`, a heading without an explicit `{#id}` gets the anchor that GitHub would give it.
    With `bare_headings`, a heading with neither text nor headings under it is a block of its own,
    as the items of an agenda are.
    """
    reader = _SectionReader(markdown.split("\n"), slugs=slugs, bare_headings=bare_headings)
    tokens = _block_parser().parse(markdown)
    for index, token in enumerate(tokens):
        if token.level != 0:
            continue
        if token.type == "heading_open":
            reader.open_section(int(token.tag[1]), tokens[index + 1])
        elif token.map is not None and token.type != "hr":
            reader.add(tokens, index)
    return reader.finish()


class _SectionReader:
    """Collects blocks under the current heading."""

    def __init__(self, lines: Sequence[str], *, slugs: bool, bare_headings: bool) -> None:
        self._lines = lines
        self._keeps_bare_headings = bare_headings
        self._slugger = _Slugger() if slugs else None
        self._path: list[tuple[int, str]] = []
        self._level = 0  # of the current heading, 0 without words
        self._anchor = ""
        self._blocks: list[Block] = []
        self._sections: list[Section] = []

    def open_section(self, level: int, inline: Token) -> None:
        """Close the current section and begin the one under this heading."""
        self._close(level)
        words, explicit_id = _heading_words(inline)
        self._path = [(depth, name) for depth, name in self._path if depth < level]
        self._level = level if words else 0
        if words:
            self._path.append((level, words))
        slug = self._slugger.slug(words) if self._slugger else ""
        self._anchor = explicit_id or slug

    def add(self, tokens: Sequence[Token], index: int) -> None:
        """Add the block that begins at a top-level token; a list is added as its items."""
        token = tokens[index]
        kind: BlockKind = "text"
        if token.type == "fence":
            kind = "fence"
        elif token.type == "table_open":
            kind = "table"
        block_tokens = [token]
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            block_tokens = list(_items(tokens, index))
        for block_token in block_tokens:
            self._add_lines(block_token, kind)

    def _add_lines(self, token: Token, kind: BlockKind) -> None:
        if token.map is None:
            return
        first_line, end_line = token.map
        text = "\n".join(self._lines[first_line:end_line]).strip("\n").rstrip()
        if text.strip():
            follows_blank_line = first_line == 0 or not self._lines[first_line - 1].strip()
            self._blocks.append(Block(text, "\n\n" if follows_blank_line else "\n", kind))

    def _close(self, next_level: int = 0) -> None:
        """End the current section; the next one begins with a heading of `next_level`."""
        path = tuple(name for _, name in self._path)
        if self._blocks:
            self._sections.append(Section(path, self._anchor, tuple(self._blocks)))
        elif self._keeps_bare_headings and self._level >= max(next_level, 1):
            self._sections.append(
                Section(path[:-1], self._anchor, (Block(path[-1], kind="heading"),))
            )
        self._blocks = []

    def finish(self) -> list[Section]:
        """All sections."""
        self._close()
        return self._sections


def _items(tokens: Sequence[Token], start: int) -> Iterator[Token]:
    for token in tokens[start + 1 :]:
        if token.level == 0:
            return
        if token.level == 1 and token.type == "list_item_open":
            yield token


def _heading_words(block: Token) -> tuple[str, str]:
    """A heading's words without markup and attributes, and its id ("" if it has none).

    Attributes are a list at the end of the heading, as in `{#id .class}`, or with a colon, as in
    `{: #id}`. Sources: Pandoc, `header_attributes`; Python-Markdown, `attr_list`.
    """
    (inline,) = parser().parseInline(block.content)
    words = " ".join(plain_words(inline).split())
    match = _ATTRIBUTES.search(words)
    attributes = match[1].split() if match else []
    if not match or not attributes or not all(map(_ID_OR_CLASS.match, attributes)):
        return words, ""
    return words[: match.start()], next(
        (attribute[1:] for attribute in attributes if attribute[0] == "#"), ""
    )


def is_attribute_list(text: str) -> bool:
    """Whether a text only gives attributes to the text before it, as in `{: .note}`.

    Source: kramdown, "Inline Attribute Lists".
    """
    match = _ATTRIBUTE_LIST.fullmatch(text.strip())
    attributes = match[1].split() if match else []
    return bool(attributes) and all(
        attribute == "toc" or _ID_OR_CLASS.match(attribute) for attribute in attributes
    )


def plain_words(inline: Token) -> str:
    """The text of an inline token as displayed."""
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content
        for child in inline.children or ()
        if child.type in {"text", "code_inline", "softbreak", "hardbreak"}
    )


class _Slugger:
    """Anchors as GitHub makes them: lower case, hyphens for spaces, a number after repeated ones.

    Source: https://docs.github.com/en/get-started/writing-on-github (section links).
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def slug(self, words: str) -> str:
        """The anchor of the next heading with these words."""
        base = _NOT_IN_SLUG.sub("", normalized("NFC", words).lower()).replace(" ", "-")
        count = self._seen.get(base, 0)
        self._seen[base] = count + 1
        return f"{base}-{count}" if count else base
