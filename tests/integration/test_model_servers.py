"""Model servers with habits of their own, over HTTP: what is learned, and what comes back."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import BrokenAnswerError, EarlyEndError
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import OpenAIChatModel, OpenAISummarizer
from rich_agent.upstreams.models.choosing import RankingByModel
from rich_agent.upstreams.models.planning import OpenAIPlanner
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess
from rich_agent_sandbox.ledger import Fault, Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.api import server_routes

LEDGER = Ledger()
PROMPT = Prompt("Answer.", "<question>Hello, who are you?</question>")
LIMITS = {"max_tokens", "max_completion_tokens"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of all servers."""
    config = SandboxModelConfig(stream_delay_s=0.0, time_scale=0.001)
    with served(Starlette(routes=[Mount("/servers", routes=server_routes(LEDGER, config))])) as at:
        yield f"{at}/servers"


@asynccontextmanager
async def reached(url: str, name: str, **parameters: object) -> AsyncIterator[ModelAccess]:
    """A process that knows nothing of a server yet."""
    LEDGER.forget()
    role = ModelRole(
        "sandbox-chat",
        f"{url}/{name}/v1",
        "key",
        parameters=parameters,
        parameters_setting="PLANNER_PARAMETERS",
    )
    async with httpx2.AsyncClient() as http:
        yield ModelAccess(role, http, LearnedCapabilities(role.server, role.model))


async def said_by(access: ModelAccess) -> str:
    """The whole streamed answer."""
    return "".join([str(piece) async for piece in OpenAIChatModel(access).stream(PROMPT)])


async def test_switch_that_a_refusal_names_is_set_as_it_says(url: str) -> None:
    """Qwen3 on DashScope plans at once from then on, and still thinks where it is streamed."""
    async with reached(url, "dashscope") as access:
        await OpenAIPlanner(access).plan(PROMPT)
        tries = len(LEDGER.calls())
        await OpenAIPlanner(access).plan(PROMPT)
        assert len(LEDGER.calls()) == tries + 1
        assert (await access.capabilities.known()).demanded == {"enable_thinking": False}
        assert await said_by(access)
        assert "enable_thinking" not in LEDGER.calls()[-1].body
        assert (await access.capabilities.known()).thinks


async def test_answer_in_one_body_is_read_whole(url: str) -> None:
    """A proxy that ignores `stream` is asked once, and nothing of its answer is lost."""
    async with reached(url, "whole") as access:
        assert await said_by(access)
        assert len(LEDGER.calls()) == 1
        assert (await access.capabilities.known()).answers_whole
        await OpenAIPlanner(access).plan(PROMPT)


async def test_stream_without_a_mark_of_its_end_is_taken_as_ended_when_it_ends_so_again(
    url: str,
) -> None:
    """The first may have been cut; the same call that ends the same way was not."""
    async with reached(url, "unmarked") as access:
        with pytest.raises(BrokenAnswerError, match="without the mark of an end"):
            await said_by(access)
        assert await said_by(access)
        assert (await access.capabilities.known()).marks_ends is False
        assert await said_by(access)
        assert len(LEDGER.calls()) == 3


async def test_stream_of_a_server_that_marks_ends_is_never_taken_as_ended_without_one(
    url: str,
) -> None:
    """However often the same call breaks off: a half answer is not kept as a whole one."""
    async with reached(url, "openai") as access:
        assert await said_by(access)
        LEDGER.plan_fault(Fault("openai", "closed", "chat.completions", times=3, server="openai"))
        for _ in range(3):
            with pytest.raises(BrokenAnswerError):
                await said_by(access)
        assert await said_by(access)


@pytest.mark.parametrize("server", ["openai", "vllm", "ollama"])
async def test_model_that_chats_ranks_passages(url: str, server: str) -> None:
    """The passages that help, in order; of too many for a small window, the first ones."""
    async with reached(url, server) as access:
        ranking = RankingByModel(access)
        texts = ["Hats.", "The bus to town.", "The ferry leaves at nine.", "When is the ferry?"]
        assert await ranking.rank("When does the ferry leave?", texts) == [2, 3]
        long = ["The ferry " + "sails on and on " * 40] * 300
        found = await ranking.rank("When does the ferry leave?", long)
        assert 10 < len(found) < 60


async def test_form_that_is_refused_with_500_leads_to_the_next(url: str) -> None:
    """llama-cpp-python answers what does not validate so; it is no trouble of the server."""
    async with reached(url, "llama-cpp-python") as access:
        await OpenAIPlanner(access).plan(PROMPT)
        assert (await access.capabilities.known()).step == "json_mode"
        assert [call.status for call in LEDGER.calls()] == [500, 200, 200]


async def test_words_where_a_tool_was_asked_for_lead_to_json_mode(url: str) -> None:
    """A server that ignores tools leaves a small model to write what only looks like the form."""
    async with reached(url, "llama-cpp-python") as access:
        words = 'Sure! {"reminder": "bank", "at": 8}'
        LEDGER.plan_fault(Fault("openai", "scripted", containing='"tool_choice"', text=words))
        await OpenAIPlanner(access).plan(PROMPT)
        assert (await access.capabilities.known()).step == "json_mode"
        assert [call.status for call in LEDGER.calls()] == [500, 200, 200]


async def test_json_mode_asks_for_the_schema_until_a_server_refuses_it(url: str) -> None:
    """A small model is held to the form where that works; the others are asked for it once."""
    async with reached(url, "llama-cpp-python") as access:
        planner = OpenAIPlanner(access)
        await planner.plan(PROMPT)
        LEDGER.plan_fault(Fault("openai", "refuses", "chat.completions", text="response_format"))
        await planner.plan(PROMPT)
        await planner.plan(PROMPT)
    asked = [call.body.get("response_format", {}) for call in LEDGER.calls()]
    objects = [one for one in asked if one.get("type") == "json_object"]
    assert ["schema" in one for one in objects] == [True, True, False, False]
    assert "plan" in objects[0]["schema"]["properties"]


async def test_answer_that_repeats_itself_is_ended_and_its_stream_closed(url: str) -> None:
    """Text said before is kept, with the repeated line once; the server writes no more."""
    async with reached(url, "openai") as access:
        whole = await said_by(access)
        LEDGER.plan_fault(Fault("openai", "looped", "chat.completions"))
        written = ""

        async def write() -> None:
            nonlocal written
            async for piece in OpenAIChatModel(access).stream(PROMPT):
                written += str(piece)

        with pytest.raises(EarlyEndError) as ended:
            await write()
        assert ended.value.reason == "repeated"
        kept = written[: ended.value.kept]
        assert kept.startswith(whole)
        assert len(kept) < len(whole) + 200 < len(written) < 9_000


async def test_no_call_is_without_a_limit_of_tokens(url: str) -> None:
    """Plan, answer, summary: a model that never ends writes so much and no more."""
    async with reached(url, "llama-cpp-python") as access:
        LEDGER.plan_fault(Fault("openai", "babble", "chat.completions", times=2))
        with pytest.raises(BrokenAnswerError, match="incomplete"):
            await OpenAISummarizer(access).summarize(PROMPT)
        await OpenAIPlanner(access).plan(PROMPT)
        await said_by(access)
        assert all(LIMITS & call.body.keys() for call in LEDGER.calls())
