"""Finds the clickable parts of a text, and decides which links an answer may have.

An answer may link to its sources and to addresses that its user wrote. Hashtags, cashtags and
commands stay, because they do not leave the chat.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from tld.utils import is_tld

from rich_agent.domain.text import bare_words

_MOST_SEARCHED = 16_000

_ADDRESS = re.compile(
    r"(?:https?|ftp|tg|ton|tonsite)://[^\s<>\"'`«»]+"
    r"|(?<![a-z0-9])(?:[a-z][a-z0-9+.-]{0,20}://|www\.)[^\s<>\"'`«»]+",
    re.IGNORECASE,
)
# A name has up to 127 labels of up to 63 characters: RFC 1035, section 2.3.4.
_REST = r"[^\s<>\"'`«»]*"
_LINKED = re.compile(
    rf"""
    (?P<email>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    |(?P<mention>(?<![\w@])@[a-z][a-z0-9_]{{2,31}})
    |(?P<phone>(?<![\w+])\+\d(?:[\s().-]{{0,2}}\d){{6,14}}(?!\d))
    |(?P<ip>(?<![\w.-])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\w]|\.\d)(?::\d+)?(?:[/?\#]{_REST})?)
    |(?P<host>(?<![a-z0-9_.@-])(?:[a-z0-9][a-z0-9_~-]{{0,62}}[.．。｡]){{1,127}}
        (?:xn--[a-z0-9-]+|[a-z]{{2,24}})
        (?![a-z0-9_])(?P<rest>(?::\d+)?(?:[/?\#]{_REST})?))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A host in any script, as Telegram reads it: everything but ASCII and general punctuation.
_LABEL = r"[^\x00-,./:-@\[-^`{-}\x7f-\xbf\s\u2000-\u200b\u200e\u200f\u2016-\u206f]"
_WIDE_HOST = re.compile(
    rf"(?<!{_LABEL})(?<!\.)(?:{_LABEL}{{1,63}}\.){{1,9}}(?P<tld>[^\W\d_]{{2,24}}|xn--[a-z0-9-]+)(?!\w)"
)
_DOTS = re.compile("[．。｡]")
# Characters after which a text without spaces is no address any more: kana, CJK, full-width marks.
_NEXT_SENTENCE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_URL_END = ".,;:!?)]}*_'\"。、）」』】"
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_PORTS = {"http": 80, "https": 443}
_LONGEST_LINK = 2_000
"""The longest link to normalize: `urlsplit` takes quadratic time for marks in a host's name."""


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A clickable part of a text from character `start`; `texts` are its readings, longest first.

    Telegram counts Japanese text after an address as a part of it.
    """

    start: int
    texts: tuple[str, ...]


def links_in(text: str) -> frozenset[str]:
    """The addresses, mentions and phone numbers in a text, without punctuation after them."""
    return frozenset(text_of_link for link in find_links(text) for text_of_link in link.texts)


def is_web(link: str | None) -> bool:
    """Whether the link starts with http:// or https://."""
    return bool(link) and str(link).lower().startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class AllowedLinks:
    """The links that an answer may contain, in any spelling."""

    spellings: frozenset[str]

    @classmethod
    def of(cls, links: Iterable[str]) -> "AllowedLinks":
        """Allow these links, and their pages without the fragment."""
        spellings = set()
        for link in links:
            spellings |= {canonical(link), canonical(link.partition("#")[0])}
        return cls(frozenset(spellings - {""}))

    def permit(self, link: str | None) -> bool:
        """Whether a link leads to one of the allowed pages."""
        return bool(link) and canonical(str(link)) in self.spellings


def canonical(link: str) -> str:
    """One spelling for all links to a page: host in lower-case ASCII, escapes normalized.

    http, https and a bare host are equal; user, port, query and fragment count.
    Source: RFC 3986, section 6.2.
    """
    link = link.strip()
    if len(link) > _LONGEST_LINK:
        return link
    if "@" in link and "/" not in link:
        return link.lower().removeprefix("mailto:")
    if link.startswith("+"):
        return re.sub(r"\D", "", link)
    has_scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)", link)
    try:
        parts = urlsplit(link if has_scheme else f"https://{_DOTS.sub('.', link)}")
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return link
    scheme = "" if parts.scheme in _PORTS else parts.scheme
    login = f"{parts.username or ''}:{parts.password or ''}@" if "@" in parts.netloc else ""
    port_suffix = f":{port}" if port and port != _PORTS.get(parts.scheme) else ""
    query = f"?{_normal_escapes(parts.query)}" if parts.query else ""
    fragment = f"#{_normal_escapes(parts.fragment)}" if parts.fragment else ""
    path = _normal_escapes(parts.path).rstrip("/")
    return f"{scheme}//{login}{host}{port_suffix}{path}{query}{fragment}"


def _ascii_host(host: str) -> str:
    """The host in lower-case ASCII."""
    try:
        return host.rstrip(".").encode("idna").decode().lower()
    except UnicodeError:
        return host.rstrip(".").lower()


def _normal_escapes(text: str) -> str:
    """The text with needless escapes resolved, and missing ones added."""

    def unescape(match: re.Match[str]) -> str:
        character = unquote(match[0])
        return character if _UNRESERVED.fullmatch(character) else match[0].upper()

    return quote(_ESCAPE.sub(unescape, text), safe="%!$&'()*+,;=:@/?#[]~|")


def find_links(text: str) -> Iterator[FoundLink]:
    """Find the clickable parts of a text; addresses with a scheme come first."""
    end = 0
    for match in _ADDRESS.finditer(text):
        yield from _find_hosts(text, end, match.start())
        end = match.end()
        yield _make_link(match)
    yield from _find_hosts(text, end, len(text))
    if not text.isascii():
        for match in _WIDE_HOST.finditer(text):
            if _is_known_tld(match["tld"]):
                yield FoundLink(match.start(), (match[0],))


def web_links(text: str) -> tuple[list[str], bool]:
    """The distinct page addresses in a text, and whether the text holds nothing else."""
    text = text[:_MOST_SEARCHED]
    starts_and_links = [
        (found_link.start, found_link.texts[0])
        for found_link in find_links(text)
        if is_web(found_link.texts[0])
    ]
    for start, link in reversed(starts_and_links):
        text = text[:start] + text[start + len(link) :]
    addresses = list(dict.fromkeys(link for _, link in starts_and_links))
    return addresses, bool(addresses) and not bare_words(text)


def _find_hosts(text: str, start: int, end: int) -> Iterator[FoundLink]:
    """The mentions, phone numbers, e-mail addresses and hosts between two positions."""
    for match in _LINKED.finditer(text, start, end):
        if not match["host"] or _is_host(match):
            yield _make_link(match)


def _make_link(match: re.Match[str]) -> FoundLink:
    """The link of a match, with and without text that may follow the address."""
    long_link = _without_end(match[0]) or match[0]
    short_link = _without_end(_NEXT_SENTENCE.split(long_link, maxsplit=1)[0])
    return FoundLink(match.start(), tuple(dict.fromkeys(filter(None, (long_link, short_link)))))


def _is_host(match: re.Match[str]) -> bool:
    """Whether Telegram takes the match for a bare host, or it may be one with a path or port."""
    name = match["host"].removesuffix(match["rest"])
    labels = _DOTS.sub(".", name).split(".")
    has_more_parts = bool(match["rest"]) or len(labels) > 2
    return _is_known_tld(labels[-1]) or (has_more_parts and not _DOTS.search(name))


def _is_known_tld(label: str) -> bool:
    """Whether the label is a top-level domain in small or capital letters.

    "the end.In short" is no link, "END.IN" is one. Source: TDLib, is_common_tld.
    """
    lower = label.lower()
    if label[:1] != lower[:1] and label[1:] == lower[1:]:
        return False
    return lower.startswith("xn--") or bool(is_tld(lower))


def _without_end(link: str) -> str:
    """The link without the punctuation after it; a paired bracket stays."""
    end = len(link)
    unopened_count = link.count(")") - link.count("(")
    while end and link[end - 1] in _URL_END:
        if link[end - 1] == ")":
            if unopened_count <= 0:
                break
            unopened_count -= 1
        end -= 1
    return link[:end]
