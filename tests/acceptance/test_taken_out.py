"""Each of the project's own features taken out: its folder is deleted, and nothing else edited."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from rich_agent.installed import installed_features
from tests.acceptance.world import ROOT, World, environment, running_sandbox, wait_until
from tests.changed import core
from tests.database import PostgresServer
from tests.sources import parsed

SOURCE = ROOT / "src" / "rich_agent"
FEATURES = sorted(path.parent.name for path in SOURCE.glob("features/*/__init__.py"))
USER = 62_001
_IN_FEATURE = re.compile(r"\bfeatures(?:\.| import )(\w++)")
_PATH = re.compile(r'^[A-Z_]*PATH\b[^=\n]*= "(/[^"{]*[^"{/])', re.MULTILINE)


def gone_with(feature: str) -> list[str]:
    """The feature, and those that need it."""
    needs = {one.name: one.needs for one in installed_features().features}
    names = [feature]
    for name in names:
        names += [other for other in needs if name in needs[other] and other not in names]
    return names


def without(feature: str, folder: Path) -> Path:
    """A copy of the program without the folder of a feature; where to import it from."""
    # With what is compiled: a copy keeps the times by which that is known to be up to date.
    shutil.copytree(SOURCE, folder / "rich_agent")
    for name in gone_with(feature):
        shutil.rmtree(folder / "rich_agent" / "features" / name)
    return folder


def run(told: dict[str, str], *arguments: str) -> str:
    """The output of a command of the copy."""
    line = [sys.executable, "-m", "rich_agent.cli", *arguments]
    done = subprocess.run(line, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("feature", FEATURES)
def test_nothing_outside_its_folder_names_a_feature(feature: str) -> None:
    """Not by an import, and not in a string; its entry point in pyproject.toml is its place."""
    named = re.compile(rf"features[./]{feature}\b")
    folders = {SOURCE / "features" / name for name in gone_with(feature)}
    naming = [
        path.relative_to(ROOT)
        for root in (SOURCE, ROOT / "ingest")
        for path in root.rglob("*.py")
        if not folders & {*path.parents} and named.search(path.read_text("utf-8"))
    ]
    assert naming == []


@cache
def imports_of_tests_and_benches() -> Mapping[Path, frozenset[str]]:
    """The features that each module of the tests and benches imports."""
    modules = [path for name in ("tests", "bench") for path in (ROOT / name).rglob("*.py")]
    return {
        path: frozenset(
            feature
            for line in path.read_text("utf-8").splitlines()
            if line.lstrip().startswith(("from ", "import "))
            for feature in _IN_FEATURE.findall(line)
        )
        for path in modules
    }


@pytest.mark.parametrize("feature", FEATURES)
def test_tests_and_benches_of_others_import_no_feature(feature: str) -> None:
    """They are loaded without it; what several features' tests need stands outside of them."""
    gone = {*gone_with(feature)}
    importing = [
        path.relative_to(ROOT)
        for path, names in imports_of_tests_and_benches().items()
        if names & gone and not any(f"/features/{name}/" in path.as_posix() for name in gone)
    ]
    assert importing == []


@cache
def texts_of_the_core() -> Mapping[Path, str]:
    """The phrases, templates and docstrings of the core."""
    texts: dict[Path, str] = {}
    for path in SOURCE.rglob("*.*"):
        if SOURCE / "features" in path.parents or path.suffix not in {".ftl", ".html", ".py"}:
            continue
        docstrings = (
            node.value.value
            for node in (ast.walk(parsed(path)) if path.suffix == ".py" else ())
            if isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
        text = "\n".join(docstrings) if path.suffix == ".py" else path.read_text("utf-8")
        texts[path.relative_to(ROOT)] = text
    return texts


def ways_to(feature: str) -> set[str]:
    """The commands and the paths of a feature's own pages."""
    declared = next(one for one in installed_features().features if one.name == feature)
    sources = (path.read_text("utf-8") for path in (SOURCE / "features" / feature).rglob("*.py"))
    return {
        *(f"/{entry.name}" for entry in declared.menu),
        # Paths below /v1 are those of other servers.
        *(path for text in sources for path in _PATH.findall(text) if not path.startswith("/v1/")),
    }


@pytest.mark.parametrize("feature", FEATURES)
def test_core_speaks_for_no_feature(feature: str) -> None:
    """No phrase, template or docstring of it leads to what is gone with the feature."""
    ways = "|".join(re.escape(one) for one in sorted(ways_to(feature)))
    named = re.compile(rf"(?<![\w./<-])(?:{ways})(?![\w-])")
    texts = texts_of_the_core() if ways else {}
    assert {path for path, text in texts.items() if named.search(text)} == set()


@pytest.mark.costs("it starts a bot, and two commands that load anew")
@pytest.mark.parametrize(
    "feature", [FEATURES[0], *(pytest.param(one, marks=pytest.mark.soak) for one in FEATURES[1:])]
)
def test_bot_runs_without_a_feature(
    feature: str, tmp_path: Path, database_server: PostgresServer, database_template: str
) -> None:
    """It starts, answers /help and /export, and doctor says what is left out."""
    copy = without(feature, tmp_path)
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        told = environment(sandbox.url, url, PYTHONPATH=str(copy))
        world = World(sandbox, told, url)
        assert "rich-agent" in run(told, "--help")
        findings = json.loads(run(told, "doctor", "--json"))
        for name in gone_with(feature):
            assert [one["level"] for one in findings if name in one["name"]] == ["warn"]
        line = [sys.executable, "-m", "rich_agent.cli", "run"]
        log = tmp_path / "log"
        with log.open("wb") as output:
            bot = subprocess.Popen(line, env=told, stdout=output, stderr=output)
            try:
                wait_until(lambda: "ready" in log.read_text("utf-8"), "the bot is ready")
                assert "/help" in world.ask(USER, "/help")["text"]
                assert "document" in world.ask(USER, "/export")
            finally:
                bot.terminate()
                bot.wait(60)


def tree_without(feature: str, folder: Path) -> Path:
    """A copy of the repository without the folder of a feature, and without its tests."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    folders = tuple(f"/features/{name}/" for name in gone_with(feature))
    for name in listed.stdout.splitlines():
        if not any(one in name for one in folders) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", folder / ".mypy_cache")
    for command in (["git", "init", "-q"], ["git", "add", "-A"]):
        subprocess.run(command, cwd=folder, check=True)
    return folder


def core_without(feature: str) -> list[str]:
    """The tests of the core, but for those of the docs, which describe the whole project."""
    folders = (f"tests/acceptance/features/{name}/" for name in gone_with(feature))
    left_out = (*folders, "tests/docs/")
    return [one for one in core() if not one.startswith(left_out)]


@pytest.mark.soak
@pytest.mark.parametrize("feature", FEATURES)
def test_types_contracts_and_tests_of_the_core_hold_without_a_feature(
    feature: str, tmp_path: Path
) -> None:
    """All tests that are left can be loaded; those of the core pass."""
    tree, scripts = tree_without(feature, tmp_path), Path(sys.executable).parent
    sources = [tree / "src", tree / "packages" / "rich-agent-sandbox" / "src", tree]
    told = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sources))}
    for command in (
        ["mypy"],
        ["lint-imports"],
        ["pytest", "--collect-only", "-qq"],
        ["pytest", "-q", "-n", "0", *core_without(feature)],
    ):
        line = [str(scripts / command[0]), *command[1:]]
        ran = subprocess.run(line, cwd=tree, env=told, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, f"{command}: {ran.stdout[-5000:]}{ran.stderr[-2000:]}"
