"""HTML to Markdown: the main content of a page, without what a reader does not see.

Headings keep their ids as `{#id}`.
"""

import re
import subprocess
import sys

import lxml.html
from html_to_markdown import ConversionOptions, convert
from lxml.etree import ParserError
from lxml.html import HtmlElement

_DEADLINE_S = 20.0
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NO_TEXT = (
    "script", "style", "template", "noscript", "iframe", "object", "svg", "canvas", "audio",
    "video", "img", "picture", "button", "input", "select", "textarea", "dialog",
    "nav", "footer",
)  # fmt: skip
_PROSE = frozenset({*_HEADINGS, "p", "ul", "ol", "dl", "pre", "table", "blockquote", "details"})
_HIDING_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE
)
_HIDING_CLASSES = frozenset({"sr-only", "visually-hidden", "screen-reader-text", "linenos"})
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_BREAK_IN_CJK = re.compile(r"(?<=[、-鿿＀-￯])[ \t]*\n[ \t]*(?=[、-鿿＀-￯])")
_NOT_IN_ANCHOR = re.compile(r"[\s{}*`<>\\\[\]]")
# Where such words open a block, Markdown would read raw HTML, often up to the document's end.
_TAG_LIKE = re.compile(r"\A(\s*)<(?=[A-Za-z/!?])")
_WORD = re.compile(r"\w")
_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)


def page_title(page: HtmlElement) -> str:
    """The title in the page's head, "" without one."""
    title = page.find(".//title")
    return "" if title is None else " ".join(title.text_content().split())


def parse_page(text: str) -> HtmlElement | None:
    """The tree of a page, None if there is nothing in it."""
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        page = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser)
    except ParserError:
        return None
    return page if page.body is not None else None


def page_markdown(page: HtmlElement) -> str:
    """The page's main content as Markdown, "" if there is none. The tree is changed.

    The only article or main element is the content, or the body of a page that has nothing around
    its text. On other pages trafilatura finds it; where that finds nothing, or not in 20 s, it is
    the whole body.
    """
    _clean(page.body)
    content = _marked_content(page.body)
    if content is None and _is_prose(page.body):
        content = page.body
    if content is not None:
        return _converted(content)
    return _found_content(page) or _converted(page.body)


def whole_markdown(page: HtmlElement) -> str:
    """All that is seen of the page as Markdown. The tree is changed."""
    _clean(page.body)
    return _converted(page.body)


def _converted(element: HtmlElement) -> str:
    """GitHub's tables, fenced code, one line per paragraph; relative links are words alone."""
    for link in list(element.iter("a")):
        if not _ABSOLUTE.match(link.get("href", "")):
            link.drop_tag()
    _fold_lines(element)
    markup = lxml.html.tostring(element, encoding="unicode", with_tail=False)
    options = ConversionOptions(compact_tables=True, extract_metadata=False)
    markdown: str = convert(markup, options).content or ""
    return markdown


def _clean(body: HtmlElement) -> None:
    """Drop what is not seen or not text, and write the ids of headings behind their words."""
    for element in list(body.iterdescendants()):
        if element.tag in _NO_TEXT or element.get("role") == "navigation" or _is_hidden(element):
            element.drop_tree()
    for heading in list(body.iter(*_HEADINGS)):
        _mark(heading)


def _is_hidden(element: HtmlElement) -> bool:
    # What is hidden until it is found may be searched for, so it may be read.
    return (
        element.get("hidden", "until-found") != "until-found"
        or element.get("aria-hidden", "").strip().lower() == "true"
        or _HIDING_STYLE.search(element.get("style", "")) is not None
        or not _HIDING_CLASSES.isdisjoint(element.classes)
    )


def _mark(heading: HtmlElement) -> None:
    """Write the heading's id behind its words, and drop the links that only lead to it."""
    anchor = _anchor(heading)
    for link in list(heading.iter("a")):
        if link.get("href", "").startswith("#") and _has_words_besides(heading, link):
            link.drop_tree()
        else:
            link.drop_tag()
    if anchor and heading.text_content().strip():
        _append_text(heading, f" {{#{anchor}}}")


def _append_text(element: HtmlElement, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _anchor(heading: HtmlElement) -> str:
    """The id that leads to a heading: its own, one within it, or its section's."""
    ids = [heading.get("id")]
    ids += [link.get("id") or link.get("name") for link in heading.iter("a")]
    parent = heading.getparent()
    if parent is not None and parent.tag in {"section", "div"} and parent.index(heading) == 0:
        ids.append(parent.get("id"))
    return next((anchor for anchor in ids if anchor and not _NOT_IN_ANCHOR.search(anchor)), "")


def _has_words_besides(heading: HtmlElement, link: HtmlElement) -> bool:
    return len(_WORD.findall(heading.text_content())) > len(_WORD.findall(link.text_content()))


def _marked_content(body: HtmlElement) -> HtmlElement | None:
    """The only article or main element; of both, main if the article is a small part of it."""
    articles = body.xpath(".//article")
    mains = body.xpath(".//main | .//*[@role='main'][not(self::main)]")
    article = articles[0] if len(articles) == 1 else None
    main = mains[0] if len(mains) == 1 else None
    if article is None or main is None:
        return main if article is None else article
    return main if 2 * len(article.text_content()) < len(main.text_content()) else article


def _is_prose(body: HtmlElement) -> bool:
    """Whether most of the text stands in the body itself, or in its only element, and so on."""
    holder = body
    while len(holder) == 1 and holder[0].tag in {"div", "section", "center"}:
        holder = holder[0]
    prose = sum(len(child.text_content()) for child in holder if child.tag in _PROSE)
    return 2 * prose > len(body.text_content())


def _found_content(page: HtmlElement) -> str:
    """What trafilatura takes for the content, in a process that can be ended; "" if nothing."""
    command = [sys.executable, "-m", "trafilatura.cli", "--markdown", "--no-comments"]
    markup = lxml.html.tostring(page, encoding="utf-8")
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no word of the command is from outside
            command, input=markup, capture_output=True, timeout=_DEADLINE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    found: str = done.stdout.decode("utf-8", errors="replace")
    return found.strip()


def _fold_lines(element: HtmlElement) -> None:
    """Let only code keep its line ends, which mean a space elsewhere."""
    kept = {inner for code in element.iter("pre", "code") for inner in code.iter()}
    for inner in element.iter():
        if inner.text and inner not in kept:
            inner.text = _fold(inner.text)
        if inner.tail and inner.getparent() not in kept:
            inner.tail = _fold(inner.tail)


def _fold(text: str) -> str:
    return _TAG_LIKE.sub(r"\1&lt;", _BLANKS.sub(" ", _BREAK_IN_CJK.sub("", text)))
