"""Finds what an answer states about a table of which a model read only some rows."""

from collections.abc import Collection

from rich_agent.domain.answer.grounding import Judged, Sentence
from rich_agent.domain.answer.numbers import derived_numbers, known_numbers, strange_numbers
from rich_agent.domain.tables import COMPUTED_ID


def uncomputed_claims(
    judgement: Judged, file_ids: Collection[int], question: str
) -> tuple[Sentence, ...]:
    """The claims about tables of these files with a number that no query computed.

    Numbers of the question, and what is worked out from all these, count as computed. A row that
    is quoted is no claim.
    """
    computed_ids = {COMPUTED_ID.format(file_id) for file_id in file_ids}
    results = [p.content for p in judgement.passages if p.id in computed_ids]
    known_digits = known_numbers("\n".join([question, *results]))
    known_digits |= derived_numbers(judgement.written, known_digits)
    parts = {
        number
        for number, passage in enumerate(judgement.passages, 1)
        if passage.id not in computed_ids
        and any(passage.id.startswith(f"file:{file_id}:") for file_id in file_ids)
    }
    refusals = {one.text for one in judgement.unsupported}
    return tuple(
        s
        for s in judgement.sentences
        if s.is_claim
        and s.text not in refusals
        and parts & (s.cites | {*judgement.supports.get(s.text, ())})
        and strange_numbers(s.text, known_digits, least_digits=2 if results else 1)
    )
