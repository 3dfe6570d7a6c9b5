"""Dead letters as an operator sees them: without what their users wrote."""

from dataclasses import dataclass
from datetime import datetime

from rich_agent.domain.redaction import redact
from rich_agent.ports.dead_letters import DeadLetter
from rich_agent.telegram.receive.envelope import kind_of


@dataclass(frozen=True, slots=True)
class LetterSummary:
    """A dead letter without its words; `kind` is that of the update, as the Bot API names it."""

    update_id: int
    user_id: int
    kind: str
    attempts: int
    received_at: datetime
    dead_at: datetime
    last_error: str


def summarize_letter(letter: DeadLetter) -> LetterSummary:
    """The summary of a dead letter, with secrets in its error masked."""
    return LetterSummary(
        letter.update_id,
        letter.user_id,
        kind_of(letter.raw),
        letter.attempts,
        letter.received_at,
        letter.dead_at,
        redact(letter.last_error),
    )
