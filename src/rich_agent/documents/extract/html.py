"""Converts HTML to Markdown: the main content of a page, without hidden text.

Headings keep their ids as `{#id}`.
"""

import re
from collections.abc import Mapping, Sequence
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
from rich_agent.documents.extract.colours import WHITE, Colour, is_unreadable, named_colour
from rich_agent.documents.extract.definitions import open_definitions
from rich_agent.documents.extract.disclosures import open_disclosures
from rich_agent.documents.extract.headings import mark_headings
from rich_agent.documents.extract.merged_cells import spread_merged_cells
from rich_agent.documents.extract.scripts import lowered_text, raised_text

# Classes by which frameworks keep text for screen readers alone. Sources: Bootstrap 3 to 5,
# Foundation, Drupal, WordPress, Angular, GOV.UK, HTML5 Boilerplate.
_UNSEEN_CLASSES = frozenset(
    ("sr-only", "visually-hidden", "visually-hidden-focusable", "visuallyhidden", "show-for-sr",
     "screen-reader-text", "screen-reader-only", "element-invisible", "cdk-visually-hidden",
     "govuk-visually-hidden", "u-visually-hidden", "a11y-hidden")
)  # fmt: skip
# Classes that display nothing, unless another class displays the element on wide screens.
_NO_DISPLAY_CLASSES = frozenset({"hidden", "d-none", "is-hidden"})
_DISPLAYED_ELSEWHERE = re.compile(
    r"[\w-]{1,20}:(?!hidden)\w|d-(?:sm|md|lg|xl|xxl|print)-(?!none)\w"
)
_NOTHING = re.compile(r"[+-]?0*+(?:\.0*+)?(?:px|em|rem|ex|ch|pt|pc|cm|mm|in|%|vw|vh)?")
_FAR_OUT = re.compile(r"-\s*\d{3,}")
_FARTHER_OUT = re.compile(r"-\s*\d{4,}")
_UNSEEN_CLIP = re.compile(r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01]")
_UNSEEN_PATH = re.compile(r"inset\(\s*(?:100|[5-9]\d)%|circle\(\s*0")
_UNSEEN_SCALE = re.compile(r"(?:scale[xy]?|scale3d)\(\s*+(?:0?\.0*+|0*+)\s*+[,)]")
_TINY_FONT = re.compile(r"[+-]?(?:0*\.\d+|[01](?:\.\d*)?)px|[+-]?0*\.0\d*(?:r?em|%)?")
_CHANNELS = re.compile(r"\d+(?:\.\d+)?%?")
_HIDING_RULE = re.compile(
    r"(?:^|(?<=\}))\s{0,99}\.([\w-]{1,60})\s{0,9}\{[^{}]{0,300}?\bdisplay\s{0,9}:\s{0,9}none"
)
_CHANGING_STYLES = re.compile(r"@media|@import|:(?:hover|checked|target|focus|active|has)\b")
_CONTROLS = ("script", "button", "input", "select", "label", "link")


def is_hidden(element: HtmlElement) -> bool:
    """Whether the element's own attributes hide it.

    `hidden="until-found"` does not count, because a browser's search finds such text.
    """
    if (
        element.get("hidden", "until-found") != "until-found"
        or element.get("aria-hidden", "").strip().lower() == "true"
        or ("class" in element.attrib and _has_hiding_class(element))
    ):
        return True
    if "style" not in element.attrib and element.tag != "font":
        return False
    style = _declarations(element)
    return _takes_no_part(style) or _is_out_of_sight(style) or _has_papers_colour(element, style)


def _has_hiding_class(element: HtmlElement) -> bool:
    """Whether a class is known to hide an element.

    Panels of tabs do not count: a click shows them.
    """
    classes = element.get("class", "").split()
    if not _UNSEEN_CLASSES.isdisjoint(classes):
        return True
    if _NO_DISPLAY_CLASSES.isdisjoint(classes) or element.get("role") == "tabpanel":
        return False
    return not any(map(_DISPLAYED_ELSEWHERE.match, classes))


def _hide_by_classes(page: HtmlElement) -> None:
    """Mark what the page's own styles never display: nothing on such a page can show it."""
    styles = "}".join(style.text or "" for style in page.iter("style"))
    classes = {rule[1] for rule in _HIDING_RULE.finditer(styles)}
    if (
        not classes
        or _CHANGING_STYLES.search(styles)
        or next(page.iter(*_CONTROLS), None) is not None
    ):
        return
    for element in page.iter():
        if not classes.isdisjoint(element.get("class", "").split()):
            element.set("hidden", "")


