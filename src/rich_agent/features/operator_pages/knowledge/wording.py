"""Words for sources and their readers on pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.knowledge import say_parts
from rich_agent.feature.pages import Visit
from rich_agent.feature.registry import Clock, ListedSource, SourceOutcome, SourceReading

_EVERYBODY = "everybody"
_USER = "user:"


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """The progress of the reading of a source, in words; `done` of `total` for a bar."""

    words: str
    done: int = 0
    total: int = 0
    failure: str = ""
    details: str = ""


def say_progress(reading: SourceReading, visit: Visit) -> ReadingProgress:
    """The progress of a source that is being read."""
    since = visit.clocks.moment(reading.started_at)
    details = visit.say(
        "operator_pages-knowledge-reading-by", since=since, runner=reading.runner or "–"
    )
    if not reading.is_running:
        return ReadingProgress(
            visit.say("operator_pages-knowledge-reading-broken"), details=details
        )
    if reading.documents is None:
        return ReadingProgress(visit.say("operator_pages-knowledge-reading-list"), details=details)
    words = visit.say(
        "operator_pages-knowledge-reading-of", done=reading.done, documents=reading.documents
    )
    if reading.failed:
        words += f" · {visit.say('operator_pages-knowledge-failed-count', count=reading.failed)}"
    done = min(reading.done, reading.documents)
    return ReadingProgress(words, done, max(reading.documents, 1), reading.last_failure, details)


def say_clock(clocks: Sequence[Clock], visit: Visit) -> str:
    """The interval at which a source is read, and the next time; "" without a clock."""
    clock = next((clock for clock in clocks if clock.job == "content"), None)
    if clock is None:
        return ""
    words = (
        [visit.say("operator_pages-knowledge-every-words", every=interval_of(clock))]
        if clock.every
        else []
    )
    if clock.next_at and clock.next_at <= datetime.now(clock.next_at.tzinfo):
        words.append(visit.say("operator_pages-knowledge-due"))
    elif clock.next_at:
        words.append(
            visit.say("operator_pages-knowledge-next", time=visit.clocks.moment(clock.next_at))
        )
    return " · ".join(words)


def interval_of(clock: Clock) -> str:
    """The interval as the form takes it: 15m, 6h, 1d or fields of cron."""
    if not clock.every.isdecimal():
        return clock.every
    seconds = int(clock.every)
    for unit_s, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds % unit_s == 0:
            return f"{seconds // unit_s}{unit}"
    return f"{seconds}s"


def say_problem(clocks: Sequence[Clock], source: ListedSource) -> str:
    """The problem of a source as a whole, "" without one."""
    problem = source.outcome.problem if source.outcome else ""
    return problem or next((clock.problem for clock in clocks if clock.problem), "")


def say_missing(outcome: SourceOutcome | None, visit: Visit) -> list[str]:
    """The failures of a source, and its unread parts, in a few words each."""
    if outcome is None:
        return []
    words = []
    if failed := sum(cause.documents for cause in outcome.failures):
        words.append(visit.say("operator_pages-knowledge-failed-count", count=failed))
    if outcome.content.empty:
        words.append(visit.say("operator_pages-knowledge-empty-count", count=outcome.content.empty))
    if outcome.content.unread:
        counts = {unread.kind: unread.parts for unread in outcome.content.unread}
        parts = say_parts(visit.locale, counts)
        words.append(visit.say("operator_pages-knowledge-unread-parts", parts=parts))
    return words


async def say_readers(
    principals: Sequence[str], visit: Visit, accounts: Accounts
) -> Mapping[str, str]:
    """Words for principals; users are named if the bot knows their names."""
    ids = {
        int(principal.removeprefix(_USER))
        for principal in principals
        if principal.startswith(_USER)
    }
    names = await accounts.names(ids) if ids else {}
    words = {}
    for principal in principals:
        if principal == _EVERYBODY:
            words[principal] = visit.say("operator_pages-knowledge-everybody")
        elif principal.startswith(_USER):
            name = names.get(int(principal.removeprefix(_USER)), "")
            words[principal] = f"{name} ({principal})" if name else principal
        else:
            words[principal] = principal
    return words
