"""Two test collections made of Python itself: questions to its documentation, descriptions of code.

Neither is judged by people: what a question was written for is its one relevant document.
"""

import ast
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from lxml import html

from bench.beir import Collection, TestDocument

_T = TypeVar("_T")

_SEED = 7
_SECTIONS = 2_400
_FUNCTIONS = 4_200
_DESCRIPTIONS = 400
_SHORTEST = 80  # characters of a document
_FEWEST_WORDS = 5
_NOT_READ = {"whatsnew", "_sources", "_static", "distutils"}
_NOT_LIBRARY = {"site-packages", "test", "tests", "idle_test", "lib2to3", "__pycache__"}
_HEADINGS = "./h1 | ./h2 | ./h3 | ./h4 | ./h5 | ./h6"
_NOT_SAID_HERE = f"{_HEADINGS} | ./section | .//nav | .//div[contains(@class, 'contents')]"


def read_python_docs(directory: Path) -> Collection:
    """Sections of Python's HTML documentation; the questions of its FAQ are the queries.

    2,400 sections, those of the FAQ and others drawn with a fixed seed. No document holds its own
    heading. Raises: FileNotFoundError if there is no faq/ in `directory`.
    """
    queries: dict[str, str] = {}
    answers: list[TestDocument] = []
    others: list[TestDocument] = []
    for page in sorted(directory.rglob("*.html")):
        name = page.relative_to(directory)
        if not _NOT_READ.isdisjoint(name.parts):
            continue
        for key, heading, document in _sections(page, name.as_posix()):
            if name.parts[0] == "faq" and heading.endswith("?"):
                queries[key] = heading
                answers.append(document)
            else:
                others.append(document)
    if not queries:
        raise FileNotFoundError(directory / "faq")
    drawn = _draw(others, _SECTIONS - len(answers))
    return Collection((*answers, *drawn), queries, {key: {key: 1} for key in queries})


def _sections(page: Path, name: str) -> Iterator[tuple[str, str, TestDocument]]:
    """Id, heading and document of each section that says something itself."""
    body = html.parse(page).find(".//div[@role='main']")
    if body is None:
        return
    for mark in body.findall(".//a[@class='headerlink']"):
        mark.drop_tree()
    first = body.find(".//h1")
    page_title = "" if first is None else _text(first.text_content())
    for section in reversed(list(body.iter("section"))):
        title = _text(" ".join(heading.text_content() for heading in section.xpath(_HEADINGS)))
        for part in section.xpath(_NOT_SAID_HERE):
            part.drop_tree()
        text = _text(section.text_content())
        if len(text) >= _SHORTEST:
            key = f"{name}#{section.get('id')}"
            yield key, title, TestDocument(key, page_title, text)


def _text(text: str) -> str:
    return " ".join(text.split())


def read_stdlib(directory: Path) -> Collection:
    """Functions of Python's library; the first sentences of their docstrings are the queries.

    4,200 functions and 400 of their docstrings, drawn with a fixed seed. No document holds its own
    docstring.
    """
    described: dict[str, tuple[str, TestDocument]] = {}
    others: list[TestDocument] = []
    for path in sorted(directory.rglob("*.py")):
        name = path.relative_to(directory)
        if not _NOT_LIBRARY.isdisjoint(name.parts):
            continue
        for sentence, document in _functions(path, ".".join(name.with_suffix("").parts)):
            if len(sentence.split()) >= _FEWEST_WORDS:
                described.setdefault(sentence, (sentence, document))
            else:
                others.append(document)
    asked = _draw(list(described.values()), _DESCRIPTIONS)
    keys = {document.id for _, document in asked}
    others += [document for _, document in described.values() if document.id not in keys]
    drawn = _draw(others, _FUNCTIONS - len(asked))
    return Collection(
        documents=(*(document for _, document in asked), *drawn),
        queries={document.id: sentence for sentence, document in asked},
        relevant={document.id: {document.id: 1} for _, document in asked},
    )


def _functions(path: Path, module: str) -> Iterator[tuple[str, TestDocument]]:
    """The first sentence of each function's docstring, and its source without the docstring."""
    source = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node) or ""
        body = node.body[1:] if docstring else node.body
        if not body:
            continue
        text = "\n".join([*lines[node.lineno - 1 : node.body[0].lineno - 1], *_lines(lines, body)])
        if len(text) >= _SHORTEST:
            sentence = _text(re.split(r"(?<=[.!?])\s|\n\n", docstring)[0])
            key = f"{module}.{node.name}:{node.lineno}"
            yield sentence, TestDocument(key, "", text)


def _lines(lines: Sequence[str], body: Sequence[ast.stmt]) -> Sequence[str]:
    return lines[body[0].lineno - 1 : body[-1].end_lineno]


def _draw(items: Sequence[_T], number: int) -> list[_T]:
    return random.Random(_SEED).sample(items, min(number, len(items)))  # noqa: S311 - a sample
