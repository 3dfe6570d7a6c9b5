"""The interface of a search engine of the web, as a feature gives it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebResult:
    """A page that a search engine returned: its address, title, and the text that fits the query.

    `score` is 0..1, higher is nearer; 0 from engines that give none.
    """

    url: str
    title: str
    content: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """A search engine of the web; `name` stands in errors, in traces, and in what was used.

    `search` gets a query of at most `query_chars` characters and the number of results that are
    wanted, best first. It raises an UpstreamError when the engine gives none.
    """

    name: str
    search: Callable[[str, int], Awaitable[Sequence[WebResult]]]
    query_chars: int = 400
