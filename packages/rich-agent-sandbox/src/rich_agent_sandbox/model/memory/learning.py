"""Finds what a message says about its user: facts, preferences, tasks, and what they replace."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from importlib.resources import files
from typing import Any, Literal

from rich_agent_sandbox.model.language.days import due_day
from rich_agent_sandbox.model.language.text import content_terms, normalise

Kind = Literal["facts", "preferences", "tasks"]
KINDS: tuple[Kind, ...] = ("facts", "preferences", "tasks")

_LEAD_IN = re.compile(
    r"(?:(?:hi|hello|hey|so|well|also|btw|by the way|and|but|actually|please|ok|okay|note|then"
    r"|from now on|bitte|ab jetzt|por favor|a partir de ahora|désormais|s'il te plaît)[,!:]?\s+"
    r"|(?:can|could|would|will) you\s+|please\s+|(?:今後は|これからは|以后|从现在起)[、，]?)+",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"(?:(?:remember|note|keep in mind)(?: that|:)\s|merke? dir(?: bitte)?(?:,? dass|:)\s"
    r"|recuerda(?: por favor)?(?: que|:)\s|(?:retiens|souviens-toi)(?: que|:)\s"
    r"|请?(?:记住|记得)[：:，,]?)\s*(.+)",
    re.IGNORECASE,
)
_CLAUSE_EDGE = re.compile(
    r"(?<=[.!?])\s+|[。！？\n;]+|,?\s+(?:and|but|so)\s+(?=(?:i|i'm|my|please|remind|call|remember)\b)"
    r"|,\s+(?=(?:i|i'm|my|please|remind|call)\b)"
    r"|\s+(?:und|y|et)\s+(?=(?:ich|mein\w{0,2}|vivo|soy|tengo|mi|je|j'ai|mon|ma)\b)",
    re.IGNORECASE,
)
_ASKS_IN_CJK = re.compile(
    r"(?:です|ます|でした|ました)か$|何|誰|どこ|どれ|どう(?!も)|いつ(?!も)|なぜ|いくつ"
    r"|[吗呢]$|什么|哪|谁|怎么|多少"
)
_HANDED_OVER = re.compile(
    r"“[^”]{20,}”|\"[^\"\n]{20,}\"|「[^」]{15,}」|«[^»]{20,}»|„[^“]{20,}“"
    r"|\b(?:translate|summari[sz]e|proofread|rewrite|übersetze|traduce|traduis)\b[^:\n]{0,60}:.*"
    r"|(?:翻訳|翻译|要約)[^：:\n]{0,20}[：:].*",
    re.IGNORECASE | re.DOTALL,
)
_WHEN = re.compile(
    r"\s+(?:now|today|recently|currently|yesterday|again|at the moment|these days|"
    r"(?:last|this) \w+|in \d{4}|since \S+|from \S.*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Remembered:
    """One thing to remember; on some topics, only the newest is true.

    `about` is the person it is about, "" for the user; `holds` is now, past or planned. `due` is
    the ISO date of a task, `language` the code of a wanted language, each "" if none is named.
    """

    kind: Kind
    topic: str
    text: str
    about: str = ""
    holds: str = "now"
    language: str = ""
    due: str = ""

    def replaces(self, line: str) -> bool:
        """Whether it contradicts a line of the memory."""
        plain, beginning = _plain(line), _SINGULAR.get(self.topic)
        if beginning is None or self.about or self.holds != "now":
            return False
        # A line about another person or time says so in brackets.
        is_of_topic = beginning.match(plain) and not plain.endswith(")")
        return bool(is_of_topic) and normalise(plain) != normalise(self.text)


@dataclass(frozen=True, slots=True)
class MemoryUpdate:
    """New memories, and the lines of the memory that are no longer true (verbatim)."""

    remembered: tuple[Remembered, ...] = ()
    retracted: tuple[str, ...] = ()

    def of(self, kind: Kind) -> list[Remembered]:
        """The new memories of one kind."""
        return [item for item in self.remembered if item.kind == kind]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A phrase that tells something, with templates for what to remember."""

    pattern: re.Pattern[str]
    told: Mapping[str, str]

    def read(self, clause: str) -> Remembered | None:
        match = self.pattern.match(clause)
        if not match:
            return None
        topic, text = self.told.get("topic", "other"), match.expand(self.told["text"])
        language = _CODES.get(match[1].lower(), "") if topic == "language" else ""
        if language:
            text = f"Answer in {_NAMES[language]}"
        return Remembered(
            _KINDS[self.told["kind"]],
            topic,
            _sentence(_WHEN.sub("", text) if topic == "residence" else text),
            match.expand(self.told.get("about", "")),
            self.told.get("holds", "now"),
            language,
        )