def _declarations(element: HtmlElement) -> dict[str, str]:
    """The properties of the style attribute in lower case; of equal names, the last one counts."""
    style = element.get("style", "").lower().replace("!important", "")
    pairs = (declaration.partition(":") for declaration in style.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _takes_no_part(style: Mapping[str, str]) -> bool:
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
        or _is_nothing(style.get("opacity"))
        or _TINY_FONT.fullmatch(style.get("font-size", "")) is not None
        or _is_nothing(style.get("font-size"))
        or style.get("color") == "transparent"
        or style.get("-webkit-text-fill-color") == "transparent"
    )


def _is_out_of_sight(style: Mapping[str, str]) -> bool:
    is_positioned = style.get("position") in {"absolute", "fixed"}
    sides = (style.get(side, "") for side in ("left", "top", "right", "bottom"))
    boxes = ("width", "height", "max-width", "max-height")
    return (
        (is_positioned and any(map(_FAR_OUT.match, sides)))
        or _FAR_OUT.match(style.get("text-indent", "")) is not None
        or _FARTHER_OUT.match(style.get("margin-left", "")) is not None
        or _UNSEEN_CLIP.match(style.get("clip", "")) is not None
        or _UNSEEN_PATH.match(style.get("clip-path", "")) is not None
        or _UNSEEN_SCALE.search(style.get("transform", "")) is not None
        or (
            "hidden" in style.get("overflow", "")
            and any(_is_nothing(style.get(box)) for box in boxes)
        )
    )


def _is_nothing(value: str | None) -> bool:
    return value is not None and value != "" and _NOTHING.fullmatch(value) is not None


def _has_papers_colour(element: HtmlElement, style: Mapping[str, str]) -> bool:
    """Whether the text has the colour of its background, which is white by default."""
    ink = _colour(style.get("color") or element.get("color", ""))
    if ink is None:
        return False
    paper = next(filter(None, map(_paper, [element, *element.iterancestors()])), WHITE)
    return is_unreadable(ink, paper)


def _paper(element: HtmlElement) -> Colour:
    """The background colour in the element's own style."""
    style = _declarations(element)
    background = style.get("background-color") or style.get("background", "")
    return _colour(background or element.get("bgcolor", ""))


def _colour(colour_text: str) -> Colour:
    """Red, green and blue of the colour at the beginning of the words, None if there is none."""
    colour_text = colour_text.strip().lower()
    if colour_text.startswith("rgb"):
        channels = _CHANNELS.findall(colour_text)[:3]
        levels = [
            round(float(channel.rstrip("%")) * (2.55 if "%" in channel else 1))
            for channel in channels
        ]
        return (levels[0], levels[1], levels[2]) if len(levels) == 3 else None
    return named_colour(colour_text.partition(" ")[0])


# Characters that XML does not have, which pages write as `&#1;` or `&#xFFFF;`.
_FOREIGN = re.compile("[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")
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
_LONGEST_SCRIPT = 40
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
    """The tree of a page, None if the page is empty."""
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        page = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser)
    except ParserError:
        return None
    _drop_foreign_characters(page)
    _complete_body(page)
    _hide_by_classes(page)
    return page if page.body is not None else None


def _drop_foreign_characters(page: HtmlElement) -> None:
    """Drop what the parser lets through, but no tree may be given."""
    for element in page.iter():
        if element.text and _FOREIGN.search(element.text):
            element.text = _FOREIGN.sub("", element.text)
        if element.tail and _FOREIGN.search(element.tail):
            element.tail = _FOREIGN.sub("", element.tail)


def _complete_body(page: HtmlElement) -> None:
    """Move the content of a page without body tags into its body.

    The parser knows HTML 4, so it takes elements such as main for parts of the head.
    """
    head = page.find("head")
    body_elements = (
        [child for child in head if child.tag not in _OF_HEAD] if head is not None else []
    )
    if body_elements and page.body is None:
        page.append(E.body())
    for position, child in enumerate(body_elements):
        page.body.insert(position, child)


def canonical_url(page: HtmlElement, url: str) -> str:
    """The address that the page names as its own, "" if there is none or it is not credible."""
    base = page.find(".//base[@href]")
    for link in page.iterfind(".//link[@rel][@href]"):
        if "canonical" in link.get("rel", "").lower().split():
            base_url = _resolve_link(url, base.get("href")) if base is not None else url
            own_url = _resolve_link(base_url, link.get("href"))
            return own_url if _may_be_own(own_url, url) else ""
    return ""


