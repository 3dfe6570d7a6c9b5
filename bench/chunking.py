"""Count the chunks that an edit changes: `python -m bench.chunking [DIRECTORY]`.

Compares our chunks with those of LangChain's splitters at the same maximum length. First for the
Markdown files of a directory (by default our own documentation), then for documents of about 100
chunks, with a paragraph inserted before each paragraph.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.edits import INSERTED, change_word, insert_paragraph, paragraphs
from bench.peers import ROOT, peer_python
from bench.prose import Prose, markdown_files, read_prose
from rich_agent.documents.chunk.chunking import cut_sections
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument

Chunks = Sequence[str]  # the hash of each chunk's text
EDITS: Mapping[str, Callable[[str, Sequence[int]], str]] = {
    "a paragraph at the top": lambda text, starts: insert_paragraph(text, starts[0]),
    "a paragraph in the middle": lambda text, starts: insert_paragraph(text, _middle(starts)),
    "one word in the middle": lambda text, starts: change_word(text, _middle(starts)),
}
PARAGRAPHS = 150  # of a document of about 100 chunks
LENGTHS = (60, 250, 600, 1_200)  # characters of the paragraph that is inserted


def _middle(starts: Sequence[int]) -> int:
    return starts[len(starts) // 2]


@dataclass(frozen=True, slots=True)
class Change:
    """A document before and after an edit."""

    edit: str
    before: str
    after: str


def our_chunks(text: str) -> Chunks:
    """The hashes of what `ingest sync` would embed of a Markdown file."""
    url = "file:///bench.md"
    extracted = extract(RawDocument(url, text.encode(), "text/markdown"))
    pieces = cut_sections(extracted.sections, extracted.title)
    page = DocumentRef(url, url, extracted.title)
    return [chunk.content_hash for chunk in make_chunks(page, pieces)]


def chunks_of(texts: Sequence[str]) -> Mapping[str, Mapping[str, Chunks]]:
    """By splitter and text, the hashes of the chunks; each text is cut once."""
    done = subprocess.run(
        [peer_python(), "-m", "bench.langchain_chunking"],
        input=json.dumps(texts),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
    )
    found = {"ours": [our_chunks(text) for text in texts]} | {
        f"LangChain {name}": hashes for name, hashes in json.loads(done.stdout).items()
    }
    return {name: dict(zip(texts, hashes, strict=True)) for name, hashes in found.items()}


def count_embedded(chunks: Mapping[str, Chunks], changes: Sequence[Change]) -> list[int]:
    """Count the chunks that each change makes and that were not there before."""
    return [len({*chunks[change.after]} - {*chunks[change.before]}) for change in changes]


def edited_files(directories: Sequence[Path]) -> Iterator[Change]:
    """Each edit of each Markdown file that has a paragraph of prose."""
    for path in markdown_files(directories):
        text = path.read_text(encoding="utf-8", errors="replace")
        if starts := list(paragraphs(text)):
            for name, edit in EDITS.items():
                yield Change(name, text, edit(text, starts))


def long_document(prose: Prose, sections: int) -> str:
    """A document of 150 paragraphs, in so many sections."""
    parts = [_first_paragraph(prose.document(number)) for number in range(PARAGRAPHS)]
    length = PARAGRAPHS // sections
    bodies = ["\n\n".join(parts[at : at + length]) for at in range(0, PARAGRAPHS, length)]
    headed = (f"## Section {number}\n\n{body}" for number, body in enumerate(bodies, start=1))
    return "\n\n".join(["# A long document", *headed]) + "\n"


def _first_paragraph(document: str) -> str:
    return next(part for part in document.split("\n\n") if not part.startswith("#"))


def insertions(document: str) -> Iterator[Change]:
    """A paragraph of each length before each paragraph."""
    for length in LENGTHS:
        paragraph = (f"{INSERTED} " * (length // len(INSERTED) + 1))[:length].strip() + "."
        for start in paragraphs(document):
            yield Change(str(length), document, insert_paragraph(document, start, paragraph))


def main() -> None:
    """Print both tables."""
    given = [Path(argument) for argument in sys.argv[1:]]
    _print_shares(list(edited_files(given or [ROOT / "docs", ROOT / "sample"])))
    prose = read_prose([ROOT / "docs", ROOT / "sample"])
    for sections in (1, 15):
        _print_counts(f"in {sections} section(s)", list(insertions(long_document(prose, sections))))


def _texts(changes: Sequence[Change]) -> list[str]:
    return list(dict.fromkeys(text for c in changes for text in (c.before, c.after)))


def _print_shares(changes: Sequence[Change]) -> None:
    files = len({change.before for change in changes})
    columns = "".join(f"{name:>27}" for name in EDITS)
    print(f"{f'{files} files: chunks an edit, % of all':40}{columns}")
    for name, chunks in chunks_of(_texts(changes)).items():
        total = sum(len(chunks[text]) for text in {change.before for change in changes})
        row = f"{f'{name} ({total} chunks)':40}"
        for edit in EDITS:
            made = sum(count_embedded(chunks, [c for c in changes if c.edit == edit]))
            row += f"{f'{made / files:.2f} {100 * made / total:6.1f} %':>27}"
        print(row)


def _print_counts(shape: str, changes: Sequence[Change]) -> None:
    columns = "".join(f"{f'{length} characters':>18}" for length in LENGTHS)
    print(f"\n{f'{len(changes)} insertions, {shape}: most, mean':40}{columns}")
    for name, chunks in chunks_of(_texts(changes)).items():
        row = f"{f'{name} ({len(chunks[changes[0].before])} chunks)':40}"
        for length in LENGTHS:
            counts = count_embedded(chunks, [c for c in changes if c.edit == str(length)])
            row += f"{max(counts):10}{statistics.fmean(counts):8.2f}"
        print(row)


if __name__ == "__main__":
    main()
