"""Documents of any number from the sentences of installed packages, the same in each run.

A document keeps to the sentences of one file, some of its words are exchanged, and now and then it
has a name of its own, as programs have: so a few words stand everywhere and many in few chunks.
"""

import random
import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from rich_agent.documents.chunk.chunking import ChunkText
from rich_agent.documents.chunk.chunks import DocumentRef, digest, make_chunks
from rich_agent.documents.index.documents import Fingerprint, Version

SOURCES = ("src_handbook", "src_reference", "src_wiki", "src_tickets")
_SUFFIXES = frozenset({".py", ".md", ".rst", ".txt"})
_MOST_BYTES = 2_000_000
_FEWEST_SENTENCES = 10  # of a file that documents are made of
_SENTENCE = re.compile(r"[A-Z][^.!?|`#\n]{40,240}[.!?](?=\s|$)")
_LINE_END = re.compile(r"\n\s*+#?\s*+")
_WORD = re.compile(r"\b[a-z]{6,}\b")
_OTHER_WORDS = 0.15  # share of the longer words that another one stands for
_OWN_NAMES = 0.02  # share of them that a name made of two words stands for
_STRAY_SENTENCES = 0.2  # share of the sentences that are from another file
_SENTENCES_OF_CHUNK = (3, 8)
_MEAN_CHUNKS, _MOST_CHUNKS = 12, 80
_CHUNKS_OF_SECTION = 3


@dataclass(frozen=True, slots=True)
class Texts:
    """Sentences by file, the words that may stand in one another's place, and how often."""

    topics: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    def version(self, number: int) -> Version:
        """A document as a sync would have read it; about twelve chunks, at most eighty."""
        source = random.Random(number)  # noqa: S311 - the same document each time
        topic = self.topic(number)
        url = f"https://docs.example/{number}"
        title = self._heading(source)
        count = min(1 + int(source.expovariate(1 / (_MEAN_CHUNKS - 1))), _MOST_CHUNKS)
        pieces: list[ChunkText] = []
        section = title
        for place in range(count):
            if place % _CHUNKS_OF_SECTION == 0:
                section = f"{title} > {self._heading(source)}"
            many = source.randint(*_SENTENCES_OF_CHUNK)
            content = " ".join(self._sentence(source, topic) for _ in range(many))
            pieces.append(ChunkText(section, "", content))
        text = "\n\n".join(piece.content for piece in pieces)
        fingerprint = Fingerprint(digest(url), digest(text), 0, None, None)
        page = DocumentRef(url, url, title)
        source_id = SOURCES[number // 16 % len(SOURCES)]
        chunks = make_chunks(page, pieces)
        return Version(source_id, page, text, fingerprint, datetime.now(UTC), chunks)

    def topic(self, number: int) -> int:
        """The file whose sentences a document has."""
        return number * 7919 % len(self.topics)

    def _sentence(self, source: random.Random, topic: int) -> str:
        if source.random() < _STRAY_SENTENCES:
            topic = source.randrange(len(self.topics))

        def other(match: re.Match[str]) -> str:
            chance = source.random()
            if chance < _OWN_NAMES:
                return f"{source.choice(self.words)}_{source.choice(self.words)}"
            return source.choice(self.words) if chance < _OTHER_WORDS else match[0]

        return _WORD.sub(other, source.choice(self.topics[topic]))

    def _heading(self, source: random.Random) -> str:
        return " ".join(source.choice(self.words) for _ in range(3)).capitalize()


def question(version: Version, place: int, source: random.Random) -> str:
    """Some words in a row of a chunk's sentence, or the last heading above it."""
    chunk = version.chunks[place]
    if source.random() < 0.25:
        return chunk.section.rpartition(" > ")[2]
    words = source.choice(re.split(r"[.!?]\s", chunk.content)).split()
    many = source.randint(4, 10)
    begin = source.randrange(max(len(words) - many, 0) + 1)
    return " ".join(words[begin : begin + many])


@cache
def read_texts(sentences: int) -> Texts:
    """The texts of the standard library, then of installed packages, until there are so many."""
    seen: set[str] = set()
    topics: list[tuple[str, ...]] = []
    for path in _files():
        new = dict.fromkeys(found for found in _sentences(path) if found not in seen)
        seen |= new.keys()
        if len(new) >= _FEWEST_SENTENCES:
            topics.append(tuple(new))
        if len(seen) >= sentences:
            break
    # A word is exchanged for another as often as this one is used.
    words = tuple(word for topic in topics for text in topic for word in _WORD.findall(text))
    return Texts(tuple(topics), words)


def _files() -> Iterator[Path]:
    installed = Path(sysconfig.get_path("purelib"))
    for root in (Path(sysconfig.get_path("stdlib")), installed):
        files = sorted(path for path in root.rglob("*") if path.suffix in _SUFFIXES)
        random.Random(7).shuffle(files)  # noqa: S311 - the same order each time
        yield from (
            path for path in files if root == installed or "site-packages" not in path.parts
        )


def _sentences(path: Path) -> list[str]:
    if not path.is_file() or path.stat().st_size > _MOST_BYTES:
        return []
    return _SENTENCE.findall(_LINE_END.sub(" ", path.read_text("utf-8", errors="replace")))
