"""False answers caught and true ones harmed: `python -m bench.claims [LIMIT]`.

The bot answers 40 questions from documents in four languages. Its model writes 20 true paraphrases
and 20 false answers, all of them cited, and repeats them when it shall repair them. Asked for a
judgement, it tells the truth, as `claims.jsonl` has it. A false answer is caught if the user does
not read it, or is told below it; a true one is harmed if anything else than the answer and its
source is read, but for the line that it was not judged. The bot runs with CHECK_ANSWERS=0, where
signs choose what is judged, with 1, with a model that believes every answer, which leaves the
numbers that code compares, and with models that fail to judge.

Then it is asked LIMIT utterances of `bench.routing` that documents answer, with the sandbox's
model, which quotes: how many answers need no judgement, and what one takes.
"""

import itertools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg

from bench.claims.judging import Claim, Judge, Truthful, load
from bench.database import running_database
from bench.instant import served, wants_check
from bench.routing.utterances import load as load_utterances
from bench.samples import with_samples
from bench.turn import SECRET, running_bot, settings_for, telegram_update
from rich_agent.domain.text import estimate_tokens
from rich_agent.phrases import say
from tests.acceptance.world import World, free_port, wait_until
from tests.acceptance.world import running_bot as running_in_world

LIMIT = 30
USERS = itertools.count(4_000_000)
DOCUMENTS = Path(__file__).parent / "documents"
_OBJECTIONS = ("unsupported", "contradicted", "unchecked")
_UNJUDGED = ("unjudged", "unjudged-claims")
_REFUSALS = ("refused-rag", "nothing-found")
_DONE = """
SELECT 1 FROM telegram_inbox
WHERE update_id = %s AND (done_at IS NOT NULL OR dead_at IS NOT NULL)
"""
_ISOLATES = re.compile("[\u2068\u2069]")


@dataclass(frozen=True, slots=True)
class Shown:
    """A claim, and the last text that its user reads."""

    claim: Claim
    text: str

    def has_note(self, phrases: Sequence[str]) -> bool:
        """Whether the text has one of the product's lines below the answer, or is a refusal."""
        notes = [say(self.claim.language, key, claims="\0", sources="\0") for key in phrases]
        refusals = [say(self.claim.language, key) for key in _REFUSALS]
        parts = (*refusals, *(_ISOLATES.sub("", note).partition("\0")[0] for note in notes))
        return any(part.strip() in self.text for part in parts)

    @property
    def is_right(self) -> bool:
        """Whether a true answer stands there with its source, or a false one is caught."""
        is_there = self.claim.answer in self.text
        if self.claim.is_true:
            has_source = say(self.claim.language, "sources-heading") in self.text
            return is_there and has_source and not self.has_note(_OBJECTIONS)
        return self.has_note((*_OBJECTIONS, *_UNJUDGED)) or not is_there


def ask(claim: Claim, truthful: Truthful, address: str, database: str) -> Shown:
    """The last text that a new user reads who asks for the claim."""
    user = next(USERS)
    update = telegram_update(user, claim.question, b"")
    update["message"]["from"]["language_code"] = claim.language
    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
    httpx.post(f"{address}/telegram/webhook", json=update, headers=headers).raise_for_status()
    with psycopg.connect(database, autocommit=True) as connection:
        wait_until(lambda: connection.execute(_DONE, (user,)).fetchone(), "the turn is done")
    texts = [text for chat, _, text in truthful.shown if chat == user]
    return Shown(claim, texts[-1])


def report(name: str, shown: Sequence[Shown], truthful: Truthful) -> None:
    """Print what was caught and harmed, by kind, and what it took."""
    false, true = ([s for s in shown if s.claim.is_true is is_true] for is_true in (False, True))
    harmed = [one for one in true if not one.is_right]
    caught = sum(one.is_right for one in false)
    print(
        f"{name}: {caught} of {len(false)} false answers caught,"
        f" {len(harmed)} of {len(true)} true ones harmed"
    )
    kinds = Counter(one.claim.kind for one in false)
    right = Counter(one.claim.kind for one in false if one.is_right)
    print("  caught: " + ", ".join(f"{kind} {right[kind]}/{kinds[kind]}" for kind in sorted(kinds)))
    for one in (*harmed, *(s for s in false if not s.is_right)):
        print(f"  {'harmed' if one.claim.is_true else 'missed'}: {one.claim.answer}")
    if tokens := truthful.checks:
        sent, written = (sum(column) / len(shown) for column in zip(*tokens, strict=True))
        print(
            f"  {len(tokens) / len(shown):.2f} further calls an answer, {sent:.0f} tokens read and"
            f" {written:.0f} written"
        )


def caught_and_harmed() -> None:
    """Ask for every claim, by signs and with every sentence judged."""
    truthful = Truthful()
    with (
        running_database() as database,
        served(truthful) as upstream,
    ):
        url = database.url
        settings = settings_for(upstream, url, port=free_port())
        for arguments in (["add-source", str(DOCUMENTS)], ["sync", "--json"]):
            command = [sys.executable, "-m", "ingest.cli", *arguments]
            subprocess.run(
                command, env=os.environ | settings, check=True, stdout=subprocess.DEVNULL
            )
        runs: tuple[tuple[str, str, Judge], ...] = (
            ("signs choose what is judged", "0", "truthful"),
            ("every sentence is judged", "1", "truthful"),
            ("by a model that believes all of it", "1", "credulous"),
            ("by a model that gives no lists", "1", "empty"),
            ("by a model that gives prose", "1", "malformed"),
            ("by a model that is silent", "1", "silent"),
        )
        for name, share, judge in runs:
            truthful.checks.clear()
            truthful.judge = judge
            wait_s = "1" if judge == "silent" else "15"
            changes = {"CHECK_ANSWERS": share, "CHECK_ANSWERS_S": wait_s}
            with running_bot(settings | changes) as address:
                shown = [ask(claim, truthful, address, url) for claim in load()]
            report(f"{name} (CHECK_ANSWERS={share})", shown, truthful)


def calls_for(world: World, text: str) -> list[dict[str, Any]] | None:
    """The checks of the answer to a new user; None for one that no document was read for."""
    user, before = next(USERS), world.sandbox.mark()
    world.ask(user, text)
    decisions = world.decisions(user)
    if not decisions or not decisions[-1]["retrieved"]:
        return None
    return [c for c in world.sandbox.calls("openai", before) if wants_check(c["body"])]


def rate(limit: int) -> None:
    """Print how many answers of a model that quotes were judged."""
    alone = [one.text for one in load_utterances() if one.plans[0] != "direct" and not one.history]
    with with_samples() as world, running_in_world(world.environment):
        texts = alone[:: max(1, len(alone) // limit)]
        asked = [calls for text in texts if (calls := calls_for(world, text)) is not None]
    calls = list(itertools.chain.from_iterable(asked))
    print(f"answers that quote: {sum(map(bool, asked))} of {len(asked)} need a check")
    if calls:
        took = sum(call["ended_at"] - call["started_at"] for call in calls) / len(calls)
        tokens = [estimate_tokens(json.dumps(call["body"], ensure_ascii=False)) for call in calls]
        print(f"  {sum(tokens) / len(calls):.0f} tokens read and {1000 * took:.0f} ms each")


if __name__ == "__main__":
    caught_and_harmed()
    rate(int(sys.argv[1]) if len(sys.argv) > 1 else LIMIT)
