"""The tests that a change concerns are those that are near it."""

import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import changed
from tests.changed import Tree, base, changed_files, core, main, selection
from tests.mutants import known_mutants


@pytest.fixture(scope="module")
def tree() -> Tree:
    """The imports of this repository."""
    return Tree()


@pytest.mark.parametrize(
    ("file", "near", "far"),
    [
        (
            "src/rich_agent/features/calendars/icalendar_text.py",
            [
                "tests/unit/features/calendars/test_icalendar_text.py",
                "tests/integration/features/calendars/test_calendar_feed.py",
                "tests/acceptance/features/calendars/test_calendar.py",
            ],
            [
                "tests/acceptance/features/voice/test_voice.py",
                "tests/unit/domain/test_grounding.py",
            ],
        ),
        (
            "src/rich_agent/repositories/database/pools.py",
            ["tests/integration/test_database.py", "tests/contract/test_inbox.py"],
            [
                "tests/unit/domain/test_grounding.py",
                "tests/acceptance/features/voice/test_voice.py",
            ],
        ),
        (
            "src/rich_agent/locales/de.ftl",
            ["tests/unit/test_phrases.py"],
            ["tests/integration/test_database.py"],
        ),
        (
            "src/rich_agent/prompts/N4_build_effective_query.md",
            ["tests/unit/graph/test_planning.py"],
            ["tests/integration/test_database.py"],
        ),
        (
            "tests/acceptance/radicale_server.py",
            ["tests/acceptance/features/calendars/test_task_list.py"],
            ["tests/acceptance/features/voice/test_voice.py"],
        ),
        (
            "src/rich_agent/features/evaluation/files.py",
            [
                "tests/unit/features/evaluation/test_files.py",
                "tests/acceptance/features/evaluation/test_eval_answers.py",
            ],
            ["tests/acceptance/test_files.py", "tests/contract/test_user_files.py"],
        ),
        (
            "src/rich_agent/features/evaluation/locales/en.ftl",
            [
                "tests/unit/test_phrases.py",
                "tests/acceptance/features/evaluation/test_eval_answers.py",
            ],
            ["tests/unit/domain/test_grounding.py", "tests/acceptance/test_grounding.py"],
        ),
        (
            "docs/how-to/operate.md",
            ["tests/docs/test_site.py"],
            ["tests/acceptance/features/voice/test_voice.py"],
        ),
    ],
)
def test_change_selects_the_tests_near_it(
    tree: Tree, file: str, near: Sequence[str], far: Sequence[str]
) -> None:
    """Tests of the module, of what imports it and of its name are concerned; no others are."""
    concerned = tree.concerned([file])
    assert concerned >= set(near)
    assert not concerned & set(far)


def test_change_of_a_test_selects_it_alone(tree: Tree) -> None:
    """Nothing imports it, and it is no subject of others."""
    test = "tests/acceptance/test_times.py"
    assert tree.concerned([test]) == {test}


def test_change_of_what_all_tests_need_selects_them_all(tree: Tree) -> None:
    """The locked packages, and the fixtures of all."""
    tests = {path.as_posix() for path in Path("tests").rglob("test_*.py")}
    assert tree.concerned(["uv.lock"]) == tests == tree.concerned(["tests/conftest.py"])


def test_change_selects_the_tests_that_catch_its_mutants(tree: Tree) -> None:
    """Whatever is broken for a requirement is found."""
    for mutant in known_mutants():
        files = {test.partition("::")[0] for test in mutant.tests}
        assert tree.concerned([mutant.file]) >= files, mutant.breaks


def test_core_has_tests_that_exist_each_once() -> None:
    """Twenty over a running bot, and whole files that read all sources."""
    tests = core()
    assert max(Counter(tests).values()) == 1
    acceptance = [one for one in tests if one.startswith("tests/acceptance/")]
    assert len(acceptance) == 20
    for one in tests:
        file, _, name = one.partition("::")
        assert f"def {name}(" in Path(file).read_text("utf-8") or not name, one


def test_selection_names_no_test_twice(tree: Tree) -> None:
    """A file of which the core has a test is run whole if the change concerns it."""
    tests = selection(["tests/acceptance/test_memory.py"], tree)
    assert "tests/acceptance/test_memory.py" in tests
    assert not [one for one in tests if one.startswith("tests/acceptance/test_memory.py::")]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit on its main branch."""
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    _git(tmp_path, "init", "-q", "-b", "main")
    _commit(tmp_path, "one")
    return tmp_path


def test_base_is_where_the_branch_began_or_the_commit_before(repository: Path) -> None:
    """Nothing in a clone of one commit."""
    assert base() is None
    first = _commit(repository, "two", before=True)
    assert base() == first
    _git(repository, "switch", "-q", "-c", "branch")
    second = _commit(repository, "three", before=True)
    _commit(repository, "four")
    assert base() == second
    (repository / "five").write_text("new")
    (repository / "one").write_text("changed")
    assert sorted(changed_files(second)) == ["five", "four", "one", "three"]


@pytest.mark.usefixtures("repository")
def test_soak_without_a_base_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A shallow clone does not take hours."""
    assert main(["--soak"]) == 0
    assert "no commit to compare with" in capsys.readouterr().out


def _commit(repository: Path, name: str, *, before: bool = False) -> str:
    """Commit a new file; the commit, or that before it."""
    (repository / name).write_text(name)
    _git(repository, "add", name)
    _git(repository, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", name)
    return _git(repository, "rev-parse", "HEAD~1" if before else "HEAD")


def _git(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True)
    return ran.stdout.decode().strip()
