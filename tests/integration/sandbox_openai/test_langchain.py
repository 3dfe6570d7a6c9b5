import base64
from typing import Any, Literal

import pytest
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import DefaultAsyncHttpxClient
from pydantic import BaseModel, Field, SecretStr

from tests.integration.sandbox_openai.conftest import Upstreams
from tests.integration.sandbox_openai.test_chat import PASSAGES
from tests.unit.sandbox.model import pictures


class Plan(BaseModel):
    """The plan for answering."""

    intent: Literal["smalltalk_or_short", "general_question", "domain_tea"]
    plan: Literal["direct", "rag", "web", "rag+web"]
    reason: str
    query: str


class Seen(BaseModel):
    """A description of what an image shows."""

    summary: str
    entities: list[str] = Field(default_factory=list)
    tables: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class Kept(BaseModel):
    """One thing to remember."""

    text: str


class Memory(BaseModel):
    """The memories to keep of a message."""

    facts: list[Kept]
    preferences: list[Kept]
    tasks: list[Kept]
    retract: list[str]


@pytest.fixture
def model(upstreams: Upstreams, http: DefaultAsyncHttpxClient) -> ChatOpenAI:
    """LangChain's chat model on the stand-in."""
    return ChatOpenAI(
        model="sandbox-chat",
        base_url=upstreams.openai_url,
        api_key=SecretStr("any"),
        max_retries=0,
        timeout=5,
        stream_usage=True,
        http_async_client=http,
    )


async def test_chat_model_streams_with_usage(model: ChatOpenAI) -> None:
    """Chunks add up to the cited answer and to its usage."""
    messages = [("system", PASSAGES), ("human", "How hot is green tea?")]
    chunks = [chunk async for chunk in model.astream(messages)]
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    assert "80 degrees. [1]" in str(whole.content)
    assert sum(1 for chunk in chunks if chunk.content) > 3
    assert whole.usage_metadata
    assert whole.usage_metadata["output_tokens"] > 0


@pytest.mark.parametrize("method", ["function_calling", "json_schema"])
@pytest.mark.parametrize("strict", [True, None])
async def test_chat_model_plans_with_structured_output(
    model: ChatOpenAI,
    method: Literal["function_calling", "json_schema"],
    strict: bool | None,  # noqa: FBT001 -- parametrised
) -> None:
    """Both methods of structured output give the same plan."""
    planner = model.with_structured_output(Plan, method=method, strict=strict)
    system = '<domain name="domain_tea">Tea, teapots, steeping</domain>'
    plan: Any = await planner.ainvoke([("system", system), ("human", "Which teapot is best?")])
    assert (plan.intent, plan.plan) == ("domain_tea", "rag")


async def test_chat_model_sees_an_image(model: ChatOpenAI) -> None:
    """An image message is answered with what its pixels say."""
    url = f"data:image/png;base64,{base64.b64encode(pictures.shapes()).decode()}"
    content: list[Any] = [
        {"type": "text", "text": "Summarise the image."},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    viewer = model.with_structured_output(Seen, method="function_calling")
    seen: Any = await viewer.ainvoke([("human", content)])
    assert "red" in seen.entities
    assert seen.warnings


async def test_chat_model_updates_memory(model: ChatOpenAI) -> None:
    """A new home is a fact, and the old line is to be retracted."""
    keeper = model.with_structured_output(Memory, method="json_schema", strict=True)
    system = "<memory>\n- Lives in Oslo\n</memory>"
    memory: Any = await keeper.ainvoke([("system", system), ("human", "I moved to Rome")])
    assert memory == Memory(
        facts=[Kept(text="Lives in Rome")], preferences=[], tasks=[], retract=["Lives in Oslo"]
    )


async def test_embeddings_need_the_length_check_off(
    upstreams: Upstreams, http: DefaultAsyncHttpxClient
) -> None:
    """Texts are embedded as they are, in one call."""
    embeddings = OpenAIEmbeddings(
        model="sandbox-embedding",
        base_url=upstreams.openai_url,
        api_key=SecretStr("any"),
        dimensions=384,
        check_embedding_ctx_length=False,
        max_retries=0,
        http_async_client=http,
    )
    vectors = await embeddings.aembed_documents(["green tea", "tea"])
    assert [len(vector) for vector in vectors] == [384, 384]
    (call,) = upstreams.ledger.calls("openai")
    assert call.body["input"] == ["green tea", "tea"]
