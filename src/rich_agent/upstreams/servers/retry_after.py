"""Reads from a refusal when the model server will accept requests again.

Sources: RFC 9110, 10.2.3 (Retry-After); OpenAI, "Rate limits" (x-ratelimit-*, durations such as
6m0s); Anthropic, "Rate limits" (anthropic-ratelimit-*, RFC 3339 times); Azure OpenAI
(retry-after-ms); OpenRouter (X-RateLimit-Reset in milliseconds since the epoch, in the body too);
google.rpc.RetryInfo.
"""

import math
import re
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

_MOST_CHARACTERS = 64
_DURATION = re.compile(r"(?:\d{1,12}(?:\.\d{1,12})?(?:ms|[dhms]))+")
_PART = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)(ms|[dhms])")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_EPOCH_FROM_S = 1e9
"""A larger number is a point in time, not a wait: 30 years in seconds."""
_EPOCH_FROM_MS = 1e12


def requested_wait_s(
    headers: Mapping[str, str], body: object, now: float | None = None
) -> float | None:
    """Seconds until the server accepts requests again, None if the refusal has no time.

    Times are compared with the server's own `Date`. If the server sends no `Date`, they are
    compared with `now` (seconds since the epoch).
    """
    # A proxy passes on the headers of the server behind it as `metadata.headers`.
    proxied_headers: dict[str, object] = next(
        (part for name, part in walk(body) if name == "headers" and isinstance(part, dict)), {}
    )
    fields = {
        name.lower(): str(value) for name, value in [*headers.items(), *proxied_headers.items()]
    }
    delays = (part for name, part in walk(body) if name == "retryDelay" and isinstance(part, str))
    server_now = _moment(fields.get("date", ""))
    now = server_now if server_now is not None else time.time() if now is None else now
    for wait_s in (
        _number(fields.get("retry-after-ms"), 0.001),
        wait_from(fields.get("retry-after"), now),
        wait_from(next(delays, None), now),
        _reset_s(fields, now),
    ):
        if wait_s is not None:
            return wait_s
    return None


def _reset_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds until the exhausted limits are reset.

    If no limit is marked as exhausted, the reset of the token limit counts: a refused request
    needed one request, but more tokens than were left.
    """
    wait_s_by_header = {
        header: wait_s
        for header, value in headers.items()
        if "ratelimit" in header
        and "reset" in header
        and (wait_s := wait_from(value, now)) is not None
    }
    exhausted_waits = [
        wait_s
        for header, wait_s in wait_s_by_header.items()
        if _number(headers.get(header.replace("reset", "remaining"))) == 0
    ]
    token_waits = [wait_s for header, wait_s in wait_s_by_header.items() if "token" in header]
    return max(exhausted_waits or token_waits or wait_s_by_header.values(), default=None)


def wait_from(value: str | None, now: float) -> float | None:
    """Seconds to wait, read from a number of seconds, a duration or a time; 0 for a past time."""
    text = (value or "").strip()[:_MOST_CHARACTERS]
    seconds = _number(text)
    if seconds is not None:
        if seconds >= _EPOCH_FROM_MS:
            seconds = seconds / 1000 - now
        elif seconds >= _EPOCH_FROM_S:
            seconds -= now
        return max(0.0, seconds)
    if _DURATION.fullmatch(text):
        return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))
    moment = _moment(text)
    return None if moment is None else max(0.0, moment - now)


def _number(value: str | None, unit: float = 1.0) -> float | None:
    try:
        number = float((value or "")[:_MOST_CHARACTERS]) * unit
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _moment(text: str) -> float | None:
    """Seconds since the epoch of an HTTP date or an ISO time; None for other text."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text[:_MOST_CHARACTERS])
        except (ValueError, OverflowError):
            continue
        if moment.tzinfo is not None:
            return moment.timestamp()
    return None


_DEPTH = 8


def walk(
    value: object, *, without: str | None = None, depth: int = _DEPTH
) -> Iterator[tuple[str, object]]:
    """Each (name, value) in a JSON value, outer values first; the name is "" in a list.

    Values under the name `without`, or deeper than `depth` levels, are left out.
    """
    parts = (
        value.items()
        if isinstance(value, Mapping)
        else (("", item) for item in value)
        if isinstance(value, list | tuple)
        else ()
    )
    for name, part in parts:
        if depth and name != without:
            yield name, part
            yield from walk(part, without=without, depth=depth - 1)
