"""Parameters that a server refuses are left out, and remembered."""

from typing import Any

import pytest
import structlog.testing

from rich_agent.ports.models import ANSWER_TOKENS, Prompt
from rich_agent.upstreams.models.chat import OpenAIChatModel, OpenAISummarizer
from rich_agent.upstreams.servers.capabilities import ModelAccess
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
    """Parameters that no client knows reach it too."""
    given: Json = {"reasoning_effort": "low", "temperature": 0.2, "mirostat": {"tau": 5}}
    server = ModelServer(says=["Hello"])
    async with server.access(given) as access:
        await answer(access)
    assert given.items() <= server.asked[0].items()


def too_much(body: Json) -> tuple[int, Json] | None:
    """As OpenAI refuses a limit that is more than the model can write."""
    told = "max_tokens is too large: 4000. This model supports at most 2048 completion tokens."
    return (
        (400, {"error": {"message": told, "param": "max_tokens", "code": None}})
        if (body.get("max_tokens", 0) > 2_048)
        else None
    )


async def test_limit_that_is_too_high_is_lowered_to_what_the_refusal_names() -> None:
    """It is kept from then on, and not left out."""
    server = ModelServer(too_much, ["Hello"])
    async with server.access() as access:
        assert await answer(access) == "Hello"
        assert await answer(access) == "Hello"
        assert [body["max_tokens"] for body in server.asked] == [ANSWER_TOKENS, 2_048, 2_048]


async def test_answer_within_a_small_window_has_what_the_prompt_leaves() -> None:
    """A server that adds the limit to the prompt would refuse more."""
    server = ModelServer(says=["Hello"])
    async with server.access() as access:
        access.capabilities.window = 2_048
        await answer(access)
        assert 1_900 < server.asked[0]["max_tokens"] < 2_048


@pytest.mark.parametrize(
    ("told", "demanded"),
    [
        (
            "parameter.enable_thinking must be set to false for non-streaming calls",
            {"enable_thinking": False},
        ),
        ("parameter.enable_thinking必须设置为false才能进行非流式调用", {"enable_thinking": False}),
        ("This model only support stream mode, please enable it.", {"stream": True}),
        ("enable thinking can not be support when `stream=False`.", {"stream": True}),
    ],
)
async def test_whole_answer_is_asked_for_as_the_refusal_wants_it(told: str, demanded: Json) -> None:
    """By the value that it names, or by a stream; from then on at once."""

    def refuse(body: Json) -> tuple[int, Json] | None:
        taken = body.get("stream") or demanded.items() <= body.items()
        error = {"message": told, "type": "invalid_request_error", "param": None}
        return None if taken else (400, {"error": {**error, "code": "invalid_parameter_error"}})

    server = ModelServer(refuse, ["Hello"])
    async with server.access() as access:
        for _ in range(2):
            assert await OpenAISummarizer(access).summarize(PROMPT) == "Hello"
        assert len(server.asked) == 3
        assert (await access.capabilities.known()).demanded == demanded


async def test_demand_that_does_not_help_is_made_once() -> None:
    """And no text of a prompt that an error repeats sets what is asked for."""
    told = "model must be set to false; tools must be true; seed must be true. You sent: stream"
    server = ModelServer(lambda _: (400, {"error": {"message": told}}), ["Hello"])
    async with server.access() as access:
        with pytest.raises(Exception, match="refused with 400"):
            await OpenAISummarizer(access).summarize(PROMPT)
        assert len(server.asked) <= 4
        assert all(body["model"] == "m" for body in server.asked)
        assert not (await access.capabilities.known()).demanded
