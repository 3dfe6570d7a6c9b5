"""Drops navigation, permalinks, line numbers and the like from a page, and finds its main part."""

import re
from collections.abc import Callable, Iterator

from lxml.etree import XPath
from lxml.html import HtmlElement

from rich_agent.documents.extract.headings import HEADINGS, has_anchor

_NO_TEXT = frozenset(
    ("script", "style", "template", "noscript", "iframe", "object", "svg", "canvas", "audio",
     "video", "img", "picture", "button", "input", "select", "textarea", "dialog", "rt", "rp",
     "nav", "footer", "map", "datalist", "noembed", "noframes")
)  # fmt: skip
_ROLES = frozenset(
    ("navigation", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar", "tablist",
     "contentinfo")
)  # fmt: skip
_CHROME = re.compile(
    r"(?:^|\s)(?:"
    r"breadcrumbs?|(?:nav|page)-?(?:header|footer|bar|links|actions)|navigation|related|sphinxsidebar"
    r"|sphinx-version-warning|prev-?next(?:-\w+)*|next-?prev|pagination(?:-\w+)?|pager|footer|rst-footer-buttons"
    r"|headerlink|anchor-?link|permalink|heading-?anchor|hash-link|id_link|edit-(?:this-)?page(?:-link)?"
    r"|skip-?(?:link|to-content|nav)|share-?(?:buttons|links)|social-?(?:links|share)|copy-?(?:btn|button)"
    r"|linenos|linenodiv|lineno|line-numbers-rows|rouge-gutter|gutter|hljs-ln-numbers"
    r"|viewcode-link|viewcode-back|mw-editsection|mw-jump-link|noprint|wikidocs-edit"
    r")(?=\s|$)",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"(?:^|\s)(?:cookie(?:s|-?(?:banner|notice|consent|bar|popup))?|consent-?(?:banner|popup)|gdpr)(?=\s|$)",
    re.IGNORECASE,
)
# Sections may have ids such as "cookies" or "navigation", so only unambiguous ids count.
_CHROME_ID = re.compile(
    r"sphinxsidebar|nav(?:header|footer|bar)|(?:cookie|consent|gdpr)-?(?:banner|notice|consent|bar|popup)",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"(?:^|\s)(?:toc|table-?of-?contents|contents|page-?toc|localtoc|on-this-page)(?=\s|$)",
    re.IGNORECASE,
)
_DEED = re.compile(
    r"(?:edit|improve|view|suggest)\b.{0,20}\b(?:page|source|doc(?:ument(?:ation)?)?s?|edits?)\b.{0,20}"
    r"|edit on \w+|(?:show|view|page) source|report (?:a bug|an issue).{0,30}"
    r"|(?:[‹«←<]\s*)?(?:prev(?:ious)?|next|up|home|back to top)(?: page)?(?:\s*[›»→>])?"
    r"|このページを編集.{0,10}|(?:前|次|目次|トップ)(?:へ|に戻る|のページ)?|戻る|進む",
    re.IGNORECASE,
)
_STEPS = XPath(".//a[@rel='next' or @rel='prev' or @rel='up']")
_ROWS = frozenset(("div", "p", "td"))
_LONGEST_ROW = 300
_LISTINGS = ("div", "ul", "ol", "dl", "aside", "section", "table")
_WORD = re.compile(r"\w")
_PROSE = frozenset(
    ("p", "pre", "li", "dd", "td", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "th",
     "summary", "figcaption")
)  # fmt: skip
_HOLDERS = frozenset(
    ("article", "body", "center", "div", "form", "main", "section", "table", "tbody", "td", "tr")
)
_DECLARED_ARTICLE = (
    ".//meta[@property='og:type' and (@content='article' or @content='Article')]"
    " | .//meta[@property='article:published_time'] | .//*[@itemprop='datePublished']"
)
_PERMALINKS = " | ".join(
    [".//dt[@id]", *(f".//{heading}//a[starts-with(@href, '#')]" for heading in HEADINGS)]
)
_CODE = ".//code | .//kbd | .//samp | .//tt | .//var"
_MUCH_CODE = 3
_MARKED = ".//main | .//article | .//*[@role='main']"
_SERIES = frozenset(("next", "prev", "up", "index", "contents"))
_NEARLY_EMPTY = 4
_MUCH_ELSEWHERE = 1.5
_MOST_OF_IT = 0.8
_MANY_LINKS = 0.5
_TOO_MANY_LINKS = 0.3
_TOO_MANY_OF_REFERENCE = 0.75  # signatures and members are links
_MUCH_PROSE = 1_000


