"""Finds what a message tells about its user: facts, preferences, tasks, and what they replace."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from rich_agent_sandbox.model.days import due_day
from rich_agent_sandbox.model.text import content_terms, normalise

Kind = Literal["facts", "preferences", "tasks"]
KINDS: tuple[Kind, ...] = ("facts", "preferences", "tasks")

_LEAD_IN = re.compile(
    r"(?:(?:hi|hello|hey|so|well|also|btw|by the way|and|but|actually|please|ok|okay|note|then)"
    r"[,!:]?\s+|(?:can|could|would|will) you\s+|please\s+)+",
    re.IGNORECASE,
)
_REMEMBER = re.compile(r"(?:remember|note|keep in mind)(?: that|:)\s+(.+)", re.IGNORECASE)
_CLAUSE_EDGE = re.compile(
    r"(?<=[.!?])\s+|[。！？\n;]+|,?\s+(?:and|but|so)\s+(?=(?:i|i'm|my|please|remind|call|remember)\b)"
    r"|,\s+(?=(?:i|i'm|my|please|remind|call)\b)",
    re.IGNORECASE,
)
_ASKS_IN_JAPANESE = re.compile(
    r"(?:です|ます|でした|ました)か$|何|誰|どこ|どれ|どう(?!も)|いつ(?!も)|なぜ|いくつ"
)
_WHEN = re.compile(
    r"\s+(?:now|today|recently|currently|yesterday|again|at the moment|these days|"
    r"(?:last|this) \w+|in \d{4}|since \S+|from \S.*)$",
    re.IGNORECASE,
)
_SMALL_QUANTITIES = ("bit", "little", "lot", "few", "couple")


@dataclass(frozen=True, slots=True)
class Remembered:
    """One thing to keep; `topic` groups things of which only the newest holds.

    `due` is the ISO date of a task, "" where the message names none.
    """

    kind: Kind
    topic: str
    text: str
    due: str = ""

    @property
    def replaces(self) -> bool:
        """Whether it takes the place of what was known on its topic."""
        return self.topic in _ONLY_NEWEST


@dataclass(frozen=True, slots=True)
class MemoryUpdate:
    """What is new, and the lines of the memory that no longer hold (verbatim)."""

    remembered: tuple[Remembered, ...] = ()
    retracted: tuple[str, ...] = ()

    def of(self, kind: Kind) -> list[Remembered]:
        """What is new of one kind."""
        return [item for item in self.remembered if item.kind == kind]


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    kind: Kind
    topic: str
    word: Callable[[re.Match[str]], str]


def _rule(pattern: str, kind: Kind, topic: str, template: str) -> _Rule:
    return _Rule(
        re.compile(pattern, re.IGNORECASE), kind, topic, lambda match: match.expand(template)
    )


_PLACE = r"([^,.;!?]+(?:, [A-Z][\w-]+)?)"
_RULES = (
    _rule(r"my name is ([^,.;!?]+)", "facts", "name", r"Name is \1"),
    _rule(r"my (cat|dog) is called ([^,.;!?]+)", "facts", "pet", r"Has a \1 called \2"),
    _rule(rf"i (?:now |currently )?live in {_PLACE}", "facts", "home", r"Lives in \1"),
    _rule(
        rf"i(?:'ve| have)? (?:just |recently )?moved to {_PLACE}", "facts", "home", r"Lives in \1"
    ),
    _rule(r"i(?:'m| am) from ([^,.;!?]+)", "facts", "origin", r"Comes from \1"),
    _rule(r"i(?:'m| am) allergic to ([^,.;!?]+)", "facts", "allergy", r"Is allergic to \1"),
    _rule(r"i work (as|at|for|in) ([^,.;!?]+)", "facts", "work", r"Works \1 \2"),
    _rule(
        rf"i(?:'m| am) (an? (?!(?:{'|'.join(_SMALL_QUANTITIES)})\b)[\w-]+(?: [\w-]+){{0,3}})$",
        "facts",
        "being",
        r"Is \1",
    ),
    _rule(
        r"(?:answer|reply|respond)(?: to me)?(?: always)? in (\w+)\b.*",
        "preferences",
        "language",
        r"Answer in \1",
    ),
    _rule(
        r"(?:answer|reply|keep|be)\b.*?\b(short|brief|concise|detailed)\b.*",
        "preferences",
        "length",
        r"Prefers \1 answers",
    ),
    _rule(r"call me ([^,.;!?]+)", "preferences", "address", r"Wants to be called \1"),
    _rule(r"i (?:really |also )?prefer (.+)", "preferences", "taste", r"Prefers \1"),
    _rule(
        r"i (?:really |also )?(like|love|hate)"
        r"(?! to know| to ask| (?:you|u|it|this|that|him|her|them)\b) (.+)",
        "preferences",
        "taste",
        r"\1s \2",
    ),
    _rule(r"remind me to (.+)", "tasks", "task", r"\1"),
    _rule(
        r"remind me ((?:on |at |in |this |next |tomorrow\b)[^,]*?),? to (.+)",
        "tasks",
        "task",
        r"\2 \1",
    ),
    _rule(r"remind me (?:about|of) (.+)", "tasks", "task", r"\1"),
    _rule(r"(.+?)(?:を|のを|ように?)?(?:リマインドして|思い出させて).*", "tasks", "task", r"\1"),
    _rule(r"(日本語|英語)で(?:答え|回答|返事|話).*", "preferences", "language", r"\1で答える"),
    _rule(r".*短く(?:答え|回答|返事|して).*", "preferences", "length", "短く答える"),
    _rule(r"i (?:need|have) to (?!know|ask|understand)(.+)", "tasks", "task", r"\1"),
    _rule(
        r"(?:私|わたし|僕|俺)の名前は\s*(.+?)\s*(?:です|だ|といいます)",
        "facts",
        "name",
        r"Name is \1",
    ),
    _rule(
        r"(?:私は|僕は|今は|今)?\s*(.+?)に(?:住んでいます|住んでる|住んでいる)",
        "facts",
        "home",
        r"Lives in \1",
    ),
    _rule(r"(?:私は|僕は)?\s*(.+?)に引っ越し(?:ました|た)", "facts", "home", r"Lives in \1"),
    _rule(r"(?:私は|僕は)?\s*(.+?)が好きです", "preferences", "taste", r"Likes \1"),
)
_REPLACING = {"name": "Name is ", "home": "Lives in ", "address": "Wants to be called "}
_ONLY_NEWEST = frozenset({*_REPLACING, "language", "length"})
_DONE = re.compile(
    r"i(?:'ve| have)? (?:just |already |now )?(?:bought|did|done|sent|paid|made|\w+ed)\b (.+)"
    r"|(.+?)[はを](?:もう)?(?:\S*(?:ました|終わった|済んだ|済ませた|った))",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\[(?P<kind>\w+)(?:/(?P<topic>[^\]]*))?\]\s*")


def update_memory(message: str, memory: Sequence[str], today: date | None = None) -> MemoryUpdate:
    """What `message` adds to `memory` (its lines), and which of these lines no longer hold.

    A thing that stands in the memory already is not added again; a task that the message tells to
    be done is retracted. Days such as "tomorrow" are dated by `today`.
    """
    known = {normalise(_plain(line)) for line in memory}
    read = [item for clause in _clauses(message) if (item := _read_clause(clause))]
    newest = {item.topic: item for item in read}
    found = [item for item in read if item.topic not in _REPLACING or item is newest[item.topic]]
    retracted = [line for line in memory if any(_replaces(item, line) for item in found)]
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
    """Whether a message tells something to be kept, or that something was done."""
    told = (_LEAD_IN.sub("", clause, count=1).rstrip(" .!。") for clause in _clauses(message))
    return bool(update_memory(message, ()).remembered) or any(map(_DONE.match, told))


def tells_about_user(message: str) -> bool:
    """Whether a message that asks nothing says something worth keeping."""
    return (
        "?" not in message and "？" not in message and bool(update_memory(message, ()).remembered)
    )


def _clauses(message: str) -> list[str]:
    text = message.replace("’", "'")
    clauses = [clause.strip() for clause in _CLAUSE_EDGE.split(text) if clause and clause.strip()]
    return [clause for clause in clauses if not _asks(clause)]


def _asks(clause: str) -> bool:
    if _ASKS_IN_JAPANESE.search(clause):
        return True
    return clause.endswith("?") and "remind me " not in clause.lower()


def _read_clause(clause: str) -> Remembered | None:
    stated = _LEAD_IN.sub("", clause, count=1) if _LEAD_IN.match(clause) else clause
    stated = stated.rstrip(" .!?")
    told = _REMEMBER.fullmatch(stated)
    stated = told[1] if told else stated
    for rule in _RULES:
        if match := rule.pattern.match(stated):
            word = rule.word(match)
            text = _WHEN.sub("", word) if rule.topic == "home" else word
            return Remembered(rule.kind, rule.topic, _sentence(text))
    return Remembered("facts", "told", _sentence(stated)) if told else None


def _replaces(item: Remembered, line: str) -> bool:
    start = _REPLACING.get(item.topic)
    plain = _plain(line)
    return (
        bool(start) and plain.startswith(start or "") and normalise(plain) != normalise(item.text)
    )


def _is_done(line: str, message: str) -> bool:
    """Whether the message tells that what the line holds as a task was done."""
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
