"""The language that a request asks for."""

from starlette.requests import Request

from rich_agent.domain.languages import choose_locale, locale_of_tag

_MOST_READ_CHARS = 200
_LONGEST_TAG = 35


def language_of(request: Request) -> str:
    """The first supported language of Accept-Language, else its first language; "" for none.

    The language is a BCP 47 tag. Only 200 characters of the header are read.
    """
    header = request.headers.get("accept-language", "")[:_MOST_READ_CHARS]
    candidates = (tag.partition(";")[0].strip() for tag in header.split(","))
    tags = [tag for tag in candidates if _is_tag(tag)]
    return next(filter(locale_of_tag, tags), tags[0] if tags else "")


def locale_of(request: Request) -> str:
    """The language of the product's own words for this request."""
    return choose_locale("", language_of(request))


def _is_tag(text: str) -> bool:
    return text.replace("-", "").isalnum() and len(text) <= _LONGEST_TAG
