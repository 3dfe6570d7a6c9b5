"""Test collections: documents, questions, and which documents answer them.

A directory holds `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and
`qrels.tsv` (query id, document id, grade, optionally words of the answer; one header line).
Source: BEIR, https://github.com/beir-cellar/beir/wiki (the form of its datasets).
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from rich_agent.domain.text import clean_text
from rich_agent.errors import RichAgentError

_LONGEST_NAME = 250  # bytes, with ".txt" 254
_WORDS_COLUMN = 3
_FILES = ("corpus.jsonl", "queries.jsonl", "qrels.tsv")


class CollectionError(RichAgentError):
    """A directory without a valid test collection."""

    hint = "`docs/reference/test-collections.md` describes the three files."


class _Record(BaseModel):
    id: str = Field(alias="_id", coerce_numbers_to_str=True)
    title: str = ""
    text: str


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A question with the documents that answer it.

    `grades`: the grade of each answering document by id; above 0, higher is better.
    `wanted`: words that an answering passage contains, by document id, if known.
    """

    text: str
    grades: Mapping[str, float]
    wanted: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Collection:
    """A test collection on disk; documents are read on demand."""

    directory: Path
    questions: tuple[EvalQuestion, ...]

    @classmethod
    def load(cls, directory: Path) -> "Collection":
        """Load the collection in a directory, without questions that no document answers.

        Raises: CollectionError.
        """
        missing_names = [name for name in _FILES if not (directory / name).is_file()]
        if missing_names:
            raise CollectionError(f"{directory}: there is no {' and no '.join(missing_names)}")
        grades, answers = _judgements(directory / "qrels.tsv")
        questions = tuple(
            EvalQuestion(clean_text(record.text), grades[record.id], answers[record.id])
            for record in _records(directory / "queries.jsonl")
            if record.id in grades
        )
        if not questions:
            raise CollectionError(f"{directory}: no question has a document that answers it")
        return cls(directory, questions)

    def write_texts(self, folder: Path) -> dict[str, str]:
        """Write the documents as plain text, each into its own subfolder of an empty folder.

        Returns the ids by name of the subfolder. A file is named after the document's title or,
        without one, after its first words. Documents without text are left out, because no search
        could find them.

        Raises: CollectionError.
        """
        ids = {}
        for position, record in enumerate(_records(self.directory / "corpus.jsonl")):
            title, text = clean_text(record.title).strip(), clean_text(record.text)
            if not (title + text).strip():
                continue
            subfolder = folder / f"{position:07d}"
            subfolder.mkdir()
            (subfolder / f"{_file_name(title or text)}.txt").write_text(
                text if text.strip() else title, "utf-8"
            )
            ids[subfolder.name] = record.id
        return ids


def _file_name(words: str) -> str:
    """The first line as a valid file name, cut if it is too long."""
    line = words.strip().split("\n")[0].strip().replace("/", "∕")
    name = line.encode()[:_LONGEST_NAME].decode("utf-8", "ignore").rstrip()
    return f" {name}" if name.startswith(".") else name


def _records(path: Path) -> Iterator[_Record]:
    with path.open(encoding="utf-8") as lines:
        for line_number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield _Record.model_validate(json.loads(line))
            except (json.JSONDecodeError, ValidationError) as error:
                reason = "needs _id and text" if isinstance(error, ValidationError) else str(error)
                raise CollectionError(f"{path}, line {line_number}: {reason}") from error


def _judgements(path: Path) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, str]]]:
    """The grades above 0, and the words of the answer if given, by question and by document."""
    grades_by_question: dict[str, dict[str, float]] = defaultdict(dict)
    answers_by_question: dict[str, dict[str, str]] = defaultdict(dict)
    with path.open(encoding="utf-8", newline="") as lines:
        for line_number, row in enumerate(
            csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=1
        ):
            try:
                query_id, document_id, grade = row[0], row[1], float(row[2])
            except (IndexError, ValueError) as error:
                if line_number == 1:
                    continue
                raise CollectionError(
                    f"{path}, line {line_number}: needs query id, document id and a number, by tabs"
                ) from error
            if grade > 0:
                grades_by_question[query_id][document_id] = grade
                if len(row) > _WORDS_COLUMN and row[_WORDS_COLUMN].strip():
                    answers_by_question[query_id][document_id] = clean_text(row[_WORDS_COLUMN])
    return dict(grades_by_question), answers_by_question
