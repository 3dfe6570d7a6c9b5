"""The command that adds an optional part names the place that the program came from."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rich_agent.runtime import own_package
from rich_agent.runtime.own_package import extra_hint

Install = Callable[[dict[str, Any] | None], None]


@pytest.fixture
def installed_from(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Lets an installer have written what it was given, and pip be there."""

    def install(origin: dict[str, Any] | None) -> None:
        text = json.dumps(origin) if origin else None
        found = SimpleNamespace(read_text=lambda _name: text)
        monkeypatch.setattr(own_package, "distribution", lambda _name: found)
        monkeypatch.setattr(own_package, "find_spec", lambda name: name)
        own_package._origin.cache_clear()

    yield install
    own_package._origin.cache_clear()


def test_extra_of_a_clone_is_installed_by_make(installed_from: Install, tmp_path: Path) -> None:
    """Into the environment that make keeps up to date."""
    installed_from({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    assert extra_hint("otel") == (f'Install the extra: make -C {tmp_path} install EXTRAS="otel"')


def test_extra_of_a_repository_is_that_of_the_same_commit(installed_from: Install) -> None:
    """A newer one may need other tables."""
    commit = "17358f91" * 5
    version = {"vcs": "git", "commit_id": commit}
    installed_from({"url": "https://git.example/rich-agent", "vcs_info": version})
    expected = f"'rich-agent[otel] @ git+https://git.example/rich-agent@{commit}'"
    assert extra_hint("otel").endswith(f"{sys.executable} -m pip install {expected}")


def test_extra_of_a_repository_in_a_folder_is_installed_by_uv(
    installed_from: Install, tmp_path: Path
) -> None:
    """For pip, `git+file:` behind a name is no valid requirement."""
    version = {"vcs": "git", "commit_id": "17358f91"}
    installed_from({"url": tmp_path.as_uri(), "vcs_info": version})
    expected = f"'rich-agent[otel] @ git+{tmp_path.as_uri()}@17358f91'"
    assert extra_hint("otel").endswith(f"uv pip install -p {sys.executable} {expected}")


def test_extra_of_a_wheel_is_in_the_wheel(
    installed_from: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without pip, as in an environment of uv, uv installs it there."""
    wheel = tmp_path / "rich agent.whl"
    wheel.touch()
    installed_from({"url": wheel.as_uri(), "archive_info": {}})
    monkeypatch.setattr(own_package, "find_spec", lambda _name: None)
    expected = f"uv pip install -p {sys.executable} 'rich-agent[otel] @ {wheel.as_uri()}'"
    assert extra_hint("otel").endswith(expected)
    wheel.unlink()
    own_package._origin.cache_clear()
    assert extra_hint("otel") == "Install the extra `otel` from where this program came from."


def test_extra_of_an_index_is_named_alone(installed_from: Install) -> None:
    """There the name is that of this program."""
    installed_from(None)
    assert extra_hint("otel").endswith("-m pip install 'rich-agent[otel]'")
