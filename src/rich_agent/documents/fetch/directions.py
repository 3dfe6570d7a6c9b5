"""Reads what a page says to programs: to go on to another address, or not to index it."""

import re
from collections.abc import Iterable
from typing import Any, Final

from lxml import etree

AGENT: Final = "rich-agent"
"""Name of the bot in robots.txt and other rules for programs."""
_HEAD_BYTES: Final = 64 * 1024
_LONGEST_WAIT_S: Final = 5
_NOT_READ: Final = frozenset({"noscript", "template"})
# Source: HTML Standard, shared declarative refresh steps.
_REFRESH = re.compile(
    r"\s*+([0-9]{1,4})(?:\.[0-9]*+)?\s*+[;,]?\s*+(?:url\s*+=\s*+)?([\"']?)(.*)",
    re.IGNORECASE | re.DOTALL,
)
_FORBIDDEN: Final = frozenset({"noindex", "none"})
_PROGRAM: Final = re.compile(r"[\w*-]{1,60}")
_WITH_VALUE: Final = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)


def next_address(data: bytes) -> str:
    """The address to which the beginning of a page leads on within 5 s, "" if it leads nowhere.

    Browsers follow `<meta http-equiv="refresh">`. Scripts and what is only for browsers without
    them are not followed.
    """
    head = data[:_HEAD_BYTES]
    if b"refresh" not in head.lower():
        return ""
    try:
        page = etree.fromstring(head, etree.HTMLParser(remove_comments=True, no_network=True))
    except etree.XMLSyntaxError:
        return ""
    return refresh_of(page) if page is not None else ""


def refresh_of(page: Any) -> str:  # noqa: ANN401 - lxml has no types
    """The address in the first meta refresh of a page with at most 5 s, "" without one."""
    for meta in page.iter("meta"):
        if meta.get("http-equiv", "").strip().lower() != "refresh":
            continue
        if any(element.tag in _NOT_READ for element in meta.iterancestors()):
            continue
        match = _REFRESH.match(meta.get("content", ""))
        if match is None:
            continue
        quote, rest = match[2], match[3]
        address = rest.partition(quote)[0] if quote else rest
        return address.strip() if int(match[1]) <= _LONGEST_WAIT_S else ""
    return ""


def forbids_indexing(headers: Iterable[str]) -> bool:
    """Whether an X-Robots-Tag says that the bot may not index a page.

    The name of a program before rules applies to all rules of its header.
    """
    return any(map(_FORBIDDEN.__contains__, _rules(headers)))


def _rules(headers: Iterable[str]) -> Iterable[str]:
    for header in headers:
        applies = True
        for rule in header.lower().split(","):
            name, colon, value = rule.partition(":")
            if colon and _PROGRAM.fullmatch(name.strip()) and name.strip() not in _WITH_VALUE:
                applies = name.strip() in {"*", AGENT}
                rule = value  # noqa: PLW2901 - the rule without its program
            if applies:
                yield rule.strip()


def page_forbids_indexing(page: Any) -> bool:  # noqa: ANN401 - lxml has no types
    """Whether a page says itself that the bot may not index it."""
    return any(
        meta.get("name", "").strip().lower() in {"robots", AGENT}
        and not _FORBIDDEN.isdisjoint(re.split(r"[\s,]", meta.get("content", "").lower()))
        for meta in page.iter("meta")
    )
