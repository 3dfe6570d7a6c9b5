"""Small talk and the date, in a dozen languages."""

import operator
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from babel.dates import format_date

from rich_agent_sandbox.model.language.meaning import bare
from rich_agent_sandbox.model.language.tongues import ENGLISH, plain
from rich_agent_sandbox.model.prompt import Prompt

_MOST_WORDS = 14
_MOST_CHARS = 120
# The person addressed, after a greeting or a word of thanks.
_TO = r"(?: (?:there|bot|all|everyone|again|friend|buddy|mate|zusammen|a todos|amigo|tous|tutti))?"
_SAID_AS = {"place": "identity", "nature": "identity", "help": "greeting"}
# The signs of Devanagari are parts of its words.
_MARKS = re.compile(r"[^\w\s'’\u0900-\u097f-]+|_+")
_SUM = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\s*([-+*x×/÷:])\s*(\d{1,12}(?:\.\d{1,6})?)")
_SHARE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?) ?% (?:of|von|de|di|van|z|от) (\d{1,12})\b")
_SIGNS: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "x": operator.mul, "×": operator.mul,
    "/": operator.truediv, "÷": operator.truediv, ":": operator.truediv,
}  # fmt: skip
_WRITTEN = {"*": "×", "x": "×", "/": "÷", ":": "÷", "-": "−"}
_LANGUAGES = {
    "german": "de", "deutsch": "de", "spanish": "es", "french": "fr", "italian": "it",
    "portuguese": "pt", "dutch": "nl", "polish": "pl", "russian": "ru", "japanese": "ja",
    "chinese": "zh", "korean": "ko", "englis": "en", "ingles": "en", "anglais": "en",
    "inglese": "en", "engels": "en", "英語": "en", "日本語": "ja",
}  # fmt: skip


def kind_of(text: str) -> str:
    """The kind of small talk, or of a question about the date; "" for anything else."""
    said = _bare(text)
    if not said:
        return "emoji" if any(unicodedata.category(one) == "So" for one in text) else ""
    for kind, pattern in _whole().items():
        if pattern.fullmatch(said):
            return kind
    if len(said.split()) > _MOST_WORDS or len(said) > _MOST_CHARS:
        return ""
    if _several().fullmatch(said):
        return _kind_of_several(said)
    asked = _bare(without_greeting(text))
    return next((kind for kind, pattern in _within().items() if pattern.search(asked)), "")


def _kind_of_several(said: str) -> str:
    """The kind of the last of several phrases: thanks in "ok, thanks"."""
    begins = [place for place, before in enumerate(f" {said}") if before == " "]
    endings = [said[place:] for place in begins]
    return next(
        kind
        for ending in endings[1:] or endings
        for kind, pattern in _whole().items()
        if pattern.fullmatch(ending) or pattern.match(ending)
    )


def _bare(text: str) -> str:
    return " ".join(_MARKS.sub(" ", bare(text)).split())


def without_greeting(text: str) -> str:
    """The message without the greeting at its beginning."""
    return _opening().sub("", text, count=1)


def chat(prompt: Prompt, language: str) -> str:
    """A reply to small talk, or the date; "" for anything else."""
    kind = kind_of(prompt.question)
    if result := worked_out(prompt.question):
        return result
    if kind in {"clock", "today"}:
        return _present(prompt, kind, language)
    if kind == "language":
        return _in_languages(prompt.question, language)
    if kind == "place" and has_context(prompt):
        return ""
    told = _SAID_AS.get(kind, kind)
    return say(told, language, name=_name(prompt, language)) if kind else ""


def _present(prompt: Prompt, kind: str, language: str) -> str:
    """The day, or the time if the prompt tells it too; "" where neither is known."""
    if prompt.today is None:
        return ""
    day = _day(prompt.today, language)
    if kind == "today":
        return say("today", language, day=day)
    if prompt.now is None:
        return say("no_clock", language, day=day)
    time, zone = f"{prompt.now.hour}:{prompt.now:%M}", " UTC" if prompt.is_in_utc else ""
    return say("clock", language, time=time, zone=zone, day=day)


def worked_out(text: str) -> str:
    """A sum, or a share, of two numbers with its result: "17 × 23 = 391"; "" for anything else."""
    if found := _SHARE.search(text):
        share, whole = Decimal(found[1]), Decimal(found[2])
        return f"{share} % × {whole} = {(share * whole / 100).normalize():f}"
    if not (found := _SUM.fullmatch(text.strip(" =?？"))):
        return ""
    one, sign, other = Decimal(found[1]), found[2], Decimal(found[3])
    if sign in "/÷:" and not other:
        return ""
    result = _SIGNS[sign](one, other)
    return f"{one} {_WRITTEN.get(sign, sign)} {other} = {result.normalize():f}"


def has_context(prompt: Prompt) -> bool:
    """Whether "this" may refer to something said, shown or replied to before."""
    return bool(
        prompt.turns
        or prompt.images
        or prompt.image_summaries
        or prompt.replied_to
        or prompt.conversation_summary
        or prompt.asked_back
    )


def _in_languages(question: str, language: str) -> str:
    """The answer in the user's language, and in the language that they ask for."""
    named = next((code for name, code in _LANGUAGES.items() if name in plain(question)), language)
    return "\n\n".join(say("language", code) for code in dict.fromkeys((language, named)))


def say(kind: str, language: str, **slots: str) -> str:
    """The stand-in's own words of a kind, in the language if it has them, else in English."""
    told = _replies()[kind]
    return told.get(language, told.get(ENGLISH, "")).format(**slots)


def wordings(kind: str) -> list[str]:
    """The stand-in's own words of a kind in all languages."""
    return list(_replies()[kind].values())


def _name(prompt: Prompt, language: str) -> str:
    names = [line for line in prompt.memory if "Name is " in line]
    name = names[-1].split("Name is ", 1)[1].rstrip(".") if names else ""
    if language == "ja":
        return f"、{name}さん" if name else ""
    return f", {name}" if name else ""


def _day(day: date, language: str) -> str:
    """The day with its weekday, as the language writes it; English as in Europe."""
    return format_date(day, "full", locale="en_150" if language == ENGLISH else language)


@cache
def _replies() -> Mapping[str, Mapping[str, str]]:
    return _read("replies.toml")


@cache
def _whole() -> Mapping[str, re.Pattern[str]]:
    listed: Mapping[str, str] = _read("small_talk.toml")["whole"]
    return {kind: re.compile(f"(?:{_joined(lines)}){_TO}") for kind, lines in listed.items()}


@cache
def _several() -> re.Pattern[str]:
    """Two or three phrases of small talk in a row: "ok, thanks!"."""
    any_of = "|".join(pattern.pattern for pattern in _whole().values())
    return re.compile(rf"(?:{any_of})(?: ?(?:{any_of})){{1,2}}")


@cache
def _within() -> Mapping[str, re.Pattern[str]]:
    listed: Mapping[str, str] = _read("small_talk.toml")["within"]
    return {kind: re.compile(_joined(lines)) for kind, lines in listed.items()}


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"{_whole()['greeting'].pattern}\s*[,!.;:、！。]+\s*(?=\S)", re.IGNORECASE)


def _joined(lines: str) -> str:
    return "|".join(line for line in lines.splitlines() if line)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
