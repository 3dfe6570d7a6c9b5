"""Test collections on disk."""

import json
from pathlib import Path

import pytest

from ingest.evaluate.collection import Collection, CollectionError


def write(directory: Path, *, corpus: str = "", queries: str = "", qrels: str = "") -> Path:
    """The three files."""
    for name, text in (
        ("corpus.jsonl", corpus),
        ("queries.jsonl", queries),
        ("qrels.tsv", qrels),
    ):
        (directory / name).write_text(text, "utf-8")
    return directory


QUERIES = '{"_id": "q1", "text": "Why?"}\n{"_id": 2, "text": "How?"}\n\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\n2\tb\t1\n"


def test_load_reads_questions_with_their_answers(tmp_path: Path) -> None:
    """Ids may be numbers; a grade of 0 is no answer."""
    collection = Collection.load(write(tmp_path, queries=QUERIES, qrels=QRELS))
    assert [(one.text, one.grades) for one in collection.questions] == [
        ("Why?", {"a": 2.0}),
        ("How?", {"b": 1.0}),
    ]


def test_load_reads_the_words_of_answers(tmp_path: Path) -> None:
    """A fourth column, where it is filled; quotation marks in it are just that."""
    judged = 'head\nq1\ta\t2\tit is "so"\nq1\tc\t1\n2\tb\t1\t\n'
    collection = Collection.load(write(tmp_path, queries=QUERIES, qrels=judged))
    assert [one.wanted for one in collection.questions] == [{"a": 'it is "so"'}, {}]


def test_write_texts_keeps_every_document(tmp_path: Path) -> None:
    """Title and text, every line as it is; nothing to read is no document."""
    code = "    def f(x):\n        return x < y\n\n        z = '<p>'"
    records = [
        {"_id": "a/b", "title": "A/B & C", "text": code},
        {"_id": "empty", "text": " "},
        {"_id": 2, "text": "\nonly\nwords"},
        {"_id": "bare", "title": "Bare", "text": ""},
        {"_id": "long", "title": ".長" * 100, "text": "x"},
    ]
    corpus = "\n".join(map(json.dumps, records))
    collection = Collection.load(write(tmp_path, corpus=corpus, queries=QUERIES, qrels=QRELS))
    folder = tmp_path / "texts"
    folder.mkdir()
    ids = collection.write_texts(folder)
    assert list(ids.values()) == ["a/b", "2", "bare", "long"]
    files = [next((folder / name).iterdir()) for name in ids]
    assert [file.stem for file in files[:3]] == ["A∕B & C", "only", "Bare"]
    assert files[3].name.startswith(" .長.長")
    assert [file.read_text("utf-8") for file in files[:3]] == [code, "\nonly\nwords", "Bare"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"queries": "{", "qrels": QRELS}, "queries.jsonl, line 1"),
        ({"queries": '{"_id": "q1"}', "qrels": QRELS}, "needs _id and text"),
        ({"queries": QUERIES, "qrels": "head\nq1 a 1\n"}, "qrels.tsv, line 2"),
        ({"queries": QUERIES, "qrels": "head\n"}, "no question has a document"),
    ],
)
def test_load_says_what_is_wrong(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    """The file, the line, and where the form is described."""
    with pytest.raises(CollectionError, match=reason) as raised:
        Collection.load(write(tmp_path, **files))
    assert "test-collections" in raised.value.explain()


def test_load_names_what_is_missing(tmp_path: Path) -> None:
    """A folder of other things is no collection."""
    (tmp_path / "corpus.jsonl").write_text("")
    with pytest.raises(CollectionError, match=r"no queries\.jsonl and no qrels\.tsv"):
        Collection.load(tmp_path)
