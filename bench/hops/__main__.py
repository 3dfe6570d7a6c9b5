"""Questions that need two pages, asked through the bot: `python -m bench.hops [--embeddings URL]`.

Each question describes something that one page of public documentation names, and asks what another
page says about it. The pages come from packages of Debian 12 (apt has to be there), with 200 others
besides. The bot runs as `rich-agent run` with a webhook; its planner says what a good model would
say from the passages that it is shown. Printed is how many questions have both pages among the
passages of the answer, and both the name and the answer itself, with one round of searching and
with three; then what simple questions to the same pages pay. Words alone rank, unless
`--embeddings` names a server of `bench.minilm_server`.
"""

import argparse
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psycopg

from bench.database import running_database
from bench.hops.pages import Hop, build, load
from bench.hops.upstream import Truthful
from bench.instant import served
from bench.turn import SECRET, running_bot, settings_for, telegram_update
from tests.acceptance.world import free_port

MINILM, DIMENSIONS = "all-MiniLM-L6-v2", 384
_USERS = itertools.count(5_000_000)
_WAIT_S = 30.0
_READ = """
SELECT coalesce(document.canonical_url, document.url)
FROM retrieval_decisions AS decision,
    jsonb_array_elements(decision.retrieved) WITH ORDINALITY AS read (passage, place)
JOIN rag_chunks AS chunk ON chunk.id = passage ->> 'id'
JOIN rag_documents AS document ON document.id = chunk.document_id
WHERE decision.thread_id = %s ORDER BY place
"""


@dataclass(frozen=True, slots=True)
class Bench:
    """A running bot with its upstreams and its database."""

    upstream: Truthful
    address: str
    database: "psycopg.Connection[tuple[str]]"

    def read_for(self, question: str) -> list[tuple[str, str]]:
        """Address and text of the passages that the answer to a new user was written from."""
        user = next(_USERS)
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        update = telegram_update(user, question, b"")
        httpx.post(
            f"{self.address}/telegram/webhook", json=update, headers=headers
        ).raise_for_status()
        ends_at = time.monotonic() + _WAIT_S
        while self.upstream.text_of(user, "That is all of it") is None:
            if time.monotonic() > ends_at:
                raise TimeoutError(f"no answer to {question!r}: {self.upstream.shown[-2:]}")
            time.sleep(0.01)
        while not (found := self.database.execute(_READ, (f"tg:{user}",)).fetchall()):
            if time.monotonic() > ends_at:
                return []
            time.sleep(0.01)
        texts = self.upstream.read[question]
        return [(url, text) for (url,), text in zip(found, texts, strict=True)]


def _has(found: Sequence[tuple[str, str]], page: str, said: str = "") -> bool:
    return any(
        url.endswith(page) and said.casefold() in " ".join(text.split()).casefold()
        for url, text in found
    )


def ask_all(bench: Bench, name: str, hops: Sequence[Hop]) -> None:
    """Print the recall of both pages, of name and answer, and the further calls."""
    before = bench.upstream.further
    read = [(hop, bench.read_for(hop.question)) for hop in hops]
    pages = sum(_has(found, hop.first) and _has(found, hop.second) for hop, found in read)
    told = sum(
        _has(found, hop.first, hop.bridge) and _has(found, hop.second, hop.answer)
        for hop, found in read
    )
    further = (bench.upstream.further - before) / len(hops)
    size = len(hops)
    print(
        f"{name:34} both pages {pages / size:.2f}   name and answer {told / size:.2f}"
        f"   {further:.2f} further calls each",
        flush=True,
    )


def ask_simple(bench: Bench, hops: Sequence[Hop]) -> None:
    """Print what questions cost that name what they are about."""
    before = bench.upstream.further
    read = [(hop, bench.read_for(f"{hop.step2}?")) for hop in hops]
    told = sum(_has(found, hop.second, hop.answer) for hop, found in read)
    calls = bench.upstream.further - before
    print(f"{'simple questions':34} answer {told / len(hops):.2f}   {calls} further calls in all")


def _ingest(folder: Path, settings: dict[str, str]) -> None:
    for arguments in (["add-source", str(folder)], ["sync"]):
        command = [sys.executable, "-m", "ingest.cli", *arguments]
        # A page without a text is no failure of the bench.
        subprocess.run(command, env=os.environ | settings, check=False, capture_output=True)


def _settings(upstream: str, database_url: str, embeddings: str | None) -> dict[str, str]:
    given = settings_for(upstream, database_url, free_port())
    given |= {"SPECULATION": "off"}
    if embeddings is None:
        return given | {"EMBEDDING_MODEL": "none"}
    return given | {
        "EMBEDDING_MODEL": MINILM,
        "EMBEDDING_DIMENSIONS": str(DIMENSIONS),
        "EMBEDDING_BASE_URL": f"{embeddings}/v1",
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.hops")
    parser.add_argument("--embeddings", help="address of a running bench.minilm_server")
    options = parser.parse_args()
    hops = load()
    upstream = Truthful(hops=hops)
    with (
        TemporaryDirectory() as pages,
        running_database() as database,
        served(upstream) as address,
    ):
        url = database.url
        count = build(Path(pages), hops)
        settings = _settings(address, url, options.embeddings)
        _ingest(Path(pages), settings)
        print(f"{len(hops)} questions, {count} pages", flush=True)
        for rounds in (1, 3):
            with (
                running_bot(settings | {"RETRIEVAL_ROUNDS": str(rounds)}) as bot,
                psycopg.connect(url, autocommit=True) as connection,
            ):
                ask_all(Bench(upstream, bot, connection), f"rounds: {rounds}", hops)
                if rounds > 1:
                    ask_simple(Bench(upstream, bot, connection), hops)


if __name__ == "__main__":
    main()
