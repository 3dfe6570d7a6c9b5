"""Addresses in the arguments of a call: whatever a program might open, in any spelling.

No list of spellings is kept: what is neither words nor a number could be an address.
"""

import re
from collections.abc import Container, Iterable
from urllib.parse import unquote, urlsplit

import regex
from tld.utils import is_tld

from rich_agent.domain.text import normalized
from rich_agent.domain.value_texts import AROUND, is_in
from rich_agent.domain.verbatim import verbatim_of

_NAMES = frozenset(
    {"href", "domain", "endpoint", "path", "site", "website", "webpage", "homepage", "server"}
    | {"webhook", "callback", "ip", "proxy", "redirect"}
)
"""Words in the name of an argument that takes an address."""
_ENDINGS = ("url", "uri", "host", "hostname", "address", "link")
"""Ends of such words: `baseurl`."""
FORMATS = frozenset(
    {"uri", "uri-reference", "iri", "iri-reference", "uri-template", "url", "hostname"}
    | {"idn-hostname", "ipv4", "ipv6"}
)
"""Formats of a JSON Schema for addresses. Source: JSON Schema 2020-12, validation, 7.3."""
_BETWEEN_WORDS = re.compile(r"[^A-Za-z]|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_OPENING = "([{<|*"
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,:+/-]*+(?:(?<=\d)t\d[\d.,:+/-]*+)?(?:(?<=\d)z)?")
_PERCENT = re.compile(r"\d++(?:[.,]\d++)?%")
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?")
_CODE = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-"
)
"""Sixteen letters and digits in a row, digits among them, or a UUID."""
_LABELS = regex.compile(r"[\w\p{M}-]\.[\w-]")
_SENTENCES = regex.compile(r"(?<=[\w\p{M}])。(?=((?![a-z])[\p{L}\p{M}]++))")


def takes_address(name: str) -> bool:
    """Whether an argument takes an address, by its name: `page_url`, `hostName`, `links`."""
    words = [word.lower() for word in _BETWEEN_WORDS.split(name)]
    forms = {*words, *(word.removesuffix("s") for word in words)}
    return not forms.isdisjoint(_NAMES) or any(one.endswith(_ENDINGS) for one in forms)


def is_users_address(value: str, message: str) -> bool:
    """Whether a whole value stands in what was said; https:// and / may be missing there.

    A host of one label needs its scheme there too: its name may be any word.
    """
    if value != value.strip(AROUND):
        return verbatim_of(value) in verbatim_of(message)
    bare = _SCHEME.sub("", value.strip(), count=1).removesuffix("/")
    return is_in(value, message) or ("." in bare and is_in(bare, message))


def has_untrusted_address(value: str, message: str) -> bool:
    """Whether a value has a word that could be read as an address, and that was not said."""
    return any(
        _could_be_address(word) and not is_users_address(word, message) for word in _words(value)
    )


def have_new_address(
    arguments: Iterable[tuple[str, str]], message: str, formats: Container[str] = ()
) -> bool:
    """Whether a text could be an address that does not wholly stand in what was said.

    `arguments` are texts with the names above each. In an argument that takes an address, by its
    name or because it is one of those with such a format, every other value counts, too.
    """
    return any(
        not is_users_address(text, message)
        if (name in formats or takes_address(name)) and text
        else has_untrusted_address(text, message)
        for name, text in arguments
    )


def has_secret(address: str) -> bool:
    """Whether an address holds a log-in, or a code that only those have who were given it."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return "@" in parts.netloc or bool(_CODE.search(unquote(f"{parts.path}?{parts.query}")))


def _words(value: str) -> Iterable[str]:
    return (word.strip(AROUND + _OPENING).rstrip(")]}>|*") for word in value.split(" "))


def _could_be_address(word: str) -> bool:
    """Whether a word has what separates the parts of an address, in whatever writing.

    Programs drop what is invisible, read full-width signs as narrow ones, and decode percent signs.
    """
    plain = unquote(normalized("NFKC", word))
    printable = "".join(one for one in plain if one.isprintable())
    plain_letters = normalized("NFKC", printable).casefold()
    # What follows a full stop in Chinese or Japanese is a sentence, unless it could end a host.
    with_stops = _SENTENCES.sub(lambda stop: stop[0] if is_tld(stop[1]) else " ", plain_letters)
    visible = with_stops.translate(_FULL_STOPS)
    if _NUMBER.fullmatch(visible):
        return visible.count(".") > 1 or "//" in visible
    if _ABBREVIATION.fullmatch(visible) or _PERCENT.fullmatch(visible):
        return False
    if any(sign in visible for sign in "\\:@[]%") or visible.count("/") > 1:
        return True
    return bool(_LABELS.search(visible)) or ("/" in visible and "." in visible)


_FULL_STOPS = str.maketrans("。｡．․‧·", "......")
