"""Test collections: documents, questions, and which documents answer them.

A directory holds `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and
`qrels.tsv` (query id, document id, grade; one head line).
Source: BEIR, https://github.com/beir-cellar/beir/wiki (the form of its datasets).
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from rich_agent.domain.text import clean_text
from rich_agent.errors import RichAgentError

_FILES = ("corpus.jsonl", "queries.jsonl", "qrels.tsv")


class CollectionError(RichAgentError):
    """A directory that holds no test collection, or a broken one."""

    mend = "`docs/reference/test-collections.md` describes the three files."


class _Record(BaseModel):
    id: str = Field(alias="_id", coerce_numbers_to_str=True)
    title: str = ""
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the grades (above 0, higher is better) of the documents that answer it."""

    text: str
    grades: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Collection:
    """A test collection on disk; documents are read as they are needed."""

    directory: Path
    questions: tuple[Question, ...]

    @classmethod
    def load(cls, directory: Path) -> "Collection":
        """The collection in this directory; questions that nothing answers are left out.

        Raises: CollectionError.
        """
        missing = [name for name in _FILES if not (directory / name).is_file()]
        if missing:
            raise CollectionError(f"{directory}: there is no {' and no '.join(missing)}")
        grades = _grades(directory / "qrels.tsv")
        questions = tuple(
            Question(clean_text(record.text), grades[record.id])
            for record in _records(directory / "queries.jsonl")
            if record.id in grades
        )
        if not questions:
            raise CollectionError(f"{directory}: no question has a document that answers it")
        return cls(directory, questions)

    def write_pages(self, folder: Path) -> dict[str, str]:
        """Write the documents as HTML pages into an empty folder; their ids by file name.

        Documents without any text are left out: no search could find them.
        Raises: CollectionError.
        """
        ids = {}
        for number, record in enumerate(_records(self.directory / "corpus.jsonl")):
            if not (record.title + record.text).strip():
                continue
            name = f"{number:07d}.html"
            (folder / name).write_text(_page(record), "utf-8")
            ids[name] = record.id
        return ids


def _page(record: _Record) -> str:
    title = escape(clean_text(record.title))
    paragraphs = clean_text(record.text if record.text.strip() else record.title).split("\n\n")
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    head = f"<h1>{title}</h1>" if title else ""
    return f"<html><head><title>{title}</title></head><body>{head}{text}</body></html>"


def _records(path: Path) -> Iterator[_Record]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield _Record.model_validate(json.loads(line))
            except (json.JSONDecodeError, ValidationError) as error:
                reason = "needs _id and text" if isinstance(error, ValidationError) else str(error)
                raise CollectionError(f"{path}, line {number}: {reason}") from error


def _grades(path: Path) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), start=1):
            try:
                query, document, grade = row[0], row[1], float(row[2])
            except (IndexError, ValueError) as error:
                if number == 1:
                    continue
                raise CollectionError(
                    f"{path}, line {number}: needs query id, document id and a number, by tabs"
                ) from error
            if grade > 0:
                grades[query][document] = grade
    return dict(grades)
