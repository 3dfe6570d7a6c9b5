"""Finds claims of an answer about a table of which a model read only some rows."""

from collections.abc import Collection

from rich_agent.domain.answer.grounding import Judged, Sentence
from rich_agent.domain.answer.numbers import derived_numbers, known_numbers, strange_numbers
from rich_agent.domain.tables import COMPUTED_ID


def uncomputed_claims(
    judgement: Judged, file_ids: Collection[int], question: str
) -> tuple[Sentence, ...]:
    """The claims about tables of these files that have a number which no query computed.

    Numbers of the question, and those worked out from known numbers, count as computed. A quoted
    row is no claim.
    """
    computed_ids = {COMPUTED_ID.format(file_id) for file_id in file_ids}
    query_results = [
        query_passage.content
        for query_passage in judgement.passages
        if query_passage.id in computed_ids
    ]
    known_digits = known_numbers("\n".join([question, *query_results]))
    known_digits |= derived_numbers(judgement.written, known_digits)
    part_numbers = {
        number
        for number, passage in enumerate(judgement.passages, 1)
        if passage.id not in computed_ids
        and any(passage.id.startswith(f"file:{file_id}:") for file_id in file_ids)
    }
    unsupported_texts = {sentence.text for sentence in judgement.unsupported}
    return tuple(
        claim
        for claim in judgement.sentences
        if claim.is_claim
        and claim.text not in unsupported_texts
        and part_numbers & (claim.cites | {*judgement.supports.get(claim.text, ())})
        and strange_numbers(claim.text, known_digits, least_digits=2 if query_results else 1)
    )