_KINDS: Mapping[str, Kind] = {kind: kind for kind in KINDS}
_TABLES: Mapping[str, Any] = tomllib.loads(
    files(__package__).joinpath("memory.toml").read_text(encoding="utf-8")
)
_CODES = {name: code for code, names in _TABLES["languages"].items() for name in names.split()}
_NAMES = {code: names.split()[0].title() for code, names in _TABLES["languages"].items()}
_SHORTHANDS = {"PLACE": r"([^,.;!?，]+(?:, [A-Z][\w-]+)?)", "THING": "([^,.;!?]+)"}
_RULES = tuple(
    _Rule(
        re.compile(
            reduce(lambda said, name: said.replace(name, _SHORTHANDS[name]), _SHORTHANDS, line),
            re.IGNORECASE,
        ),
        told,
    )
    for told in _TABLES["told"]
    for line in told["said"].split("\n")
    if line
)
# The beginnings of lines on topics where only the newest is true.
_SINGULAR = {
    "name": re.compile("Name is "),
    "residence": re.compile("Lives in "),
    "nickname": re.compile("Wants to be called "),
    "language": re.compile("Answer in "),
    "length": re.compile(r"Prefers \w+ answers"),
}
_DONE = re.compile(
    r"i(?:'ve| have)? (?:just |already |now )?(?:bought|did|done|sent|paid|made|\w+ed)\b (.+)"
    r"|(.+?)[はを](?:もう)?(?:\S*(?:ました|終わった|済んだ|済ませた|った))",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\[(?P<kind>\w+)(?:/(?P<topic>[^\]]*))?\]\s*")


def update_memory(message: str, memory: Sequence[str], today: date | None = None) -> MemoryUpdate:
    """Update `memory` (its lines) by `message`: what it adds, and which lines are no longer true.

    Known things are not added again. A task that the message reports as done is removed. Days such
    as "tomorrow" are counted from `today`.
    """
    known = {normalise(_plain(line)) for line in memory}
    read = [item for clause in _clauses(message) if (item := _read_clause(clause))]
    newest = {(item.topic, item.about, item.holds): item for item in read}
    found = [
        item
        for item in read
        if item.topic not in _SINGULAR or item is newest[item.topic, item.about, item.holds]
    ]
    retracted = [line for line in memory if any(item.replaces(line) for item in found)]
    retracted += [line for line in memory if _is_done(line, message)]
    new = {
        normalise(item.text): replace(item, due=due_day(item.text, today))
        if item.kind == "tasks"
        else item
        for item in found
        if normalise(item.text) not in known
    }
    return MemoryUpdate(tuple(new.values()), tuple(retracted))


def read_line(line: str) -> tuple[Kind, str, str]:
    """Kind, topic and text of a line of the memory; a line without a label is a fact."""
    label = _LABEL.match(line)
    kinds = {kind.rstrip("s"): kind for kind in KINDS}
    kind = kinds.get(label["kind"].rstrip("s"), KINDS[0]) if label else KINDS[0]
    return kind, (label["topic"] or "") if label else "", _plain(line)


def teaches(message: str) -> bool:
    """Whether a message says something to remember, or that something was done."""
    told = (_LEAD_IN.sub("", clause, count=1).rstrip(" .!。") for clause in _clauses(message))
    return bool(update_memory(message, ()).remembered) or any(map(_DONE.match, told))


def tells_about_user(message: str) -> bool:
    """Whether a message without a question says something worth remembering."""
    return (
        "?" not in message and "？" not in message and bool(update_memory(message, ()).remembered)
    )


def _clauses(message: str) -> list[str]:
    """The clauses that state something, without questions, quotes and pasted text."""
    text = _HANDED_OVER.sub(" ", message.replace("’", "'"))
    clauses = [clause.strip() for clause in _CLAUSE_EDGE.split(text) if clause and clause.strip()]
    return [told for clause in clauses if (told := _told_in(clause))]


def _told_in(clause: str) -> str:
    """A clause without the question at its end: "I live in Oslo, what is there to see?"."""
    if not _asks(clause):
        return clause
    before = re.split(r"[,，、]", clause)[:-1]
    return "" if any(map(_asks, before)) else ",".join(before)


def _asks(clause: str) -> bool:
    if _ASKS_IN_CJK.search(clause):
        return True
    return clause.endswith("?") and "remind me " not in clause.lower()


def _read_clause(clause: str) -> Remembered | None:
    stated = _LEAD_IN.sub("", clause, count=1) if _LEAD_IN.match(clause) else clause
    stated = stated.rstrip(" .!?")
    told = _REMEMBER.fullmatch(stated)
    stated = told[1] if told else stated
    found = next((item for rule in _RULES if (item := rule.read(stated))), None)
    return found or (Remembered("facts", "other", _sentence(stated)) if told else None)


def _is_done(line: str, message: str) -> bool:
    """Whether the message says that the task in the line was done."""
    kind, _, text = read_line(line)
    if kind != "tasks":
        return False
    planned = set(content_terms(text))
    for clause in _clauses(message):
        told = _DONE.match(_LEAD_IN.sub("", clause, count=1).rstrip(" .!。"))
        done = set(content_terms(_WHEN.sub("", told[1] or told[2]))) if told else set()
        if done and done <= planned:
            return True
    return False


def _plain(line: str) -> str:
    """A memory line without a label in front of it ("[fact] …", "facts: …")."""
    return re.sub(r"^(?:\[[^\]]*\]|\(\w+\)|(?:fact|preference|task)s?:)\s*", "", line.strip())


def _sentence(text: str) -> str:
    text = text.strip(" .!")
    return text[:1].upper() + text[1:]
