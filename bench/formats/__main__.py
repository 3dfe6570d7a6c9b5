"""Readers side by side: `python -m bench.formats [FORMAT…] [--peers] [--show] [--list]`.

Documents of many kinds and languages are made by other programs' writers, and rendered by others
again: what these show is the truth. For each format and reader, the table shows the share of
visible words in the text (`seen`) and of those in order, hidden texts that were read, right cells
of tables, documents called whole though something is missing, documents called incomplete though
nothing is, failures, seconds, and the peak of memory.
"""

import argparse
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Final

from bench.formats.measuring import Score, score
from bench.formats.readers import READERS
from bench.formats.reading import Reading, read_all
from bench.formats.rendering import render
from bench.formats.truth import Truth
from bench.peers import ROOT, peer_python

FOLDER: Final = ROOT / "data" / "formats"
_MISSING_SHOWN = 12
_HEAD = "  seen   order     hidden   cells   whole  incomplete  failed  seconds      MB"
_WHOLE = 0.99  # of the words: programs part some words in other ways


def documents_in(folder: Path, suffixes: Sequence[str]) -> dict[str, list[Path]]:
    """The documents of a folder that have a truth, by format."""
    found = defaultdict(list)
    for truth in sorted(folder.glob("*.truth.json")):
        document = truth.with_name(truth.name.removesuffix(".truth.json"))
        suffix = document.suffix.lstrip(".")
        if suffix in suffixes or not suffixes:
            found[suffix].append(document)
    return dict(sorted(found.items()))


def truths_of(documents: Sequence[Path]) -> dict[Path, Truth]:
    """The truths of documents; what is seen is rendered once and kept."""
    truths = {document: Truth.load(document) for document in documents}
    render(documents, truths)
    return truths


def row(name: str, readings: Sequence[Reading], truths: Sequence[Truth]) -> str:
    """A line of the table."""
    scores = [score(truth, reading.text) for reading, truth in zip(readings, truths, strict=True)]
    tells = any(reading.missing is not None for reading in readings)
    wrong = [verdict(*three) for three in zip(readings, scores, truths, strict=True)]
    cells, all_cells = sum(s.cells for s in scores), sum(s.all_cells for s in scores)
    hidden = sum(len(s.hidden) for s in scores)
    columns = [
        f"{name:<18}",
        _share([s.recall for s in scores]),
        _share([s.order for s in scores]),
        f"{hidden:4}/{sum(len(truth.hidden) for truth in truths):<4}",
        f"{cells / all_cells:6.3f}" if all_cells else "      ",
        f"{wrong.count('whole') if tells else '-':>6}",
        f"{wrong.count('incomplete') if tells else '-':>10}",
        f"{sum(bool(reading.error) for reading in readings):6}",
        f"{mean(reading.seconds for reading in readings):7.3f}",
        f"{max(reading.memory_mb for reading in readings):6}",
    ]
    return "  ".join(columns)


def _share(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{mean(known):6.3f}" if known else "      "


def verdict(reading: Reading, result: Score, truth: Truth) -> str:
    """Which wrong thing a reader says of a document: "whole" or "incomplete", "" if none."""
    lacks = bool(result.missing_facts) or truth.has_unreadable or (result.recall or 1) < _WHOLE
    if reading.error:
        return ""
    if lacks and not reading.missing:
        return "whole"
    return "incomplete" if reading.missing and not lacks else ""


def faults(reading: Reading, truth: Truth) -> Iterator[str]:
    """Faults of a reading, a line each."""
    if reading.error:
        yield f"failed: {reading.error}"
        return
    result = score(truth, reading.text)
    if result.missing:
        yield f"missing of {result.recall:.3f}: {_some(result.missing)}"
    if result.missing_facts:
        yield f"missing codes: {_some(result.missing_facts)}"
    if result.hidden:
        yield f"read though hidden: {_some(result.hidden)}"
    if result.order is not None and result.order < 0.95:
        yield f"order {result.order:.2f}"
    if result.wrong_cells:
        yield f"wrong cells: {_some([' | '.join(cell) for cell in result.wrong_cells])}"
    if wrong := verdict(reading, result, truth):
        yield f"wrongly called {wrong}: {reading.missing}"


def _some(things: Sequence[str]) -> str:
    more = len(things) - _MISSING_SHOWN
    return " · ".join(things[:_MISSING_SHOWN]) + (f" and {more} more" if more > 0 else "")


def compare(suffix: str, documents: Sequence[Path], names: Sequence[str], *, shows: bool) -> None:
    """Print the table of a format, and the faults of the product's reader."""
    truths = truths_of(documents)
    print(f"\n{f'{suffix}, {len(documents)} documents':<18}  {_HEAD}")
    lines: list[str] = []
    for name in names:
        if not READERS[name].is_ours and suffix not in READERS[name].formats:
            continue
        readings = dict(read_all(name, documents))
        print(row(name, list(readings.values()), list(truths.values())), flush=True)
        if READERS[name].is_ours:
            for document, reading in readings.items():
                found = list(faults(reading, truths[document]))
                lines += [f"{document.name}", *(f"    {fault}" for fault in found)] if found else []
    if shows:
        print("\n".join(lines))


def main() -> None:
    """Make what is lacking, and compare the readers."""
    arguments = argparse.ArgumentParser(prog="python -m bench.formats", description=__doc__)
    arguments.add_argument("formats", nargs="*", metavar="FORMAT")
    arguments.add_argument("--folder", type=Path, default=FOLDER)
    arguments.add_argument("--peers", action="store_true", help="compare with other readers")
    arguments.add_argument("--show", action="store_true", help="print what is wrong with ours")
    arguments.add_argument("--list", action="store_true", help="print the documents, and end")
    given = arguments.parse_args()
    if not given.folder.is_dir():
        subprocess.run(
            [peer_python(), "-m", "bench.formats.making", given.folder], check=True, cwd=ROOT
        )
    found = documents_in(given.folder, given.formats)
    if given.list:
        print("\n".join(str(document) for documents in found.values() for document in documents))
        sys.exit()
    names = [name for name, reader in READERS.items() if given.peers or reader.is_ours]
    for suffix, documents in found.items():
        compare(suffix, documents, names, shows=given.show)


if __name__ == "__main__":
    main()
