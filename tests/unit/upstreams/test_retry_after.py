"""When a server says that it may be asked again, in each of the forms that servers use."""

import pytest

from rich_agent.upstreams.servers.retry_after import requested_wait_s

NOW = 1_767_225_600.0  # 2026-01-01T00:00:00Z
RETRY_INFO = [
    {
        "error": {
            "code": 429,
            "details": [
                {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
            ],
        }
    }
]
OPENROUTER = {
    "error": {"metadata": {"headers": {"X-RateLimit-Reset": str(int((NOW + 90) * 1000))}}}
}


@pytest.mark.parametrize(
    ("headers", "body", "wait_s"),
    [
        ({"retry-after": "20"}, None, 20.0),
        ({"Retry-After": "1.5"}, None, 1.5),
        ({"retry-after": "Thu, 01 Jan 2026 00:02:00 GMT"}, None, 120.0),
        ({"retry-after": "Wed, 31 Dec 2025 23:00:00 GMT"}, None, 0.0),
        # The server's clock counts, whatever ours says.
        (
            {
                "date": "Thu, 01 Jan 2026 05:00:00 GMT",
                "retry-after": "Thu, 01 Jan 2026 05:00:30 GMT",
            },
            None,
            30.0,
        ),
        ({"retry-after-ms": "1250", "retry-after": "2"}, None, 1.25),
        ({"x-ratelimit-reset-tokens": "6m0s"}, None, 360.0),
        ({"x-ratelimit-reset-requests": "120ms"}, None, 0.12),
        ({"x-ratelimit-reset-tokens": "1h2m3.5s"}, None, 3_723.5),
        ({"x-ratelimit-reset-requests": "45"}, None, 45.0),
        ({"anthropic-ratelimit-tokens-reset": "2026-01-01T00:01:10Z"}, None, 70.0),
        ({"x-ratelimit-reset": str(int(NOW) + 15)}, None, 15.0),
        ({}, RETRY_INFO, 34.5),
        ({}, OPENROUTER, 90.0),
        ({}, {"error": {"message": "Rate limit reached."}}, None),
        ({}, None, None),
    ],
)
def test_asked_wait_is_read_in_every_form(
    headers: dict[str, str], body: object, wait_s: float | None
) -> None:
    """Seconds, dates, durations; in headers and in bodies."""
    found = requested_wait_s(headers, body, NOW)
    assert found == (None if wait_s is None else pytest.approx(wait_s))


def test_asked_wait_is_that_of_the_limit_that_ran_out() -> None:
    """The other limits say when they are whole again, which nobody has to wait for."""
    limits = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "2s",
        "x-ratelimit-remaining-tokens": "1200",
        "x-ratelimit-reset-tokens": "6m0s",
    }
    assert requested_wait_s(limits, None, NOW) == 2.0
    # With some of both left, it was the tokens that did not suffice.
    assert requested_wait_s({**limits, "x-ratelimit-remaining-requests": "7"}, None, NOW) == 360.0


@pytest.mark.parametrize("value", ["", "soon", "nan", "inf", "-5", "1e999", "5x", "9" * 70, "s5"])
def test_asked_wait_takes_no_nonsense(value: str) -> None:
    """A header of another kind names no time, or one that a number can hold."""
    found = requested_wait_s({"retry-after": value}, None, NOW)
    assert found is None or 0 <= found < float("inf")
