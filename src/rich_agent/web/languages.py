"""The language in which a request wants to be answered."""

from starlette.requests import Request

from rich_agent.domain.text import choose_locale


def language_of(request: Request) -> str:
    """The first language that the client prefers, as a BCP 47 tag; "" if it names none."""
    first = request.headers.get("accept-language", "").split(",")[0].split(";")[0].strip()
    return first if first.replace("-", "").isalnum() and len(first) <= 35 else ""


def locale_of(request: Request) -> str:
    """The language of the product's own words for this request."""
    return choose_locale("", language_of(request))
