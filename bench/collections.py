"""Make a test collection of retrieval: `python -m bench.collections KIND SOURCE TARGET`.

KIND and what SOURCE is: `cranfield`, the directory of cran.all.1400; `jsquad`, valid-v1.3.json;
`python-docs`, the HTML of Python's documentation; `stdlib`, the directory of Python's library;
`help`, that of a language in `libreoffice-help-XX`; `manual`, that of one in `manpages-XX`; `faq`,
a file of `bench/faqs`.
"""

import argparse
import tomllib
from collections.abc import Callable
from pathlib import Path

from bench.beir import Collection, TestDocument, write_collection
from bench.published_collections import read_cranfield, read_jsquad
from bench.python_collections import read_python_docs, read_stdlib
from bench.translated_collections import read_help, read_manual


def read_faq(path: Path) -> Collection:
    """The entries of a list of frequent questions, each the one answer to its questions."""
    entries = tomllib.loads(path.read_text("utf-8"))["entries"]
    queries = {
        f"{at}-{place}": question
        for at, entry in enumerate(entries)
        for place, question in enumerate(entry["questions"])
    }
    return Collection(
        tuple(TestDocument(str(at), one["title"], one["text"]) for at, one in enumerate(entries)),
        queries,
        {key: {key.partition("-")[0]: 1} for key in queries},
    )


KINDS: dict[str, Callable[[Path], Collection]] = {
    "cranfield": read_cranfield,
    "jsquad": read_jsquad,
    "python-docs": read_python_docs,
    "stdlib": read_stdlib,
    "help": read_help,
    "manual": read_manual,
    "faq": read_faq,
}


def main() -> None:
    """Convert one collection and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    collection = KINDS[arguments.kind](arguments.source)
    write_collection(collection, arguments.target)
    judged = sum(len(scores) for scores in collection.relevant.values())
    print(
        f"{arguments.target}: {len(collection.documents)} documents, "
        f"{len(collection.queries)} queries, {judged} judgements"
    )


if __name__ == "__main__":
    main()
