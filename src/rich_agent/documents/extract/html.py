"""Converts HTML to Markdown: the main content of a page, without hidden text.

Headings keep their ids as `{#id}`.
"""

import re
from collections.abc import Sequence
from copy import deepcopy
from urllib.parse import unquote, urljoin, urlsplit

import lxml.html
from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from lxml.etree import ParserError, XPath
from lxml.html import HtmlElement
from lxml.html.builder import E

from rich_agent.documents.extract.articles import article_text, keep_article
from rich_agent.documents.extract.boilerplate import (
    densest_content,
    drop_chrome,
    is_documentation,
    marked_content,
)
from rich_agent.documents.extract.definitions import open_definitions
from rich_agent.documents.extract.headings import mark_headings
from rich_agent.documents.extract.hidden import is_hidden

# All runs of white space except a single space; each becomes a single space.
_BLANKS = re.compile(r"[\t\n\r\f][ \t\n\r\f]*+| [ \t\n\r\f]++")
_BREAK_IN_CJK = re.compile(r"(?<=[、-鿿＀-￯])[ \t]*\n[ \t]*(?=[、-鿿＀-￯])")
# At the start of a block, Markdown would read these as raw HTML, often up to the document's end.
_TAG_LIKE = re.compile(r"\A(\s*)<(?=[A-Za-z/!?])")
_PATH_END = re.compile(r"(?:/index)?(?:\.[a-z]{3,5})?/?\Z", re.IGNORECASE)
_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)
_OF_HEAD = frozenset(("title", "meta", "link", "base", "script", "style", "noscript", "template"))
_BLOCKS = ("ul", "ol", "pre", "table", "h1", "h2", "h3", "h4", "blockquote")
_SMALL_CODE = XPath(".//tt | .//span[contains(@class, 'docutils literal')]")
_LONGEST_LINK = 120
_OPTIONS = ConversionOptions(
    compact_tables=True,
    extract_metadata=False,
    expand_abbreviations=False,
    include_blockquote_citations=False,
    highlight_style="none",
    preprocessing=PreprocessingOptions(enabled=False),
)
_FEWEST_LETTERS = 250  # for shorter pages, trafilatura is not reliable


def page_title(page: HtmlElement) -> str:
    """The title in the page's head, "" if it has none."""
    title = page.find(".//title")
    return "" if title is None else " ".join(title.text_content().split())


def parse_page(text: str) -> HtmlElement | None:
    """The tree of a page, None if it is empty."""
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        page = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser)
    except ParserError:
        return None
    _complete_body(page)
    return page if page.body is not None else None


def _complete_body(page: HtmlElement) -> None:
    """Move the content of a page without body tags into its body.

    The parser knows HTML 4, so it takes elements such as main for parts of the head.
    """
    head = page.find("head")
    stray = [child for child in head if child.tag not in _OF_HEAD] if head is not None else []
    if stray and page.body is None:
        page.append(E.body())
    for place, child in enumerate(stray):
        page.body.insert(place, child)


def canonical_url(page: HtmlElement, url: str) -> str:
    """The address that the page names as its own; "" if there is none or it is not credible."""
    base = page.find(".//base[@href]")
    for link in page.iterfind(".//link[@rel][@href]"):
        if "canonical" in link.get("rel", "").lower().split():
            start = _joined(url, base.get("href")) if base is not None else url
            named = _joined(start, link.get("href"))
            return named if _may_be_own(named, url) else ""
    return ""


def _may_be_own(named: str, url: str) -> bool:
    """Whether the author of the page at `url` may claim the address `named` for it.

    A host may have many authors, each with their own path prefix. So the path must be the same in
    any spelling, or within the page's own directory if that is not the root.
    """
    if not _ABSOLUTE.match(named):
        return False
    other, own = urlsplit(named), urlsplit(url)
    if other.netloc != own.netloc or (own.scheme, other.scheme) == ("https", "http"):
        return False
    directory = own.path.rpartition("/")[0] + "/"
    is_straight = ".." not in unquote(other.path)
    within = directory != "/" and other.path.startswith(directory) and is_straight
    return within or _bare_path(other.path) == _bare_path(own.path)


