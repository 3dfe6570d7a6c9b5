"""Makes the documents of some formats: `python -m bench.formats.making FOLDER [FORMAT…]`."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from bench.formats.making.converted import CONVERTED, convert
from bench.formats.making.facts import Draft, Make

MODULES: Final[Mapping[str, str]] = {
    "docx": "word",
    "pptx": "slides",
    "xlsx": "sheets",
    "pdf": "pages",
    "html": "web",
    "epub": "books",
    "eml": "mails",
    "csv": "lists",
    "odt": "manuals",
}
"""The module that makes the documents of each format."""


def make(suffix: str, folder: Path) -> None:
    """Make the documents of a format with their truths."""
    makes: Mapping[str, tuple[Make, Sequence[str]]]
    makes = import_module(f"bench.formats.making.{MODULES[suffix]}").MAKES
    for name, (write, languages) in makes.items():
        for language in languages:
            draft = Draft(language)
            target = folder / f"{name}_{language}.{suffix}"
            write(draft, target)
            draft.truth.save(target)


def main() -> None:
    """Make all documents that other programs write, then those that are converted from them."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    suffixes = sys.argv[2:] or [*MODULES, *CONVERTED]
    for suffix in dict.fromkeys(suffixes):
        if suffix in MODULES:
            make(suffix, folder)
    for suffix in dict.fromkeys(suffixes):
        if suffix in CONVERTED:
            convert(suffix, folder)


if __name__ == "__main__":
    main()
