"""`make demo` installs what runs, developers' targets add their tools; both are kept up to date."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def recipe(target: str, venv: Path, *variables: str) -> str:
    """The commands that make would run for a target."""
    command = ["make", "--dry-run", target, f"VENV={venv}", *variables]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """An environment with the demo, as new as the lock."""
    (tmp_path / "bin").mkdir()
    for name in ("bin/python", "bin/uv", ".installed"):
        (tmp_path / name).touch()
    (tmp_path / ".extras").write_text("connectors demo\n")
    return tmp_path


def test_demo_installs_no_tools_of_developers(tmp_path: Path) -> None:
    """In a fresh clone; the tests and types of developers take as much room as what runs."""
    lines = recipe("demo", tmp_path / "none")
    assert "sync --frozen --inexact --no-dev --extra demo --extra local" in lines
    assert "--all-extras" not in lines
    assert "bin/rich-agent demo" in lines


def test_installed_demo_is_started_at_once(venv: Path) -> None:
    """Nothing is installed again."""
    assert "sync --frozen" not in recipe("demo", venv)


@pytest.mark.parametrize("target", ["check", "test", "test-changed", "site", "bench-guard"])
def test_developers_targets_add_their_tools_to_an_installed_demo(venv: Path, target: str) -> None:
    """With all extras, since tests need these; once."""
    lines = recipe(target, venv)
    assert "sync --frozen --inexact --all-extras" in lines
    assert "--no-dev" not in lines
    (venv / ".installed-dev").touch()
    assert "sync --frozen" not in recipe(target, venv)
    assert "sync --frozen" not in recipe("demo", venv)


def test_extras_are_added_once_and_kept_up_to_date(venv: Path) -> None:
    """Also by a later `make demo` that does not name them."""
    assert "sync --frozen" not in recipe("install", venv, "EXTRAS=connectors")
    added = recipe("install", venv, "EXTRAS=otel")
    assert "--no-dev --extra connectors --extra demo --extra local --extra otel" in added
    os.utime(venv / ".installed", (0, 0))
    assert "--no-dev --extra connectors --extra demo --extra local" in recipe("demo", venv)
