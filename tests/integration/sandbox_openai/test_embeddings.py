import base64

import httpx
import numpy as np
import openai
import pytest
from openai import AsyncOpenAI

from rich_agent_sandbox.ledger import Fault
from tests.integration.sandbox_openai.conftest import Upstreams


async def test_embeddings_come_in_order_with_usage(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """A list gives a vector each, of the asked size, as base64 and as floats alike."""
    texts = ["green tea", "black coffee"]
    packed = await client.embeddings.create(model="sandbox-embedding", input=texts, dimensions=256)
    plain = await client.embeddings.create(
        model="sandbox-embedding", input=texts[1], dimensions=256, encoding_format="float"
    )
    assert [item.index for item in packed.data] == [0, 1]
    assert packed.data[1].embedding == pytest.approx(plain.data[0].embedding)
    assert len(plain.data[0].embedding) == 256
    assert packed.usage.total_tokens == packed.usage.prompt_tokens > 0
    asked = [call.body["encoding_format"] for call in upstreams.ledger.calls()]
    assert asked == ["base64", "float"]


async def test_embeddings_base64_is_little_endian_float32(upstreams: Upstreams) -> None:
    """The packed form can be read by anyone who follows the reference."""
    body = {"model": "sandbox-embedding", "input": "tea", "encoding_format": "base64"}
    async with httpx.AsyncClient() as http:
        answer = await http.post(
            f"{upstreams.openai_url}/embeddings", json=body, headers={"authorization": "Bearer x"}
        )
    packed = base64.b64decode(answer.json()["data"][0]["embedding"])
    vector = np.frombuffer(packed, dtype="<f4")
    assert vector.shape == (1536,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([1, 2, 3], "check_embedding_ctx_length"),
        ([[1, 2], [3]], "check_embedding_ctx_length"),
        ("", "empty string"),
        ([], "1 to 2048"),
        (["x"] * 2049, "1 to 2048"),
    ],
)
async def test_embeddings_refuse_what_they_cannot_take(
    client: AsyncOpenAI, given: str | list[str], words: str
) -> None:
    """Token arrays, empty and too many inputs are a 400 that says why."""
    with pytest.raises(openai.BadRequestError, match=words):
        await client.embeddings.create(model="sandbox-embedding", input=given)


async def test_embeddings_know_their_model_alone(client: AsyncOpenAI) -> None:
    """The chat model embeds nothing."""
    with pytest.raises(openai.NotFoundError):
        await client.embeddings.create(model="sandbox-chat", input="x")


async def test_embeddings_show_broken_bodies(client: AsyncOpenAI, upstreams: Upstreams) -> None:
    """Malformed is a body that is no JSON, empty a list without vectors."""
    upstreams.ledger.plan_fault(Fault("openai", "malformed", "embeddings"))
    upstreams.ledger.plan_fault(Fault("openai", "empty", "embeddings"))
    with pytest.raises(ValueError, match=r"Unterminated|Expecting|delimiter"):
        await client.embeddings.create(model="sandbox-embedding", input="x")
    with pytest.raises(ValueError, match="No embedding data"):
        await client.embeddings.create(model="sandbox-embedding", input="x")
