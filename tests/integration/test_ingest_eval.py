"""`ingest eval` as a process, with the sandbox's embeddings and an embedded PostgreSQL."""

import json
from pathlib import Path

import psycopg

from rich_agent.repositories.embedded import EmbeddedPostgres
from tests.database import temporary_data_dir
from tests.integration.test_ingest_cli import command
from tests.sandbox_server import RunningSandbox

CODE = "def wait(seconds):\n    if seconds:\n        sleep(seconds)"


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
    with temporary_data_dir("eval ") as data_dir, EmbeddedPostgres(data_dir) as server:
        ingest = command("", sandbox, tmp_path).having(DATA_DIR=str(data_dir))
        del ingest.environment["DATABASE_URL"]
        done = ingest.run("eval", tmp_path, "--json")
        found = json.loads(done.stdout)
        assert "questions: 2 questions" in done.stderr
        assert set(found["ways"]) == {"vectors", "BM25", "fused"}
        assert found["ways"]["fused"]["quality"]["recall_5"] == 1
        given = found["bot"]
        assert (given["passages"], given["documents"], given["answers"]) == (6, 1, 0.5)
        (folder,) = data_dir.glob("eval_*")
        with psycopg.connect(server.url(folder.name)) as connection:
            stored = connection.execute("SELECT section, content FROM rag_chunks").fetchall()
        assert ("def wait(seconds):", CODE) in stored
        assert "0.500 of the wanted words" in ingest.run("eval", tmp_path, "--drop").stdout
        assert not folder.exists()
        with psycopg.connect(server.url("postgres")) as connection:
            names = connection.execute("SELECT datname FROM pg_database").fetchall()
        assert (folder.name,) not in names
