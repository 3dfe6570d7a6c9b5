"""Finds what an answer states about a table of which a model read only some rows."""

from collections.abc import Collection

from rich_agent.domain.answer.grounding import Judged, Sentence
from rich_agent.domain.answer.numbers import known_numbers, strange_numbers, worked_out
from rich_agent.domain.tables import COMPUTED_ID


def uncomputed_claims(
    judged: Judged, file_ids: Collection[int], question: str
) -> tuple[Sentence, ...]:
    """The claims about tables of these files with a number that no query computed.

    Numbers of the question, and what is worked out from all these, count as computed. A row that
    is quoted is no claim.
    """
    computed_ids = {COMPUTED_ID.format(file_id) for file_id in file_ids}
    results = [p.content for p in judged.passages if p.id in computed_ids]
    known = known_numbers("\n".join([question, *results]))
    known |= worked_out(judged.written, known)
    parts = {
        number
        for number, passage in enumerate(judged.passages, 1)
        if passage.id not in computed_ids
        and any(passage.id.startswith(f"file:{file_id}:") for file_id in file_ids)
    }
    refused = {one.text for one in judged.unsupported}
    return tuple(
        s
        for s in judged.sentences
        if s.is_claim
        and s.text not in refused
        and parts & (s.cites | {*judged.supports.get(s.text, ())})
        and strange_numbers(s.text, known, least_digits=2 if results else 1)
    )
