"""Vectors of archived turns, and how well the model that makes them knows their languages."""

import asyncio
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rich_agent.domain.retrieval.language_sample import SAMPLED, LanguageSample
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.services import NodeContext
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.turns import Archive, Meaning

MOST_EMBEDDED = 64
"""Turns that one turn embeds; what is left is embedded with those that follow."""
SEARCH_S = 5.0
"""How long a turn waits for a vector of its question; without it, words find what was said."""


async def embed_archive(user_id: int, context: NodeContext) -> None:
    """Give vectors to archived turns that have none; a failure leaves them for the next time."""
    model = context.services.embeddings
    if model is None:
        return
    try:
        await embed_turns(user_id, context.services.archive, model)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("turns_not_embedded", error)


async def embed_turns(user_id: int, archive: Archive, model: EmbeddingModel) -> int:
    """Embed at most 64 turns, and judge the model when there are twice as many as before.

    Returns how many were embedded.

    Raises: UpstreamError, DailyLimitError.
    """
    space = VectorSpace(model.name, model.dimensions)
    missing = await archive.without_vector(user_id, space, MOST_EMBEDDED)
    if missing:
        vectors = await model.of_passages().embed(list(missing.values()))
        await archive.add_vectors(user_id, space, dict(zip(missing, vectors, strict=True)))
        await _learn_languages(user_id, len(missing), archive, model)
    return len(missing)


async def _learn_languages(
    user_id: int, new_turns: int, archive: Archive, model: EmbeddingModel
) -> None:
    """Judge the model in the languages of the user's turns; what rests on more of them stays."""
    space = VectorSpace(model.name, model.dimensions)
    turns = await archive.with_vector(user_id, space, SAMPLED)
    if _doublings(len(turns)) == _doublings(len(turns) - new_turns):
        return
    turn_vectors = [_vector(vector) for _, vector in turns]
    texts = [text for text, _ in turns]
    sample = await asyncio.to_thread(LanguageSample.of, texts, turn_vectors)
    earlier_trusts = await archive.trusts(space)
    new_trusts = []
    for language, places in sample.places.items():
        if any(one.name == language.name and one.chunks >= len(places) for one in earlier_trusts):
            continue
        sentences = await model.embed(sample.sentences(language))
        rests = sample.rests(language)
        passages = await model.of_passages().embed(list(rests.values())) if rests else ()
        vectors = dict(zip(rests, map(_vector, passages), strict=True))
        new_trusts.append(sample.judge(language, np.array(sentences, np.float32), vectors))
    if new_trusts:
        await archive.note_trusts(space, _merge_trusts(earlier_trusts, new_trusts))


def _vector(numbers: Sequence[float]) -> NDArray[np.float32]:
    return np.array(numbers, np.float32)


_FIRST = 20


def _doublings(turns: int) -> int:
    return (min(turns, SAMPLED - 1) // _FIRST).bit_length()


def _merge_trusts(
    earlier_trusts: Iterable[LanguageTrust], new_trusts: Sequence[LanguageTrust]
) -> list[LanguageTrust]:
    replaced_keys = {(one.name, one.script) for one in new_trusts}
    return [
        *(one for one in earlier_trusts if (one.name, one.script) not in replaced_keys),
        *new_trusts,
    ]


async def meaning_of(query: str, context: NodeContext) -> Meaning | None:
    """The vector of what is looked for in memory and archive; None where there is none in time."""
    model = context.services.embeddings
    if model is None or not query.strip():
        return None
    try:
        async with asyncio.timeout(SEARCH_S):
            (vector,) = await model.embed([query])
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("memory_embedding_failed", error)
        return None
    return Meaning(vector, VectorSpace(model.name, model.dimensions))
