"""A server that ranks texts by their relevance to a query, in any of five dialects.

All five take `POST …/rerank`. Cohere (and Jina, vLLM), llama.cpp, Voyage and Infinity read the
field `documents`; their answers differ. Only TEI reads `texts` instead. Scores are 0..1 at some
servers and any number at others, so they are only compared with each other.
Sources: Cohere, "Rerank API (v2)"; Voyage, "Rerankers"; llama.cpp, tools/server/README.md; Text
Embeddings Inference, docs/openapi.json; Infinity, fastapi_schemas/pymodels.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import httpx2
import openai
from pydantic import AliasChoices, BaseModel, Field, FiniteFloat, ValidationError

from rich_agent.domain.model_role import Capabilities
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage_limits import Call
from rich_agent.errors import BrokenAnswerError
from rich_agent.runtime.concurrency import run_all
from rich_agent.runtime.metering import charge
from rich_agent.runtime.reranking import SERVICE
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.refusals import translate_openai_errors

Dialect = Literal["Cohere", "llama.cpp", "TEI", "Voyage", "Infinity"]
_DOCUMENTS = "documents"
_WRONG_FORM_STATUSES = frozenset({400, 422})
# TEI accepts 32 texts by default.
_TOO_MANY_STATUSES = frozenset({400, 413, 422})


class RankedText(BaseModel):
    """The relevance of the text at `index`."""

    index: int = Field(ge=0)
    score: FiniteFloat = Field(validation_alias=AliasChoices("relevance_score", "score"))
    document: object = None


class RankingUsage(BaseModel):
    """The number of tokens read. Cohere counts searches instead."""

    total_tokens: int = 0


class RankingAnswer(BaseModel):
    """An answer in any dialect; TEI sends only the list."""

    kind: str = Field("", validation_alias="object")
    results: list[RankedText] = Field(
        validation_alias=AliasChoices("results", "data"), min_length=1
    )
    usage: RankingUsage | None = None


class RerankServer:
    """Implements `Reranker`.

    `dialect`: the dialect of the last answer, None before the first one.
    A refusal shows which of the two fields the server reads. The result is remembered with the
    other capabilities of the server.
    """

    def __init__(self, access: ModelAccess) -> None:
        self.name = access.role.model
        self.dialect: Dialect | None = None
        self._most_texts: int | None = None
        self._access = access
        self._client = openai.AsyncOpenAI(
            base_url=access.role.base_url,
            api_key=access.role.api_key,
            timeout=access.role.timeout_s,
            max_retries=0,
            http_client=access.http,
        )

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        """See `Reranker.rank`."""
        with translate_openai_errors(SERVICE, self._access.role):
            scores = await self._in_batches(query, texts)
        return sorted(scores, key=lambda index: (-scores[index], index))

    async def _in_batches(self, query: str, texts: Sequence[str]) -> dict[int, float]:
        """The scores by index of the text. Batches as large as the server accepts run concurrently.

        A score depends on one text alone, so scores of several batches can be compared.
        """
        batch_size = min(self._most_texts or len(texts), len(texts))
        batch_starts = range(0, len(texts), batch_size)
        try:
            batches = await run_all(
                self._call(query, texts[start : start + batch_size]) for start in batch_starts
            )
        except openai.APIStatusError as error:
            if batch_size == 1 or error.status_code not in _TOO_MANY_STATUSES:
                self._most_texts = None
                raise
            self._most_texts = batch_size // 2
            return await self._in_batches(query, texts)
        return {
            start + index: score
            for start, scores in zip(batch_starts, batches, strict=True)
            for index, score in scores.items()
        }

    async def _call(self, query: str, texts: Sequence[str]) -> dict[int, float]:
        # The query is read with each text.
        tokens = len(texts) * estimate_tokens(query) + sum(map(estimate_tokens, texts))
        async with charge(Call("reranking", self.name, tokens=tokens)) as receipt:
            try:
                response = await self._post(query, texts)
            except openai.APIError:
                receipt.refuse()
                raise
            answer = self._read(response)
            receipt.report(read=answer.usage.total_tokens if answer.usage else 0)
        return {
            ranked_text.index: ranked_text.score
            for ranked_text in answer.results
            if ranked_text.index < len(texts)
        }

    def _read(self, response: httpx2.Response) -> RankingAnswer:
        try:
            body = response.json()
            is_list = isinstance(body, list)
            answer = RankingAnswer.model_validate({"results": body} if is_list else body)
        except (ValidationError, ValueError) as error:
            raise BrokenAnswerError(
                SERVICE,
                "it does not answer like a reranker",
                hint=f"Check {self._access.role.url_setting}: /rerank is added to it.",
            ) from error
        self.dialect = "TEI" if is_list else _dialect_of(answer, body)
        return answer

    async def _post(self, query: str, texts: Sequence[str]) -> httpx2.Response:
        """Send the request in the form that the server is known to read, else in either form.

        Raises: openai.APIStatusError, the first refusal if both forms are refused.
        """
        capabilities = self._access.capabilities
        forms: dict[str, Mapping[str, Any]] = {
            _DOCUMENTS: {"model": self.name, "query": query, _DOCUMENTS: texts},
            "texts": {"query": query, "texts": texts, "truncate": True},
        }
        is_tei = _DOCUMENTS in (await capabilities.known()).refused
        refusal: openai.APIStatusError | None = None
        for field in sorted(forms, reverse=is_tei):
            try:
                answer = await self._send(forms[field])
            except openai.APIStatusError as error:
                if error.status_code not in _WRONG_FORM_STATUSES:
                    raise
                refusal = refusal or error
            else:
                await capabilities.learn(_takes(field))
                return answer
        raise refusal or ValueError("no form was sent")

    async def _send(self, form: Mapping[str, Any]) -> httpx2.Response:
        body = {**form, **self._access.role.parameters}
        return await self._client.post("/rerank", cast_to=httpx2.Response, body=body)


def _takes(field: str) -> Callable[[Capabilities], Capabilities]:
    """The change to the known capabilities of a server that turned out to read this field."""
    documents_field = frozenset({_DOCUMENTS})

    def change(capabilities: Capabilities) -> Capabilities:
        is_read = field == _DOCUMENTS
        refused = capabilities.refused - documents_field
        return replace(capabilities, refused=refused if is_read else refused | documents_field)

    return change


def _dialect_of(answer: RankingAnswer, body: Mapping[str, object]) -> Dialect:
    if answer.kind == "rerank":
        return "Infinity"
    if "results" not in body:
        return "Voyage"
    # Jina's answers are lists as well, but their results contain the texts.
    is_bare = answer.kind == "list" and all(
        ranked_text.document is None for ranked_text in answer.results
    )
    return "llama.cpp" if is_bare else "Cohere"
