"""Refusals of a model server, told by what its operator or its user can do about them."""

import httpx2
import openai
import pytest

from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import RichAgentError, UpstreamRefusedError, UpstreamUnavailableError
from rich_agent.ports.models import ModelAccountError, ModelBusyError
from rich_agent.upstreams.servers.refusals import translate_openai_errors

ROLE = ModelRole("m", "http://x/v1", "k")


def translated(status: int, body: object, headers: dict[str, str] | None = None) -> RichAgentError:
    """The error that a response becomes, as the client reads it."""
    request = httpx2.Request("POST", "http://x/v1/chat/completions")
    response = httpx2.Response(status, json=body, headers=headers, request=request)
    client = openai.AsyncOpenAI(base_url=ROLE.base_url, api_key=ROLE.api_key)
    with pytest.raises(RichAgentError) as caught, translate_openai_errors("model", ROLE):
        raise client._make_status_error_from_response(response)
    return caught.value


@pytest.mark.parametrize(
    ("status", "error", "cause"),
    [
        (429, {"code": "insufficient_quota", "message": "You exceeded your quota"}, "credit"),
        (429, {"type": "insufficient_quota", "code": None, "message": "x"}, "credit"),
        (402, {"message": "Insufficient Balance"}, "credit"),
        (400, {"message": "Your credit balance is too low to access the Anthropic API"}, "credit"),
        (401, {"message": "Incorrect API key provided"}, "key"),
        (403, {"message": "Project does not have access to model"}, "key"),
        (400, {"message": "x", "details": [{"reason": "API_KEY_INVALID"}]}, "key"),
    ],
)
def test_trouble_with_the_account_is_told_from_other_refusals(
    status: int, error: dict[str, object], cause: str
) -> None:
    """Each server has its own way to say it; the hint names the setting."""
    found = translated(status, {"error": error}, {"retry-after": "1"})
    assert isinstance(found, ModelAccountError)
    assert found.cause == cause
    assert "OPENAI_API_KEY" in found.hint


@pytest.mark.parametrize("status", [429, 503, 529])
@pytest.mark.parametrize(("headers", "wait_s"), [({"retry-after": "90"}, 90.0), ({}, None)])
def test_busy_server_is_told_with_its_time(
    status: int, headers: dict[str, str], wait_s: float | None
) -> None:
    """Too many requests, or overloaded."""
    found = translated(status, {"error": {"message": "Overloaded"}}, headers)
    assert isinstance(found, ModelBusyError)
    assert found.retry_after_s == wait_s


def test_other_refusals_stay_what_they_are() -> None:
    """A prompt that a moderation refuses says nothing about the key; a 500 is no full queue."""
    flagged = {"error": {"message": "flagged", "metadata": {"flagged_input": "…"}}}
    assert not isinstance(translated(403, flagged), ModelAccountError)
    assert isinstance(translated(403, flagged), UpstreamRefusedError)
    assert isinstance(translated(500, {}), UpstreamUnavailableError)
    assert not isinstance(translated(400, {"error": "unknown field"}), ModelAccountError)
