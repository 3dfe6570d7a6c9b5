"""Errors of an OpenAI-compatible API, translated once (its client speaks through httpx2)."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import openai

from rich_agent.errors import (
    BrokenAnswerError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.model_role import ModelRole


@contextmanager
def translate_openai_errors(service: str, role: ModelRole) -> Iterator[None]:
    """Raise our own errors instead of the client's; they name the settings of the role."""
    try:
        yield
    except (openai.APITimeoutError, TimeoutError) as error:
        raise UpstreamTimeoutError(service, role.timeout_s) from error
    except openai.RateLimitError as error:
        raise UpstreamRateLimitedError(service, _retry_after(error.response)) from error
    except openai.APIStatusError as error:
        raise _refusal(service, error, role) from error
    except openai.APIConnectionError as error:
        raise UpstreamUnavailableError(
            service,
            "cannot be reached",
            mend=f"Check {role.url_setting}, and that the server is running.",
        ) from error
    except (openai.APIError, httpx2.HTTPError) as error:
        raise UpstreamUnavailableError(service, f"the answer broke off ({error})") from error
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # What the client makes of a 200 that is a web page or other JSON.
        raise BrokenAnswerError(
            service,
            "its answer is not that of an OpenAI-compatible API",
            mend=f"Check {role.url_setting}: it usually ends in /v1.",
        ) from error


def _refusal(service: str, error: openai.APIStatusError, role: ModelRole) -> UpstreamError:
    status = error.status_code
    if status >= 500 or status in {408, 409}:
        return UpstreamUnavailableError(service, f"answered {status}")
    mends = {
        401: f"Check {role.key_setting} (and {role.url_setting}).",
        403: f"Check that {role.key_setting} may use this model.",
        404: f"Check {role.model_setting}: the server does not know it (and {role.url_setting}).",
    }
    message = error.body.get("message") if isinstance(error.body, dict) else None
    if status == 404 and message is None:  # no model server says it so: another server, or path
        mends[404] = f"Check {role.url_setting}: it usually ends in /v1."
        message = "there is no such address"
    return UpstreamRefusedError(
        service, f"refused with {status}: {message or error.message}", mend=mends.get(status, "")
    )


def _retry_after(response: httpx2.Response) -> float | None:
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
