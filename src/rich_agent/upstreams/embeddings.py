"""The embedding model of an OpenAI-compatible server."""

from collections.abc import Sequence

from langchain_openai import OpenAIEmbeddings
from pydantic import SecretStr

from rich_agent.domain.passage import VectorSpace
from rich_agent.errors import UpstreamRefusedError, UpstreamUnavailableError
from rich_agent.upstreams.chat import ModelAccess
from rich_agent.upstreams.openai_errors import translate_openai_errors

SERVICE = "embeddings"
TEXTS_PER_CALL = 64
"""Small servers refuse larger batches; a call of 64 texts already spreads its overhead."""


class OpenAIEmbeddingModel:
    """Implements `ports.EmbeddingModel`.

    `dimensions` is sent along only where the model can shorten its vectors; other servers refuse
    the parameter. Source: OpenAI API, embeddings, `dimensions` (text-embedding-3 and later).
    """

    def __init__(self, access: ModelAccess, model: str, *, dimensions: int) -> None:
        self.name = model
        self.dimensions = dimensions
        self._access = access
        self._client = OpenAIEmbeddings(
            model=model,
            dimensions=dimensions if model.startswith("text-embedding-3") else None,
            base_url=access.base_url,
            api_key=SecretStr(access.api_key),
            timeout=access.timeout_s,
            max_retries=0,
            chunk_size=TEXTS_PER_CALL,
            check_embedding_ctx_length=False,  # else tokens are sent, which only OpenAI takes
            http_async_client=access.http,
        )

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `ports.EmbeddingModel.embed`.

        Raises: UpstreamRefusedError naming EMBEDDING_DIMENSIONS if the vectors are of another
        length.
        """
        try:
            with translate_openai_errors(
                SERVICE, model_setting="EMBEDDING_MODEL", timeout_s=self._access.timeout_s
            ):
                vectors = await self._client.aembed_documents(list(texts))
        except ValueError as error:  # an empty or broken body
            raise UpstreamUnavailableError(SERVICE, "the answer holds no vectors") from error
        for vector in vectors:
            if len(vector) != self.dimensions:
                raise UpstreamRefusedError(
                    SERVICE,
                    f"{self.name} gives vectors of {len(vector)} numbers, not {self.dimensions}",
                    mend=f"Set EMBEDDING_DIMENSIONS={len(vector)}, then run `ingest sync`.",
                )
        return vectors

    def in_space(self, space: VectorSpace) -> "OpenAIEmbeddingModel":
        """See `ports.EmbeddingModel.in_space`."""
        if (self.name, self.dimensions) == (space.model, space.dimensions):
            return self
        return OpenAIEmbeddingModel(self._access, space.model, dimensions=space.dimensions)
