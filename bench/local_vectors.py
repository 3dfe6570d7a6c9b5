"""The embedding model of this machine: `python -m bench.local_vectors DIRECTORY...`.

For each test collection (what `bench.collections` makes), nDCG@10 by words, by vectors, and fused,
as `ingest eval` measures it. Then the speed of the model, and how long a question takes while the
background embeds passages and while it does not, by turns in the same run.
"""

import argparse
import asyncio
import os
import resource
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

from bench.beir import read_collection
from ingest.evaluate.evaluation import evaluate
from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.domain.text import estimate_tokens
from rich_agent.upstreams.local_embeddings.computing import TextBatch, compute
from rich_agent.upstreams.local_embeddings.model import LocalEmbeddingModel, LocalProcesses

_WAYS = ("BM25", "vectors", "fused")
_ROUNDS = 6
_QUESTIONS = 40
_PASSAGES = 16


def measure_speed(questions: Sequence[str], passages: Sequence[str]) -> None:
    """Print the processor time of a question and of a passage, in this process."""
    engine = MODELS[LOCAL].package
    compute(TextBatch(engine, ("warm",), are_questions=True))
    for name, texts in (("question", questions), ("passage", passages)):
        start = time.process_time()
        compute(TextBatch(engine, tuple(texts), are_questions=name == "question"))
        took_ms = 1000 * (time.process_time() - start)
        tokens = sum(map(estimate_tokens, texts))
        print(
            f"{name:10}{took_ms / len(texts):8.1f} ms of a processor,"
            f" {took_ms / tokens:.2f} for an estimated token"
        )
    print(f"memory    {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


@asynccontextmanager
async def background(
    model: LocalEmbeddingModel, passages: Sequence[str], *, works: bool
) -> AsyncIterator[None]:
    """Embed passages without end while the block runs, if it works."""

    async def embed() -> None:
        while True:
            await model.of_passages().embed(passages)

    task = asyncio.create_task(embed()) if works else None
    try:
        yield
    finally:
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def measure_waits(questions: Sequence[str], passages: Sequence[str]) -> None:
    """Print how long questions take without and with the background, by turns."""
    model = LocalEmbeddingModel(LocalProcesses(MODELS[LOCAL]))
    await model.embed(questions[:1])
    waits_ms: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(2 * _ROUNDS):
        works = bool(turn % 2)
        async with background(model, passages, works=works):
            for question in questions:
                start = time.perf_counter()
                await model.embed([question])
                waits_ms[works].append(1000 * (time.perf_counter() - start))
    for works, values in waits_ms.items():
        cuts = quantiles(values, n=20)
        name = "with the background" if works else "without"
        print(f"a question {name:20} p50 {cuts[9]:7.1f} ms, p95 {cuts[18]:7.1f} ms")


def main() -> None:
    """Print quality and speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", type=Path, nargs="+", metavar="DIRECTORY")
    directories: list[Path] = parser.parse_args().directories
    os.environ["EMBEDDING_MODEL"] = LOCAL
    print(f"{'collection':14}{'chunks':>8}{'questions':>11}{'words':>8}{'vectors':>9}{'fused':>8}")
    for directory in directories:
        result = asyncio.run(evaluate(directory))
        words, vectors, fused = (result.ways[way].quality.ndcg for way in _WAYS)
        print(
            f"{directory.name:14}{result.chunks:8,}{result.questions:11,}"
            f"{words:8.3f}{vectors:9.3f}{fused:8.3f}",
            flush=True,
        )
    collection = read_collection(directories[0])
    questions = list(collection.queries.values())[:_QUESTIONS]
    passages = [document.content for document in collection.documents[:_PASSAGES]]
    measure_speed(questions, passages)
    asyncio.run(measure_waits(questions, passages))


if __name__ == "__main__":
    main()
