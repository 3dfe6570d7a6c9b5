"""Commands that install the program name a clone, its address, or a file of a release.

No index has a package of ours, so whoever registered the name would be installed by our readers.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.test_readme import PAGES, ROOT

_INSTALL = re.compile(r"(?:pip3? install|uv tool install|uvx|pipx (?:install|run))\s[^`\n]*")
_OWN = re.compile(r"rich[-_]agent(?:[-_]sandbox)?(?![\w/])")
_ADDRESS = re.compile(r"rich-agent\[[\w,]+\] @ git\+\$\(git remote get-url origin\)")
_FILE = re.compile(r"dist/(rich_agent[\w.]*?-[\w.-]+\.whl)")
_CLONE = re.compile(r"[\"']?\.(?:\[[\w,]+\])?[\"']?(?:\s|$|\))")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
WHEELS = {f"{name}-{VERSION}-py3-none-any.whl" for name in ("rich_agent", "rich_agent_sandbox")}
SOURCES = [*ROOT.glob("src/**/*.py"), *ROOT.glob("ingest/**/*.py")]


def install_commands(text: str) -> Iterator[str]:
    """Commands that install this program, or what lies in the folder."""
    for found in _INSTALL.finditer(text):
        command = found[0].rstrip("\"'.,)")
        own = _OWN.search(command.replace("/opt/rich-agent", ""))
        if own or re.search(r"\s[\"']?\.(\[|[\"']?\s|$)", command):
            yield found[0]


def names_what_is_there(command: str) -> bool:
    """Whether a command takes the program from a clone, its address, or a release."""
    if files := _FILE.findall(command):
        return set(files) <= WHEELS
    return bool(_ADDRESS.search(command) or _CLONE.search(command.partition("install ")[2]))


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_install_commands_of_a_page_name_what_is_there(page: Path) -> None:
    """Also within sentences."""
    text = page.read_text("utf-8")
    assert [one for one in install_commands(text) if not names_what_is_there(one)] == []
    assert "REPOSITORY" not in text


def test_hints_of_the_program_name_no_package_of_an_index() -> None:
    """`own_package` makes these commands from the place that the program came from."""
    found = {
        str(file.relative_to(ROOT)): [*install_commands(file.read_text("utf-8"))]
        for file in SOURCES
        if file.name != "own_package.py"
    }
    assert {file: commands for file, commands in found.items() if commands} == {}
    names = [file for file in SOURCES if "rich-agent[" in file.read_text("utf-8")]
    assert [str(file.relative_to(ROOT)) for file in names] == []


def test_all_optional_parts_are_in_the_table() -> None:
    """As `EXTRAS` takes them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    assert re.findall(r"^\| `([a-z]+)` \|", page, re.MULTILINE) == [
        *project["optional-dependencies"]
    ]


@pytest.mark.parametrize(
    "command",
    [
        "pip install 'rich-agent[connectors]'",
        'uvx "rich-agent[demo]" demo',
        'uv tool install "rich-agent[demo] @ git+REPOSITORY"',
        "pip install dist/rich_agent-0.0.9-py3-none-any.whl",
        "pip install rich-agent-sandbox",
    ],
)
def test_install_command_of_what_is_not_there_is_found(command: str) -> None:
    """A name alone, a place to fill in, and another version."""
    assert [*install_commands(command)] == [command]
    assert not names_what_is_there(command)
