"""Generates Markdown documents from the sentences of real ones, the same in each run."""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_SENTENCE = re.compile(r"[A-Z][^.!?|`#\n]{40,240}[.!?](?=\s|$)")
_WORD = re.compile(r"\b[a-z]{6,}\b")
_SECTIONS = 3
_SENTENCES_OF_PARAGRAPH = 4
_OTHER_WORDS = 0.15  # share of the longer words that another one stands for


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences and longer words of real texts."""

    sentences: tuple[str, ...]
    words: tuple[str, ...]

    def document(self, number: int, version: int = 0) -> str:
        """A document of three sections, about 2,500 characters; a version differs in a sentence."""
        source = random.Random(number)  # noqa: S311 - the same document each time
        title = f"# {self._heading(source)} {number}"
        sections = [
            f"## {self._heading(source)}\n\n{self._paragraph(source)}\n\n{self._paragraph(source)}"
            for _ in range(_SECTIONS)
        ]
        if version:
            another = random.Random(f"{number} {version}")  # noqa: S311 - the same each time
            sections[1] += f" {self._sentence(another)}"
        return "\n\n".join([title, *sections]) + "\n"

    def _paragraph(self, source: random.Random) -> str:
        return " ".join(self._sentence(source) for _ in range(_SENTENCES_OF_PARAGRAPH))

    def _sentence(self, source: random.Random) -> str:
        def other(match: re.Match[str]) -> str:
            return source.choice(self.words) if source.random() < _OTHER_WORDS else match[0]

        return _WORD.sub(other, source.choice(self.sentences))

    def _heading(self, source: random.Random) -> str:
        return " ".join(source.choice(self.words) for _ in range(3)).capitalize()


def read_prose(directories: Iterable[Path]) -> Prose:
    """The sentences and words of all Markdown files below the directories."""
    texts = [path.read_text(encoding="utf-8") for path in markdown_files(directories)]
    sentences = dict.fromkeys(found for text in texts for found in _SENTENCE.findall(text))
    words = dict.fromkeys(word for sentence in sentences for word in _WORD.findall(sentence))
    return Prose(tuple(sentences), tuple(words))


def markdown_files(directories: Iterable[Path]) -> Iterator[Path]:
    """Markdown files below the directories, in order."""
    for directory in directories:
        yield from sorted(path for path in directory.rglob("*.md") if path.is_file())
