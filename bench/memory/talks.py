"""Makes long conversations with questions about them, the same for a seed.

The form is that of LoCoMo: sessions with dates, several people, facts that change, talk about
nothing, and for each question the turns that hold its answer. The sentences are of this repository.
"""

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

Kind = Literal["single", "multi-hop", "temporal", "open", "update", "unsaid", "strange"]
LANGUAGES = ("english", "german", "japanese")
_BEGAN = datetime(2026, 1, 10, 18, tzinfo=UTC)
_SESSIONS = 24
_TURNS_OF_A_SESSION = 12
_PEOPLE = 5
_FACTS_EACH = 5
_CHATTER = 30
_CHANGES = 5
_CHANGING = frozenset({"job", "residence", "vehicle", "studies", "pet"})
_PRONOUN_SHARE = 0.3
_PLAIN_SHARE = 0.6
"""Of what is told, in words that are near those of the question."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn: what the user said, and what was replied."""

    question: str
    answer: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the turns that answer it; `outdated` is the turn that did so before."""

    kind: Kind
    text: str
    evidence: frozenset[int] = frozenset()
    outdated: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A fact about someone, and what it became."""

    about: str
    topic: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns, oldest first, by number; questions name them by it."""

    language: str
    turns: Sequence[Said]
    questions: Sequence[Asked]
    changes: Sequence[Change] = ()


@dataclass(slots=True)
class _Line:
    """A message that has no place yet."""

    text: str
    session: int
    about: str
    after: "_Line | None" = None


@dataclass(slots=True)
class _Pending:
    """A question whose evidence has no number yet."""

    kind: Kind
    text: str
    evidence: list[_Line]
    outdated: _Line | None = None


@dataclass(slots=True)
class _Maker:
    """Fills one conversation from the sentences of a language."""

    said: dict[str, Any]
    source: random.Random
    lines: list[_Line] = field(default_factory=list)
    pending: list[_Pending] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def fill(self) -> None:
        """Everything that is said and asked about each of some people."""
        people = self.source.sample(self.said["people"], _PEOPLE)
        for role, who, pronoun in people:
            introduction = self._one("introductions").format(role=role, who=who)
            introduced = self._line(introduction, who, 0)
            facts = self.source.sample(self.said["facts"], _FACTS_EACH)
            for fact in facts:
                self._tell(fact, role, (who, pronoun), introduced)
            self._happen(self.source.choice(self.said["events"]), who)
            self._chain(self.source.choice(self.said["chains"]), who)
            unsaid = self._one("unsaid").format(who=who)
            self.pending.append(_Pending("unsaid", unsaid, []))
        self.pending += [_Pending("strange", text, []) for text in self.said["strange"]]
        names = [who for _, who, _ in people]
        for who in self.source.choices(names, k=_CHATTER):
            self._line(self._one("chatter").format(who=who), who)

    def _tell(
        self, fact: dict[str, Any], role: str, person: tuple[str, str], introduced: _Line
    ) -> None:
        who, _ = person
        old, new = self.source.sample(fact["values"], 2)
        middle = _SESSIONS // 2
        told = self._say(fact, person, old, range(1, middle))
        ask = self.source.choice(fact["asks"])
        changing = fact["topic"] in _CHANGING and len(self.changes) < _CHANGES
        if changing:
            newer = self._say(fact, person, new, range(middle, _SESSIONS))
            self.changes.append(Change(who, fact["topic"], old, new))
            self.pending.append(_Pending("update", ask.format(who=who), [newer], told))
        elif self.source.random() < 1 / 3 and "von {who}" not in ask:
            by_role = ask.format(who=role)
            hop = _Pending("multi-hop", by_role[0].upper() + by_role[1:], [introduced, told])
            self.pending.append(hop)
        else:
            self.pending.append(_Pending("single", ask.format(who=who), [told]))

    def _say(
        self, fact: dict[str, Any], person: tuple[str, str], value: str, sessions: range
    ) -> _Line:
        """A sentence that tells it; sometimes the one before has said of whom it is."""
        who, pronoun = person
        text, session = self._sentence(fact), self.source.choice(sessions)
        leading = self.said["leading"]
        before = None
        if text.startswith(leading) and self.source.random() < _PRONOUN_SHARE:
            chatter = self._one("chatter").format(who=who)
            before = self._line(chatter, who, session)
            text = pronoun + text.removeprefix(leading)
        return self._line(text.format(who=who, value=value), who, session, before)

    def _sentence(self, told: dict[str, Any]) -> str:
        is_plain = self.source.random() < _PLAIN_SHARE
        return str(self.source.choice(told["plain" if is_plain else "says"]))

    def _happen(self, event: dict[str, Any], who: str) -> None:
        told = self._line(self._sentence(event).format(who=who), who)
        ask = self.source.choice(event["asks"]).format(who=who)
        self.pending.append(_Pending("temporal", ask, [told]))

    def _chain(self, chain: dict[str, Any], who: str) -> None:
        link, value = self.source.choice(chain["links"]), self.source.choice(chain["values"])
        filled = {"who": who, "link": link, "value": value}
        first = self._line(self.source.choice(chain["says"]).format(**filled), who)
        second = self._line(self.source.choice(chain["then"]).format(**filled), link)
        ask = self.source.choice(chain["asks"]).format(who=who)
        self.pending.append(_Pending("multi-hop", ask, [first, second]))

    def _line(
        self, text: str, about: str, session: int | None = None, after: _Line | None = None
    ) -> _Line:
        session = self.source.randrange(_SESSIONS) if session is None else session
        line = _Line(text, session, about, after)
        self.lines.append(line)
        return line

    def _one(self, name: str) -> str:
        return str(self.source.choice(self.said[name]))

    def placed(self) -> Iterator[tuple[Said, _Line | None]]:
        """The turns in order, with the lines that they are."""
        behind = {id(line.after): line for line in self.lines if line.after}
        free = [line for line in self.lines if not line.after]
        for number in range(_SESSIONS):
            began = _BEGAN + timedelta(days=6 * number, hours=self.source.randrange(4))
            own = [line for line in free if line.session == number]
            self.source.shuffle(own)
            own.sort(key=lambda line: line.about)  # people talk of one thing, then of another
            pairs = ((line, behind.get(id(line))) for line in own)
            lines: list[_Line | None] = [one for pair in pairs for one in pair if one]
            while len(lines) < _TURNS_OF_A_SESSION:
                lines.insert(self.source.randrange(len(lines) + 1), None)
            for minute, line in enumerate(lines):
                at = began + timedelta(minutes=2 * minute)
                yield self._turn(line, at), line

    def _turn(self, line: _Line | None, at: datetime) -> Said:
        if line:
            return Said(line.text, self._one("replies"), at)
        filler = self.source.choice(self.said["fillers"])
        thing = self.source.choice(filler["things"])
        return Said(
            filler["question"].format(thing=thing), filler["answer"].format(thing=thing), at
        )


def make(language: str, seed: int) -> Conversation:
    """Make a conversation in a language; the same for the same seed."""
    text = Path(__file__).with_name(f"{language}.toml").read_text("utf-8")
    maker = _Maker(tomllib.loads(text), random.Random(f"{language} {seed}"))  # noqa: S311
    maker.fill()
    placed = list(maker.placed())
    number = {id(line): place for place, (_, line) in enumerate(placed) if line}
    questions = [
        Asked(
            one.kind,
            one.text,
            frozenset(number[id(line)] for line in one.evidence),
            number[id(one.outdated)] if one.outdated else None,
        )
        for one in maker.pending
    ]
    return Conversation(language, [turn for turn, _ in placed], questions, maker.changes)
