"""Two published test collections: Cranfield (English) and JSQuAD (Japanese).

Sources: Cleverdon, The Cranfield tests on index language devices, 1967; Kurihara et al., JGLUE:
Japanese General Language Understanding Evaluation, 2022.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from bench.beir import Collection, TestDocument

_FIELDS = {".T": "title", ".A": "authors", ".B": "source", ".W": "text"}
_LEAST_RELEVANT = 4
_QUESTIONS = 1_100
_SEED = 7


def read_cranfield(directory: Path) -> Collection:
    """Cranfield's 1,400 abstracts and 225 questions, from cran.all.1400, cran.qry and cranqrel.

    The judgements number the questions by their order, not by their numbers in cran.qry. Codes 1
    (a complete answer) to 4 (of minimum interest) become the scores 4 to 1; -1 is not relevant.
    Nearly every abstract begins with its title, which is not kept twice.
    """
    documents = tuple(
        TestDocument(number, fields["title"], fields["text"].removeprefix(fields["title"]).strip())
        for number, fields in _records(directory / "cran.all.1400")
    )
    questions = [fields["text"] for _, fields in _records(directory / "cran.qry")]
    relevant: dict[str, dict[str, int]] = {}
    for line in (directory / "cranqrel").read_text(encoding="ascii").splitlines():
        query, document, code = line.split()
        if 1 <= int(code) <= _LEAST_RELEVANT:
            relevant.setdefault(query, {})[document] = _LEAST_RELEVANT + 1 - int(code)
    queries = {str(at): text for at, text in enumerate(questions, start=1)}
    return Collection(documents, queries, relevant)


def _records(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Number and fields of each record, the text on one line.

    Once the text has begun it runs to the next record: three abstracts have stray marks in it.
    """
    for record in re.split(r"^\.I ", path.read_text(encoding="ascii"), flags=re.MULTILINE)[1:]:
        number, *lines = record.splitlines()
        fields: dict[str, list[str]] = {name: [] for name in _FIELDS.values()}
        field = "title"
        for line in lines:
            if line in _FIELDS:
                field = field if fields["text"] else _FIELDS[line]
            else:
                fields[field].append(line.strip())
        yield number.strip(), {name: " ".join(parts) for name, parts in fields.items()}


def read_jsquad(path: Path) -> Collection:
    """JSQuAD's paragraphs, each once, and 1,100 of its questions, drawn with a fixed seed.

    `path` is valid-v1.3.json. A paragraph is the one relevant document of its questions.
    """
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    documents: dict[str, TestDocument] = {}
    asked: list[tuple[str, str, str]] = []
    for article in articles:
        for paragraph in article["paragraphs"]:
            title, _, text = paragraph["context"].partition(" [SEP] ")
            key = f"p{len(documents)}"
            document = documents.setdefault(paragraph["context"], TestDocument(key, title, text))
            asked += [(qa["id"], qa["question"], document.id) for qa in paragraph["qas"]]
    sample = random.Random(_SEED).sample(asked, _QUESTIONS)  # noqa: S311 - a sample, no secret
    return Collection(
        documents=tuple(documents.values()),
        queries={key: question for key, question, _ in sample},
        relevant={key: {document: 1} for key, _, document in sample},
    )
