"""`ingest eval` and `ingest calibrate` as processes, with the sandbox's embeddings."""

import json
from pathlib import Path

import psycopg
import pytest

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from tests.database import fast_storage, temporary_data_dir
from tests.integration.test_ingest_cli import command
from tests.sandbox_server import RunningSandbox

CODE = "def wait(seconds):\n    if seconds:\n        sleep(seconds)"


@pytest.mark.costs("it runs commands as processes of their own")
def test_ingest_eval_measures_and_keeps_or_drops(sandbox: RunningSandbox, tmp_path: Path) -> None:
    """Documents, wanted words and progress; texts as they are, and without numbers for titles."""
    documents = [
        {"_id": "leave", "title": "Leave", "text": "Everybody has thirty days.\n\nAsk early."},
        {"_id": 7, "text": CODE},
    ]
    questions = [
        {"_id": "q1", "text": "How many days of leave are there?"},
        {"_id": "q2", "text": "Who can sleep for some seconds?"},
    ]
    judged = "q\td\tgrade\twords\nq1\tleave\t1\tthirty days\nq2\t7\t1\tno such words\n"
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, questions)))
    (tmp_path / "qrels.tsv").write_text(judged)
    with (
        temporary_data_dir("eval ", fast_storage()) as data_dir,
        EmbeddedPostgres(data_dir) as server,
    ):
        ingest = command("", sandbox, tmp_path).having(DATA_DIR=str(data_dir))
        del ingest.environment["DATABASE_URL"]
        done = ingest.run("eval", tmp_path, "--json")
        found = json.loads(done.stdout)
        assert "questions: 2 questions" in done.stderr
        assert set(found["ways"]) == {"vectors", "BM25", "fused"}
        assert found["ways"]["fused"]["quality"]["recall_5"] == 1
        given = found["bot"]
        assert (given["passages"], given["documents"], given["answers"]) == (6, 1, 0.5)
        reranker = {"RERANK_MODEL": "r", "RERANK_BASE_URL": f"{sandbox.url}/servers/tei"}
        reranked = json.loads(ingest.having(**reranker).run("eval", tmp_path, "--json").stdout)
        more = [way for way in reranked["ways"] if way not in found["ways"]]
        assert more == ["reranked 20", "reranked 50", "reranked 100"]
        assert reranked["ways"]["reranked 50"]["quality"]["recall_5"] == 1
        (folder,) = data_dir.glob("eval_*")
        with psycopg.connect(server.url(folder.name)) as connection:
            stored = connection.execute("SELECT section, content FROM rag_chunks").fetchall()
        assert ("def wait(seconds):", CODE) in stored
        assert "0.500 of the wanted words" in ingest.run("eval", tmp_path, "--drop").stdout
        assert not folder.exists()
        with psycopg.connect(server.url("postgres")) as connection:
            names = connection.execute("SELECT datname FROM pg_database").fetchall()
        assert (folder.name,) not in names


def test_ingest_calibrate_divides_what_the_documents_answer(
    database_url: str, sandbox: RunningSandbox, tmp_path: Path
) -> None:
    """Headings find more with their own document than without; the value goes to .env."""
    ingest = command(database_url, sandbox, tmp_path)
    assert "too few" in ingest.run("calibrate", expect=1).stderr
    (tmp_path / "docs").mkdir()
    for name, subjects in {
        "zoo": "bears otters owls eels mice cats",
        "tea": "assam matcha sencha oolong rooibos chai",
    }.items():
        text = "".join(f"## About {one}\n\nThere are {one} here.\n\n" for one in subjects.split())
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}\n\n{text}")
    ingest.run("add-source", tmp_path / "docs")
    ingest.run("sync")
    found = ingest.json("calibrate")
    assert len(found["answered"]) == len(found["unanswered"]) == 12
    assert max(found["unanswered"]) < found["min_score"] < min(found["answered"])
    said = ingest.run("calibrate", "--write").stdout.splitlines()
    assert said[0] == f"RETRIEVAL_MIN_SCORE={found['min_score']:.2f}"
    assert str(found["min_score"]) in (tmp_path / ".env").read_text()