def _bare_path(path: str) -> str:
    """The path without an index file, a suffix such as .html, and a trailing slash."""
    return _PATH_END.sub("", path)


def page_markdown(page: HtmlElement) -> str:
    """The page's main content as Markdown, "" if there is none. Changes the tree.

    For documentation and very short pages, this is the only article or main element, else the
    innermost element with nearly all prose; for others, the article that trafilatura finds.
    """
    is_reference = is_documentation(page)
    untouched = deepcopy(page)
    drop_chrome(page.body, is_hidden)
    content = marked_content(page.body)
    if content is None:
        content = densest_content(page.body)
    if content is not None and is_reference:
        return _converted(content)
    text = article_text(untouched)
    if content is None or len(text) >= _FEWEST_LETTERS:
        keep_article(page.body, text)
        content = page.body
    return _converted(content)


def whole_markdown(page: HtmlElement) -> str:
    """The whole visible page as Markdown. Changes the tree."""
    drop_chrome(page.body, is_hidden)
    return _converted(page.body)


def _joined(base: str, link: str) -> str:
    try:
        return urljoin(base, link.strip())
    except ValueError:
        return ""


def _converted(element: HtmlElement) -> str:
    """Markdown with GitHub's tables, fenced code, one line per paragraph, and ids of headings."""
    mark_headings(element)
    open_definitions(element)
    _plain_links(element)
    _plain_code(element)
    _open_layout_tables(element)
    _fold_lines(element)
    markup = lxml.html.tostring(element, encoding="unicode", with_tail=False)
    markdown: str = convert(markup, _OPTIONS).content or ""
    return markdown


def _plain_links(element: HtmlElement) -> None:
    """Keep short absolute links; of other links, keep only the text.

    The target of a relative link depends on the document's address, but the same document has to
    give the same text from every address.
    """
    for link in list(element.iter("a")):
        target = link.get("href", "")
        link.attrib.clear()
        if _ABSOLUTE.match(target) and len(target) <= _LONGEST_LINK and link.text_content().strip():
            link.set("href", target)
        else:
            link.drop_tag()


def _plain_code(element: HtmlElement) -> None:
    """Take code blocks out of tables and quotations that are only layout."""
    for block in list(element.iter("table", "blockquote")):
        codes = block.findall(".//pre")
        if len(codes) == 1 and block.text_content().strip() == codes[0].text_content().strip():
            codes[0].tail = block.tail
            block.getparent().replace(block, codes[0])
    for inline in _SMALL_CODE(element):
        inline.tag = "code"


def _open_layout_tables(element: HtmlElement) -> None:
    """Turn the cells of layout tables into blocks."""
    for table in list(element.iter("table")):
        rows = table.xpath("./tr | ./*/tr")
        has_blocks = any(table.find(f".//td//{tag}") is not None for tag in _BLOCKS)
        if table.find(".//th") is None and has_blocks and (len(rows) == 1 or _has_columns(rows)):
            for part in [table, *table.xpath("./*"), *rows, *table.xpath("./tr/* | ./*/tr/*")]:
                part.tag = "div"


def _has_columns(rows: Sequence[HtmlElement]) -> bool:
    """Whether most of the rows contain blocks of text."""
    filled = sum(1 for row in rows if any(row.find(f".//{tag}") is not None for tag in _BLOCKS))
    return 2 * filled > len(rows)


def _fold_lines(element: HtmlElement) -> None:
    """Replace line ends by spaces, except in code blocks."""
    kept = {inner for code in element.iter("pre") for inner in code.iter()}
    for inner in element.iter():
        if inner.text and inner not in kept:
            inner.text = _fold(inner.text)
        if inner.tail and inner.getparent() not in kept:
            inner.tail = _fold(inner.tail)


def _fold(text: str) -> str:
    if "\n" in text:
        text = _BREAK_IN_CJK.sub("", text)
    return _TAG_LIKE.sub(r"\1&lt;", _BLANKS.sub(" ", text))
