"""Refused requests, and the answers to them: errors in OpenAI's form, with a hint.

Source: https://platform.openai.com/docs/guides/error-codes
"""

import math
from collections.abc import Mapping
from typing import Final

from starlette.responses import JSONResponse

from rich_agent.errors import RichAgentError

_TYPES: Final[Mapping[int, str]] = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
    503: "server_error",
}
_WRONG = "invalid_request_error"


class RequestRefusedError(RichAgentError):
    """A request that is answered with an error; programs read its `code`.

    `headers` are those of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        hint: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.code = code
        self.headers = headers or {}


def retry_after(wait_s: float) -> Mapping[str, str]:
    """The header with the time after which the same request may succeed."""
    return {"Retry-After": str(max(1, math.ceil(wait_s)))}


def refusal(error: RequestRefusedError) -> JSONResponse:
    """The answer with the reason for a program, and the hint for its user."""
    headers = {**error.headers}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    details = {
        "message": f"{error} {error.hint}".strip(),
        "type": _TYPES.get(error.status, _WRONG),
        "code": error.code,
    }
    return JSONResponse({"error": details}, error.status, headers)
