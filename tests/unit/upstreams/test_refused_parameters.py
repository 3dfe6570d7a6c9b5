"""Parameters that a server refuses are left out, and remembered."""

from typing import Any

import pytest
import structlog.testing

from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import OpenAIChatModel
from rich_agent.upstreams.servers.access import ModelAccess
from tests.unit.upstreams.servers import (
    Json,
    ModelServer,
    Refuse,
    mistral_refusal,
    openai_refusal,
)

PROMPT = Prompt("Answer.", "What is staking?")
TEXT = {"error": "Unexpected field: temperature"}
LISTED = [{"error": {"code": 400, "message": 'Unknown name "top_k"', "status": "INVALID_ARGUMENT"}}]
UNNAMED = {"error": {"message": "Bad Request", "type": "invalid_request_error"}}


async def answer(access: ModelAccess) -> str:
    """A streamed answer."""
    return "".join([str(piece) async for piece in OpenAIChatModel(access).stream(PROMPT)])


def refusing(name: str, refusal: tuple[int, Any]) -> Refuse:
    """Refuses requests with this field."""
    return lambda body: refusal if name in body else None


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("temperature", openai_refusal("temperature", "unsupported_value")),
        ("temperature", (400, TEXT)),
        ("temperature", (400, UNNAMED)),
        ("stream_options", mistral_refusal("stream_options")),
        ("stream_options", (400, UNNAMED)),
        ("top_k", openai_refusal("top_k", "unknown_parameter")),
        ("top_k", (400, LISTED)),
    ],
)
async def test_refused_parameter_is_left_out_from_then_on(
    name: str, refusal: tuple[int, Any]
) -> None:
    """The answer comes; the next request does not have it, and keeps the others."""
    server = ModelServer(refusing(name, refusal), ["Hello"])
    given = {"temperature": 0.2} | ({"top_k": 40} if name == "top_k" else {})
    async with server.access(given) as access:
        with structlog.testing.capture_logs() as logs:
            assert await answer(access) == "Hello"
            tries = len(server.asked)
            assert await answer(access) == "Hello"
        assert len(server.asked) == tries + 1
        assert name not in server.asked[-1]
        if name != "temperature":
            assert server.asked[-1]["temperature"] == 0.2
        told = [log for log in logs if log["event"] == "model_refuses_parameter"]
        assert name in [log["name"] for log in told]
        assert len({log["name"] for log in told}) == len(told)
        setting = "CHAT_PARAMETERS" if name in given else None
        assert [log["setting"] for log in told if log["name"] == name] == [setting]


@pytest.mark.parametrize(
    ("written", "taken"),
    [("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")],
)
async def test_most_tokens_are_told_in_the_name_that_the_server_takes(
    written: str, taken: str
) -> None:
    """Reasoning models take only the newer name, older servers only the other one."""
    server = ModelServer(refusing(written, openai_refusal(written)), ["Hello"])
    async with server.access({written: 800}) as access:
        assert await answer(access) == "Hello"
        assert [taken in body for body in server.asked] == [False, True]
        assert server.asked[-1][taken] == 800


async def test_refusal_of_the_model_is_told_as_it_is() -> None:
    """And not blamed on a parameter."""
    server = ModelServer(lambda _: openai_refusal("model", "model_not_found"))
    async with server.access({"temperature": 0.2}) as access:
        with pytest.raises(Exception, match="refused with 400"):
            await answer(access)
        assert len(server.asked) == 1
        assert not (await access.capabilities.known()).refused


async def test_parameters_reach_the_server_as_written() -> None:
    """Those too that no client knows."""
    given: Json = {"reasoning_effort": "low", "temperature": 0.2, "mirostat": {"tau": 5}}
    server = ModelServer(says=["Hello"])
    async with server.access(given) as access:
        await answer(access)
    assert given.items() <= server.asked[0].items()
