"""Instructions of README and docs, what a reader is told to type and to open, are true."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from typer.core import TyperGroup
from typer.main import get_command

import ingest.cli
import rich_agent.cli

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(r"(?:^|\s)(?:\.venv/bin/)?(rich-agent|ingest)\s+(?P<rest>[^\n#|]+)")
_TEST = re.compile(r"`(tests/\S+\.py)::(test_\w+)`")
GROUPS = {"rich-agent": get_command(rich_agent.cli.app), "ingest": get_command(ingest.cli.app)}


def _commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.info.split(" ")[0] in {"sh", "bash", "shell"}:
            for found in COMMAND.finditer(token.content.replace("\\\n", " ")):
                yield found[1], found["rest"].split()


def _anchors(page: Path) -> set[str]:
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    headings = [b.content for a, b in pairwise(tokens) if a.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


def test_page_about_the_bot_says_as_much_in_japanese() -> None:
    """It leads to the same pages and names the same commands."""
    english, japanese = (
        (ROOT / "docs" / folder / "about-the-bot.md").read_text("utf-8") for folder in ("", "ja")
    )
    targets = set(re.findall(r"\]\(\.\./([^)#]+)\)", japanese)) - {"about-the-bot.md"}
    assert targets == set(re.findall(r"\]\(([^)#]+)\)", english))
    named = (set(re.findall(r"`/([a-z]+)", text)) for text in (english, japanese))
    assert next(named) == next(named)


def test_tests_that_the_documentation_names_exist() -> None:
    """A promise whose test was renamed or deleted is one without proof."""
    named = [found.groups() for page in PAGES for found in _TEST.finditer(page.read_text("utf-8"))]
    assert len(named) >= 15
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{file}::{test}"


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_commands_of_a_page_exist(page: Path) -> None:
    """Every `rich-agent …` and `ingest …` in a shell block names a command and options it has."""
    for program, words in _commands(page):
        command, rest = GROUPS[program], list(words)
        while isinstance(command, TyperGroup) and rest:
            assert rest[0] in command.commands, f"{program} {' '.join(words)}"
            command = command.commands[rest.pop(0)]
        known = {option for parameter in command.params for option in parameter.opts}
        used = {word.partition("=")[0] for word in rest if word.startswith("-")}
        assert used <= known | {"--help"}, f"{program} {' '.join(words)}"


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    """Relative links name files and headings that are there."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in _anchors(file), target


def test_first_screen_of_the_readme_is_short() -> None:
    """At most ten bullets of two lines say what the bot does."""
    section = (ROOT / "README.md").read_text("utf-8").partition("## What it does")[2]
    bullets = section.partition("\n## ")[0].strip().split("\n- ")
    assert len(bullets) <= 10
    assert [one for one in bullets if one.count("\n") > 1] == []
