"""Translates the errors of an OpenAI-compatible API (its client uses httpx2)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import openai

from rich_agent.domain.json_values import read_json
from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import AccountTrouble, ModelAccountError, ModelBusyError
from rich_agent.upstreams.servers.refusals import (
    OUTPUT_LIMITS,
    codes_in,
    demanded_by,
    names_in,
)
from rich_agent.upstreams.servers.retry_after import asked_wait_s

_BUSY = frozenset({429, 503, 529})
"""529 means overloaded at Anthropic; Ollama and llama.cpp send 503 if their queue is full."""
_NO_CREDIT = frozenset({"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"})
_MOST_CHARACTERS = 4_000

_FILTERED = frozenset(
    {"content_filter", "content_policy_violation", "data_inspection_failed", "invalid_prompt"}
)
"""Codes for prompts that a filter stopped. Sources: Azure OpenAI, OpenAI, DashScope."""


@contextmanager
def translate_openai_errors(service: str, role: ModelRole) -> Iterator[None]:
    """Raise our own errors instead of the client's; they name the role's settings."""
    try:
        yield
    except (openai.APITimeoutError, TimeoutError) as error:
        if isinstance(error.__cause__, httpx2.ConnectTimeout):
            raise _unreachable(service, role) from error
        raise UpstreamTimeoutError(service, role.timeout_s) from error
    except openai.APIStatusError as error:
        raise _refusal(service, error, role) from error
    except openai.APIConnectionError as error:
        raise _unreachable(service, role) from error
    except (openai.APIError, httpx2.HTTPError) as error:
        # OpenRouter and others report an error inside a response with status 200.
        body = error.body if isinstance(error, openai.APIError) else None
        told = codes_in(body)
        if told & _BUSY:
            raise ModelBusyError(service, asked_wait_s({}, {"error": body})) from error
        if told & _FILTERED:
            raise EarlyEndError(service, "filtered") from error
        raise UpstreamUnavailableError(service, f"the answer broke off ({error})") from error
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        # The client raises these for a 200 that is a web page or other JSON.
        raise BrokenAnswerError(
            service,
            "it does not answer like an OpenAI-compatible API",
            hint=f"Check {role.url_setting}: it usually ends in /v1.",
        ) from error


def _unreachable(service: str, role: ModelRole) -> UpstreamError:
    hint = f"Check {role.url_setting}, and that the server is running."
    return UpstreamUnavailableError(service, "cannot be reached", hint=hint)


def _refusal(service: str, error: openai.APIStatusError, role: ModelRole) -> UpstreamError:
    status = error.status_code
    if codes_in(error.body) & _FILTERED:
        return EarlyEndError(service, "filtered")
    body = error.body if isinstance(error.body, dict) else {}
    if trouble := _account_trouble(error):
        hint = {
            "credit": f"Add credit to the account of {role.key_setting}, or raise its limit.",
            "key": f"Check {role.key_setting} (and {role.url_setting}); it must be allowed to use "
            f"{role.model_setting}.",
        }[trouble]
        what = "has no credit left" if trouble == "credit" else "is not accepted"
        message = f"the account {what} ({status}: {_message(error)})"
        return ModelAccountError(service, trouble, message, hint=hint)
    if status in _BUSY:
        told = read_json(error.response.content)
        return ModelBusyError(service, asked_wait_s(error.response.headers, told))
    if status >= 500 or status in {408, 409}:
        return UpstreamUnavailableError(service, f"answered {status}")
    hint, message = "", _message(error)
    if status == 404 and "message" not in body:  # not a model server's answer
        hint = f"Check {role.url_setting}: it usually ends in /v1."
        message = "there is no such address"
    elif status == 404:
        hint = f"Check {role.model_setting}: the server does not know it (and {role.url_setting})."
    elif demanded := demanded_by(error):
        hint = f"Set {role.parameters_setting}={json.dumps(demanded)}."
    elif OUTPUT_LIMITS & names_in(error):
        hint = f'Set {role.parameters_setting}={{"max_tokens": …}} to what it takes.'
    return UpstreamRefusedError(service, f"refused with {status}: {message}", hint=hint)


def _account_trouble(error: openai.APIStatusError) -> AccountTrouble | None:
    """The problem with the account, None if the refusal is about something else.

    Sources: OpenAI, "Error codes" (429 insufficient_quota); DeepSeek and OpenRouter (402);
    Anthropic ("Your credit balance is too low", a 400); Gemini (API_KEY_INVALID, a 400);
    OpenRouter (403 with `flagged_input` for a prompt that its moderation refuses).
    """
    status, words = error.status_code, json.dumps(error.body)[:_MOST_CHARACTERS]
    if (
        status == 402
        or codes_in(error.body) & _NO_CREDIT
        or (status == 400 and "credit balance" in words)
    ):
        return "credit"
    if status == 401 or (status == 403 and "flagged_input" not in words):
        return "key"
    return "key" if status == 400 and "API_KEY_INVALID" in words else None


def _message(error: openai.APIStatusError) -> str:
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return str(message or error.message)
