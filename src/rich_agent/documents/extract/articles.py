"""Reduces a page to the blocks of its article, which trafilatura finds.

The blocks are those of the page, because their links, tables and ids are missing in trafilatura's
text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lxml.html import HtmlElement
from lxml.html.builder import E

from rich_agent.documents.extract.boilerplate import length_of, length_of_links
from rich_agent.documents.extract.headings import HEADINGS

_BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
     "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
     "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "summary",
     "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul")
)  # fmt: skip
_WITHOUT_LEAD = frozenset(("aside", "figcaption", "figure", "footer", "form"))
_CELLS = frozenset(("td", "th"))
_WORDS = re.compile(r"[^\W_]+")
_TELLING = 40  # a run of this many letters hardly occurs twice on a page
_NEARBY = 80
_LONG = 100
_SHORT = 50
_DEEPEST = len(HEADINGS)
_MANY_LINKS = 0.5
_FEW_LINKS = 0.2
# Trafilatura takes 20 s for a page of 16,000 paragraphs, and its time grows with their square.
_MOST_TO_JUDGE = 4_000


def article_text(page: HtmlElement) -> str:
    """The text of a page's article, "" for none or if the page is too large. May change `page`."""
    if sum(1 for _ in page.body.iter("p", "li", "td", "pre")) > _MOST_TO_JUDGE:
        return ""
    # The import takes a quarter of the time in which a reader starts; only web pages need it.
    import trafilatura  # noqa: PLC0415 - see above

    return trafilatura.extract(page, include_comments=False) or ""


def keep_article(body: HtmlElement, text: str) -> None:
    """Drop the blocks that do not belong to `text`, unless no block belongs to it."""
    _wrap_runs(body)
    blocks = [block for block in body.iter(*_BLOCKS) if _is_leaf(block)]
    matches = _matching_blocks(blocks, _letters(text))
    if not any(matches):
        return
    for block, keep in zip(blocks, list(_complete_matches(blocks, matches)), strict=True):
        if not keep:
            _drop(block)
    _drop_bare_headings(body)


def _wrap_runs(body: HtmlElement) -> None:
    """Wrap loose text next to blocks into separate blocks."""
    parents = {
        ancestor for block in body.iterdescendants(*_BLOCKS) for ancestor in block.iterancestors()
    }
    for parent in [element for element in body.iter() if element in parents]:
        children = list(parent)
        run = E.div(parent.text or "")
        runs = [run]
        parent.text = None
        parent.insert(0, run)
        for child in children:
            if child in parents or child.tag in _BLOCKS:
                run = E.div(child.tail or "")
                runs.append(run)
                child.tail = None
                child.addnext(run)
            else:
                run.append(child)
        for run in runs:
            if not run.text_content().strip():
                run.drop_tag()


def _is_leaf(block: HtmlElement) -> bool:
    return next(block.iterdescendants(*_BLOCKS), None) is None


def _matching_blocks(blocks: Sequence[HtmlElement], text: str) -> list[bool]:
    """For each block, whether it occurs in the text.

    A short block counts only next to a long block that occurs there.
    """
    block_letters = [_letters(block.text_content()) for block in blocks]
    matches = [False] * len(blocks)
    matches_so_far = [(-1, 0, 0)]
    for index, letters in enumerate(block_letters):
        if len(letters) >= _TELLING and (span := _block_span(letters, text, matches_so_far[-1][2])):
            matches[index] = True
            matches_so_far.append((index, *span))
    for (previous_index, _, end), (next_index, start, _) in pairwise(
        [*matches_so_far, (len(blocks), len(text), len(text))]
    ):
        short_indexes = [
            index
            for index in range(previous_index + 1, next_index)
            if 0 < len(block_letters[index]) < _TELLING
        ]
        window_length = 2 * sum(len(block_letters[index]) for index in short_indexes) + _NEARBY
        if 0 <= start - end <= window_length:
            window = text[end:start]
        else:
            text_after = text[end : end + window_length] if previous_index >= 0 else ""
            text_before = (
                text[max(0, start - window_length) : start] if next_index < len(blocks) else ""
            )
            window = f"{text_after} {text_before}"
        search_start = 0
        for index in short_indexes:
            offset = window.find(block_letters[index], search_start)
            if offset >= 0:
                matches[index], search_start = True, offset + len(block_letters[index])
    return matches


def _letters(text: str) -> str:
    return "".join(_WORDS.findall(text))


def _block_span(letters: str, text: str, begin: int) -> tuple[int, int] | None:
    """Start and end of a block in a text, preferably after `begin`.

    Some words of the block may be missing, but not both the first and the last.
    """
    for search_start in (begin, 0):
        start = text.find(letters[:_TELLING], search_start)
        end = text.find(letters[-_TELLING:], max(start, search_start))
        if start >= 0 or end >= 0:
            return (start if start >= 0 else end), (end if end >= 0 else start) + _TELLING
    return None


def _complete_matches(blocks: Sequence[HtmlElement], matches: Sequence[bool]) -> Iterator[bool]:
    """For each block, whether the article keeps it.

    Besides the matches, the title, the lead and paragraphs next to matches are kept. Matches that
    are links to other articles are not.
    """
    first_match, last_match = matches.index(True), len(matches) - matches[::-1].index(True) - 1
    title_indexes = [
        index for index, block in enumerate(blocks[: first_match + 1]) if block.tag == "h1"
    ]
    title_index = title_indexes[-1] if title_indexes else first_match
    matching_rows = {
        block.getparent() for block, is_match in zip(blocks, matches, strict=True) if is_match
    }
    for index, block in enumerate(blocks):
        length, link_length = length_of(block), length_of_links(block)
        if index == title_index or (block.tag in _CELLS and block.getparent() in matching_rows):
            yield True
        elif matches[index]:
            yield length < _SHORT or link_length < _MANY_LINKS * length
        else:
            is_near = index < first_match or (
                index < last_match and (matches[index - 1] or matches[index + 1])
            )
            is_prose = length > _LONG and link_length < _FEW_LINKS * length
            yield index > title_index and is_near and is_prose and not _stands_aside(block)


def _stands_aside(block: HtmlElement) -> bool:
    ancestor_tags = (element.tag for element in block.iterancestors())
    return block.tag in _WITHOUT_LEAD or not _WITHOUT_LEAD.isdisjoint(ancestor_tags)


def _drop_bare_headings(body: HtmlElement) -> None:
    """Drop headings with nothing left below them."""
    open_level = 1
    for block in reversed([block for block in body.iter(*_BLOCKS) if _is_leaf(block)]):
        level = HEADINGS.index(block.tag) + 1 if block.tag in HEADINGS else _DEEPEST + 1
        if open_level <= level <= _DEEPEST and level > 1:
            _drop(block)
        elif block.text_content().strip():
            open_level = level


def _drop(block: HtmlElement) -> None:
    """Drop a block, and parents that become empty."""
    while block.tag != "body" and (parent := block.getparent()) is not None:
        block.drop_tree()
        if any(map(str.strip, parent.itertext())):
            return
        block = parent
