"""Charges of the adapters, by what a server tells over HTTP."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from openai import DefaultAsyncHttpxClient

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.usage_limits import Call, Usage
from rich_agent.domain.vision import Image
from rich_agent.errors import BrokenAnswerError, UpstreamError
from rich_agent.ports.models import Prompt
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.upstreams.models.chat import OpenAIChatModel
from rich_agent.upstreams.models.embeddings import OpenAIEmbeddingModel
from rich_agent.upstreams.models.planning import OpenAIPlanner
from rich_agent.upstreams.models.vision import OpenAIVisionModel
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent_sandbox.ledger import Fault
from tests import make
from tests.acceptance.pictures import picture
from tests.integration.sandbox_openai.conftest import Upstreams

PROMPT = Prompt("Answer in a sentence.", "<question>What is staking?</question>")


@dataclass(slots=True)
class Bill:
    """Adapters on the stand-ins, and what their calls were charged with, in order."""

    upstreams: Upstreams
    http: DefaultAsyncHttpxClient
    timeout_s: float = 30.0
    charged: list[tuple[Call, Usage]] = field(default_factory=list)

    async def of(self, work: Callable[[], Awaitable[object]]) -> list[Usage]:
        """The usage that some work is charged with, one by one."""
        self.charged.clear()
        meter = Meter(observer=self)
        with bill_to(meter, "a node"):
            await work()
        await meter.close()
        return [usage for _, usage in self.charged]

    def observe(self, call: Call, usage: Usage) -> None:
        """Write it down."""
        self.charged.append((call, usage))

    def observe_refusal(self, resource: str) -> None:
        """There are no limits here."""
        raise AssertionError(resource)

    def observe_turn(self, calls: int, calls_before_answer: int) -> None:
        """No turn answers here."""
        raise AssertionError(calls, calls_before_answer)

    def access(self, model: str) -> ModelAccess:
        """The access to one of the stand-in's models."""
        return make.access(self.upstreams.openai_url, self.http, model, timeout_s=self.timeout_s)

    async def chat(self) -> str:
        """A streamed answer."""
        chat = OpenAIChatModel(self.access("sandbox-chat"))
        return "".join([piece async for piece in chat.stream(PROMPT) if isinstance(piece, str)])

    async def plan(self) -> object:
        """A structured answer."""
        return await OpenAIPlanner(self.access("sandbox-chat")).plan(PROMPT)

    def fail(self, kind: str, times: int = 1, **fault: Any) -> None:
        """Have the next calls of a chat model fail."""
        self.upstreams.ledger.plan_fault(Fault("openai", kind, "chat.completions", times, **fault))


@pytest.fixture
def bill(upstreams: Upstreams, http: DefaultAsyncHttpxClient) -> Bill:
    """Nothing charged yet."""
    return Bill(upstreams, http)


@pytest.mark.req("COST-1")
async def test_every_adapter_charges_what_the_server_told(bill: Bill) -> None:
    """Streamed and structured answers, images, vectors: nothing is estimated."""
    space = VectorSpace("sandbox-embedding", 1536)
    embeddings = OpenAIEmbeddingModel(bill.access(space.model), space)
    vision = OpenAIVisionModel(bill.access("sandbox-vision"))
    for work in (
        bill.chat,
        bill.plan,
        lambda: embeddings.embed(["green tea", "black coffee"]),
        lambda: vision.summarize(Image(picture("red", "blue"), "image/png"), PROMPT),
    ):
        (usage,) = await bill.of(work)
        assert (usage.calls, usage.estimated) == (1, 0)
        assert usage.input_tokens > 0
        (call,) = [call for call, _ in bill.charged]
        assert (usage.output_tokens > 0) == (call.kind != "embedding")
        assert usage.images == (1 if call.kind == "vision" else 0)


@pytest.mark.req("COST-1")
async def test_repaired_look_is_one_image(bill: Bill) -> None:
    """The tokens of both calls count; the user sent one image."""
    vision = OpenAIVisionModel(bill.access("sandbox-vision"))
    bill.fail("malformed")
    image = Image(picture("red", "blue"), "image/png")
    first, second = await bill.of(lambda: vision.summarize(image, PROMPT))
    assert (first.images, second.images) == (1, 0)
    assert second.input_tokens > first.input_tokens
    assert {call.kind for call, _ in bill.charged} == {"vision"}


