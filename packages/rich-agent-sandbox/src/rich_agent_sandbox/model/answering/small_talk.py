"""The stand-in's own few texts: greetings, the date, sums, and the line that says what it is."""

import operator
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files

from babel.dates import format_date

from rich_agent_sandbox.model.language.tongues import ENGLISH
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.turns import understand

_SUM = re.compile(
    r"(?:what is |what's )?(\d{1,12}(?:\.\d{1,6})?)\s*([-+*x×/÷:])\s*(\d{1,12}(?:\.\d{1,6})?)",
    re.IGNORECASE,
)
_SHARE = re.compile(r"(?:what is |what's )?(\d{1,6}(?:\.\d{1,3})?) ?% of (\d{1,12})", re.IGNORECASE)
_SIGNS: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "x": operator.mul, "×": operator.mul,
    "/": operator.truediv, "÷": operator.truediv, ":": operator.truediv,
}  # fmt: skip
_WHO = "fallback"
"""The kind of the reply to who the bot is."""
_WRITTEN = {"*": "×", "x": "×", "/": "÷", ":": "÷", "-": "−"}


def kind_of(text: str) -> str:
    """The kind of the reply to a listed message; "" for other texts."""
    if not any(map(str.isalnum, text)) and any(ord(character) > 0x2000 for character in text):
        return "agreement"
    kind: str = understand(text).told.get("reply", "")
    return kind


def chat(prompt: Prompt, language: str) -> str:
    """A reply to small talk, the result of a sum, or the date; "" for other messages."""
    if result := worked_out(prompt.question):
        return result
    kind = kind_of(prompt.question)
    if kind in {"clock", "today"}:
        return _present(prompt, kind, language)
    reply = say(kind, language, name=_name(prompt, language)) if kind else ""
    return f"{prompt.persona}. {reply}" if kind == _WHO and prompt.persona else reply


def _present(prompt: Prompt, kind: str, language: str) -> str:
    """The day, and the time if the prompt names it as well; "" if the day is unknown."""
    if prompt.today is None:
        return ""
    day = _day(prompt.today, language)
    if kind == "today" or prompt.now is None:
        return say("today", language, day=day)
    time, zone = f"{prompt.now.hour}:{prompt.now:%M}", " UTC" if prompt.is_in_utc else ""
    return say("clock", language, time=time, zone=zone, day=day)


def worked_out(text: str) -> str:
    """A sum or a share of two numbers with its result: "17 × 23 = 391"; "" for other texts."""
    sum_text = text.strip(" =?？")
    if match := _SHARE.fullmatch(sum_text):
        share, whole = Decimal(match[1]), Decimal(match[2])
        return f"{share} % × {whole} = {(share * whole / 100).normalize():f}"
    if not (match := _SUM.fullmatch(sum_text)):
        return ""
    left, sign, right = Decimal(match[1]), match[2].lower(), Decimal(match[3])
    if sign in "/÷:" and not right:
        return ""
    result = _SIGNS[sign](left, right)
    return f"{left} {_WRITTEN.get(sign, sign)} {right} = {result.normalize():f}"


def has_context(prompt: Prompt) -> bool:
    """Whether "this" may refer to an earlier text, image or message."""
    return bool(
        prompt.turns
        or prompt.images
        or prompt.image_summaries
        or prompt.replied_to
        or prompt.conversation_summary
        or prompt.asked_back
    )


def say(kind: str, language: str, **slots: str) -> str:
    """The stand-in's text of a kind in the language, in English if it has none in that language."""
    texts = _replies()[kind]
    return texts.get(language, texts.get(ENGLISH, "")).format(**slots)


def wordings(kind: str) -> list[str]:
    """The stand-in's texts of a kind in all languages."""
    return list(_replies()[kind].values())


def _name(prompt: Prompt, language: str) -> str:
    names = [line for line in prompt.memory if "Name is " in line]
    name = names[-1].split("Name is ", 1)[1].rstrip(".") if names else ""
    if language == "ja":
        return f"、{name}さん" if name else ""
    return f", {name}" if name else ""


def _day(day: date, language: str) -> str:
    """The day with its weekday in the language's format; the European format for English."""
    return format_date(day, "full", locale="en_150" if language == ENGLISH else language)


@cache
def _replies() -> Mapping[str, Mapping[str, str]]:
    text = files(__package__).joinpath("replies.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
