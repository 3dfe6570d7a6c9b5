"""Finds what Telegram marks in a text by itself: addresses, mentions, tags, commands, numbers.

Source: TDLib's MessageEntity.cpp (find_urls, fix_url, is_common_tld and their neighbours), as far
as its behaviour can be seen; phone numbers as the Bot API reports them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tld.utils import is_tld

_LONGEST_LABEL = 63
# Telegram takes for a part of a host ASCII letters and digits, and from U+00C0 on whatever is no
# separator; "²" and "ª", which are letters or digits to Python, stand before that.
_DOMAIN = r"[A-Za-z0-9_.~-]|[^\x00-\xbf\s\u2000-\u200b\u200e\u200f\u2016-\u206f\u3000\ufffd]"
_PATH = r"[^\s<>\"«»\u2000-\u200b\u200e\u200f\u2016-\u206f\ufffd]"
_HOST = rf"(?P<domain>(?:{_DOMAIN})+)(?P<port>:\d{{1,5}})?(?P<path>[/?#]{_PATH}*)?"
_USER = r"(?:[^\s/\[\]{}()'`<>\"@«»]{1,64}@)?"
_WITH_PROTOCOL = re.compile(rf"(?i:https?|ftp|tonsite)://{_USER}{_HOST}")
_WITHOUT_PROTOCOL = re.compile(_HOST)
_OTHERS = re.compile(
    r"""
    (?P<url>(?i:(?<!\w)(?:tg|ton|tonsite)://[a-z0-9_-]{1,253}(?:[/?\#][^\s\u2000-\u206f<>]*)?))
    |(?P<email>(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9][\w-]{0,62}\.){1,6}[A-Za-z]{2,12}(?!\w))
    |(?P<bot_command>(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/<>]))
    |(?P<mention>(?<![\w@])@[A-Za-z][A-Za-z0-9_]{3,31}(?!\w))
    |(?P<hashtag>(?<![\w#])\#(?=\w*[^\W\d_])\w{1,256}(?![\w#]))
    |(?P<cashtag>(?<![\w$])\$[A-Z]{1,8}(?![\w$]))
    |(?P<phone_number>(?<![\w+])\+\d(?:[ ().-]{0,2}\d){7,14}(?!\w))
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A span that Telegram turns into an entity, in characters."""

    kind: str
    start: int
    end: int

    def overlaps(self, other: "Mark") -> bool:
        """Whether they share a character."""
        return self.start < other.end and other.start < self.end


def find_marks(text: str) -> list[Mark]:
    """The marks of a text in order, without overlaps; an address wins over marks inside it."""
    urls = list(_urls(text)) if "." in text else []
    others = [mark for mark in _others(text) if not any(map(mark.overlaps, urls))]
    return sorted([*urls, *others], key=lambda mark: mark.start)


def _others(text: str) -> Iterator[Mark]:
    for match in _OTHERS.finditer(text):
        shown = match[0] if match.lastgroup != "url" else _without_last_marks(match[0])
        yield Mark(str(match.lastgroup), match.start(), match.start() + len(shown))


def _urls(text: str) -> Iterator[Mark]:
    end = 0
    for match in _WITH_PROTOCOL.finditer(text):
        yield from _bare_urls(text, end, match.start())
        end = match.end()
        yield from _url(match, has_protocol=True)
    yield from _bare_urls(text, end, len(text))


def _bare_urls(text: str, start: int, end: int) -> Iterator[Mark]:
    for match in _WITHOUT_PROTOCOL.finditer(text, start, end):
        # After these characters it is a path, a tag, or the host of an e-mail address.
        if text[match.start() - 1 : match.start()] not in tuple("/#@"):
            yield from _url(match, has_protocol=False)


def _url(match: re.Match[str], *, has_protocol: bool) -> Iterator[Mark]:
    domain = match["domain"].rstrip(".~-")
    if not _is_domain(domain, has_protocol=has_protocol):
        return
    domain_end = match.start("domain") + len(domain)
    is_whole = len(domain) == len(match["domain"])
    shown = _without_last_marks(match[0]) if is_whole else ""
    yield Mark("url", match.start(), max(domain_end, match.start() + len(shown)))


def _is_domain(domain: str, *, has_protocol: bool) -> bool:
    labels = domain.split(".")
    if len(labels) < 2 or not all(0 < len(label) <= _LONGEST_LABEL for label in labels):
        return False
    if any(label.endswith("-") for label in labels):
        return False
    if all(label.isdigit() for label in labels):
        return len(labels) == 4 and all(len(label) <= 3 and int(label) < 256 for label in labels)
    tld, name = labels[-1], labels[-2]
    if tld.lower().startswith("xn--"):
        return len(tld) > 5
    if len(tld) < 2 or "_" in tld or "-" in tld or "_" in name or name.startswith("-"):
        return False
    return has_protocol or _is_common_tld(tld)


def _is_common_tld(tld: str) -> bool:
    """Whether it ends an address without a protocol; "Com" after a dot begins a sentence."""
    lower = tld.lower()
    if tld != lower and tld[1:] == lower[1:]:
        return False
    return bool(is_tld(lower))


def _without_last_marks(url: str) -> str:
    """The address without the punctuation that follows it; a paired bracket stays."""
    while url and (
        url[-1] in ".,;:!?'\"]}" or (url[-1] == ")" and url.count(")") > url.count("("))
    ):
        url = url[:-1]
    return url
