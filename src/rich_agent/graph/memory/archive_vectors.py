"""Vectors of archived turns, and how far the model can be trusted in their languages."""

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
"""The most turns that are embedded at once; others follow with the next turns."""
SEARCH_S = 5.0
"""The longest wait for the vector of a question; without it, the search uses words only."""


async def embed_archive(user_id: int, context: NodeContext) -> None:
    """Embed archived turns without vectors; after a failure, they wait for the next turn."""
    model = context.services.embeddings
    if model is None:
        return
    try:
        await embed_turns(user_id, context.services.archive, model)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("turns_not_embedded", error)


async def embed_turns(user_id: int, archive: Archive, model: EmbeddingModel) -> int:
    """Embed up to `MOST_EMBEDDED` turns, and return their number.

    The model is judged again when the number of embedded turns has doubled.

    Raises: UpstreamError, DailyLimitError.
    """
    space = VectorSpace(model.name, model.dimensions)
    text_by_id = await archive.without_vector(user_id, space, MOST_EMBEDDED)
    if text_by_id:
        vectors = await model.of_passages().embed(list(text_by_id.values()))
        await archive.add_vectors(user_id, space, dict(zip(text_by_id, vectors, strict=True)))
        await _learn_languages(user_id, len(text_by_id), archive, model)
    return len(text_by_id)


async def _learn_languages(
    user_id: int, new_turns: int, archive: Archive, model: EmbeddingModel
) -> None:
    """Judge the model in the languages of the user's turns.

    A judgement that rests on at least as many turns is kept.
    """
    space = VectorSpace(model.name, model.dimensions)
    turns = await archive.with_vector(user_id, space, SAMPLED)
    if _doublings(len(turns)) == _doublings(len(turns) - new_turns):
        return
    turn_vectors = [_vector(vector) for _, vector in turns]
    texts = [text for text, _ in turns]
    language_sample = await asyncio.to_thread(LanguageSample.of, texts, turn_vectors)
    earlier_trusts = await archive.trusts(space)
    new_trusts = []
    for language, language_places in language_sample.places.items():
        if any(
            trust.name == language.name and trust.chunks >= len(language_places)
            for trust in earlier_trusts
        ):
            continue
        sentence_vectors = await model.embed(language_sample.sentences(language))
        text_by_place = language_sample.rests(language)
        remaining_vectors = (
            await model.of_passages().embed(list(text_by_place.values())) if text_by_place else ()
        )
        vector_by_place = dict(zip(text_by_place, map(_vector, remaining_vectors), strict=True))
        new_trusts.append(
            language_sample.judge(language, np.array(sentence_vectors, np.float32), vector_by_place)
        )
    if new_trusts:
        await archive.note_trusts(space, _merge_trusts(earlier_trusts, new_trusts))


def _vector(numbers: Sequence[float]) -> NDArray[np.float32]:
    """The numbers as an array."""
    return np.array(numbers, np.float32)


_FIRST = 20


def _doublings(turns: int) -> int:
    """A number that grows by 1 with each doubling of 20 turns, up to the size of the sample."""
    return (min(turns, SAMPLED - 1) // _FIRST).bit_length()


def _merge_trusts(
    earlier_trusts: Iterable[LanguageTrust], new_trusts: Sequence[LanguageTrust]
) -> list[LanguageTrust]:
    """The earlier trusts, replaced by new trusts of the same language and script."""
    replaced_keys = {(trust.name, trust.script) for trust in new_trusts}
    return [
        *(trust for trust in earlier_trusts if (trust.name, trust.script) not in replaced_keys),
        *new_trusts,
    ]


async def meaning_of(query: str, context: NodeContext) -> Meaning | None:
    """The vector of a query to memory and archive; None if there is none in time."""
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
