"""The shape of the code: no circles, one meaning for a name, nothing too large to read at once."""

import ast
import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from rich_agent.feature import loaded_features
from tests.sources import parsed

ROOT = Path(__file__).parents[2]
LONGEST_FUNCTION = 40
VAGUE = frozenset({"What", "How", "Where", "Who", "Those"})
"""First words after which a reader still does not know what a thing is."""


@cache
def modules() -> Mapping[str, ast.Module]:
    """Every module of the product and of ingest by its dotted name."""
    found = {}
    for file in files():
        name = file.relative_to(ROOT).with_suffix("").as_posix().removeprefix("src/")
        found[name.replace("/", ".").removesuffix(".__init__")] = parsed(file)
    return found


def files() -> list[Path]:
    """The files of both programs."""
    return sorted([*(ROOT / "src/rich_agent").rglob("*.py"), *(ROOT / "ingest").rglob("*.py")])


def imports_of(tree: ast.Module, known: Container[str]) -> set[str]:
    """The known modules that a module imports, also inside functions and for types only."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in known else node.module for name in named}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name in known}


def circles_in(known: Mapping[str, ast.Module]) -> list[list[str]]:
    """Modules that import each other over any number of steps, each circle in order."""
    imports = {name: imports_of(tree, known) for name, tree in known.items()}
    found: dict[frozenset[str], list[str]] = {}
    _drop_leaves(imports)
    for name in sorted(imports):
        for way in _ways_back(name, imports):
            found.setdefault(frozenset(way), way)
    return list(found.values())


def _drop_leaves(imports: dict[str, set[str]]) -> None:
    """Leave only what is in a circle or leads to one."""
    while leaves := {name for name, found in imports.items() if not found}:
        for name in leaves:
            del imports[name]
        for found in imports.values():
            found.difference_update(leaves)


def _ways_back(start: str, imports: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The shortest way from a module to itself, if there is one."""
    ways, seen = [[start]], {start}
    while ways:
        way = ways.pop(0)
        for name in sorted(imports[way[-1]]):
            if name == start:
                yield way
                return
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])


def public_classes(known: Mapping[str, ast.Module]) -> Mapping[str, list[str]]:
    """The modules that define a public class, by its name."""
    places = defaultdict(list)
    for module, tree in known.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    return places


def button_verbs(known: Mapping[str, ast.Module]) -> Mapping[str, list[str]]:
    """The verbs that begin the data of a button and answer its press: the constants' names."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, tree in known.items():
        for node in tree.body:
            if isinstance(node, ast.Assign):
                for constant, value in constants_in(node):
                    if constant.endswith("VERB"):
                        found[value].append(f"{name}.{constant}")
    return found


def constants_in(node: ast.Assign) -> Iterator[tuple[str, str]]:
    """The names that an assignment gives to texts, one or several at once."""
    for target in node.targets:
        several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        names = target.elts if isinstance(target, ast.Tuple) and several else [target]
        values = node.value.elts if isinstance(node.value, ast.Tuple) and several else [node.value]
        for name, value in zip(names, values, strict=True):
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                yield name.id, str(value.value)


def long_functions(known: Mapping[str, ast.Module]) -> Mapping[str, int]:
    """The lines of each function that has too many."""
    return {
        f"{module}.{node.name}": lines
        for module, tree in known.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    }


@pytest.mark.costs("it reads all sources")
def test_modules_have_no_circles() -> None:
    """Nothing imports what imports it; move what both need into a module of its own."""
    circles = circles_in(modules())
    assert not circles, "\n".join(" → ".join([*way, way[0]]) for way in circles)


def test_features_import_only_those_that_they_need() -> None:
    """Another feature's `public` module is there only with that feature."""
    needs = {feature.name: {*feature.needs} for feature in loaded_features()}
    for name, needed_names in needs.items():
        folder = ROOT / "src" / "rich_agent" / "features" / name
        text = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
        others = {*re.findall(r"rich_agent\.features\.(\w++)\.public\b", text)}
        assert others <= {name, *needed_names}