def drop_chrome(body: HtmlElement, is_hidden: Callable[[HtmlElement], bool]) -> None:
    """Drop hidden elements, non-text, navigation, and a table of contents next to a text."""
    body_length = length_of(body)
    for fallback in body.findall(".//noscript"):
        if 2 * length_of(fallback) > body_length:
            fallback.drop_tag()
    for row in {step.getparent() for step in _STEPS(body)}:
        if row.tag in _ROWS and length_of(row) < _LONGEST_ROW and _leads_on(row):
            row.drop_tree()
    much_prose = max(_MUCH_PROSE, _prose(body) / 2)
    for element in list(body.iterdescendants()):
        if element.tag in _NO_TEXT or _leads_around(element, much_prose) or is_hidden(element):
            element.drop_tree()
    body_length = length_of(body)
    for element in filter(_is_contents, list(body.iterdescendants(*_LISTINGS))):
        length = length_of(element)
        if length < body_length / 2 and length_of_links(element) > length / 2:
            element.drop_tree()


def _leads_around(element: HtmlElement, much_prose: float) -> bool:
    """Whether an element is navigation or the like.

    The classes of an element with at least `much_prose` characters outside links are ignored.
    """
    classes = element.get("class", "")
    is_named_chrome = _CONSENT.search(classes) or _CHROME_ID.fullmatch(element.get("id", ""))
    is_chrome = (
        _CHROME.search(classes) and length_of(element) - length_of_links(element) < much_prose
    )
    if is_named_chrome or is_chrome or element.get("role") in _ROLES:
        return element.find(".//h1") is None and element.tag != "body"
    if element.get("id") == "footer" and element.getparent().tag == "body":
        return True
    if element.tag != "a":
        return False
    link_text = " ".join(element.text_content().split())
    if not {"prev", "next", "edit"}.isdisjoint(element.get("rel", "").split()):
        return True
    if element.get("href", "").startswith("#"):
        return not _WORD.search(link_text) and not element.get("id") and not element.get("name")
    return bool(link_text) and _DEED.fullmatch(link_text) is not None and "href" in element.attrib


def _leads_on(row: HtmlElement) -> bool:
    """Whether all links of a row lead to the next, the previous or the parent page."""
    return bool(row.xpath("count(.//a) = count(.//a[@rel])"))


def _is_contents(element: HtmlElement) -> bool:
    return any(_CONTENTS.search(element.get(name, "")) for name in ("class", "id"))


def is_documentation(page: HtmlElement) -> bool:
    """Whether a page looks like documentation, and is not marked as an article.

    Documentation has code, headings with permalinks, or definitions with ids. A page also counts if
    all its headings have ids, and it is one of a series or marks its main content. Newspapers and
    blogs mark a page as an article, or give its date of publication.

    Sources: https://ogp.me/#type_article, https://schema.org/datePublished.
    """
    if page.xpath(_DECLARED_ARTICLE):
        return False
    has_code = page.find(".//pre") is not None or len(page.xpath(_CODE)) >= _MUCH_CODE
    if has_code or page.xpath(_PERMALINKS):
        return True
    headings = list(page.iter(*HEADINGS[1:]))
    is_clear = bool(page.xpath(_MARKED)) or any(
        link.get("rel", "").lower() in _SERIES for link in page.iter("link")
    )
    return is_clear and bool(headings) and all(map(has_anchor, headings))


