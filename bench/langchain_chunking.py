"""The peers of `bench.chunking`: LangChain's splitters, with the peers' interpreter.

Reads a JSON list of Markdown texts, prints for each splitter the hashes of each text's chunks.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Sequence

from langchain_text_splitters import (
    Language,
    MarkdownHeaderTextSplitter,
    RecursiveCharacterTextSplitter,
)

_LIMIT = 1_300  # characters, that of `rich_agent.documents.chunk.chunking`
_HEADERS = [("#" * level, f"h{level}") for level in range(1, 7)]


def recursive(text: str) -> list[str]:
    """Cut at Markdown's own marks, then paragraphs, lines and words."""
    splitter = RecursiveCharacterTextSplitter.from_language(
        Language.MARKDOWN, chunk_size=_LIMIT, chunk_overlap=0
    )
    parts: list[str] = splitter.split_text(text)
    return parts


def by_header(text: str) -> list[str]:
    """Cut at each heading, then what is too long recursively; headings are embedded too."""
    sections = MarkdownHeaderTextSplitter(_HEADERS).split_text(text)
    splitter = RecursiveCharacterTextSplitter(chunk_size=_LIMIT, chunk_overlap=0)
    return [
        f"{' > '.join(part.metadata.values())}\n{part.page_content}"
        for part in splitter.split_documents(sections)
    ]


def main() -> None:
    """Cut every text in both ways."""
    splitters: dict[str, Callable[[str], Sequence[str]]] = {
        "recursive": recursive,
        "header + recursive": by_header,
    }
    texts = json.load(sys.stdin)
    hashes = {
        name: [[hashlib.sha256(part.encode()).hexdigest()[:16] for part in cut(t)] for t in texts]
        for name, cut in splitters.items()
    }
    json.dump(hashes, sys.stdout)


if __name__ == "__main__":
    main()
