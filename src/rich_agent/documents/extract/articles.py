"""Reduces a page to the blocks of its article, which trafilatura finds.

The blocks are the page's own, with the links, tables and ids that trafilatura's text lacks.
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
    """The text that trafilatura finds, "" if none or if the page is too large. May change it."""
    if sum(1 for _ in page.body.iter("p", "li", "td", "pre")) > _MOST_TO_JUDGE:
        return ""
    # It takes a quarter of the time in which a reader starts, and only web pages need it.
    import trafilatura  # noqa: PLC0415 - see above

    return trafilatura.extract(page, include_comments=False) or ""


def keep_article(body: HtmlElement, text: str) -> None:
    """Drop the blocks that do not belong to this text, unless none does."""
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
    holders = {above for block in body.iterdescendants(*_BLOCKS) for above in block.iterancestors()}
    for holder in [element for element in body.iter() if element in holders]:
        children = list(holder)
        run = E.div(holder.text or "")
        runs = [run]
        holder.text = None
        holder.insert(0, run)
        for child in children:
            if child in holders or child.tag in _BLOCKS:
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
    """Which of the blocks occur in the text; short blocks count next to long ones."""
    letters = [_letters(block.text_content()) for block in blocks]
    matches = [False] * len(blocks)
    marks = [(-1, 0, 0)]
    for at, words in enumerate(letters):
        if len(words) >= _TELLING and (place := _place(words, text, marks[-1][2])):
            matches[at] = True
            marks.append((at, *place))
    for (a, _, end), (b, start, _) in pairwise([*marks, (len(blocks), len(text), len(text))]):
        short = [at for at in range(a + 1, b) if 0 < len(letters[at]) < _TELLING]
        reach = 2 * sum(len(letters[at]) for at in short) + _NEARBY
        if 0 <= start - end <= reach:
            between = text[end:start]
        else:
            after = text[end : end + reach] if a >= 0 else ""
            before = text[max(0, start - reach) : start] if b < len(blocks) else ""
            between = f"{after} {before}"
        position = 0
        for at in short:
            here = between.find(letters[at], position)
            if here >= 0:
                matches[at], position = True, here + len(letters[at])
    return matches


def _letters(text: str) -> str:
    return "".join(_WORDS.findall(text))


def _place(letters: str, text: str, begin: int) -> tuple[int, int] | None:
    """Start and end of a block in a text, preferably after `begin`.

    Some of its words may be missing, but not both the first and the last.
    """
    for origin in (begin, 0):
        start = text.find(letters[:_TELLING], origin)
        end = text.find(letters[-_TELLING:], max(start, origin))
        if start >= 0 or end >= 0:
            return (start if start >= 0 else end), (end if end >= 0 else start) + _TELLING
    return None


def _complete_matches(blocks: Sequence[HtmlElement], matches: Sequence[bool]) -> Iterator[bool]:
    """Add the heading, the lead and neighbouring paragraphs; remove links to other articles."""
    first, last = matches.index(True), len(matches) - matches[::-1].index(True) - 1
    tops = [at for at, block in enumerate(blocks[: first + 1]) if block.tag == "h1"]
    top = tops[-1] if tops else first
    rows = {block.getparent() for block, is_found in zip(blocks, matches, strict=True) if is_found}
    for at, block in enumerate(blocks):
        length, links = length_of(block), length_of_links(block)
        if at == top or (block.tag in _CELLS and block.getparent() in rows):
            yield True
        elif matches[at]:
            yield length < _SHORT or links < _MANY_LINKS * length
        else:
            is_near = at < first or (at < last and (matches[at - 1] or matches[at + 1]))
            is_prose = length > _LONG and links < _FEW_LINKS * length
            yield at > top and is_near and is_prose and not _stands_aside(block)


def _stands_aside(block: HtmlElement) -> bool:
    above = (element.tag for element in block.iterancestors())
    return block.tag in _WITHOUT_LEAD or not _WITHOUT_LEAD.isdisjoint(above)


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
    while block.tag != "body" and (holder := block.getparent()) is not None:
        block.drop_tree()
        if any(map(str.strip, holder.itertext())):
            return
        block = holder
