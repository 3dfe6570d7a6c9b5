"""Keys and breakpoints that tell servers which beginning of a prompt they have read before."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from rich_agent.domain.access import UserTags
from rich_agent.domain.usage_limits import Payer
from rich_agent.ports.models import Prompt
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.upstreams.models.chat import OpenAIChatModel
from rich_agent.upstreams.servers.capabilities import ModelAccess
from tests.unit.upstreams.test_chat_client import (
    STOP,
    Json,
    Server,
    delta,
    events,
    refused,
    response_events,
)

TAGS = UserTags("prompt-cache:a secret")
HISTORY = (("user", "Hi"), ("assistant", "Hello"))
PROMPT = Prompt("Be brief.", "What are fees?", HISTORY)
ANSWER = events(delta(content="Fees.", **STOP))
WRITES = {"prompt_tokens": 90, "completion_tokens": 2, "cache_creation_input_tokens": 80}
MARK = {"cache_control": {"type": "ephemeral"}}
OPENROUTER = "https://openrouter.ai/api/v1"
NAMED_REFUSALS: dict[str, tuple[int, Json]] = {
    "groq": (400, {"error": {"message": "property 'prompt_cache_key' is unsupported"}}),
    "nvidia": (
        400,
        {
            "message": "Validation: Unsupported parameter(s): `prompt_cache_key`",
            "type": "Bad Request",
            "code": 400,
        },
    ),
    "azure": (
        400,
        {
            "error": {
                "message": "Unrecognized request argument supplied: prompt_cache_key",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        },
    ),
    "cerebras": (
        422,
        {
            "message": "body.prompt_cache_key: property 'body.prompt_cache_key' is unsupported",
            "type": "invalid_request_error",
            "param": "validation_error",
            "code": "wrong_api_format",
        },
    ),
    "unnamed": (400, {"error": {"message": "Bad Request", "type": "invalid_request_error"}}),
}
LITELLM_AZURE = (
    "litellm.BadRequestError: Azure_aiException - Unrecognized request argument supplied: "
    "cache_control. Received Model Group=azure_ai/gpt-4o-mini"
)


def at(url: str, server: Server, model: str = "some-model") -> ModelAccess:
    """The way to a server at this address, with tags for the keys."""
    access = server.access(model)
    role = replace(access.role, base_url=url)
    return replace(access, role=role, cache_tags=TAGS)


async def answer(access: ModelAccess, prompt: Prompt = PROMPT, user_id: int = 42) -> str:
    """A streamed answer that this user pays for."""
    with bill_to(Meter(payer=Payer(user_id, "r1")), "node"):
        return "".join([str(piece) async for piece in OpenAIChatModel(access).stream(prompt)])


def refusing(name: str, status: int, body: Json) -> Callable[[Json], httpx2.Response]:
    """Refuses requests with this field at the top, and answers others."""
    return lambda asked: httpx2.Response(status, json=body) if name in asked else ANSWER


@pytest.mark.parametrize(
    ("url", "takes"),
    [
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1", True),
        ("https://mine.openai.azure.com/openai/v1", True),
        ("https://api.mistral.ai/v1", True),
        ("https://api.groq.com/openai/v1", False),
        ("https://api.openai.com.example.org/v1", False),
        ("http://localhost:8080/v1", False),
    ],
)
async def test_key_goes_to_servers_that_are_known_to_take_it(url: str, *, takes: bool) -> None:
    """Nobody can read the user in it; two users have two, a user always the same."""
    server = Server(ANSWER)
    access = at(url, server)
    for user_id in (42, 7, 42):
        await answer(access, user_id=user_id)
    keys = [body.get("prompt_cache_key") for _, body in server.asked]
    assert keys == ([TAGS.of(42), TAGS.of(7), TAGS.of(42)] if takes else [None] * 3)


async def test_calls_that_nobody_pays_for_have_no_key() -> None:
    """Nor have those of a process without a secret."""
    server = Server(ANSWER)
    access = at("https://api.openai.com/v1", server)
    await answer(access, user_id=0)
    await answer(replace(access, cache_tags=None))
    assert all("prompt_cache_key" not in body for _, body in server.asked)


async def test_operator_can_set_the_key() -> None:
    """A key in CHAT_PARAMETERS is sent as it is, to any server."""
    server = Server(ANSWER)
    access = at("https://api.openai.com/v1", server)
    role = replace(access.role, parameters={"prompt_cache_key": "ours"})
    await answer(replace(access, role=role))
    assert server.asked[0][1]["prompt_cache_key"] == "ours"


async def test_key_is_sent_to_the_responses_api_too() -> None:
    """A model that only that API serves shares prompts as well."""
    server = Server(refused("only supported in v1/responses", 404), response_events("Fees."))
    await answer(at("https://api.openai.com/v1", server))
    path, body = server.asked[-1]
    assert (path.rsplit("/", 1)[-1], body["prompt_cache_key"]) == ("responses", TAGS.of(42))


@pytest.mark.parametrize(("status", "body"), NAMED_REFUSALS.values(), ids=NAMED_REFUSALS)
async def test_key_that_a_server_refuses_is_never_sent_again(status: int, body: Json) -> None:
    """As servers refuse it that check the names of parameters."""
    server = Server(refusing("prompt_cache_key", status, body))
    access = at("https://mine.openai.azure.com/openai/v1", server)
    assert [await answer(access), await answer(access)] == ["Fees."] * 2
    sent = ["prompt_cache_key" in body for _, body in server.asked]
    assert sent == [True, False, False]
    assert "prompt_cache_key" in (await access.capabilities.known()).refused


def contents(body: Json) -> list[Any]:
    """The contents of the messages of a request."""
    return [message["content"] for message in body["messages"]]


def marked(text: str) -> list[Json]:
    """A text with a breakpoint."""
    return [{"type": "text", "text": text, **MARK}]


async def test_breakpoints_follow_the_instructions_and_the_conversation() -> None:
    """The last message of the user is new, so nothing behind it is worth keeping."""
    server = Server(ANSWER)
    access = at(OPENROUTER, server, "anthropic/claude-sonnet-4.5")
    await answer(access)
    await answer(access, replace(PROMPT, history=()))
    first, second = (contents(body) for _, body in server.asked)
    assert first == [marked("Be brief."), "Hi", marked("Hello"), "What are fees?"]
    assert second == [marked("Be brief."), "What are fees?"]


async def test_breakpoints_are_sent_once_a_server_counts_what_it_wrote() -> None:
    """As LiteLLM does with Anthropic's models behind it; before that, none is sent."""
    server = Server(events(delta(content="Fees.", **STOP), {**delta(), "usage": WRITES}))
    access = at("http://litellm:4000/v1", server)
    await answer(access)
    await answer(access)
    first, second = (contents(body) for _, body in server.asked)
    assert first[0] == "Be brief."
    assert second[0] == marked("Be brief.")


@pytest.mark.parametrize(
    "refusal",
    [
        refused(LITELLM_AZURE, type="None", param="None", code="400"),
        refused("messages.0.content: Input should be a valid string", 422),
        httpx2.Response(
            422,
            json={
                "detail": [
                    {
                        "type": "extra_forbidden",
                        "loc": ["body", "messages", 0, "system", "content", 0, "cache_control"],
                        "msg": "Extra inputs are not permitted",
                        "input": {"type": "ephemeral"},
                    }
                ]
            },
        ),
    ],
    ids=["litellm", "texts only", "mistral"],
)
async def test_breakpoints_that_a_server_refuses_are_never_sent_again(
    refusal: httpx2.Response,
) -> None:
    """Nor are texts sent as parts; the answer comes all the same."""
    server = Server(
        lambda body: refusal if isinstance(contents(body)[0], list) else ANSWER,
    )
    access = at("http://litellm:4000/v1", server)
    access.capabilities.reports_cache_writes = True
    assert [await answer(access), await answer(access)] == ["Fees."] * 2
    assert [isinstance(contents(body)[0], list) for _, body in server.asked] == [True, False, False]
    assert "cache_control" in (await access.capabilities.known()).refused
