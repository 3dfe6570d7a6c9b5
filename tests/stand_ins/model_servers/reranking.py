"""The endpoint of a server that ranks texts, in the dialects of the servers that have one.

A text is as relevant as the share of the query's words that it holds, unless a fault `scripted`
gives the relevance of texts by what they contain; both are 0..1, and shown in the server's scale.
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import JSONResponse, Response

from rich_agent_sandbox.exchange import Exchange, broken_json
from rich_agent_sandbox.model.language.text import content_terms, count_tokens
from rich_agent_sandbox.openai.servers.personality import Json, Ranked, Rerank
from rich_agent_sandbox.openai.servers.refusing import Refused, refusal
from rich_agent_sandbox.openai.servers.serving import ModelServer


class RerankRequest(BaseModel):
    """`POST …/rerank` in any dialect; `top_k` is Voyage's name of `top_n`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    query: str
    texts: list[str] = Field(min_length=1)
    model: str = ""
    top_n: int | None = Field(default=None, ge=1)
    return_documents: bool | None = None


@dataclass(frozen=True, slots=True)
class Ranker:
    """The endpoint of one server."""

    server: ModelServer
    rerank: Rerank

    async def rank(self, call: Exchange) -> Response:
        """`POST …/rerank`."""
        self._check(call.body)
        body = {**call.body, "texts": call.body[self.rerank.field]}
        body["top_n"] = body.pop(self.rerank.top, None)
        try:
            request = RerankRequest.model_validate(body)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            raise self._refused(422, f"{first['loc'][0]}: {first['msg']}") from error
        scores = [self.rerank.scale(one) for one in _relevance(request, call)]
        found = sorted(range(len(scores)), key=lambda index: -scores[index])[: request.top_n]
        tokens = count_tokens(request.query) * len(scores) + sum(map(count_tokens, request.texts))
        ranked = [(index, scores[index], request.texts[index]) for index in found]
        told = Ranked(
            [] if call.shows("empty") else ranked,
            request.model,
            0 if call.shows("uncounted") else tokens,
            request.return_documents,
        )
        response = JSONResponse(self.rerank.reply(told))
        return broken_json(response) if call.shows("malformed") else response

    def _check(self, body: Mapping[str, Any]) -> None:
        rerank = self.rerank
        if rerank.field not in body:
            raise self._refused(rerank.missing[0], rerank.missing[1])
        texts = body[rerank.field]
        if rerank.known and (unknown := sorted(body.keys() - rerank.known)):
            raise self._refused(400, f"Argument '{unknown[0]}' is not supported by our API")
        if isinstance(texts, list) and len(texts) > rerank.most:
            status, told = rerank.too_many
            raise self._refused(status, told.format(given=len(texts), most=rerank.most))

    def _refused(self, status: int, told: str) -> Exception:
        return refusal(self.server.personality.form, Refused(status, told))


def _relevance(request: RerankRequest, call: Exchange) -> list[float]:
    """The relevance of each text, 0..1."""
    if call.fault and call.fault.kind == "scripted":
        told: dict[str, float] = json.loads(call.fault.text)
        return [
            max((score for part, score in told.items() if part in text), default=0.0)
            for text in request.texts
        ]
    wanted = set(content_terms(request.query))
    return [
        len(wanted & set(content_terms(text))) / len(wanted) if wanted else 0.0
        for text in request.texts
    ]


def _results(
    ranked: Ranked, shown: Callable[[str], Json] = lambda _: {}, score: str = "relevance_score"
) -> list[Json]:
    return [{"index": index, score: value, **shown(text)} for index, value, text in ranked.results]


def _document(text: str) -> Json:
    return {"document": {"text": text}}


def _counted(ranked: Ranked, *names: str) -> Json:
    return dict.fromkeys(names, ranked.tokens)


def _cohere(ranked: Ranked) -> Json:
    """Searches are counted, of 100 texts each."""
    billed = {"search_units": max(1, -(-len(ranked.results) // 100))}
    meta = {"api_version": {"version": "2", "is_experimental": False}, "billed_units": billed}
    return {"results": _results(ranked), "id": secrets.token_hex(16), "meta": meta}


def _jina(ranked: Ranked) -> Json:
    """Texts are in the answer unless they are declined."""
    shown = _document if ranked.wants_texts is not False else lambda _: {}
    usage = _counted(ranked, "total_tokens")
    return {
        "model": ranked.model,
        "object": "list",
        "usage": usage,
        "results": _results(ranked, shown),
    }


def _vllm(ranked: Ranked) -> Json:
    return {
        "id": f"rerank-{secrets.token_hex(16)}",
        "model": ranked.model,
        "usage": _counted(ranked, "prompt_tokens", "total_tokens"),
        "results": _results(ranked, _document),
    }


def _llama_cpp(ranked: Ranked) -> Json:
    usage = _counted(ranked, "prompt_tokens", "total_tokens")
    return {
        "model": ranked.model,
        "object": "list",
        "usage": usage,
        "results": _results(ranked),
    }


def _tei(ranked: Ranked) -> Sequence[Json]:
    return _results(ranked, score="score")


def _voyage(ranked: Ranked) -> Json:
    shown = (lambda text: {"document": text}) if ranked.wants_texts else (lambda _: {})
    return {
        "object": "list",
        "data": _results(ranked, shown),
        "model": ranked.model,
        "usage": _counted(ranked, "total_tokens"),
    }


def _infinity(ranked: Ranked) -> Json:
    return {
        "object": "rerank",
        "results": _results(ranked),
        "model": ranked.model,
        "usage": _counted(ranked, "prompt_tokens", "total_tokens"),
        "id": f"infinity-{secrets.token_hex(16)}",
        "created": 1_700_000_000,
    }


_PYDANTIC = (422, "Field required")
COHERE_RERANK = Rerank(
    ("/v2/rerank",), _cohere, missing=(400, "invalid request: list of documents must not be empty")
)
JINA_RERANK = Rerank(("/v1/rerank",), _jina, missing=_PYDANTIC)
VLLM_RERANK = Rerank(
    ("/rerank", "/v1/rerank", "/v2/rerank"), _vllm, missing=(400, "Field required")
)
LLAMA_CPP_RERANK = Rerank(
    ("/rerank", "/reranking", "/v1/rerank", "/v1/reranking"),
    _llama_cpp,
    missing=(400, '"documents" must be a non-empty string array'),
    scale=lambda relevance: 20 * relevance - 10,
)
TEI_RERANK = Rerank(
    ("/rerank",),
    _tei,
    field="texts",
    missing=(
        422,
        "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1",
    ),
    most=32,
    too_many=(413, "batch size {given} > maximum allowed batch size {most}"),
)
VOYAGE_RERANK = Rerank(
    ("/v1/rerank",),
    _voyage,
    top="top_k",
    missing=(400, "The request body is missing the argument 'documents'."),
    most=1_000,
    too_many=(400, "The number of documents is {given}, which exceeds the limit of {most}."),
    known=frozenset({"query", "documents", "model", "top_k", "return_documents", "truncation"}),
)
INFINITY_RERANK = Rerank(
    ("/rerank",),
    _infinity,
    missing=_PYDANTIC,
    most=2_048,
    too_many=(422, "List should have at most {most} items after validation, not {given}"),
)
