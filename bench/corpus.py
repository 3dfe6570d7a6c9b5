"""A folder of real documents, as many as make a wanted number of chunks."""

import hashlib
import os
import random
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich_agent.documents.chunk.chunking import cut_sections
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks
from rich_agent.documents.extract.extraction import ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import MediaType

_SEED = 7
_MOST_BYTES = 2_000_000
_TYPES: dict[str, MediaType] = {
    ".html": "text/html",
    ".md": "text/markdown",
    ".txt": "text/plain",
}


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files that were taken, and the texts of their chunks, each once."""

    files: tuple[Path, ...]
    texts: tuple[str, ...]


def take_documents(directory: Path, chunks: int) -> Corpus:
    """Take documents, in an order drawn with a fixed seed, until they make so many chunks.

    Fewer if there are no more. A text in two formats is taken once: HTML before plain text.
    """
    paths = list(_documents(directory))
    random.Random(_SEED).shuffle(paths)  # noqa: S311 - the same order each time
    files: list[Path] = []
    texts: dict[str, None] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for path, found in zip(paths, pool.map(chunk_texts, paths, chunksize=4), strict=True):
            if found:
                files.append(path)
                texts |= dict.fromkeys(found)
            if len(texts) >= chunks:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    return Corpus(tuple(files), tuple(texts))


def _documents(directory: Path) -> Iterator[Path]:
    seen: set[bytes] = set()
    for path in sorted(directory.rglob("*")):
        if path.suffix not in _TYPES or "_sources" in path.parts or not path.is_file():
            continue
        has_page = path.suffix == ".txt" and path.with_suffix(".html").exists()
        if has_page or path.stat().st_size > _MOST_BYTES:
            continue
        digest = hashlib.sha256(path.read_bytes()).digest()
        if digest not in seen:
            seen.add(digest)
            yield path


def chunk_texts(path: Path) -> list[str]:
    """Return the texts to embed of a file; none if it cannot be read."""
    url = path.absolute().as_uri()
    try:
        extracted = extract(RawDocument(url, path.read_bytes(), _TYPES[path.suffix]))
    except ExtractionError:
        return []
    pieces = cut_sections(extracted.sections, extracted.title)
    return [chunk.text for chunk in make_chunks(DocumentRef(url, url, extracted.title), pieces)]


def copy_files(files: Sequence[Path], folder: Path) -> None:
    """Copy the files under numbers, a hundred to a folder."""
    for number, path in enumerate(files):
        target = folder / f"{number // 100:04}" / f"{number:06}{path.suffix}"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
