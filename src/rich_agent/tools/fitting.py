"""Chooses the tools that fit a message best, by meaning, or by words where that cannot be had."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from rich_agent.domain.retrieval.fusion import rarity
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.tools import ToolSpec
from rich_agent.errors import RichAgentError
from rich_agent.ports.models import EmbeddingModel

DEADLINE_S, PAUSE_S = 3.0, 60.0
"""How long a model is waited for, and not asked again after it failed."""
_MOST_WORDS = 2_000
"""Characters of a message that are looked at."""
_MOST_KEPT, _MOST_MESSAGES = 2_000, 100
_log = structlog.get_logger()


@dataclass(slots=True)
class ToolChooser:
    """Keeps the vectors of descriptions and of the newest messages: a turn asks several times."""

    embeddings: EmbeddingModel | None
    _vectors: dict[str, list[float]] = field(default_factory=dict)
    _wanted: dict[str, list[float]] = field(default_factory=dict)
    _again_at: float = 0.0

    async def best_first(self, tools: Sequence[ToolSpec], words: str) -> list[ToolSpec]:
        """The tools, those first that fit the words best."""
        texts = [f"{tool.name.replace('_', ' ')}: {tool.description}" for tool in tools]
        said = words[:_MOST_WORDS]
        scores = await self._by_meaning(texts, said) or _by_words(texts, said)
        order = sorted(range(len(tools)), key=lambda place: -scores[place])
        return [tools[place] for place in order]

    async def _by_meaning(self, texts: Sequence[str], words: str) -> list[float] | None:
        if self.embeddings is None or not words.strip() or time.monotonic() < self._again_at:
            return None
        try:
            async with asyncio.timeout(DEADLINE_S):
                await self._learn([text for text in texts if text not in self._vectors])
                wanted = await self._understand(words)
        except (RichAgentError, TimeoutError) as error:
            _log.warning("tools.not_compared", error=str(error))
            self._again_at = time.monotonic() + PAUSE_S
            return None
        vectors = (self._vectors[text] for text in texts)
        return [sum(a * b for a, b in zip(wanted, one, strict=True)) for one in vectors]

    async def _understand(self, words: str) -> list[float]:
        assert self.embeddings is not None  # noqa: S101 - of the caller
        if words not in self._wanted:
            (vector,) = await self.embeddings.embed([words])
            if len(self._wanted) >= _MOST_MESSAGES:
                self._wanted.clear()
            self._wanted[words] = vector
        return self._wanted[words]

    async def _learn(self, texts: Sequence[str]) -> None:
        if self.embeddings is None or not texts:
            return
        if len(self._vectors) + len(texts) > _MOST_KEPT:
            self._vectors.clear()
        made = await self.embeddings.of_passages().embed(texts)
        self._vectors.update(zip(texts, made, strict=True))


def _by_words(texts: Sequence[str], words: str) -> list[float]:
    """The weight of the words that each text holds; a word that few texts hold counts more."""
    languages = languages_in(words)
    terms, wanted = [terms_in(text, languages) for text in texts], terms_in(words, languages)
    held = Counter(term for one in terms for term in one & wanted)
    weights = {term: rarity(count, len(texts)) for term, count in held.items()}
    return [sum(weights[term] for term in one & wanted) for one in terms]
