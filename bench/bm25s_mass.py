"""The peer of `bench.retrieval` for words: bm25s over the same terms, with the peers' interpreter.

Reads JSON from its input, prints for each query the share of the highest possible sum of scores
that the chunks found have.
"""

import json
import sys
from collections.abc import Sequence

import bm25s
import numpy as np
from pydantic import BaseModel

_BEST = 10


class Task(BaseModel):
    """The terms of each chunk and query; by number, the 10 chunks found for each query."""

    chunks: list[list[str]]
    queries: list[list[str]]
    found: list[list[int]]


def shares(task: Task) -> Sequence[float]:
    """One share, 0..1, for each query that some chunk shares a term with."""
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(task.chunks, show_progress=False)
    told = []
    for query, found in zip(task.queries, task.found, strict=True):
        scores = index.get_scores(query)
        best = np.sort(scores)[-_BEST:].sum()
        if best > 0:
            told.append(float(scores[found].sum() / best))
    return told


def main() -> None:
    """Answer one task."""
    json.dump(shares(Task.model_validate_json(sys.stdin.buffer.read())), sys.stdout)


if __name__ == "__main__":
    main()
