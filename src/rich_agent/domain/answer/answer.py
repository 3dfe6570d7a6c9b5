"""An answer and how a turn went."""

from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.domain.answer.citation import Citation


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that the user reads: Markdown with markers `[n]`, and the passages that they name.

    Small talk, and what only says that nothing was written, is not `worth_rating`. `is_cut` when
    the model's tokens ran out before its end. `locale` is the language of the product's words
    around it, None where the surface has to know. `undo` is the request whose changes the user can
    take back, "" without any. `files` are those that may be remembered.
    `timeline` is a day that surfaces with pictures draw below it.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    worth_rating: bool = True
    is_cut: bool = False
    locale: str | None = field(default=None, compare=False)
    undo: str = ""
    timeline: DayTimeline | None = None
    files: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """The record of one turn's decision.

    `query` is the whole question as it was searched for, `queries` the parts of a compound one.
    `latency_ms` maps node ids to milliseconds, `nodes` to what went in and came out in a line;
    `retrieved` says of each passage that was read, best first: `label`, `kind`, `score` (0..1) and
    whether it was `cited`.
    """

    thread_id: str
    request_id: str
    intent: str
    plan: str
    reason: str
    query: str = ""
    retrieved_count: int = 0
    citations_count: int = 0
    latency_ms: dict[str, float] = field(default_factory=dict)
    nodes: dict[str, Any] = field(default_factory=dict)
    retrieved: list[dict[str, Any]] = field(default_factory=list)
    queries: tuple[str, ...] = ()
