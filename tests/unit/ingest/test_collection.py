"""Test collections on disk."""

import json
from pathlib import Path

import pytest

from ingest.collection import Collection, CollectionError


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


def test_write_pages_keeps_every_document(tmp_path: Path) -> None:
    """Title and text, with what is markup in HTML kept as text; nothing to read is no document."""
    records = [
        {"_id": "a/b", "title": "A & B", "text": "x < y\n\nz"},
        {"_id": "empty", "text": " "},
        {"_id": 2, "text": "only"},
        {"_id": "bare", "title": "Bare", "text": ""},
    ]
    corpus = "\n".join(map(json.dumps, records))
    collection = Collection.load(write(tmp_path, corpus=corpus, queries=QUERIES, qrels=QRELS))
    folder = tmp_path / "pages"
    folder.mkdir()
    ids = collection.write_pages(folder)
    assert list(ids.values()) == ["a/b", "2", "bare"]
    first, second, bare = (folder.joinpath(name).read_text("utf-8") for name in ids)
    assert "<h1>A &amp; B</h1><p>x &lt; y</p><p>z</p>" in first
    assert "<p>only</p>" in second
    assert "<p>Bare</p>" in bare


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
