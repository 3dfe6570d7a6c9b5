"""Refusals that a fault asks for, each in the form of its server.

- `401`, `402` (no credit), `429`, `500`, `503`, `529`: the statuses; a 429 says when to try again
  in the server's way: Retry-After, x-ratelimit-reset-*, or a detail in the body.
- `busy`: a 429 without a time.
- `insufficient_quota`: the 429 of an account without credit; waiting does not help.
- `filtered_prompt`: the 400 of a filter on prompts.
"""

from typing import Any

from rich_agent_sandbox.exchange import RefusalError
from rich_agent_sandbox.ledger import Fault
from rich_agent_sandbox.openai.servers.personality import Personality
from rich_agent_sandbox.openai.servers.refusing import Refused, refusal

_NO_CREDIT = "You exceeded your current quota, please check your plan and billing details."
_FAILED = "The server had an error while processing your request."
_FILTERED = (
    "The response was filtered due to the prompt triggering the content management policy. "
    "Please modify your prompt and retry."
)
_SHOWN = {
    "401": Refused(401, "Incorrect API key provided.", code="invalid_api_key"),
    "402": Refused(402, "Insufficient Balance", "unknown_error", code="invalid_request_error"),
    "500": Refused(500, _FAILED, "server_error"),
    "503": Refused(503, _FAILED, "server_error"),
    "529": Refused(529, "Overloaded", "overloaded_error"),
    "busy": Refused(429, "Rate limit reached.", "requests", code="rate_limit_exceeded"),
    "insufficient_quota": Refused(429, _NO_CREDIT, "insufficient_quota", code="insufficient_quota"),
    "filtered_prompt": Refused(400, _FILTERED, param="prompt", code="content_filter"),
}


def refuse_by_fault(personality: Personality, fault: Fault) -> None:
    """Raise the refusal that the fault asks for; other kinds are handled elsewhere."""
    if fault.kind == "429":
        raise _limited(personality, 1 if fault.retry_after is None else fault.retry_after)
    if refused := _SHOWN.get(fault.kind):
        raise refusal(personality.form, refused)


def _limited(personality: Personality, wait_s: int) -> RefusalError:
    message = f"Rate limit reached. Please try again in {wait_s}s."
    refused = Refused(429, message, "requests", code="rate_limit_exceeded")
    limited = refusal(personality.form, refused)
    minutes, seconds = divmod(wait_s, 60)
    if personality.waits == "retry-after":
        limited.headers["retry-after"] = str(wait_s)
    elif personality.waits == "reset-headers":
        limited.headers["x-ratelimit-reset-requests"] = "120ms"
        limited.headers["x-ratelimit-reset-tokens"] = (
            f"{minutes}m{seconds}s" if minutes else f"{seconds}s"
        )
    else:
        payload: Any = limited.payload
        error = (payload[0] if isinstance(payload, list) else payload)["error"]
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        error["details"] = [{"@type": kind, "retryDelay": f"{wait_s}s"}]
    return limited
