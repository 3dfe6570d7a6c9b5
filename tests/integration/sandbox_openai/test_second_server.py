from collections.abc import Iterator
from typing import Any

import openai
import pytest
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic import SecretStr

from tests.integration.sandbox_openai.serving import served
from tests.integration.sandbox_openai.test_chat import PROMPT
from tests.integration.sandbox_openai.test_langchain import Plan
from tests.second_openai import second_openai_app


@pytest.fixture(scope="module")
def calls() -> list[dict[str, Any]]:
    """The calls that the second server received."""
    return []


@pytest.fixture(scope="module")
def base_url(calls: list[dict[str, Any]]) -> Iterator[str]:
    """The second server's base URL."""
    with served(second_openai_app(calls)) as url:
        yield f"{url}/v1"


@pytest.fixture
def model(base_url: str, http: DefaultAsyncHttpxClient) -> ChatOpenAI:
    """LangChain's chat model on the second server, under a name of its own."""
    return ChatOpenAI(
        model="anything",
        base_url=base_url,
        api_key=SecretStr("any"),
        max_retries=0,
        timeout=5,
        http_async_client=http,
    )


async def test_second_server_streams_single_characters(base_url: str) -> None:
    """Keep-alive chunks, characters, a reason apart and usage last make the same message."""
    async with AsyncOpenAI(api_key="any", base_url=base_url, max_retries=0) as client:
        stream = await client.chat.completions.create(model="any", messages=PROMPT, stream=True)
        chunks = [chunk async for chunk in stream]
    told = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert "".join(text or "" for text in told) == "Green tea is steeped at 80 degrees. [1]"
    assert all(len(text) == 1 for text in told if text)
    assert chunks[0].choices == []
    assert chunks[-1].usage
    assert all(chunk.usage is None for chunk in chunks[:-1])


async def test_second_server_is_read_by_langchain(
    model: ChatOpenAI, calls: list[dict[str, Any]]
) -> None:
    """LangChain copes with the stream, and structured output works by tool call."""
    chunks = [chunk async for chunk in model.astream(PROMPT)]
    assert "".join(str(chunk.content) for chunk in chunks).endswith("[1]")
    planner = model.with_structured_output(Plan, method="function_calling")
    plan: Any = await planner.ainvoke("Which tea?")
    assert (plan.intent, plan.plan, plan.query) == ("general_question", "rag", "Which tea?")
    assert calls[-1]["path"] == "/chat/completions"


async def test_second_server_knows_no_response_format(model: ChatOpenAI) -> None:
    """JSON by response_format is refused."""
    planner = model.with_structured_output(Plan, method="json_schema")
    with pytest.raises(openai.BadRequestError, match="not supported"):
        await planner.ainvoke("Which tea?")


async def test_second_server_embeds_small_batches_of_floats(
    base_url: str, http: DefaultAsyncHttpxClient
) -> None:
    """Floats come although base64 was asked, and only up to 64 at once."""
    embeddings = OpenAIEmbeddings(
        model="any",
        base_url=base_url,
        api_key=SecretStr("any"),
        check_embedding_ctx_length=False,
        chunk_size=64,
        max_retries=0,
        http_async_client=http,
    )
    vectors = await embeddings.aembed_documents(["tea"] * 65)
    assert [len(vector) for vector in vectors] == [8] * 65
    embeddings.chunk_size = 65
    with pytest.raises(openai.BadRequestError, match="at most 64"):
        await embeddings.aembed_documents(["tea"] * 65)
