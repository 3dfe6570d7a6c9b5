"""Two baseline retrievers on test collections; runs with the peers' interpreter.

`.bench-venv/bin/python -m bench.baselines DIRECTORY...`: bm25s, and the vectors of
all-MiniLM-L6-v2 searched exactly. A directory is what `bench.collections` makes.
"""

import argparse
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import bm25s
import numpy as np
from numpy.typing import NDArray
from Stemmer import Stemmer

from bench.beir import Collection, read_collection
from bench.minilm_server import DEFAULT_CACHE, Embedder, load_encoder
from ingest.evaluate.evaluation import judge, mean

_BEST = 10
_CJK = re.compile(r"[぀-ヿ㐀-䶿一-鿿]")
Tokens = list[list[str]]


def rank_by_words(collection: Collection) -> list[list[str]]:
    """Document ids of bm25s for each query, best first (Lucene's BM25, k1 1.2, b 0.75)."""
    texts = [document.content for document in collection.documents]
    tokens = _tokens_of(texts)
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(tokens(texts), show_progress=False)
    found, _ = index.retrieve(
        tokens(list(collection.queries.values())), k=_BEST, show_progress=False
    )
    return [[collection.documents[at].id for at in row] for row in found]


def _tokens_of(texts: Sequence[str]) -> Callable[[Sequence[str]], Tokens]:
    """Stemmed English words; characters and pairs of them where texts are Chinese or Japanese."""
    cjk = sum(len(_CJK.findall(text)) for text in texts)
    return _characters if cjk * 2 > sum(map(len, texts)) else _words


def _words(texts: Sequence[str]) -> Tokens:
    found: Tokens = bm25s.tokenize(
        list(texts),
        stopwords="en",
        stemmer=Stemmer("english"),
        return_ids=False,
        show_progress=False,
    )
    return found


def _characters(texts: Sequence[str]) -> Tokens:
    joined = ("".join(unicodedata.normalize("NFKC", text).split()) for text in texts)
    return [[*text, *(a + b for a, b in pairwise(text))] for text in joined]


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
