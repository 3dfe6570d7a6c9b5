"""Prompts are what was read and agreed: a change of one changes its files in the same commit."""

from importlib.resources import files
from typing import Any

import pytest

from tests.golden_prompts.files import FOLDER, as_files
from tests.golden_prompts.singles import SINGLES, requests_of
from tests.golden_prompts.situations import ANSWER, PLAN, Situation
from tests.golden_prompts.talks import TALKS

HINT = "Run `python -m tests.golden_prompts`, and read what changed as a model would."
LEAST = 12


def _differences(situation: str, requests: list[tuple[str, dict[str, Any]]]) -> list[str]:
    written = as_files(situation, requests)
    return [
        str(path.relative_to(FOLDER))
        for path, text in written.items()
        if not path.exists() or path.read_text("utf-8") != text
    ]


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.name)
async def test_golden_prompts_of_a_turn_are_what_models_receive(talk: Situation) -> None:
    """System and user messages, tools and forms, as they leave through the real adapters."""
    assert _differences(talk.name, await talk.requests()) == [], HINT


@pytest.mark.parametrize("name", SINGLES)
async def test_golden_prompts_of_no_turn_are_what_models_receive(name: str) -> None:
    """Errands, searches, and commands."""
    assert _differences("alone", await requests_of(name)) == [], HINT


def test_golden_prompts_show_every_prompt() -> None:
    """One situation at least, and twelve of the two that most turns use; no file is left over."""
    templates = {one.name for one in files("rich_agent.prompts").iterdir()}
    prompts = {name.removesuffix(".md") for name in templates if name.endswith(".md")}
    of_turns = {f"{prompt}/{talk.name}.txt" for talk in TALKS for prompt in talk.prompts}
    expected = of_turns | {f"{name}/alone.txt" for name in SINGLES}
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.txt")}
    assert {path for path in found if path.split("/")[0] not in {"forms", "tools"}} == expected
    assert {path.split("/")[0] for path in expected} == prompts
    for prompt in (PLAN, ANSWER):
        assert len(list((FOLDER / prompt).iterdir())) >= LEAST
