"""The embedding model of an OpenAI-compatible server."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import numpy as np
import openai

from rich_agent.domain.retrieval.embedding_prefixes import Prefixes, prefixes_of
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage_limits import Call
from rich_agent.errors import UpstreamRefusedError
from rich_agent.runtime.metering import charge
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.refusals import RequestForm, translate_openai_errors

SERVICE = "embeddings"
NO_PREFIXES = Prefixes()
TEXTS_PER_CALL = 64
"""Small servers refuse larger batches, and larger batches are hardly faster."""
# Text Embeddings Inference refuses more than 32 texts in this way.
_TOO_MANY_STATUSES = frozenset({400, 413, 422})


class OpenAIEmbeddingModel:
    """Implements `EmbeddingModel`.

    A request asks for base64 and for the configured number of dimensions, unless the server refuses
    these parameters.
    """

    def __init__(
        self,
        access: ModelAccess,
        space: VectorSpace,
        prefixes: Prefixes = NO_PREFIXES,
        *,
        of_passages: bool = False,
    ) -> None:
        self.name = space.model
        self.dimensions = space.dimensions
        self._texts_per_call = TEXTS_PER_CALL
        self._access = access
        self._prefixes = prefixes
        self._before = prefixes.passage if of_passages else prefixes.query
        self._client = openai.AsyncOpenAI(
            base_url=access.role.base_url,
            api_key=access.role.api_key,
            timeout=access.role.timeout_s,
            max_retries=0,
            http_client=access.http,
        )

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`.

        Raises: UpstreamRefusedError that names EMBEDDING_DIMENSIONS if the vectors have another
        length.
        """
        with translate_openai_errors(SERVICE, self._access.role):
            vectors = await self._in_batches(texts)
        for vector in vectors:
            if len(vector) != self.dimensions:
                raise UpstreamRefusedError(
                    SERVICE,
                    f"{self.name} gives vectors of {len(vector)} numbers, not {self.dimensions}",
                    hint=f"Set EMBEDDING_DIMENSIONS={len(vector)}, then run `ingest sync`.",
                )
        return vectors

    async def _in_batches(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors, in batches as large as the server accepts."""
        vectors: list[list[float]] = []
        while remaining_texts := texts[len(vectors) :]:
            batch = remaining_texts[: self._texts_per_call]
            try:
                vectors += await self._call(batch)
            except openai.APIStatusError as error:
                if len(batch) == 1 or error.status_code not in _TOO_MANY_STATUSES:
                    self._texts_per_call = TEXTS_PER_CALL
                    raise
                self._texts_per_call = len(batch) // 2
        return vectors

    async def _call(self, texts: Sequence[str]) -> list[list[float]]:
        model = self._access.role.model
        texts = [self._before + text for text in texts]
        call = Call("embedding", model, tokens=sum(map(estimate_tokens, texts)))
        async with charge(call) as receipt:
            try:
                answer = await self._post({"model": model, "input": texts})
            except openai.APIError:
                receipt.refuse()
                raise
            # Some servers do not report the usage.
            receipt.report(read=(answer.get("usage") or {}).get("prompt_tokens") or 0)
        if len(answer["data"]) != len(texts):
            raise ValueError("not as many vectors as texts")
        return [_vector(item["embedding"]) for item in answer["data"]]

    async def _post(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request; return the response as JSON.

        The client's own method is not used, because it always asks for base64.
        """
        role, capabilities = self._access.role, self._access.capabilities
        options = {"encoding_format": "base64", "dimensions": self.dimensions}
        body = {**content, **options, **role.parameters}
        form = RequestForm(role, await capabilities.known())
        while True:
            payload = {name: value for name, value in body.items() if name not in form.omitted}
            try:
                answer = await self._client.post(
                    "/embeddings", cast_to=httpx2.Response, body=payload
                )
            except openai.APIStatusError as error:
                form.adapt(error)
            else:
                await capabilities.learn(form.merged_into, role)
                result: dict[str, Any] = answer.json()
                return result

    def of_passages(self) -> "OpenAIEmbeddingModel":
        space = VectorSpace(self.name, self.dimensions)
        return OpenAIEmbeddingModel(self._access, space, self._prefixes, of_passages=True)

    def in_space(self, space: VectorSpace) -> "OpenAIEmbeddingModel":
        if (self.name, self.dimensions) == (space.model, space.dimensions):
            return self
        model, prefixes = prefixes_of(space, self._prefixes)
        return OpenAIEmbeddingModel(self._access.to(model), space, prefixes)


def _vector(data: str | list[float]) -> list[float]:
    """The vector, decoded if it is base64 of little-endian float32."""
    if isinstance(data, list):
        return data
    numbers: list[float] = np.frombuffer(base64.b64decode(data), "<f4").tolist()
    return numbers
