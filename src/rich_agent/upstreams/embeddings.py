"""The embedding model of an OpenAI-compatible server."""

from collections.abc import Sequence
from dataclasses import replace

import openai

from rich_agent.domain.passage import VectorSpace
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.usage import Call
from rich_agent.errors import UpstreamRefusedError, UpstreamUnavailableError
from rich_agent.metering import charged
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.openai_errors import translate_openai_errors

SERVICE = "embeddings"
TEXTS_PER_CALL = 64
"""Small servers refuse larger batches; a call of 64 texts already spreads its overhead."""


class OpenAIEmbeddingModel:
    """Implements `EmbeddingModel`.

    `dimensions` is sent along only where the model can shorten its vectors; other servers refuse
    the parameter. Source: OpenAI API, embeddings, `dimensions` (text-embedding-3 and later).
    """

    def __init__(self, access: ModelAccess, *, dimensions: int) -> None:
        self.name = access.role.model
        self.dimensions = dimensions
        self._access = access
        self._client = openai.AsyncOpenAI(
            base_url=access.role.base_url,
            api_key=access.role.api_key,
            timeout=access.role.timeout_s,
            max_retries=0,
            http_client=access.http,
        )

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`.

        Raises: UpstreamRefusedError naming EMBEDDING_DIMENSIONS if the vectors are of another
        length.
        """
        try:
            with translate_openai_errors(SERVICE, self._access.role):
                calls = range(0, len(texts), TEXTS_PER_CALL)
                made = [await self._call(texts[at : at + TEXTS_PER_CALL]) for at in calls]
        except ValueError as error:  # an empty or broken body
            raise UpstreamUnavailableError(SERVICE, "the answer holds no vectors") from error
        vectors = [vector for each in made for vector in each]
        for vector in vectors:
            if len(vector) != self.dimensions:
                raise UpstreamRefusedError(
                    SERVICE,
                    f"{self.name} gives vectors of {len(vector)} numbers, not {self.dimensions}",
                    mend=f"Set EMBEDDING_DIMENSIONS={len(vector)}, then run `ingest sync`.",
                )
        return vectors

    async def _call(self, texts: Sequence[str]) -> list[list[float]]:
        call = Call("embedding", self.name, tokens=sum(map(estimate_tokens, texts)))
        async with charged(call) as receipt:
            try:
                answer = await self._client.embeddings.create(
                    model=self.name,
                    input=list(texts),
                    dimensions=self.dimensions if self._can_shorten else openai.omit,
                    extra_body=self._access.role.parameters,
                )
            except openai.APIError:
                receipt.refuse()
                raise
            # Not every server tells it, whatever the client's type says.
            receipt.report(read=getattr(answer.usage, "prompt_tokens", 0))
        return [item.embedding for item in answer.data]

    @property
    def _can_shorten(self) -> bool:
        return self.name.startswith("text-embedding-3")

    def in_space(self, space: VectorSpace) -> "OpenAIEmbeddingModel":
        """See `EmbeddingModel.in_space`."""
        if (self.name, self.dimensions) == (space.model, space.dimensions):
            return self
        role = replace(self._access.role, model=space.model)
        return OpenAIEmbeddingModel(replace(self._access, role=role), dimensions=space.dimensions)
