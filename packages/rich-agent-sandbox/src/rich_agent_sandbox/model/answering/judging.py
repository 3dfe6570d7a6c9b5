"""Marks an answer against facts, by words, names and numbers."""

import re
from collections.abc import Mapping
from typing import Any

from rich_agent_sandbox.model.language.text import content_terms, normalise, words
from rich_agent_sandbox.model.language.tongues import language_of, numerals_in, says_nothing_found
from rich_agent_sandbox.model.prompt import Prompt

_SMALLEST_SHARE = 0.8
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def mark_answer(prompt: Prompt) -> Mapping[str, Any]:
    """The numbers of the entries that the draft states, and whether it gives no answer."""
    stated = [one.number for one in prompt.entries if _states(prompt.draft, one.text)]
    return {"stated": stated, "refuses": says_nothing_found(prompt.draft)}


def _states(draft: str, fact: str) -> bool:
    """Whether it has the fact's numbers and most of its words; in another language, its numbers."""
    numbers = _numbers(fact)
    terms = {term for term in content_terms(fact) if not term[0].isdigit()}
    if not numbers <= _numbers(draft):
        return False
    if language_of(fact) != language_of(draft):
        return bool(numbers)
    shared = len(terms & set(content_terms(draft)))
    return bool(terms or numbers) and shared >= _SMALLEST_SHARE * len(terms)


def _numbers(text: str) -> set[str]:
    """The numbers of a text, in digits and in words."""
    digits = {found.replace(",", "") for found in _NUMBER.findall(normalise(text))}
    return digits | {f"{number:g}" for number in numerals_in(words(text))}
