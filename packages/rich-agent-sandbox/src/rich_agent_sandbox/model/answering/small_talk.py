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
    """The kind of small talk, or of a question about the date; "" for other texts."""
    plain_text = _bare(text)
    if not plain_text:
        return "emoji" if any(unicodedata.category(character) == "So" for character in text) else ""
    for kind, pattern in _whole().items():
        if pattern.fullmatch(plain_text):
            return kind
    if len(plain_text.split()) > _MOST_WORDS or len(plain_text) > _MOST_CHARS:
        return ""
    if _several().fullmatch(plain_text):
        return _kind_of_several(plain_text)
    question_text = _bare(without_greeting(text))
    return next((kind for kind, pattern in _within().items() if pattern.search(question_text)), "")


def _kind_of_several(plain_text: str) -> str:
    """The kind of the last of several phrases: thanks for "ok, thanks"."""
    word_starts = [
        position for position, character in enumerate(f" {plain_text}") if character == " "
    ]
    endings = [plain_text[position:] for position in word_starts]
    return next(
        kind
        for ending in endings[1:] or endings
        for kind, pattern in _whole().items()
        if pattern.fullmatch(ending) or pattern.match(ending)
    )


def _bare(text: str) -> str:
    return " ".join(_MARKS.sub(" ", bare(text)).split())


def without_greeting(text: str) -> str:
    """The message without a greeting at its beginning."""
    return _opening().sub("", text, count=1)


def chat(prompt: Prompt, language: str) -> str:
    """A reply to small talk, or the date; "" for other questions."""
    kind = kind_of(prompt.question)
    if result := worked_out(prompt.question):
        return result
    if kind in {"clock", "today"}:
        return _present(prompt, kind, language)
    if kind == "language":
        return _in_languages(prompt.question, language)
    if kind == "place" and has_context(prompt):
        return ""
    reply_kind = _SAID_AS.get(kind, kind)
    return say(reply_kind, language, name=_name(prompt, language)) if kind else ""


def _present(prompt: Prompt, kind: str, language: str) -> str:
    """The day, or the time if the prompt names it as well; "" if the day is unknown."""
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
    """A sum or a share of two numbers with its result: "17 × 23 = 391"; "" for other texts."""
    if match := _SHARE.search(text):
        share, whole = Decimal(match[1]), Decimal(match[2])
        return f"{share} % × {whole} = {(share * whole / 100).normalize():f}"
    if not (match := _SUM.fullmatch(text.strip(" =?？"))):
        return ""
    left, sign, right = Decimal(match[1]), match[2], Decimal(match[3])
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


def _in_languages(question: str, language: str) -> str:
    """The answer in the user's language, and in the language that the question names."""
    asked_language = next(
        (code for name, code in _LANGUAGES.items() if name in plain(question)), language
    )
    return "\n\n".join(say("language", code) for code in dict.fromkeys((language, asked_language)))


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
    return _read("replies.toml")


@cache
def _whole() -> Mapping[str, re.Pattern[str]]:
    phrases: Mapping[str, str] = _read("small_talk.toml")["whole"]
    return {kind: re.compile(f"(?:{_joined(lines)}){_TO}") for kind, lines in phrases.items()}


@cache
def _several() -> re.Pattern[str]:
    """Two or three phrases of small talk in succession: "ok, thanks!"."""
    any_of = "|".join(pattern.pattern for pattern in _whole().values())
    return re.compile(rf"(?:{any_of})(?: ?(?:{any_of})){{1,2}}")


@cache
def _within() -> Mapping[str, re.Pattern[str]]:
    phrases: Mapping[str, str] = _read("small_talk.toml")["within"]
    return {kind: re.compile(_joined(lines)) for kind, lines in phrases.items()}


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"{_whole()['greeting'].pattern}\s*[,!.;:、！。]+\s*(?=\S)", re.IGNORECASE)


def _joined(lines: str) -> str:
    return "|".join(line for line in lines.splitlines() if line)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
