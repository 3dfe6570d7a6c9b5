"""Two baseline retrievers on test collections; runs with the peers' interpreter.

`.bench-venv/bin/python -m bench.baselines DIRECTORY...`: bm25s, and the vectors of
all-MiniLM-L6-v2 searched exactly. A directory is what `bench.collections` makes.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import bm25s
import numpy as np
from numpy.typing import NDArray

from bench.beir import Collection, read_collection
from bench.minilm_server import DEFAULT_CACHE, Embedder, load_encoder
from bench.plain_bm25 import best_by_words
from ingest.evaluate.evaluation import judge, mean

_BEST = 10


def rank_by_words(collection: Collection) -> list[list[str]]:
    """Document ids of bm25s for each query, best first."""
    texts = [document.content for document in collection.documents]
    found = best_by_words(texts, list(collection.queries.values()), _BEST)
    return [[collection.documents[at].id for at in row] for row in found]


def rank_by_vectors(collection: Collection, embedder: Embedder) -> list[list[str]]:
    """Document ids by the inner product of the vectors, best first."""
    documents = _vectors(embedder, (document.content for document in collection.documents))
    queries = _vectors(embedder, collection.queries.values())
    order = np.argsort(-(queries @ documents.T), axis=1, kind="stable")[:, :_BEST]
    return [[collection.documents[at].id for at in row] for row in order]


def _vectors(embedder: Embedder, texts: Iterable[str]) -> NDArray[np.float32]:
    return np.stack([np.frombuffer(vector, "<f4") for vector in embedder.embed(list(texts))])


def main() -> None:
    """Print one line for each collection and retriever."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", type=Path, nargs="+", metavar="DIRECTORY")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    arguments = parser.parse_args()
    embedder = Embedder(load_encoder(), arguments.cache)
    print(
        f"{'collection':14}{'retriever':16}{'nDCG@10':>9}{'recall@5':>10}{'recall@10':>11}{'MRR':>8}"
    )
    for directory in arguments.directories:
        collection = read_collection(directory)
        for name, ranked in (
            (f"bm25s {bm25s.__version__}", rank_by_words(collection)),
            ("MiniLM, exact", rank_by_vectors(collection, embedder)),
        ):
            found = zip(collection.queries, ranked, strict=True)
            quality = mean([judge(ids, collection.relevant[query]) for query, ids in found])
            recalls = f"{quality.recall_5:10.3f}{quality.recall_10:11.3f}"
            print(f"{directory.name:14}{name:16}{quality.ndcg:9.3f}{recalls}{quality.mrr:8.3f}")


if __name__ == "__main__":
    main()
