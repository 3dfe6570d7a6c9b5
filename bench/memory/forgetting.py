"""Facts that changed and turns that were forgotten, as they are looked for afterwards."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from statistics import fmean

from bench.memory.shelf import BEST, Shelf
from bench.memory.talks import Conversation
from rich_agent.composition.repositories import memory_rows
from rich_agent.domain.memory.items import LongTermMemory, mark_of, recall, recall_budget
from rich_agent.domain.memory.merging import Learned, Provenance, merge
from rich_agent.domain.text import estimate_tokens
from rich_agent.ports.memories import Erased
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.memories import PostgresMemories

_PROMPT_TOKENS = 12_000


async def outdated_recalled(
    databases: Databases, shelves: Sequence[tuple[Shelf, Conversation]]
) -> str:
    """Learn each fact, then what it became, as a good extractor would read it; count what is left.

    The memories are those of the product, and so is what it puts into the prompt.
    """
    memories = PostgresMemories(databases.app, memory_rows())
    old = new = total = 0
    tokens = []
    for shelf, conversation in shelves:
        began = conversation.turns[0].at
        for change in conversation.changes:
            for number, value in enumerate((change.before, change.after)):
                at = (began + timedelta(days=30 * number)).isoformat()
                text = f"{change.about}, {change.topic}: {value}"
                await memories.change(shelf.user_id, partial(_learn, text=text, at=at))
        memory = await memories.load(shelf.user_id)
        today = conversation.turns[-1].at.date()
        told = recall(memory, [], today, recall_budget(_PROMPT_TOKENS)).entries
        tokens.append(sum(map(estimate_tokens, told)))
        total += len(conversation.changes)
        for change in conversation.changes:
            subject = f"{change.about}, {change.topic}: "
            old += any(line.startswith(f"{subject}{change.before}") for line in told)
            new += any(line.startswith(f"{subject}{change.after}") for line in told)
    return (
        f"of {total} facts that changed, {old} old and {new} new ones are put into prompts;"
        f" {fmean(tokens):.0f} tokens for each user"
    )


def _learn(known: LongTermMemory, text: str, at: str) -> LongTermMemory:
    """The memory with a fact, in the place of the one with the same subject."""
    subject, _, _ = text.partition(": ")
    before = [mark_of("facts", item) for item in known.facts if item.text.startswith(subject)]
    learned = Learned("facts", text, action="replace", about=subject, mark="".join(before))
    return merge(known, [learned], Provenance(f"{at} {text}", at))


async def forgotten_found(
    databases: Databases, shelves: Sequence[tuple[Shelf, Conversation]]
) -> str:
    """Erase the evidence of each question about a single turn, and ask again."""
    erasure = PostgresErasure(databases, memory_rows())
    asked = found = 0
    for shelf, conversation in shelves:
        single = [one for one in conversation.questions if one.kind == "single"]
        gone = frozenset(str(number) for one in single for number in one.evidence)
        await erasure.erase(Erased(shelf.user_id, f"tg:{shelf.user_id}", gone))
        for one in single:
            left = await shelf.found(one.text, by_meaning=True)
            asked += 1
            found += any(turn.request_id in gone for turn in left[:BEST])
    return f"of {asked} turns that were forgotten, {found} are found again"
