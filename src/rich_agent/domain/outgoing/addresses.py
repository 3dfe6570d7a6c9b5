"""Addresses in the arguments of a call: anything that a program might open, in any spelling.

There is no list of spellings: whatever is neither words nor a number could be an address.
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
"""The words in the names of arguments that take an address."""
_ENDINGS = ("url", "uri", "host", "hostname", "address", "link")
"""The endings of such words: `baseurl`."""
FORMATS = frozenset(
    {"uri", "uri-reference", "iri", "iri-reference", "uri-template", "url", "hostname"}
    | {"idn-hostname", "ipv4", "ipv6"}
)
"""The formats of a JSON Schema for addresses. Source: JSON Schema 2020-12, validation, 7.3."""
_BETWEEN_WORDS = re.compile(r"[^A-Za-z]|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_OPENING = "([{<|*"
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,:+/-]*+(?:(?<=\d)t\d[\d.,:+/-]*+)?(?:(?<=\d)z)?")
_PERCENT = re.compile(r"\d++(?:[.,]\d++)?%")
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?")
_CODE = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-"
)
"""Sixteen consecutive letters and digits with at least one digit, or a UUID."""
_LABELS = regex.compile(r"[\w\p{M}-]\.[\w-]")
_SENTENCES = regex.compile(r"(?<=[\w\p{M}])。(?=((?![a-z])[\p{L}\p{M}]++))")


def takes_address(name: str) -> bool:
    """Whether an argument takes an address, by its name: `page_url`, `hostName`, `links`."""
    words = [word.lower() for word in _BETWEEN_WORDS.split(name)]
    forms = {*words, *(word.removesuffix("s") for word in words)}
    return not forms.isdisjoint(_NAMES) or any(form.endswith(_ENDINGS) for form in forms)


def is_users_address(value: str, message: str) -> bool:
    """Whether the whole value stands in the message, possibly without its scheme and final slash.

    A host of one label needs its scheme there as well, because its name may be any word.
    """
    if value != value.strip(AROUND):
        return verbatim_of(value) in verbatim_of(message)
    bare_address = _SCHEME.sub("", value.strip(), count=1).removesuffix("/")
    return is_in(value, message) or ("." in bare_address and is_in(bare_address, message))


def has_untrusted_address(value: str, message: str) -> bool:
    """Whether a word of the value may be an address and is not in the message."""
    return any(
        _could_be_address(word) and not is_users_address(word, message) for word in _words(value)
    )


def have_new_address(
    arguments: Iterable[tuple[str, str]], message: str, formats: Container[str] = ()
) -> bool:
    """Whether a text may be an address that is not wholly in the message.

    `arguments` are texts with the names above each. If an argument takes an address, by its name or
    by a format in `formats`, all of its values count.
    """
    return any(
        not is_users_address(text, message)
        if (name in formats or takes_address(name)) and text
        else has_untrusted_address(text, message)
        for name, text in arguments
    )


def has_secret(address: str) -> bool:
    """Whether an address holds a login, or a code that only its recipients know."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return "@" in parts.netloc or bool(_CODE.search(unquote(f"{parts.path}?{parts.query}")))


def _words(value: str) -> Iterable[str]:
    """The words of a value without surrounding marks."""
    return (word.strip(AROUND + _OPENING).rstrip(")]}>|*") for word in value.split(" "))


def _could_be_address(word: str) -> bool:
    """Whether a word has the separators of an address, in any writing.

    Programs drop invisible characters, read full-width signs as narrow ones, and decode percent
    signs.
    """
    decoded_word = unquote(normalized("NFKC", word))
    printable = "".join(character for character in decoded_word if character.isprintable())
    letters = normalized("NFKC", printable).casefold()
    # In Chinese and Japanese, a sentence follows a full stop, unless it is a top-level domain.
    sentence_words = _SENTENCES.sub(lambda stop: stop[0] if is_tld(stop[1]) else " ", letters)
    normalized_word = sentence_words.translate(_FULL_STOPS)
    if _NUMBER.fullmatch(normalized_word):
        return normalized_word.count(".") > 1 or "//" in normalized_word
    if _ABBREVIATION.fullmatch(normalized_word) or _PERCENT.fullmatch(normalized_word):
        return False
    if any(sign in normalized_word for sign in "\\:@[]%") or normalized_word.count("/") > 1:
        return True
    return bool(_LABELS.search(normalized_word)) or (
        "/" in normalized_word and "." in normalized_word
    )


_FULL_STOPS = str.maketrans("。｡．․‧·", "......")
