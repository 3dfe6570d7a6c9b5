"""In which language and at what length an answer is wanted, as the prompt's preferences say."""

import re

from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.text import is_japanese

_JAPANESE = re.compile(r"\bjapanese\b|日本語", re.IGNORECASE)
_OTHER_LANGUAGE = re.compile(
    r"\b(?:answers?|reply|respond) in (?!japanese)[a-z]+|英語", re.IGNORECASE
)
_SHORT = re.compile(r"\b(?:short|brief|concise|terse)\b|短く|簡潔", re.IGNORECASE)
_LONG = re.compile(r"\b(?:detailed|long|longer)\b|詳しく|長く", re.IGNORECASE)


def in_japanese(prompt: Prompt) -> bool:
    """Whether to answer in Japanese: as the newest preference says, else as the question is."""
    for line in reversed(prompt.preferences):
        if _JAPANESE.search(line):
            return True
        if _OTHER_LANGUAGE.search(line):
            return False
    return is_japanese(prompt.question)


def is_brief(prompt: Prompt) -> bool:
    """Whether short answers are wanted, as the newest preference on length says."""
    for line in reversed(prompt.preferences):
        if _SHORT.search(line):
            return True
        if _LONG.search(line):
            return False
    return False