def marked_content(body: HtmlElement, *, is_reference: bool) -> HtmlElement | None:
    """The page's only article or main element, None if it has too little of the prose.

    If there are both, the article is returned unless it has less than half the text of main. An
    element has too little if nearly all prose is elsewhere. In documentation (`is_reference`), an
    element without a title has too little already if much prose is elsewhere, because it may be the
    description of one function.
    """
    articles = body.xpath(".//article")
    mains = body.xpath(".//main | .//*[@role='main'][not(self::main)]")
    article = articles[0] if len(articles) == 1 else None
    main = mains[0] if len(mains) == 1 else None
    content = main if article is None else article
    if article is not None and main is not None and 2 * length_of(article) < length_of(main):
        content = main
    if content is None:
        return None
    is_part = is_reference and next(content.iter("h1", "h2"), None) is None
    prose_ratio = _MUCH_ELSEWHERE if is_part else _NEARLY_EMPTY
    is_empty = prose_ratio * _prose(content) < _prose(body)
    return None if is_empty else content


def densest_content(body: HtmlElement, *, is_reference: bool) -> HtmlElement | None:
    """The innermost element with most of the page's prose; None if much of it is links."""
    container = body
    while (inner_container := _holder_of_most(container)) is not None:
        container = inner_container
    _drop_link_lists(container)
    length = length_of(container)
    most_link_share = _TOO_MANY_OF_REFERENCE if is_reference else _TOO_MANY_LINKS
    return container if length and length_of_links(container) < most_link_share * length else None


def _holder_of_most(element: HtmlElement) -> HtmlElement | None:
    """The child with most of an element's prose, unless a heading before it would be lost."""
    children = [child for child in element if isinstance(child.tag, str)]
    weights = [0 if _is_link_list(child) else _prose(child) for child in children]
    for index, (child, weight) in enumerate(zip(children, weights, strict=True)):
        if weight > _MOST_OF_IT * sum(weights):
            loses_title = any(map(_holds_title, children[:index])) or _is_heading(child)
            is_part = loses_title or any(_is_like(child, sibling) for sibling in children)
            return child if child.tag in _HOLDERS and not is_part else None
    return None


def _is_like(element: HtmlElement, other: HtmlElement) -> bool:
    """Whether two elements are parts of one text: they have one class, and `other` has prose."""
    class_name = element.get("class")
    return (
        other is not element
        and bool(class_name)
        and other.get("class") == class_name
        and _prose(other) > 0
    )


def _is_link_list(element: HtmlElement) -> bool:
    return length_of_links(element) > _MOST_OF_IT * length_of(element)


def _holds_title(element: HtmlElement) -> bool:
    has_title = element.tag == "h1" or element.find(".//h1") is not None or _is_heading(element)
    return has_title and not _is_link_list(element)


def _is_heading(element: HtmlElement) -> bool:
    """Whether an element contains only a heading."""
    first_heading = next(element.iter("h1", "h2", "h3"), None)
    return first_heading is not None and length_of(first_heading) == length_of(element)


def _prose(element: HtmlElement) -> int:
    """The number of characters in paragraphs and the like, without links."""
    blocks = [element] if element.tag in _PROSE else list(_outermost_prose(element))
    return sum(max(0, length_of(block) - length_of_links(block)) for block in blocks)


def _outermost_prose(element: HtmlElement) -> Iterator[HtmlElement]:
    for child in element:
        if child.tag in _PROSE:
            yield child
        else:
            yield from _outermost_prose(child)


def _drop_link_lists(container: HtmlElement) -> None:
    """Drop lists of links before the first prose, unless they are most of the content."""
    container_length = length_of(container)
    for child in list(container):
        if child.tag == "h1":
            continue
        if child.tag in _PROSE:
            return
        length = length_of(child)
        is_links = length_of_links(child) > _MANY_LINKS * length
        if is_links and 2 * length < container_length and 2 * _prose(child) < length:
            child.drop_tree()
        elif child.tag in _HOLDERS:
            _drop_link_lists(child)
            return


def length_of(element: HtmlElement) -> int:
    """The number of characters of text in an element."""
    return len(" ".join(element.text_content().split()))


def length_of_links(element: HtmlElement) -> int:
    """The number of characters in the links of an element."""
    if next(element.iterancestors("a"), None) is not None:
        return length_of(element)
    return sum(map(length_of, element.iter("a")))
