"""Selects the tests that a change concerns, and runs them: `python -m tests.changed`.

They are the tests that import a module that changed, or one that imports it; those whose names have
a word of its name, such as the ones over a running bot, which import nothing of it; those that
catch its mutants; and the core, which `core.txt` lists. Of a feature, those in its folders are
concerned, too, and its name counts, not that of its module. `--soak` leaves those that take long.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import grimp

from tests.mutants import known_mutants

ROOT = Path(__file__).parents[1]
CORE = Path(__file__).with_name("core.txt")
_SOURCES = ("src/", "packages/rich-agent-sandbox/src/")
_PACKAGES = ("rich_agent", "rich_agent_sandbox", "ingest", "bench", "tests")
_HELPERS = ("bench.", "tests.")
"""What tests import comes through these as if they imported it themselves."""
_CONCERNS_ALL = frozenset({"pyproject.toml", "uv.lock", "tests/conftest.py"})
_PHRASES = "src/rich_agent/locales/"
_TEST_OF_PHRASES = "tests.unit.test_phrases"
"""Others quote phrases by their keys."""
_TESTS_OF_PAGES = "tests.docs."
_IN_FEATURE = re.compile(r"src/rich_agent/features/(\w++)/(locales/)?")
_BASES = ("origin/main", "main")
_NO_TESTS = 5
"""The exit code of pytest when nothing is left to run."""


@dataclass(frozen=True)
class Tree:
    """The imports of this repository."""

    @cached_property
    def graph(self) -> grimp.ImportGraph:
        """The imports of the product, the sandbox, the benches and the tests."""
        cache = str(ROOT / ".import_linter_cache")
        return grimp.build_graph(_PACKAGES[0], *_PACKAGES[1:], cache_dir=cache)

    @cached_property
    def tests(self) -> frozenset[str]:
        """The modules that hold tests."""
        return frozenset(filter(_is_test, self.graph.modules))

    def concerned(self, files: Iterable[str]) -> set[str]:
        """The test files that a change of these files concerns; the core is not added."""
        names = frozenset(files)
        if names & _CONCERNS_ALL:
            return set(map(_file, self.tests))
        caught = {
            test.partition("::")[0]
            for mutant in known_mutants()
            if mutant.file in names
            for test in mutant.tests
        }
        return caught | {_file(test) for name in names for test in self._concerned(name)}

    def _concerned(self, file: str) -> set[str]:
        if feature := _IN_FEATURE.match(file):
            phrases = {_TEST_OF_PHRASES} if feature[2] else set()
            return phrases | self._of_feature(feature[1], _module(file))
        if file.startswith(_PHRASES):
            return {_TEST_OF_PHRASES}
        module = _module(file)
        if module.startswith(_HELPERS) and module in self.graph.modules:
            return self._reached({module})
        if module not in self.graph.modules:
            tests = self._reached(self._readers(Path(file))) | self._namesakes(module)
            pages = {test for test in self.tests if test.startswith(_TESTS_OF_PAGES)}
            return tests | pages if file.endswith(".md") else tests
        return self._users(module) | self._namesakes(module)

    def _of_feature(self, feature: str, module: str) -> set[str]:
        """The tests in the folders of a feature, those named after it, and those of its module."""
        own = {test for test in self.tests if f".features.{feature}." in test}
        users = self._users(module) if module in self.graph.modules else set()
        return own | users | self._namesakes(f"rich_agent.{feature}")

    def _users(self, module: str) -> set[str]:
        """The tests that import a module, or one that imports it."""
        users = {test for one in self._importers(module) for test in self._importers(one)}
        return self._reached({module}) | (users & self.tests)

    def _readers(self, file: Path) -> set[str]:
        """The modules that name a file that is none, or else its folder, up to its package."""
        for path in (file, *file.parents[:-2]):
            if (ROOT / path / "__init__.py").exists():
                return {_module(path.as_posix())}
            name = re.compile(rf"""["'/]({re.escape(path.name)}|{re.escape(path.stem)})["'/]""")
            if readers := {one for one, text in self._texts.items() if name.search(text)}:
                return readers
        return set()

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        paths = {one: ROOT / _file(one) for one in self.graph.modules}
        return {one: path.read_text("utf-8") for one, path in paths.items() if path.exists()}

    def _importers(self, module: str) -> set[str]:
        return self.graph.find_modules_that_directly_import(module)

    def _reached(self, modules: Collection[str]) -> set[str]:
        """The tests among modules, and those that import one of them, or a helper that does."""
        reached, open_ = set(modules), list(modules)
        while open_:
            importers = self._importers(open_.pop()) - reached
            open_ += (one for one in importers if one.startswith(_HELPERS))
            reached |= importers
        return reached & self.tests

    def _namesakes(self, module: str) -> set[str]:
        """The tests of parts together that have a word of the module's name in their own."""
        words = _words(module.partition(".")[2])
        apart = (test for test in self.tests if not test.startswith("tests.unit."))
        return {test for test in apart if _words(test.rpartition(".")[2]) & words}


def _words(name: str) -> frozenset[str]:
    """The words of a name, in the singular."""
    return frozenset(word.removesuffix("s") for word in re.split(r"[._]", name)) - {"test", ""}


def _is_test(module: str) -> bool:
    return module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")


def _module(file: str) -> str:
    for source in _SOURCES:
        file = file.removeprefix(source)
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _file(module: str) -> str:
    path = module.replace(".", "/")
    for source in ("", *_SOURCES):
        for form in (f"{source}{path}.py", f"{source}{path}/__init__.py"):
            if (ROOT / form).exists():
                return form
    return f"{path}.py"


def core() -> list[str]:
    """The tests that every change concerns."""
    lines = CORE.read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def selection(files: Iterable[str], tree: Tree) -> list[str]:
    """The files of tests that a change concerns, and the tests of the core in other files."""
    concerned = tree.concerned(files)
    return sorted(concerned) + [one for one in core() if one.partition("::")[0] not in concerned]


def base() -> str | None:
    """The commit where this branch left the main one; on that, the one before; None without."""
    head = _git("rev-parse", "HEAD")
    for branch in _BASES:
        if (commit := _git("merge-base", "HEAD", branch)) and commit != head:
            return commit
    return _git("rev-parse", "--verify", "--quiet", "HEAD~1") or None


def changed_files(since: str) -> list[str]:
    """The files that differ from a commit, and those that are new."""
    changed = _git("diff", "--name-only", "--no-renames", since)
    return [*changed.splitlines(), *_git("ls-files", "--others", "--exclude-standard").splitlines()]


def _git(*arguments: str) -> str:
    """The output; empty if the command fails."""
    command = ["git", *arguments]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else ""


def main(arguments: Sequence[str]) -> int:
    """Run the tests that a change concerns; the exit code of pytest.

    Without a commit to compare with, all are run, but none of those that take long.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.changed", description=__doc__)
    parser.add_argument("--since", metavar="COMMIT", help="compare with this commit")
    parser.add_argument("--soak", action="store_true", help="run the tests that take long")
    options, flags = parser.parse_known_args(arguments)
    since = options.since or base()
    if since is None and options.soak:
        print("no commit to compare with: no test that takes long is run")
        return 0
    tests = selection(changed_files(since), Tree()) if since else []
    print(f"{len(tests)} files and tests, for what changed since {since}" if since else "all tests")
    mark = "soak" if options.soak else "not soak"
    command = [sys.executable, "-m", "pytest", "-m", mark, *flags, *tests]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    return 0 if code == _NO_TESTS else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
