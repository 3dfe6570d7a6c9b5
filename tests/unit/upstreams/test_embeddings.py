"""Vectors from servers that take less than OpenAI's, and prefixes for models that want them."""

import base64
from array import array
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.domain.retrieval.embedding_prefixes import Prefixes, known_prefixes
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import BrokenAnswerError, UpstreamRefusedError
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.models.embeddings import OpenAIEmbeddingModel
from tests import make
from tests.unit.upstreams.servers import Json, Refuse, mistral_refusal, openai_refusal

VECTOR = [0.5, -1.0]
SPACE = VectorSpace("m", 2)


@dataclass
class EmbeddingServer:
    """Gives the same vector for every text, in base64 where it is wanted, if it `encodes`."""

    refuse: Refuse = lambda _: None
    encodes: bool = True
    data: list[Json] | None = None
    asked: list[Json] = field(default_factory=list)

    async def embed(self, request: Request) -> Response:
        """`POST /embeddings`."""
        body = await request.json()
        self.asked.append(body)
        if refusal := self.refuse(body):
            return JSONResponse(refusal[1], refusal[0])
        is_encoded = self.encodes and body.get("encoding_format") == "base64"
        told = base64.b64encode(array("f", VECTOR).tobytes()).decode() if is_encoded else VECTOR
        data = [
            {"object": "embedding", "index": n, "embedding": told}
            for n in range(len(body["input"]))
        ]
        return JSONResponse({"object": "list", "data": data if self.data is None else self.data})

    @asynccontextmanager
    async def model(
        self, space: VectorSpace = SPACE, prefixes: Prefixes | None = None, **role: Any
    ) -> AsyncIterator[OpenAIEmbeddingModel]:
        """A model of which nothing is known yet."""
        app = Starlette(routes=[Route("/v1/embeddings", self.embed, methods=["POST"])])
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app)) as http:
            access = make.access("http://models/v1", http, "m", **role)
            yield OpenAIEmbeddingModel(access, space, prefixes or Prefixes())


VLLM = {"message": "Model does not support matryoshka, changing dimensions will fail", "code": 400}
UNNAMED = {"error": {"message": "invalid request"}}


@pytest.mark.parametrize(
    ("lacking", "refusal"),
    [
        ({"encoding_format"}, openai_refusal("encoding_format", "unsupported_value")),
        ({"encoding_format"}, mistral_refusal("encoding_format")),
        ({"dimensions"}, (400, VLLM)),
        ({"dimensions", "encoding_format"}, (400, UNNAMED)),
        ({"dimensions", "encoding_format"}, (501, UNNAMED)),
        (set(), (400, UNNAMED)),
    ],
)
async def test_vectors_come_without_what_the_server_refuses(
    lacking: set[str], refusal: tuple[int, Any]
) -> None:
    """From the second request on without a refusal."""
    server = EmbeddingServer(lambda body: refusal if lacking & body.keys() else None)
    async with server.model() as model:
        assert await model.embed(["a", "b"]) == [VECTOR, VECTOR]
        assert len(server.asked) == 1 + bool(lacking)
        await model.embed(["c"])
        assert len(server.asked) == 2 + bool(lacking)
        wanted = {"dimensions", "encoding_format"} - lacking
        assert wanted == {"dimensions", "encoding_format"} & server.asked[-1].keys()


async def test_vectors_are_read_as_floats_whatever_was_asked() -> None:
    """LM Studio sends floats."""
    async with EmbeddingServer(encodes=False).model() as model:
        assert await model.embed(["a"]) == [VECTOR]


async def test_as_many_texts_are_sent_at_once_as_the_server_takes() -> None:
    """Half as many after each refusal, and never more again."""
    told = {"error": "batch size 64 > maximum allowed batch size 32", "error_type": "Validation"}
    server = EmbeddingServer(lambda body: (413, told) if len(body["input"]) > 32 else None)
    async with server.model() as model:
        assert await model.embed(["a"] * 100) == [VECTOR] * 100
        await model.embed(["a"] * 40)
    sizes = [len(body["input"]) for body in server.asked]
    assert sizes == [64, 32, 32, 32, 4, 32, 8]


