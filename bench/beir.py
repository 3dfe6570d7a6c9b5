"""Test collections of retrieval as directories, in the format of BEIR.

`corpus.jsonl` (_id, title, text), `queries.jsonl` (_id, text) and `qrels.tsv` (query-id, corpus-id,
score), where a higher score is more relevant and what is not listed is not relevant.
Source: Thakur et al., BEIR, 2021.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TestDocument:
    """A document of a collection; `title` may be empty."""

    id: str
    title: str
    text: str

    @property
    def content(self) -> str:
        """The text that is indexed and embedded: the title, where there is one, then the text."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, questions by id, and judgements: question id → document id → score above 0."""

    documents: tuple[TestDocument, ...]
    queries: Mapping[str, str]
    relevant: Mapping[str, Mapping[str, int]]


def write_collection(collection: Collection, directory: Path) -> None:
    """Write the three files, the directory too; what stands there is replaced."""
    directory.mkdir(parents=True, exist_ok=True)
    _write_lines(
        directory / "corpus.jsonl",
        ({"_id": d.id, "title": d.title, "text": d.text} for d in collection.documents),
    )
    _write_lines(
        directory / "queries.jsonl",
        ({"_id": key, "text": text} for key, text in collection.queries.items()),
    )
    with (directory / "qrels.tsv").open("w", encoding="utf-8") as file:
        file.write("query-id\tcorpus-id\tscore\n")
        for query, scores in collection.relevant.items():
            file.writelines(f"{query}\t{key}\t{score}\n" for key, score in scores.items())


def read_collection(directory: Path) -> Collection:
    """Read what `write_collection` wrote."""
    documents = tuple(
        TestDocument(row["_id"], row.get("title", ""), row["text"])
        for row in _read_lines(directory / "corpus.jsonl")
    )
    queries = {row["_id"]: row["text"] for row in _read_lines(directory / "queries.jsonl")}
    relevant: dict[str, dict[str, int]] = {}
    judgements = (directory / "qrels.tsv").read_text(encoding="utf-8").splitlines()
    for line in judgements[1:]:
        query, document, score = line.split("\t")
        relevant.setdefault(query, {})[document] = int(score)
    return Collection(documents, queries, relevant)


def _write_lines(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _read_lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
