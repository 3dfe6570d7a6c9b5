"""Recall of the words that answer: `python -m bench.passages DIRECTORY`.

The directory is that of the data of Chroma's benchmark of chunking (`corpora` and
`questions_df.csv`): five long texts without headings, and questions with the places of their
answers. The texts are stored as by `ingest sync`. Recall is the share of the characters of the
answers that the first five chunks have, precision the share of the chunks that belongs to answers.
Source: Smith and Troynikov, Evaluating chunking strategies for retrieval, 2024.
"""

import argparse
import asyncio
import csv
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from unicodedata import normalize

from ingest.app import Ingest, open_embedding_model, open_ingest
from ingest.sync_command import sync_active_sources
from rich_agent.documents.index.embedding import Embedder
from rich_agent.documents.source import make_source
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.settings.settings import Settings
from tests.database import temporary_data_dir

FIRST = 5
_LONGEST_FIELD = 10_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the name of the text that answers it, and where: starts and ends of letters."""

    text: str
    corpus: str
    answers: Sequence[range]


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a text without spaces and signs, and how many stand before each character."""

    letters: str
    before: Sequence[int]

    @classmethod
    def of(cls, text: str) -> "Letters":
        """Letters of a text in its compatibility form, so that the way of writing is all one."""
        letters: list[str] = []
        before = [0]
        for character in text:
            letters += filter(str.isalnum, normalize("NFKD", character))
            before.append(len(letters))
        return cls("".join(letters), before)

    def place(self, passage: str) -> range:
        """The first place of a passage, empty if it has none."""
        words = Letters.of(passage).letters
        start = self.letters.find(words)
        return range(start, start + len(words)) if start >= 0 else range(0)


def read_questions(directory: Path, texts: Mapping[str, Letters]) -> list[Question]:
    """The questions with an answer in one of the texts."""
    csv.field_size_limit(_LONGEST_FIELD)
    with (directory / "questions_df.csv").open(encoding="utf-8", newline="") as lines:
        return [
            Question(
                row["question"],
                row["corpus_id"],
                [
                    range(before[one["start_index"]], before[one["end_index"]])
                    for one in json.loads(row["references"])
                ],
            )
            for row in csv.DictReader(lines)
            for before in [texts[row["corpus_id"]].before]
        ]


def judge(
    question: Question, found: Sequence[Passage], texts: Mapping[str, Letters]
) -> tuple[float, float]:
    """Recall and precision of what was found for a question."""
    wanted = {at for answer in question.answers for at in answer}
    read: set[int] = set()
    total = 0
    for passage in found:
        name = passage.title
        place = texts[name].place(passage.content)
        total += len(place)
        if name == question.corpus:
            read |= wanted.intersection(place)
    return len(read) / max(1, len(wanted)), len(read) / max(1, total)


async def measure(directory: Path, data: Path) -> None:
    """Store the texts, ask the questions, print a line for each way of searching."""
    texts = {
        path.stem: Letters.of(path.read_text("utf-8"))
        for path in (directory / "corpora").glob("*.md")
    }
    questions = read_questions(directory, texts)
    folder = data / "texts"
    folder.mkdir()
    for path in (directory / "corpora").glob("*.md"):
        (folder / f"{path.stem}.txt").write_bytes(path.read_bytes())
    with EmbeddedPostgres(data) as server:
        server.ensure_database("passages")
        url = server.url("passages")
        settings = Settings.load().with_changes("storage", database_url=url, rag_database_url=None)
        async with open_ingest(settings, migrates=True) as ingest:
            await ingest.sources.save(make_source(str(folder)))
            await sync_active_sources(ingest)
            await _ask(ingest, questions, texts)


async def _ask(ingest: Ingest, questions: Sequence[Question], texts: Mapping[str, Letters]) -> None:
    (overview,) = await ingest.sources.overview()
    print(f"{overview.chunks:,} chunks, {len(questions)} questions")
    print(f"{'':24}{'recall':>8}{'precision':>11}{'characters':>12}")
    passages = PostgresPassages(ingest.pool)
    by_words = [PassageQuery(one.text, None, FIRST) for one in questions]
    async with open_embedding_model(ingest.settings) as model:
        if model is None:
            sys.exit("An embedding model is needed.")
        done = await Embedder(model, lambda *_: None).embed(
            {one.text: one.text for one in questions}
        )
    both = [replace(one, embedding=done.vectors[one.text].to_list()) for one in by_words]
    ways = {
        "vectors": [replace(one, text="") for one in both],
        "BM25": by_words,
        "fused": both,
    }
    for way, queries in ways.items():
        ranked = [await passages.rank(query) for query in queries]
        _show(way, questions, [[one.passage for one in found[:FIRST]] for found in ranked], texts)
    limit = ingest.settings.turn.retrieval.passages
    read = [await passages.search(replace(query, limit=limit)) for query in both]
    _show(f"{limit} passages for the bot", questions, read, texts)


def _show(
    way: str,
    questions: Sequence[Question],
    found: Sequence[Sequence[Passage]],
    texts: Mapping[str, Letters],
) -> None:
    judged = [judge(*pair, texts) for pair in zip(questions, found, strict=True)]
    recall, precision = (fmean(column) for column in zip(*judged, strict=True))
    size = fmean(sum(len(one.content) for one in some) for some in found)
    print(f"{way:24}{recall:8.3f}{precision:11.3f}{size:12,.0f}", flush=True)


def main() -> None:
    """Measure with a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    directory = parser.parse_args().directory
    with temporary_data_dir() as data:
        os.environ["DATA_DIR"] = str(data)
        asyncio.run(measure(directory, Path(data)))


if __name__ == "__main__":
    main()
