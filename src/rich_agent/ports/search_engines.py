"""The interface of a search engine for the web, provided by a feature."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass


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
    terms: str = ""
    """What the operator accepts by naming the engine in WEB_SEARCH: whom it asks, and on which
    terms, in sentences. An engine with terms is used only if it is named there."""
