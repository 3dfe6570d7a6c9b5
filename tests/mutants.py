"""Breaks what each requirement is about, one place at a time, and runs the tests that have to fail.

`python -m tests.mutants` does so for every requirement, `python -m tests.mutants RAG-4 TG` for
those whose id begins so. Each mutant is applied to a copy of the tree; the tree itself stays.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "mutants.toml"
_SOURCES = ("src", "packages/rich-agent-sandbox/src", ".")
_DEADLINE_S = 900
_WAIT_S = "40"
"""What a broken bot is waited for, in place of the two minutes that a busy one may take."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken place: `text` of `file` becomes `replacement`, and all `tests` have to fail.

    `breaks` says in words what no longer holds.
    """

    requirement: str
    breaks: str
    file: str
    text: str
    replacement: str
    tests: Sequence[str]

    def source(self, root: Path = ROOT) -> str:
        """The broken file. Raises: ValueError if its text does not stand there exactly once."""
        path = root / self.file
        source = path.read_text("utf-8") if path.is_file() else ""
        count = source.count(self.text)
        if count != 1:
            raise ValueError(
                f"{self.requirement}: the text of the mutant stands {count} times in {self.file}, "
                f"not once: {self.text.strip().splitlines()[0]!r}"
            )
        return source.replace(self.text, self.replacement)


def known_mutants() -> list[Mutant]:
    """All mutants of the table, in its order."""
    table = tomllib.loads(TABLE.read_text("utf-8"))
    return [Mutant(requirement, **one) for requirement, all_ in table.items() for one in all_]


@dataclass(frozen=True, slots=True)
class TestRun:
    """The outcome of tests, by their names without parameters."""

    __test__ = False

    passed: frozenset[str]
    failed: frozenset[str]
    output: str


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the tree, with which tests run."""

    root: Path

    def run(self, tests: Sequence[str]) -> TestRun:
        """Run tests; one that is set up in vain, or that hangs, has neither passed nor failed."""
        with tempfile.TemporaryDirectory() as directory:
            report = Path(directory, "report.xml")
            command = [sys.executable, "-m", "pytest", "-q", "-n", "0", f"--junitxml={report}"]
            paths = os.pathsep.join(str(self.root / one) for one in _SOURCES)
            environment = {**os.environ, "PYTHONPATH": paths, "TESTS_WAIT_S": _WAIT_S}
            try:
                ran = subprocess.run(
                    [*command, "-p", "no:cacheprovider", *tests],
                    cwd=self.root,
                    env=environment,
                    timeout=_DEADLINE_S,
                    capture_output=True,
                    text=True,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return TestRun(frozenset(), frozenset(), f"not over within {_DEADLINE_S} s")
            outcomes = list(_outcomes(report)) if report.exists() else []
        failed = frozenset(name for name, outcome in outcomes if outcome == "failure")
        passed = frozenset(name for name, outcome in outcomes if not outcome) - failed
        return TestRun(passed, failed, ran.stdout + ran.stderr)

    def write(self, file: str, source: str) -> None:
        """Write a source, which is newer than every compiled form of it."""
        path = self.root / file
        after = path.stat().st_mtime + 2
        path.write_text(source, "utf-8")
        os.utime(path, (after, after))


def _outcomes(report: Path) -> Iterator[tuple[str, str]]:
    """Each test with "failure", "error", "skipped", or "" if it passed."""
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 - pytest's own
        kinds = {child.tag for child in case}
        outcome = next((one for one in ("error", "failure", "skipped") if one in kinds), "")
        module = case.attrib["classname"].replace(".", "/")
        yield f"{module}.py::{case.attrib['name'].partition('[')[0]}", outcome


def copy_tree(target: Path) -> Copy:
    """Copy all that is tracked, or is new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    (target / ".venv").symlink_to(ROOT / ".venv")
    return Copy(target)


def verdict(mutant: Mutant, copy: Copy) -> str:
    """Tell whether the tests find a mutant: "caught", else what they did instead."""
    broken, whole = mutant.source(copy.root), (copy.root / mutant.file).read_text("utf-8")
    copy.write(mutant.file, broken)
    try:
        run = copy.run(mutant.tests)
    finally:
        copy.write(mutant.file, whole)
    if survivors := run.passed & frozenset(mutant.tests):
        return f"NOT CAUGHT by {', '.join(sorted(survivors))}"
    if missing := frozenset(mutant.tests) - run.failed:
        return f"NOT SHOWN by {', '.join(sorted(missing))}:\n{run.output[-2_000:]}"
    return "caught"


def run_mutants(mutants: Sequence[Mutant]) -> int:
    """Print the verdict on each; 1 if one is not caught, or a test fails without any."""
    for mutant in mutants:
        mutant.source()
    misses = 0
    with tempfile.TemporaryDirectory() as directory:
        copy = copy_tree(Path(directory))
        names = list(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
        unbroken = copy.run(names)
        if failing := frozenset(names) - unbroken.passed:
            print(unbroken.output[-4_000:])
        for mutant in mutants:
            began = time.monotonic()
            already = failing & frozenset(mutant.tests)
            said = f"NOT SHOWN: without it fail {', '.join(sorted(already))}" if already else ""
            said = said or verdict(mutant, copy)
            misses += said != "caught"
            took_s = time.monotonic() - began
            print(f"{mutant.requirement:8} {took_s:4.0f} s  {mutant.breaks}  {said}", flush=True)
    print(f"{len(mutants) - misses} of {len(mutants)} caught")
    return 1 if misses else 0


def main(arguments: Sequence[str]) -> int:
    """Run the mutants of the requirements that begin with one of the arguments, or all."""
    chosen = [one for one in known_mutants() if one.requirement.startswith(tuple(arguments) or "")]
    if not chosen:
        print(f"no mutant of {' '.join(arguments)} is in {TABLE.relative_to(ROOT)}")
        return 1
    try:
        return run_mutants(chosen)
    except ValueError as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