@pytest.mark.req("COST-1")
async def test_look_that_timed_out_is_no_image(bill: Bill) -> None:
    """It is tried again, and counted when something came of it; its tokens are estimated."""
    bill.timeout_s = 0.5
    vision = OpenAIVisionModel(bill.access("sandbox-vision"))
    image = Image(picture("red", "blue"), "image/png")

    async def look_in_vain() -> None:
        with pytest.raises(UpstreamError):
            await vision.summarize(image, PROMPT)

    bill.fail("timeout", delay_s=1.5)
    (usage,) = await bill.of(look_in_vain)
    assert (usage.images, usage.estimated) == (0, 1)
    assert usage.input_tokens > 0


async def test_a_server_that_counts_nothing_is_estimated(bill: Bill) -> None:
    """The text read and the text written, marked as an estimate."""
    (told,) = await bill.of(bill.chat)
    bill.fail("uncounted", times=2)
    (guessed,) = await bill.of(bill.chat)
    assert guessed.estimated == 1
    assert told.input_tokens / 2 < guessed.input_tokens < told.input_tokens * 2
    assert told.output_tokens / 2 < guessed.output_tokens < told.output_tokens * 3
    (planned,) = await bill.of(bill.plan)
    assert planned.estimated == 1
    assert planned.output_tokens > 0


async def test_a_server_that_refuses_the_option_is_asked_without_it(bill: Bill) -> None:
    """The answer comes all the same, and the option is not tried again."""
    chat = OpenAIChatModel(bill.access("sandbox-chat"))
    bill.fail("refuses", times=3, text="stream_options")

    async def stream() -> None:
        assert [piece async for piece in chat.stream(PROMPT) if isinstance(piece, str)]

    (usage,) = await bill.of(stream)
    assert usage.estimated == 1
    await bill.of(stream)
    asked = [call.body.get("stream_options") for call in bill.upstreams.ledger.calls("openai")]
    assert asked == [{"include_usage": True}, None, None]


@pytest.mark.parametrize("kind", ["429", "500", "401"])
async def test_a_refused_call_costs_nothing(bill: Bill, kind: str) -> None:
    """The server did no work for it."""

    async def ask() -> None:
        with pytest.raises(UpstreamError):
            await bill.chat()

    bill.fail(kind)
    assert await bill.of(ask) == []


async def test_an_answer_that_broke_off_is_paid_for_as_far_as_it_came(bill: Bill) -> None:
    """The prompt, and the half that was written."""
    (whole,) = await bill.of(bill.chat)

    async def ask() -> None:
        with pytest.raises(BrokenAnswerError):
            await bill.chat()

    bill.fail("truncated")
    (usage,) = await bill.of(ask)
    assert usage.estimated == 1
    assert 0 < usage.output_tokens < whole.output_tokens * 2


async def test_a_call_that_is_cancelled_is_paid_for_when_its_turn_ends(bill: Bill) -> None:
    """By its estimate: the server may have worked all the while."""

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await bill.plan()

    bill.fail("timeout", delay_s=0.8)
    (usage,) = await bill.of(give_up)
    assert usage.estimated == 1
    assert usage.input_tokens > 0


async def test_outside_a_turn_nothing_is_charged(bill: Bill) -> None:
    """Such as the embeddings of a sync."""
    assert await bill.chat()
    assert bill.charged == []


async def test_parameters_of_a_role_go_with_its_requests(bill: Bill) -> None:
    """They reach the server as they were written, also those that the client does not know."""
    access = bill.access("sandbox-chat")
    role = replace(access.role, parameters={"temperature": 0.2, "top_k": 40})
    chat = OpenAIChatModel(replace(access, role=role))
    assert [piece async for piece in chat.stream(PROMPT) if isinstance(piece, str)]
    (call,) = bill.upstreams.ledger.calls("openai")
    assert (call.body["temperature"], call.body["top_k"]) == (0.2, 40)
