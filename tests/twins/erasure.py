"""Deletes single things that a user said, without a database."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rich_agent.ports.memories import Erased, KeptThing, KeptTurn
from rich_agent.ports.turns import TurnRecord
from tests.twins.archive import InMemoryArchive
from tests.twins.conversations import InMemoryTranscript
from tests.twins.fences import Fences
from tests.twins.knowledge import InMemoryDecisions, InMemoryImageAnswers
from tests.twins.lessons import InMemoryLessons


@dataclass(slots=True)
class InMemoryErasure:
    """Implements `Erasure`; there are no updates here, no calls of tools, no images."""

    transcript: InMemoryTranscript
    archive: InMemoryArchive
    decisions: InMemoryDecisions
    image_answers: InMemoryImageAnswers
    lessons: InMemoryLessons = field(default_factory=InMemoryLessons)
    fences: Fences = field(default_factory=Fences)
    noted: dict[int, Sequence[KeptThing]] = field(default_factory=dict)

    async def turns(self, user_id: int) -> Sequence[KeptTurn]:
        archived = {key: row.turn for key, row in self.archive.kept.items()}
        kept = {**archived, **self.transcript.turns}.values()
        theirs = (turn for turn in kept if turn.user_id == user_id)
        return [
            KeptTurn(turn.request_id, turn.question, turn.answer, _around(turn)) for turn in theirs
        ]

    async def things(self, user_id: int) -> Sequence[KeptThing]:
        return self.noted.get(user_id, ())

    async def erase(self, erased: Erased) -> None:
        self.fences.check()
        self.noted[erased.user_id] = [
            one
            for one in self.noted.get(erased.user_id, ())
            if not erased.everything and one.key not in erased.things
        ]

        def goes(thread_id: str, request_id: str) -> bool:
            is_theirs = thread_id == erased.thread_id
            return is_theirs and (erased.everything or request_id in erased.requests)

        # In place: the transcript and the archive are shared.
        for shelf in (self.transcript.turns, self.archive.kept):
            for key in [key for key in shelf if goes(*key)]:
                del shelf[key]
        for asked, answer in list(self.image_answers.answers.items()):
            if asked.thread_id == erased.thread_id and _tells(erased, answer):
                del self.image_answers.answers[asked]
        for user_id, request_id in list(self.lessons.rows):
            said = self.lessons.rows[user_id, request_id].text
            if user_id == erased.user_id and (
                goes(erased.thread_id, request_id) or _tells(erased, said)
            ):
                del self.lessons.rows[user_id, request_id]
        for key, row in self.decisions.rows.items():
            said = "\n".join([row.reason, row.query, *row.queries])
            is_stray = key not in self.transcript.turns and _tells(erased, said)
            if goes(*key) or (key[0] == erased.thread_id and is_stray):
                emptied = replace(row, reason="", query="", queries=(), retrieved=[])
                self.decisions.rows[key] = emptied


def _around(turn: TurnRecord) -> str:
    reply, forwarded = turn.request.get("reply") or {}, turn.request.get("forwarded") or {}
    said = [reply.get("text"), reply.get("quote"), forwarded.get("text")]
    return "\n".join(text for text in said if text)


def _tells(erased: Erased, text: str) -> bool:
    traces = erased.traces
    return erased.everything or traces.occur_in(text) or traces.count_in(text) > 0