def test_public_class_names_have_one_meaning() -> None:
    """A public class has a name that no other has; name both after what they are."""
    twice = {name: places for name, places in public_classes(modules()).items() if len(places) > 1}
    assert not twice, f"defined more than once, rename: {twice}"


def test_button_verbs_have_one_meaning() -> None:
    """No press is answered by what another button is for."""
    verbs = button_verbs(modules())
    assert verbs
    assert {verb: names for verb, names in verbs.items() if len(names) > 1} == {}


def test_functions_fit_on_a_screen() -> None:
    """A function has at most 40 lines; take a step out of it that has a name."""
    long = long_functions(modules())
    assert not long, f"more than {LONGEST_FUNCTION} lines: {long}"


def vague_docstrings(tree: ast.Module) -> Iterator[str]:
    """The docstrings that begin with a question word instead of a noun or a verb."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first, _, _ = (ast.get_docstring(node, clean=False) or "").lstrip().partition(" ")
            if re.split(r"\W", first, maxsplit=1)[0] in VAGUE:
                yield f"{node.lineno if hasattr(node, 'lineno') else 1}: {first}"


@pytest.mark.costs("it reads all sources")
def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    """The first words say what a thing is or does: "The daily limits", not "Who is limited how"."""
    folders = ("src", "packages", "ingest", "migrations", "migrations_rag", "tests", "bench")
    every = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    vague = {str(file): found for file in every if (found := [*vague_docstrings(parsed(file))])}
    assert vague == {}


def test_vague_docstrings_are_found() -> None:
    """Of modules, classes and functions."""
    tree = ast.parse(
        '"""What it is."""\nclass A:\n    """A noun."""\n    def b(self):\n        "How: so."'
    )
    assert [*vague_docstrings(tree)] == ["1: What", "4: How:"]


def words_not_used() -> list[tuple[str, ...]]:
    """The last column of CONTRIBUTING's table of words, each entry as its words."""
    page = (
        (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Words")[2].partition("\n## ")[0]
    )
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    entries = [entry.split() for row in rows for entry in row[3].split(",")]
    return [tuple(words) for words in entries if words]


def names_in_code() -> Iterator[tuple[str, list[str]]]:
    """Names of files, folders and classes, with the words that they are made of."""
    roots = [ROOT / "src/rich_agent", ROOT / "ingest", ROOT / "packages", ROOT / "tests"]
    for file in (found for root in roots for found in root.rglob("*.py")):
        for part in file.relative_to(ROOT).with_suffix("").parts:
            yield str(file), re.split(r"[_.-]", part)
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ClassDef):
                words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", node.name)
                yield f"{file}: {node.name}", [word.lower() for word in words]


@pytest.mark.costs("it reads all sources")
def test_names_use_the_word_of_their_subject() -> None:
    """No file, folder or class, private ones too, is named with another word for it."""
    banned = words_not_used()
    assert len(banned) > 10
    found = {
        name
        for name, words in names_in_code()
        for other in banned
        if any(tuple(words[at : at + len(other)]) == other for at in range(len(words)))
    }
    assert found == set()


def test_unit_tests_mirror_the_code() -> None:
    """A folder of unit tests is named after the room that it tests."""
    rooms = {path.name for path in (ROOT / "src/rich_agent").iterdir()}
    folders = {path.parent.name for path in (ROOT / "tests/unit").glob("*/test_*.py")}
    assert folders - rooms <= {"bench", "ingest", "sandbox"}


@pytest.mark.parametrize(
    "code",
    ["from circle import b", "import circle.b", "def later():\n    from circle.b import B"],
)
def test_circles_are_found_wherever_the_import_stands(code: str) -> None:
    """An import inside a function closes a circle like any other."""
    known = {"circle": "", "circle.a": code, "circle.b": "from circle.c import C"}
    known["circle.c"] = "if TYPE_CHECKING:\n    from circle.a import A"
    trees = {name: ast.parse(text) for name, text in known.items()}
    assert circles_in(trees) == [["circle.a", "circle.b", "circle.c"]]
