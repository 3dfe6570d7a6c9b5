"""Rights in SQL: every statement that reads documents has the condition, or a reason to lack it."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.sources import parsed

PRODUCT = Path(__file__).parents[3] / "src" / "rich_agent"
OF_DOCUMENTS = {"OPEN", "MAY_READ", "IN_SCOPE", "AUDIENCES"}
OF_SOURCES = {*OF_DOCUMENTS, "READABLE", "SHOWN"}
READS = re.compile(r"\b(?:FROM|JOIN|TABLE)\s+(?:public\.)?rag_(\w+)", re.IGNORECASE)
CONTENT = {"documents", "chunks", "embeddings"}
SCOPED = "searches only what `find_scope` found, with its condition"
FOUND = "is asked for ids that a search with the condition found"
COUNTS = "counts, and shows nothing of a document"
OPERATORS = "is for those who register sources, and see them all"
WRITES = "is of a sync, which stores documents"
OWN = "is about files of the user"
EXEMPT = {
    "features.oidc.opening._HAS_SOURCE": "tells whether a name is taken, to admins alone",
    "repositories.knowledge.passage_search._CANDIDATES": FOUND,
    "repositories.knowledge.word_search._BY_WORDS": SCOPED,
    "repositories.knowledge.word_search._BY_WORDS_IN_FEW": SCOPED,
    "repositories.knowledge.vector_search._BY_VECTOR": SCOPED,
    "repositories.knowledge.vector_search._BY_VECTOR_IN_FEW": SCOPED,
    "repositories.knowledge.vector_search._BY_INDEX": SCOPED,
    "repositories.knowledge.vector_search._SAMPLE": "gives vectors that similarity is compared to",
    "repositories.knowledge.vector_search._PROGRESS": COUNTS,
    "repositories.knowledge.domain_store._DOCUMENTS": "is used with `_IS_PUBLIC` alone",
    "repositories.knowledge.rights.IN_SCOPE": SCOPED,
    "repositories.knowledge.search_scope._COUNT_NOW": COUNTS,
    "repositories.knowledge.passages._HAS_PRIVATE": OWN,
    "repositories.knowledge.user_files": OWN,
    "repositories.knowledge.places": WRITES,
    "repositories.knowledge.rights.SPACE_PRINCIPALS": "finds out who the reader is",
    "features.connectors.clocks": "is told to admins, with the names of sources alone",
    "documents.clocks": "tells workers when a source is due",
    "documents.index.language_sample": "tries how well a model knows languages",
    "documents.index": WRITES,
    "documents.connectors.connections": WRITES,
    "documents.registry.listing._SUMS": COUNTS,
    "documents.registry.listing._COUNTED": COUNTS,
    "documents.registry.outcomes": WRITES,
    "documents.registry.uploads": WRITES,
    "documents.registry.sources": OPERATORS,
    "documents.registry.source_clocks": OPERATORS,
    "documents.registry.spaces": OPERATORS,
    "documents.registry.document_rights": OPERATORS,
}


def statements() -> Iterator[tuple[str, str, set[str]]]:
    """Each text that reads tables of documents: where it stands, itself, and names in it."""
    for file in sorted(PRODUCT.rglob("*.py")):
        module = file.relative_to(PRODUCT).with_suffix("").as_posix().replace("/", ".")
        yield from statements_in(parsed(file), module)


def statements_in(tree: ast.Module, module: str) -> Iterator[tuple[str, str, set[str]]]:
    """The same of one module; names stand for those in the texts that they name, too."""
    known: dict[str, set[str]] = {}
    for place in ast.walk(tree):
        name = name_of(place)
        for text, names in texts_in(place) if name else ():
            inner = names.union(*(known.get(one, ()) for one in names))
            known.setdefault(name, set()).update(inner)
            if READS.search(text):
                yield f"{module}.{name}", text, inner


def name_of(place: ast.AST) -> str:
    """The name that is assigned to, or of the function; "" for any other piece of code."""
    match place:
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
            return ast.unparse(target)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
    return ""


def texts_in(place: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """The texts in a piece of code, each whole, with the names that are filled in."""
    parts = {
        id(part) for one in ast.walk(place) if isinstance(one, ast.JoinedStr) for part in one.values
    }
    for one in ast.walk(place):
        if isinstance(one, ast.JoinedStr):
            filled = [part.value for part in one.values if isinstance(part, ast.FormattedValue)]
            constant = [part.value for part in one.values if isinstance(part, ast.Constant)]
            yield " ".join(map(str, constant)), {ast.unparse(value) for value in filled}
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in parts:
            yield one.value, set()


def lacks_condition(text: str, names: set[str]) -> bool:
    """Whether a statement reads documents or sources without a condition on its reader."""
    tables = set(READS.findall(text))
    if tables & CONTENT:
        return not names & OF_DOCUMENTS
    return "sources" in tables and not names & OF_SOURCES


def reason_for(name: str, exempt: Mapping[str, str] = EXEMPT) -> str:
    """The reason of the statement, or of its module or folder."""
    parts = name.split(".")
    ways = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((exempt[way] for way in ways if way in exempt), "")


@pytest.mark.costs("it reads all sources")
def test_every_statement_that_reads_documents_asks_who_reads() -> None:
    """Add the condition of `repositories/knowledge/rights.py`, or a reason above."""
    found = list(statements())
    assert len(found) > 40
    lacking = {name for name, text, names in found if lacks_condition(text, names)}
    assert {name for name in lacking if not reason_for(name)} == set()
    used = {one for one in EXEMPT for name in lacking if f"{name}.".startswith(f"{one}.")}
    assert EXEMPT.keys() - used == set()


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ('_X = "SELECT title FROM rag_documents"', True),
        ('def x(): return run("SELECT 1 FROM rag_chunks JOIN rag_sources USING (id)")', True),
        ('_X = f"SELECT title FROM rag_documents AS document WHERE {OPEN}"', False),
        ('_X = f"SELECT title FROM rag_documents WHERE {READABLE}"', True),
        ('_X = f"SELECT name FROM rag_sources AS source WHERE {SHOWN}"', False),
        ('_A = f"SELECT 1 FROM rag_chunks WHERE {IN_SCOPE}"\n_B = f"SELECT 2 FROM ({_A})"', False),
    ],
)
def test_statement_without_the_condition_is_found(source: str, *, lacks: bool) -> None:
    """In a constant and in a function; the condition on sources does not do for documents."""
    found = list(statements_in(ast.parse(source), "m"))
    assert any(lacks_condition(text, names) for _, text, names in found) is lacks


def test_nobody_but_the_operator_sees_all() -> None:
    """Commands and pages of the operator are the only ones that read without rights."""
    allowed = {
        *("commands/doctor.py", "domain/rights.py", "repositories/knowledge/rights.py"),
        *("feature/registry.py", "features/operator_pages/knowledge/visiting.py"),
    }
    named = re.compile(r"\bOPERATOR\b|\bsees_all\s*=")
    using = {
        file.relative_to(PRODUCT).as_posix()
        for file in PRODUCT.rglob("*.py")
        if named.search(file.read_text("utf-8"))
    }
    assert using - allowed == set()
