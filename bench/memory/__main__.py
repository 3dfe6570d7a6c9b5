"""Evidence found in long conversations: `python -m bench.memory [--embeddings URL] [--locomo F]`.

Conversations in three languages, with changes of facts and talk about nothing, are archived by the
product on a PostgreSQL of its own, and asked about. Printed is the recall of the turns that hold
the answer among the ten that would be put into the prompt, by kind of question and by language: of
bm25s, of the rarity of shared words, of the product's words, and of words and meaning. Then follow
how often nothing is put into the prompt for what nobody said, what is left of facts that changed
and of turns that were forgotten, the tokens, and what a search in 10,000 turns takes. The peers
have to be installed (`python -m bench.peers`). Words alone rank, unless `--embeddings` names a
server of `bench.minilm_server`. With `--locomo`, only the recall in the conversations of such a
file is printed.
"""

import argparse
import asyncio
import json
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from statistics import fmean

from bench.database import running_database
from bench.memory.forgetting import forgotten_found, outdated_recalled
from bench.memory.locomo import read
from bench.memory.shelf import ServedEmbeddings, Shelf
from bench.memory.talks import LANGUAGES, Asked, Conversation, make
from bench.peers import peer_python
from bench.turn import percentiles
from rich_agent.domain.text import estimate_tokens
from rich_agent.repositories.database.pools import Databases, open_pools

CONVERSATIONS: Mapping[str, int] = {"english": 4, "german": 2, "japanese": 2}
RANKINGS = ("bm25s", "rarity", "words", "now")
_FIRST_USER = 100
_MANY = 10_000

Found = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of a conversation, and the turns that each ranking found."""

    language: str
    asked: Asked
    found: Found
    tokens: int

    def recall(self, ranking: str) -> float:
        """The share of the evidence that was found, 0..1."""
        return len(self.asked.evidence & set(self.found[ranking])) / len(self.asked.evidence)


def _rank_plainly(conversations: Sequence[Conversation]) -> list[list[list[int]]]:
    """The ten best turns of bm25s for each question of each conversation."""
    asked = [
        {
            "texts": [f"{turn.question}\n{turn.answer}" for turn in one.turns],
            "questions": [question.text for question in one.questions],
        }
        for one in conversations
    ]
    command = [str(peer_python()), "-m", "bench.plain_bm25"]
    done = subprocess.run(
        command, input=json.dumps(asked), check=True, stdout=subprocess.PIPE, text=True
    )
    ranked: list[list[list[int]]] = json.loads(done.stdout)
    return ranked


async def _ask(
    shelf: Shelf, conversation: Conversation, plain: Sequence[Sequence[int]]
) -> list[Answered]:
    answered = []
    for asked, by_peer in zip(conversation.questions, plain, strict=True):
        words = await shelf.found(asked.text, by_meaning=False)
        now = await shelf.found(asked.text, by_meaning=True)
        found = {
            "bm25s": by_peer,
            "rarity": await shelf.found_before(asked.text),
            "words": [int(turn.request_id) for turn in words],
            "now": [int(turn.request_id) for turn in now],
        }
        tokens = sum(estimate_tokens(f"{turn.question}\n{turn.answer}") for turn in now)
        answered.append(Answered(conversation.language, asked, found, tokens))
    return answered


def _print_recall(answered: Sequence[Answered]) -> None:
    groups: defaultdict[str, list[Answered]] = defaultdict(list)
    for one in answered:
        if one.asked.evidence:
            for name in ("all", one.asked.kind, one.language):
                groups[name].append(one)
    print(f"{'recall@10':12}{'questions':>10}" + "".join(f"{name:>8}" for name in RANKINGS))
    for name, members in groups.items():
        means = (fmean(one.recall(ranking) for one in members) for ranking in RANKINGS)
        print(f"{name:12}{len(members):10}" + "".join(f"{mean:8.3f}" for mean in means))


def _print_rest(answered: Sequence[Answered]) -> None:
    """Print what the archive finds of old facts, and of what nobody said."""
    updates = [one for one in answered if one.asked.outdated is not None]
    for ranking in RANKINGS:
        old = [one for one in updates if one.asked.outdated in one.found[ranking]]
        alone = sum(one.recall(ranking) == 0 for one in old)
        print(f"{ranking:6} the old turn without the new one: {alone} of {len(updates)}")
    for kind in ("strange", "unsaid"):
        asked = [one for one in answered if one.asked.kind == kind]
        none = {name: sum(not one.found[name] for one in asked) for name in RANKINGS}
        told = ", ".join(f"{name} {number}" for name, number in none.items())
        print(f"{kind}: nothing put into the prompt for {told} of {len(asked)}")
    tokens = fmean(one.tokens for one in answered)
    print(f"tokens of earlier turns in the prompt of a question about the past: {tokens:.0f}")


async def _print_cost(shelf: Shelf) -> None:
    """The time of a search in an archive as it grows to 10,000 turns."""
    source = [make("english", seed) for seed in range(20)]
    questions = [asked.text for asked in source[0].questions]
    if shelf.embeddings:
        await shelf.embeddings.embed(questions)
    for count in (300, 3_000, _MANY):
        user = replace(shelf, user_id=shelf.user_id + count)
        turns = [turn for one in source for turn in one.turns]
        turns = (turns * (count // len(turns) + 1))[:count]
        spread = [replace(t, at=t.at + timedelta(minutes=n)) for n, t in enumerate(turns)]
        await user.fill(Conversation("english", spread, ()), vectors_of=len(source[0].turns))
        took = [await user.time(text) for text in questions]
        p50, p95 = percentiles(took)
        print(f"a search in {count:6,} turns: p50 {p50:.0f} ms, p95 {p95:.0f} ms")


async def measure(
    databases: Databases, conversations: Sequence[Conversation], address: str | None, *, whole: bool
) -> None:
    """Archive the conversations, ask everything, and print; `whole` more than the recall."""
    plain = _rank_plainly(conversations)
    embeddings = ServedEmbeddings(address) if address else None
    answered: list[Answered] = []
    shelves = [
        Shelf(databases.app, _FIRST_USER + number, embeddings)
        for number in range(len(conversations))
    ]
    for shelf, conversation, by_peer in zip(shelves, conversations, plain, strict=True):
        await shelf.fill(conversation)
        answered += await _ask(shelf, conversation, by_peer)
    turns = sum(len(one.turns) for one in conversations)
    print(f"{len(conversations)} conversations, {turns} turns, {len(answered)} questions")
    _print_recall(answered)
    if not whole:
        return
    _print_rest(answered)
    pairs = list(zip(shelves, conversations, strict=True))
    print(await outdated_recalled(databases, pairs))
    print(await forgotten_found(databases, pairs))
    await _print_cost(Shelf(databases.app, 1_000_000, embeddings))


async def _run(url: str, options: argparse.Namespace) -> None:
    file: Path | None = options.locomo
    conversations = (
        read(file)
        if file
        else [make(name, seed) for name in LANGUAGES for seed in range(CONVERSATIONS[name])]
    )
    async with open_pools(url, url, 4) as databases:
        await measure(databases, conversations, options.embeddings, whole=file is None)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory")
    parser.add_argument("--embeddings", help="address of a running bench.minilm_server")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="locomo10.json")
    options = parser.parse_args()
    with running_database() as database:
        asyncio.run(_run(database.url, options))


if __name__ == "__main__":
    main()
