"""The interface of a search engine for the web, provided by a feature."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from rich_agent.errors import PassingUpstreamError


@dataclass(frozen=True, slots=True)
class WebResult:
    """A page that a search engine returned, with the text that fits the query.

    `score` is 0..1, higher is nearer; 0 from engines without scores.
    """

    url: str
    title: str
    content: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """A search engine for the web."""

    name: str
    """Its name in errors, traces and the usage."""
    search: Callable[[str, int], Awaitable[Sequence[WebResult]]]
    """Returns up to a number of results for a query, best first, or raises an UpstreamError."""
    query_chars: int = 400
    """The most characters of a query."""
    at_once: int | None = None
    """The most searches at once, None for any number. Others wait before their time begins."""
    terms: str = ""
    """What the operator accepts by naming the engine in WEB_SEARCH: whom it asks, and on which
    terms, in sentences. An engine with terms is used only if it is named there."""


class EngineBusyError(PassingUpstreamError):
    """A search found no place at an engine, which is well, and has as many as it can take."""

    def __init__(self, service: str, after_s: float) -> None:
        super().__init__(
            service,
            f"other searches are under way, and none ended within {after_s:g} s",
            hint="Ask again in a minute, or name a further engine in WEB_SEARCH.",
        )
