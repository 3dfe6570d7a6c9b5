"""The requested language and length of an answer, from the preferences in the prompt."""

import re

from rich_agent_sandbox.model.language.tongues import ENGLISH, language_of, may_be
from rich_agent_sandbox.model.prompt import Prompt

_NAMED = re.compile(
    r"\b(?:english|german|spanish|french|italian|portuguese|dutch|polish|russian|japanese"
    r"|chinese|korean)\b|日本語|英語",
    re.IGNORECASE,
)
_CODES = {
    "english": "en", "german": "de", "spanish": "es", "french": "fr", "italian": "it",
    "portuguese": "pt", "dutch": "nl", "polish": "pl", "russian": "ru", "japanese": "ja",
    "chinese": "zh", "korean": "ko", "日本語": "ja", "英語": "en",
}  # fmt: skip
# Languages that are told only by the prompt, by the one that has their script.
_SAME_SCRIPT = {"ar": ("fa",), "ru": ("uk",)}
_ANOTHER = re.compile(r"\b(?:answers?|reply|respond) in [a-z]+", re.IGNORECASE)
_SHORT = re.compile(r"\b(?:short|brief|concise|terse)\b|短く|簡潔", re.IGNORECASE)
_LONG = re.compile(r"\b(?:detailed|long|longer)\b|詳しく|長く", re.IGNORECASE)


def language_wanted(prompt: Prompt) -> str:
    """The language of the answer: that of the newest preference, else that of the question.

    For a question without a language ("17*23"), or a word of several languages ("ja"), it is that
    of the previous message, else the one that the instructions name.
    """
    if prompt.language:
        return prompt.language
    for line in reversed(prompt.preferences):
        if language_name := _NAMED.search(line):
            return _CODES[language_name[0].lower()]
        if _ANOTHER.search(line):
            return ENGLISH
    earlier_language = next(filter(None, map(_language, reversed(prompt.earlier_questions))), "")
    question_language = _language(prompt.question)
    for likely_language in filter(None, (prompt.language_told, earlier_language)):
        is_akin = likely_language in _SAME_SCRIPT.get(question_language, ())
        if is_akin or may_be(prompt.question, likely_language):
            return likely_language
    return question_language or earlier_language or prompt.language_told or ENGLISH


def _language(text: str) -> str:
    return language_of(text, "")


def is_brief(prompt: Prompt) -> bool:
    """Whether the message, or the newest preference on length, asks for a short answer."""
    if prompt.manner == "shorter":
        return True
    for line in reversed(prompt.preferences):
        if _SHORT.search(line):
            return True
        if _LONG.search(line):
            return False
    return False
