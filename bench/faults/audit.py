"""Checks what must always hold: nothing is lost, doubled or left dangling, and order is kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from typing_extensions import override

from bench.faults.ground import Ground
from rich_agent.phrases import say
from tests.acceptance.world import Sent

# The line with which an answer begins whose first try may have come through (locales/en.ftl).
_SENT_AGAIN = "(Sent again"
# Temporary texts of an answer; a message that still shows one is a broken promise.
_PASSING = tuple(
    say("en", key)
    for key in (
        "status-looking",
        "status-searching",
        "status-searching-web",
        "status-drafting",
        "status-queued",
    )
)
_GROWING = " …"


@dataclass(frozen=True, slots=True)
class Audit:
    """Numbers of updates and messages.

    `repeated` ones were marked as sent again; `dangling` ones show a passing state for good.
    """

    updates: int
    lost: int
    doubled: int
    out_of_order: int
    repeated: int
    dangling: int

    def broken(self) -> list[str]:
        """The broken promises, in words."""
        found = {
            f"{self.lost} lost": self.lost,
            f"{self.doubled} doubled": self.doubled,
            f"{self.out_of_order} out of order": self.out_of_order,
            f"{self.dangling} left dangling": self.dangling,
        }
        return [words for words, number in found.items() if number]

    @override
    def __str__(self) -> str:
        told = f"{self.updates} updates: {self.lost} lost, {self.doubled} doubled"
        again = f", {self.repeated} sent again with a word" if self.repeated else ""
        return f"{told}, {self.out_of_order} out of order, {self.dangling} left dangling{again}"


def audit(ground: Ground, sent: Mapping[int, Sequence[Sent]]) -> Audit:
    """Compare what each user sees with what they sent: one answer each, in order."""
    lost = doubled = disorder = repeated = dangling = 0
    for user, messages in sent.items():
        replies = ground.sandbox.replies(user)
        again = sum(reply["text"].startswith(_SENT_AGAIN) for reply in replies)
        answers = _answers(ground, messages)
        shown = Counter(reply["message_id"] for reply in replies)
        ids = [answers.get(one.update_id) for one in messages]
        lost += sum(found is None or not shown[found] for found in ids)
        doubled += max(0, len(replies) - again - len(messages))
        known = [found for found in ids if found is not None]
        disorder += sum(later < earlier for earlier, later in pairwise(known))
        repeated += again
        dangling += sum(is_passing(reply["text"]) for reply in replies)
    return Audit(sum(map(len, sent.values())), lost, doubled, disorder, repeated, dangling)


def is_passing(text: str) -> bool:
    """Whether a text is one that an answer replaces, or half an answer."""
    return text in _PASSING or text.endswith(_GROWING)


def _answers(ground: Ground, messages: Sequence[Sent]) -> dict[int, int]:
    """The message in which each done update was answered."""
    rows = ground.world.rows(
        "SELECT update_id, message_id FROM telegram_outbox JOIN telegram_inbox USING (update_id) "
        "WHERE part = 0 AND state = 'sent' AND done_at IS NOT NULL AND dead_at IS NULL "
        "AND update_id = ANY(%s)",
        [one.update_id for one in messages],
    )
    return {row["update_id"]: row["message_id"] for row in rows}
