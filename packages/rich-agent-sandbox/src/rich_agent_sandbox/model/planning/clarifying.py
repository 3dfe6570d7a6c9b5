"""Asks back on pictures and files without words and for listed turns; reads answers to that."""

from collections.abc import Mapping
from typing import Any

from rich_agent_sandbox.model.answering.small_talk import has_context
from rich_agent_sandbox.model.language.text import cjk_runs, words
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.turns import asks_for_action, understand

_WHAT_OF_FILES = "What would you like to know about the file?"
_WHAT_OF_IT = "What would you like to know about the picture?"
_FEWEST_WORDS = 3  # or characters of a language without spaces


def clarify(prompt: Prompt) -> Mapping[str, Any] | None:
    """A question back with its choices, None if the message can be answered."""
    is_shown = prompt.image_summaries or prompt.files_came
    if is_shown and not (words(prompt.question) or cjk_runs(prompt.question)):
        if prompt.replied_to:
            return None
        return {"question": _WHAT_OF_FILES if prompt.files_came else _WHAT_OF_IT, "choices": []}
    if is_shown or has_context(prompt):
        return None
    clarification: Mapping[str, Any] | None = understand(prompt.question).told.get("clarification")
    return clarification


def is_new_request(prompt: Prompt) -> bool:
    """Whether the reply to a question back asks or wishes for something else, in whole words."""
    said = prompt.answer_to_it
    size = len(words(said)) + sum(map(len, cjk_runs(said)))
    asks = said.rstrip().endswith(("?", "？", "؟")) or asks_for_action(said)
    return bool(prompt.asked_back) and asks and size >= _FEWEST_WORDS