def _may_be_own(claimed_url: str, url: str) -> bool:
    """Whether the author of the page at `url` may claim the address `claimed_url` for it.

    A host may have many authors, each with their own path prefix. So the path must be the same in
    any spelling, or within the page's own directory if that is not the root.
    """
    if not _ABSOLUTE.match(claimed_url):
        return False
    claimed, actual = urlsplit(claimed_url), urlsplit(url)
    if claimed.netloc != actual.netloc or (actual.scheme, claimed.scheme) == ("https", "http"):
        return False
    directory = actual.path.rpartition("/")[0] + "/"
    is_straight = ".." not in unquote(claimed.path)
    is_in_directory = directory != "/" and claimed.path.startswith(directory) and is_straight
    return is_in_directory or _bare_path(claimed.path) == _bare_path(actual.path)


def _bare_path(path: str) -> str:
    """The path without an index file, a suffix such as .html, and a trailing slash."""
    return _PATH_END.sub("", path)


def page_markdown(page: HtmlElement) -> str:
    """The page's main content as Markdown, "" if there is none.

    Changes the tree. Of documentation and very short pages, the main content is the only article or
    main element, else the innermost element with nearly all prose. Of other pages, it is the
    article that trafilatura finds.
    """
    open_disclosures(page.body, is_hidden)
    is_reference = is_documentation(page)
    original = deepcopy(page)
    drop_chrome(page.body, is_hidden)
    content = marked_content(page.body, is_reference=is_reference)
    if content is None:
        content = densest_content(page.body, is_reference=is_reference)
    if content is not None and is_reference:
        return _to_markdown(content)
    text = article_text(original)
    if content is None or len(text) >= _FEWEST_LETTERS:
        keep_article(page.body, text)
        content = page.body
    return _to_markdown(content)


def whole_markdown(page: HtmlElement) -> str:
    """The whole visible page as Markdown. Changes the tree."""
    drop_chrome(page.body, is_hidden)
    return _to_markdown(page.body)


def _resolve_link(base: str, link: str) -> str:
    try:
        return urljoin(base, link.strip())
    except ValueError:
        return ""


def _to_markdown(element: HtmlElement) -> str:
    """Markdown with GitHub's tables, fenced code, one line per paragraph, and ids of headings."""
    mark_headings(element)
    open_definitions(element)
    _plain_links(element)
    _plain_scripts(element)
    _plain_code(element)
    _open_layout_tables(element)
    spread_merged_cells(element)
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


def _plain_scripts(element: HtmlElement) -> None:
    """Write exponents and indices as text, but for code, marks of notes and what holds blocks."""
    for script in list(element.iter("sup", "sub")):
        text = script.text_content()
        is_kept = len(text) > _LONGEST_SCRIPT or script.find(".//a") is not None
        if is_kept or any(box.tag in {"pre", "code"} for box in script.iterancestors()):
            continue
        write = raised_text if script.tag == "sup" else lowered_text
        for child in list(script):
            script.remove(child)
        script.text = write(text)
        script.drop_tag()


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
            for box in [table, *table.xpath("./*"), *rows, *table.xpath("./tr/* | ./*/tr/*")]:
                box.tag = "div"


def _has_columns(rows: Sequence[HtmlElement]) -> bool:
    """Whether most of the rows contain blocks of text."""
    block_row_count = sum(
        1 for row in rows if any(row.find(f".//{tag}") is not None for tag in _BLOCKS)
    )
    return 2 * block_row_count > len(rows)


def _fold_lines(element: HtmlElement) -> None:
    """Replace line ends by spaces, except in code blocks."""
    verbatim = {descendant for code in element.iter("pre") for descendant in code.iter()}
    for descendant in element.iter():
        if descendant.text and descendant not in verbatim:
            is_code = descendant.tag == "code"
            descendant.text = _fold_code(descendant.text) if is_code else _fold(descendant.text)
        if descendant.tail and descendant.getparent() not in verbatim:
            descendant.tail = _fold(descendant.tail)


def _fold_code(text: str) -> str:
    """Code in a line, in which no character is a tag of the Markdown."""
    return _BLANKS.sub(" ", text)


def _fold(text: str) -> str:
    if "\n" in text:
        text = _BREAK_IN_CJK.sub("", text)
    return _TAG_LIKE.sub(r"\1&lt;", _BLANKS.sub(" ", text))
