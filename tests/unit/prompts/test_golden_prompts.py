"""Prompts are what was read and agreed: a change of one changes its files in the same commit."""

import re
from importlib.resources import files
from typing import Any

import pytest

from tests.golden_prompts.files import FOLDER, as_files
from tests.golden_prompts.of_features import FeaturePrompts, prompts_of_features
from tests.golden_prompts.singles import SINGLES, requests_of
from tests.golden_prompts.situations import ANSWER, PLAN, Situation
from tests.golden_prompts.talks import TALKS

HINT = "Run `python -m tests.golden_prompts`, and read what changed as a model would."
LEAST = 12
PARTS = frozenset({"beginning", "turn", "passages", "lesson", "persona"})
"""What several prompts include."""


def _differences(situation: str, requests: list[tuple[str, dict[str, Any]]]) -> list[str]:
    written = as_files(situation, requests)
    return [
        f"{path.parent.name}/{path.name}"
        for path, text in written.items()
        if not path.exists() or path.read_text("utf-8") != text
    ]


@pytest.mark.feature("agenda", "tables", "reminder")
@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.name)
async def test_golden_prompts_of_a_turn_are_what_models_receive(talk: Situation) -> None:
    """System and user messages, tools and forms, as they leave through the real adapters."""
    assert _differences(talk.name, await talk.requests()) == [], HINT


@pytest.mark.parametrize("name", SINGLES)
async def test_golden_prompts_of_no_turn_are_what_models_receive(name: str) -> None:
    """Errands, searches, and commands."""
    assert _differences("alone", await requests_of(name)) == [], HINT


@pytest.mark.feature("agenda", "reminder")
@pytest.mark.parametrize("feature", list(prompts_of_features()), ids=lambda one: one.feature)
async def test_golden_prompts_of_a_feature_are_what_models_receive(feature: FeaturePrompts) -> None:
    """They lie beside its tests."""
    differences = [
        path.name
        for path, text in (await feature.files()).items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    assert differences == [], HINT


def test_golden_prompts_show_every_prompt() -> None:
    """One situation at least, and twelve of the two that most turns use; no file is left over."""
    templates = {one.name for one in files("rich_agent.prompts").iterdir()}
    prompts = {name.removesuffix(".md") for name in templates if name.endswith(".md")} - PARTS
    of_turns = {f"{prompt}/{talk.name}.txt" for talk in TALKS for prompt in talk.prompts}
    expected = of_turns | {f"{name}/alone.txt" for name in SINGLES}
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.txt")}
    assert {path for path in found if path.split("/")[0] not in {"forms", "tools"}} == expected
    assert {path.split("/")[0] for path in expected} == prompts
    for prompt in (PLAN, ANSWER):
        assert len(list((FOLDER / prompt).iterdir())) >= LEAST


def _planner_instructions(situation: str) -> str:
    system, _, _ = (FOLDER / PLAN / f"{situation}.txt").read_text("utf-8").partition("\n====")
    return system


DROPPED_IN_GROUPS = (
    *("teaches", "action", "about_the_past", "forget", "clarification", "new_request"),
    *("image_question", "image_numbers", "files", "whole_file", "leaves_session"),
)


@pytest.mark.parametrize("field", DROPPED_IN_GROUPS)
def test_planner_of_a_group_is_told_of_no_field_that_code_drops(field: str) -> None:
    """A field that `for_group` takes out of a plan is not explained, and no example has it."""
    told = _planner_instructions("group")
    assert f"`{field}`" not in told
    assert not re.search(rf"^- .*; {field}$", told, re.MULTILINE)


@pytest.mark.parametrize("situation", ["group", "no_documents"])
def test_planner_without_a_web_search_is_told_of_no_search(situation: str) -> None:
    """No plan and no example looks something up where nothing can."""
    told = _planner_instructions(situation)
    assert "rag+web" not in told
    assert "if_needed" not in told
    assert "you cannot search the web here" in " ".join(told.split()).casefold()
