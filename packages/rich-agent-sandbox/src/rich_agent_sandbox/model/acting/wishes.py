"""Wishes in a message: its clauses, the concepts that it names, and its title."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from rich_agent_sandbox.model.language.meaning import bare
from rich_agent_sandbox.model.language.phrases import asks
from rich_agent_sandbox.model.language.text import STOP_WORDS, content_terms, is_japanese

_EDGE = re.compile(
    r"(?<=[.!?;])\s+|,?\s+(?:and|und|y|e)\s+(?:then\s+|also\s+|dann\s+|luego\s+)?(?=\S)"
    r"|[。;\n]+|(?<=て)、(?:それから|そして|あと)?|(?<=て)(?:から)?、"
)
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』|«([^»]+)»|„([^“]+)“")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")
_MOST_READ = 800  # characters of a message: a wish is said in fewer
_LATIN_END = 0x250
_SPACE = re.compile(r"\s+")
_ENDS = " \t\n.,;:!?。、！？：-–—¿¡"
# Words of messages and descriptions that name no thing.
_UNTELLING = frozenset({"user", "item", "thing", "id", "new", "want", "list", "use", "give"})

Table = Literal["acts", "things", "values"]


@dataclass(frozen=True, slots=True)
class Said:
    """The concepts of a text: acts (`main` alone is its verb), things, stems of its other words."""

    main: frozenset[str]
    acts: frozenset[str]
    things: frozenset[str]
    stems: frozenset[str]

    @property
    def nouns(self) -> frozenset[str]:
        """The subject of the message."""
        return self.things | self.stems


def said_in(text: str) -> Said:
    """The concepts of a message, or of a clause; a question asks to be shown something."""
    acts = concepts("acts", text)
    if asks(text) and not acts:
        acts = {"get"}
    things = frozenset(concepts("things", text))
    return Said(_main(acts, text), frozenset(acts), things, _stems(text))


def _main(acts: set[str], text: str) -> frozenset[str]:
    """The acts that are named first, or last where the verb stands at the end."""
    said, patterns = bare(text), _patterns()["acts"]
    places = {act: [found.start() for found in patterns[act].finditer(said)] for act in acts}
    if is_japanese(text):
        last = max((at[-1] for at in places.values() if at), default=0)
        return frozenset(act for act, at in places.items() if not at or at[-1] == last)
    first = min((at[0] for at in places.values() if at), default=0)
    return frozenset(act for act, at in places.items() if not at or at[0] == first)


def named_in(name: str) -> Said:
    """The concepts of a tool's name: `create_task`, `listReminders`, `weather.get-forecast`."""
    spaced = " ".join(filter(None, _CAMEL.split(name)))
    acts, things = concepts("acts", spaced), concepts("things", spaced)
    stems = {one for one in _stems(spaced) if not concepts("acts", one)}
    known = {one for one in stems if concepts("things", one)}
    return Said(frozenset(acts), frozenset(acts), frozenset(things), frozenset(stems - known))


def told_of(description: str) -> Said:
    """The concepts of a tool's description, as if it were an order: "Creates a task." too."""
    first, _, rest = description.split("\n", maxsplit=1)[0].partition(" ")
    forms = [first, first[:-1], first[:-2]] if first.endswith("s") else [first]
    return said_in(" ".join([*forms, rest]))


def concepts(table: Table, text: str) -> set[str]:
    """The concepts of a table that a text names, in any language."""
    said = bare(text)
    return {name for name, pattern in _patterns()[table].items() if pattern.search(said)}


def clauses(text: str) -> list[str]:
    """The clauses of a message, each of which may be a wish of its own."""
    return [clause.strip() for clause in _EDGE.split(text[:_MOST_READ]) if clause.strip(_ENDS)]


def is_reading(name: str) -> bool:
    """Whether a tool only looks something up, by its name."""
    named = named_in(name)
    return bool(named.acts & {"get", "search"}) or not named.acts


def asks_for_action(text: str) -> bool:
    """Whether something is to be done or looked up among what the user keeps here."""
    return any(_is_action(said_in(part), part) for part in (text[:_MOST_READ], *clauses(text)))


def _is_action(said: Said, clause: str) -> bool:
    if said.acts & {"remind", "snooze"}:
        return True
    if "complete" in said.acts and not _TOLD.search(bare(clause)):
        return True
    own = said.things & {"task", "reminder", "event", "project", "goal", "note"}
    return bool(own and said.acts and (said.acts != {"get"} or _OWN.search(bare(clause))))


_OWN = re.compile(
    r"\b(?:my|i|mein\w*|ich|mis?|tengo)\b|\b(?:show|list|zeig\w*|muestra\w*)\b"
    r"|私|僕|一覧|見せて|教えて|表示|ありますか|(?:予定|タスク|リマインダー)は"
)
_TOLD = re.compile(r"\b(?:i|i've|ich|yo|he)\b|ました$")


def thing_in(text: str) -> str:
    """The first thing that a text names, as it is written there."""
    said = _folded(text)
    found = [match for pattern in _patterns()["things"].values() if (match := pattern.search(said))]
    first = min(found, key=lambda match: match.start(), default=None)
    return text[first.start() : first.end()].capitalize() if first else ""


def title_in(text: str) -> str:
    """Return the subject of a wish: the quoted part, or the text without the words around it."""
    if quoted := _QUOTED.search(text):
        return str(next(filter(None, quoted.groups()))).strip()
    left = _SPACE.sub(" ", text[:_MOST_READ]).strip(_ENDS)
    for before, behind in _around():
        if found := before.match(_folded(left)):
            left = left[found.end() :].strip(_ENDS)
        while cut := behind.search(_folded(left)):
            left = left[: cut.start()].strip(_ENDS)
    return left[:1].upper() + left[1:]


def _folded(text: str) -> str:
    """Lower case without accents, letter for letter."""
    return "".join(
        unicodedata.normalize("NFD", one)[0].lower() if ord(one) < _LATIN_END else one
        for one in text
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(t for t in content_terms(text) if t not in STOP_WORDS | _UNTELLING)


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("acts.toml").read_text(encoding="utf-8"))


@cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    return {
        table: {
            name: re.compile("|".join(told.values())) for name, told in _tables()[table].items()
        }
        for table in ("acts", "things", "values")
    }


@cache
def _around() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (_pattern(told["before"], language), _pattern(told["behind"], language))
        for language, told in _tables()["around"].items()
    )


def _pattern(written: str, language: str) -> re.Pattern[str]:
    spelt = written.strip()
    for word, table in (("THING", "things"), ("ACT", "acts")):
        of_language = [told[language] for told in _tables()[table].values() if language in told]
        spelt = spelt.replace(word, "|".join(of_language))
    return re.compile(spelt, re.IGNORECASE)
