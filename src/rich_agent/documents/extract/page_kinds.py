"""Recognises web pages that are not content: a form to sign in, a frame of a program, a consent.

A page is judged by its structure and by how little text it has, never by its words.
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from lxml.etree import XPath, iterwalk
from lxml.html import HtmlElement

from rich_agent.documents.extract.extracted import PageKind
from rich_agent.documents.extract.html import is_hidden
from rich_agent.documents.fetch.directions import refresh_of

_NO_TEXT: Final = frozenset(
    ("script", "style", "template", "noscript", "iframe", "object", "svg", "canvas", "select",
     "option", "textarea", "datalist", "dialog")
)  # fmt: skip
_SURROUNDINGS: Final = frozenset({"nav", "header", "footer", "aside", "dialog"})
_CONTENT: Final = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dd", "blockquote", "summary", "a", "form")
)
_MUCH_CONTENT: Final = frozenset(
    ("article", "main", "nav", "table", "li", "pre", "dl", "details", "iframe", "math")
)
_PICTURES: Final = frozenset({"img", "picture", "video", "audio", "object", "embed"})
_CREDENTIALS: Final = frozenset({"username", "current-password", "webauthn"})
_NOTICES = XPath(".//noscript[not(ancestor::noscript)]")
_BUTTONS = XPath(
    ".//button | .//input[@type='submit' or @type='button' or @type='image'] | .//*[@role='button']"
)
_OPENING: Final = (
    *("aria-controls", "aria-expanded", "aria-pressed", "aria-haspopup"),
    *("popovertarget", "commandfor", "data-toggle", "data-bs-toggle"),
)
_FIELDS = XPath(
    ".//textarea | .//input[not(@type) or @type='text' or @type='search' or @type='email'"
    " or @type='number' or @type='tel' or @type='url' or @type='date' or @type='file']"
)
_MOST_AROUND_SIGN_IN: Final = 200
_MOST_BEFORE_MOVING: Final = 200
_MOST_WHILE_WAITING: Final = 30
_MOST_BESIDE_NOTICE: Final = 60
_MOST_OF_NOTICE: Final = 300
_MOST_OF_CONSENT: Final = 400
_LEAST_OF_CONSENT: Final = 60
_MOST_AFTER_CONSENT: Final = 20
_FEWEST_CHOICES: Final = 2
_NEAR: Final = 6  # levels between a field and the box with its button
_LETTER = re.compile(r"[^\W_]")
# A letter of these scripts says about as much as three of others.
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_ENDS_OPEN = re.compile(r"(?:…|\.\.\.|⋯)\s*\Z")


def page_kind(page: HtmlElement) -> PageKind | None:
    """The kind of a page that is not content, None for a page with content."""
    body = page.body
    if refresh_of(page) and _has_at_most(_texts(body), _MOST_BEFORE_MOVING):
        return "moved"
    if _asks_to_sign_in(body):
        return "sign_in"
    if _is_made_by_scripts(page):
        return "made_by_scripts"
    return "consent" if _asks_for_consent(body) else None


def _asks_to_sign_in(body: HtmlElement) -> bool:
    """Whether the form for a name and a password is nearly all of a page."""
    fields = [field for field in body.iter("input") if _is_credential(field)]
    fields = [field for field in fields if not any(map(_is_aside, field.iterancestors()))]
    boxes = {_box_of(field) for field in fields}
    if not boxes:
        return False
    around = _texts(body, lambda element: element in boxes or element.tag in _SURROUNDINGS)
    return _has_at_most(around, _MOST_AROUND_SIGN_IN)


def _is_credential(field: HtmlElement) -> bool:
    """Whether a field is for a password or the name of an account.

    Source: HTML Standard, autofill detail tokens.
    """
    if is_hidden(field):
        return False
    hints = field.get("autocomplete", "").lower().split()
    return field.get("type", "").strip().lower() == "password" or not _CREDENTIALS.isdisjoint(hints)


def _is_aside(element: HtmlElement) -> bool:
    return element.tag in _SURROUNDINGS or is_hidden(element)


def _box_of(field: HtmlElement) -> HtmlElement:
    """The form of a field, or the nearest element with a button."""
    form = next(field.iterancestors("form"), None)
    if form is not None:
        return form
    for box, _ in zip(field.iterancestors(), range(_NEAR), strict=False):
        if box.tag == "body":
            break
        if _BUTTONS(box):
            return box
    return field.getparent()


def _is_made_by_scripts(page: HtmlElement) -> bool:
    """Whether a page has next to no text because programs fill it in a browser."""
    body = page.body
    notice_count = sum(_count(notice.text_content()) for notice in _NOTICES(page))
    texts = list(_beginning(_texts(body), _MOST_BESIDE_NOTICE))
    letter_count = sum(map(_count, texts))
    if (
        notice_count > _MOST_OF_NOTICE
        or letter_count > _MOST_BESIDE_NOTICE
        or _holds(body, _MUCH_CONTENT)
    ):
        return False
    if notice_count > letter_count:
        return True
    if _holds(body, _PICTURES):
        return False
    has_script = page.find(".//script") is not None
    if not letter_count:
        return has_script
    ends_open = _ENDS_OPEN.search(texts[-1]) is not None and not _holds(body, {"a"})
    is_open = ends_open or _is_busy(body)
    if letter_count > _MOST_WHILE_WAITING:
        return is_open and has_script
    return is_open or (has_script and not _holds(body, _CONTENT))


def _is_busy(body: HtmlElement) -> bool:
    return bool(body.xpath(".//progress | .//*[@role='progressbar'] | .//*[@aria-busy='true']"))


def _asks_for_consent(body: HtmlElement) -> bool:
    """Whether a page is an explanation that ends with a choice of buttons."""
    if not _has_at_most(_texts(body), _MOST_OF_CONSENT):
        return False
    if _holds(body, _MUCH_CONTENT | _PICTURES) or _FIELDS(body):
        return False
    buttons = [button for button in _BUTTONS(body) if not is_hidden(button)]
    labels = {_label(button) for button in buttons} - {""}
    if len(labels) < _FEWEST_CHOICES or any(map(_opens, buttons)):
        return False
    inner = {*buttons, *body.iter("a")}
    before = _count("".join(_texts(body, inner.__contains__, until=buttons[0])))
    every = _count("".join(_texts(body, inner.__contains__)))
    return before >= _LEAST_OF_CONSENT and every - before <= _MOST_AFTER_CONSENT


def _opens(button: HtmlElement) -> bool:
    """Whether a button shows or hides a part of its page, or stands within text."""
    return any(name in button.attrib for name in _OPENING) or any(
        box.tag in {"p", "h1", "h2", "h3", "h4", "h5", "h6"} for box in button.iterancestors()
    )


def _label(button: HtmlElement) -> str:
    label = button.text_content() or button.get("value", "") or button.get("aria-label", "")
    return " ".join(label.split())


def _holds(body: HtmlElement, names: Collection[str]) -> bool:
    """Whether a page shows an element with one of these names."""
    walk = iterwalk(body, events=("start",))
    for _, element in walk:
        if is_hidden(element):
            walk.skip_subtree()
        elif element.tag in names:
            return True
    return False


def _texts(
    body: HtmlElement,
    is_left_out: Callable[[HtmlElement], bool] = lambda _: False,
    until: HtmlElement | None = None,
) -> Iterator[str]:
    """The visible texts of a page in order, but for elements that are left out."""
    walk = iterwalk(body, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            if element is not body and element.tail:
                yield element.tail
        elif element is until:
            return
        elif element.tag in _NO_TEXT or is_left_out(element) or is_hidden(element):
            walk.skip_subtree()
        elif element.text:
            yield element.text


def _beginning(texts: Iterator[str], most: int) -> Iterator[str]:
    """The texts that are not blank, until there are more letters than `most`."""
    letter_count = 0
    for text in texts:
        if text.strip():
            letter_count += _count(text)
            yield text
        if letter_count > most:
            return


def _has_at_most(texts: Iterator[str], most: int) -> bool:
    return sum(map(_count, _beginning(texts, most))) <= most


def _count(text: str) -> int:
    """The number of letters and digits; each one of a script like Chinese counts as three."""
    return len(_LETTER.findall(text)) + 2 * len(_WIDE.findall(text))