async def test_refusal_of_the_input_is_told() -> None:
    """And nothing is learned from it."""
    server = EmbeddingServer(lambda _: openai_refusal("input", "string_above_max_length"))
    async with server.model() as model:
        with pytest.raises(UpstreamRefusedError):
            await model.embed(["a"])
    assert len(server.asked) == 1


@pytest.mark.parametrize("data", [[], [{"index": 0}], [{"index": 0, "embedding": None}]])
async def test_answer_without_vectors_is_broken(data: list[Json]) -> None:
    """Fewer vectors than texts, or none in them."""
    async with EmbeddingServer(data=data).model() as model:
        with pytest.raises(BrokenAnswerError):
            await model.embed(["a"])


async def test_prefixes_stand_before_questions_and_passages() -> None:
    """Each has its own; the server is asked by the model's bare name."""
    server, prefixes = EmbeddingServer(), Prefixes("query: ", "passage: ")
    async with server.model(prefixes.space("m", 2), prefixes) as model:
        await model.embed(["tea"])
        await model.of_passages().embed(["Tea is a drink."])
        assert [body["input"] for body in server.asked] == [
            ["query: tea"],
            ["passage: Tea is a drink."],
        ]
        assert {body["model"] for body in server.asked} == {"m"}
        assert model.name != "m"


async def test_passages_without_prefix_are_asked_without_one() -> None:
    """Until they are embedded again, the questions fit what is there."""
    server, prefixes = EmbeddingServer(), Prefixes("query: ", "passage: ")
    async with server.model(prefixes.space("m", 2), prefixes) as model:
        await model.in_space(VectorSpace("m", 2)).embed(["tea"])
        await model.in_space(VectorSpace("nomic-embed-text + search_document: ", 2)).embed(["tea"])
        await model.in_space(prefixes.space("m", 2)).embed(["tea"])
    asked = [(body["model"], body["input"][0]) for body in server.asked]
    assert asked == [
        ("m", "tea"),
        ("nomic-embed-text", "search_query: tea"),
        ("m", "query: tea"),
    ]


@pytest.mark.parametrize(
    ("model", "query"),
    [
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: "),
        ("nomic-embed-text:latest", "search_query: "),
        ("text-embedding-nomic-embed-text-v1.5@q8_0", "search_query: "),
        ("intfloat/multilingual-e5-small", "query: "),
        ("intfloat/multilingual-e5-large-instruct", "Instruct: "),
        ("Qwen/Qwen3-Embedding-0.6B", "Instruct: "),
        ("BAAI/bge-small-en-v1.5", "Represent "),
        ("text-embedding-3-small", ""),
        ("bge-m3", ""),
        ("code5p", ""),
    ],
)
def test_prefixes_of_models_are_known_by_their_names(model: str, query: str) -> None:
    """As servers write them."""
    known = known_prefixes(model).query
    assert known.startswith(query)
    assert bool(known) == bool(query)


def test_prefixes_of_the_settings_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over those known of the model; `none` is none."""
    monkeypatch.setenv("EMBEDDING_MODEL", "intfloat/e5-base-v2")
    assert Settings.load().models.embedding.prefixes == Prefixes("query: ", "passage: ")
    monkeypatch.setenv("EMBEDDING_QUERY_PREFIX", "Frage: ")
    assert Settings.load().models.embedding.prefixes == Prefixes("Frage: ", "passage: ")
    space = Settings.load().models.embedding.vector_space
    monkeypatch.setenv("EMBEDDING_PASSAGE_PREFIX", "none")
    assert Settings.load().models.embedding.prefixes == Prefixes("Frage: ", "")
    assert Settings.load().models.embedding.vector_space != space
