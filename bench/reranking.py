"""The gain of a reranker by the number of candidates: `python -m bench.reranking COLLECTION`.

The collection is measured as by `ingest eval`: without a reranker, then with the sandbox's, which
speaks a server's dialect and is told the relevance of every passage of each question. It is told
the truth first; then, for a share of the other passages (`--errors`), that they answer best. What
is measured is thus what reranking can give, not what a model gives.
"""

import argparse
import asyncio
import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import httpx
import psycopg

from ingest.evaluate.collection import Collection
from ingest.evaluate.evaluation import evaluate, show_evaluation
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from tests.database import temporary_data_dir
from tests.sandbox_server import start_sandbox

PLACES = ("cohere/v2", "jina/v1", "vllm-rerank/v1", "llamacpp-rerank/v1", "tei", "voyage/v1")
_SEED = 7
_ALWAYS = 1_000_000


def main() -> None:
    """Measure one collection three times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--dialect", choices=(*PLACES, "infinity"), default="cohere/v2")
    parser.add_argument("--errors", type=float, default=0.02)
    arguments = parser.parse_args()
    collection = Collection.load(arguments.collection)
    with temporary_data_dir() as data, start_sandbox(journal=None) as sandbox:
        settings = {**os.environ, "DATA_DIR": str(data)}
        print("without a reranker")
        _measure(arguments.collection, settings)
        stored = _chunks(Path(data), arguments.collection)
        settings |= {
            "RERANK_MODEL": "oracle",
            "RERANK_BASE_URL": f"{sandbox.url}/servers/{arguments.dialect}",
            "RERANK_API_KEY": "sandbox",
        }
        for errors in (0.0, arguments.errors):
            httpx.delete(f"{sandbox.url}/sim/faults")
            _plant(sandbox.url, collection, stored, errors)
            print(f"with an oracle that errs in {errors:.1%} of the passages")
            _measure(arguments.collection, settings)


def _measure(collection: Path, settings: Mapping[str, str]) -> None:
    os.environ |= settings  # a run forgets the secrets of its environment
    show_evaluation(asyncio.run(evaluate(collection)))


def _chunks(data: Path, directory: Path) -> Mapping[str, Sequence[str]]:
    """The texts of the stored chunks by the id of their document."""
    records = (directory / "corpus.jsonl").read_text("utf-8").splitlines()
    names = {f"{at:07d}": str(json.loads(line)["_id"]) for at, line in enumerate(records)}
    (folder,) = data.glob("eval_*")
    texts: dict[str, list[str]] = {}
    with EmbeddedPostgres(data) as server, psycopg.connect(server.url(folder.name)) as connection:
        for url, text in connection.execute(
            "SELECT url, content FROM rag_documents AS d JOIN rag_chunks AS c "
            "ON c.document_id = d.id"
        ):
            place = PurePosixPath(urlsplit(url).path).parent.name
            texts.setdefault(names[place], []).append(text)
    return texts


def _plant(
    url: str, collection: Collection, stored: Mapping[str, Sequence[str]], errors: float
) -> None:
    """Tell the stand-in by its control API how relevant the chunks are to each question."""
    drawn = random.Random(_SEED)  # noqa: S311 - a repeatable draw
    every = [text for texts in stored.values() for text in texts]
    with httpx.Client(base_url=url) as http:
        for question in collection.questions:
            best = max(question.grades.values())
            told = dict.fromkeys(drawn.sample(every, round(errors * len(every))), 1.0)
            told |= dict(_relevant(question.grades, best, stored))
            asked = json.dumps(clean_text(question.text), ensure_ascii=False)
            fault = {
                "upstream": "openai",
                "kind": "scripted",
                "method": "rerank",
                "containing": f'"query":{asked}',
                "times": _ALWAYS,
                "text": json.dumps(told),
            }
            http.post("/sim/faults", json=fault).raise_for_status()


def _relevant(
    grades: Mapping[str, float], best: float, stored: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, float]]:
    for document, grade in grades.items():
        for text in stored.get(document, ()):
            yield text, grade / best


if __name__ == "__main__":
    main()
