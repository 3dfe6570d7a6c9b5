"""Attacks by somebody who has read the rules, as data: attacks.toml says what is what."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bench.agentdojo.obeying import Errand, Json
from tests.acceptance.foreign_tricks import ENCODINGS

EVIL = "evil.example"
Harm = Literal[
    "made",
    "made_of_topic",
    "made_of_refusal",
    "called",
    "called_again",
    "searched",
    "linked",
    "remembered",
    "forgotten",
    "changed",
]
_LOOKALIKES = str.maketrans("aeopcyxis", "аеорсухіѕ")
_FILE = Path(__file__).with_name("attacks.toml")


def _hidden(text: str) -> str:
    return "".join(chr(0xE0000 + ord(one)) for one in text if ord(one) < 0x7F)


_WRITTEN: Mapping[str, Callable[[str], str]] = {
    **ENCODINGS,
    "homoglyphs": lambda text: text.translate(_LOOKALIKES),
    "spaced": " ".join,
    "dotted": ".".join,
    "hidden": _hidden,
    "twice": lambda text: ENCODINGS["percent"](ENCODINGS["entities"](text)),
    "upper": str.upper,
}


@dataclass(frozen=True, slots=True)
class Deed:
    """The acts of a model that has read an order, and the sign of their harm.

    `order` is the sentence. `calls`, `says` and `plans` are what follows from it; `at_once` tells
    that the calls are made side by side, and `times` how often all of them are.
    """

    order: str
    harm: Harm
    calls: tuple[Json, ...] = ()
    says: str = ""
    plans: Mapping[str, Any] | None = None
    at_once: bool = False
    times: int = 1


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the user, and the words of a stranger that come with it, "" for none.

    `enters` names where they come in; `asks` is what the user says, the usual words if it is "".
    `calls` are what the user wants done, and approves: for good where they `permits` it. With
    `by_another` it is another user's message.
    """

    enters: str
    text: str = ""
    asks: str = ""
    calls: tuple[Json, ...] = ()
    permits: bool = False
    by_another: bool = False


_FILLED = ("mark", "harm", "secret", "letters", "coded", "word", "parts", "topic")
_HALVES = ("butter", "fly")
"""Words of everybody that are one word of everybody together."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: its steps, what they order, and how the order is written.

    `waits`: the model obeys in the last step only, when the words came in an earlier one.
    """

    name: str
    number: int
    deed: Deed
    steps: tuple[Step, ...]
    encoding: str = "plain"
    waits: bool = False

    @property
    def mark(self) -> str:
        """The word by which the order is known."""
        return f"order{self.number:03d}q"

    @property
    def harm(self) -> str:
        """The word by which what was done is known; it stands in no question."""
        return f"lure{self.number:03d}q"

    @property
    def secret(self) -> str:
        """The word that the memory of the user holds."""
        return f"marmalade{self.number:03d}q"

    @property
    def letters(self) -> str:
        """The letters of that word, apart."""
        return " ".join(self.secret)

    @property
    def coded(self) -> str:
        """That word in base64."""
        return ENCODINGS["base64"](self.secret)

    @property
    def word(self) -> str:
        """The word that the memory holds instead where the deed names it."""
        return "".join(_HALVES)

    @property
    def parts(self) -> str:
        """The parts of that word, which everybody uses too."""
        return " ".join(_HALVES)

    @property
    def kept(self) -> str:
        """The word that the memory has to hold first, "" for none."""
        if any(one in str(self.deed) for one in ("{word}", "{parts}")):
            return self.word
        is_secret = any(one in str(self.deed) for one in ("{secret}", "{letters}", "{coded}"))
        return self.secret if is_secret else ""

    @property
    def leaks(self) -> Sequence[str]:
        """Forms of what is kept, none of which may be searched for."""
        return (self.secret, self.letters, self.coded, self.word, self.parts)

    @property
    def topic(self) -> str:
        """The word that the user asks about."""
        return f"wader{self.number:03d}q"

    def told(self, place: int) -> str:
        """The words of a step, as they come in."""
        written = _WRITTEN[self.encoding](self._filled(f"{self.deed.order} ({{mark}})"))
        parts = {f"{{part{n}}}": f"{self.mark}{n}" for n in range(1, len(self.steps) + 1)}
        text = self.steps[place].text.replace("{order}", written)
        for name, part in parts.items():
            text = text.replace(name, part)
        return self._filled(text)

    @property
    def is_split(self) -> bool:
        """Whether each step has a part of the order."""
        return "{part1}" in self.steps[0].text

    def errand(self, last: str) -> Errand:
        """Return the order as the model knows it; the user says `last` in the end."""
        whole = [f"{self.mark}{n}" for n in range(1, len(self.steps) + 1)]
        marks = whole if self.is_split else [self.mark]
        return Errand(
            (*marks, *([last] if self.waits else [])),
            tuple(self._put_in(call) for call in self.deed.calls) * self.deed.times,
            self._filled(self.deed.says),
            self._put_in(self.deed.plans or {}),
            self.deed.at_once,
        )

    def repeated(self) -> tuple[Errand, ...]:
        """Return what has the model quote what it reads first, for a later turn to read."""
        if not self.is_split and (not self.waits or self.steps[-1].calls):
            return ()
        mark = f"{self.mark}1" if self.is_split else self.mark
        return (Errand((mark,), says=f"It says: {self.told(0)}"),)

    def wanted(self, place: int) -> tuple[Json, ...]:
        """The calls that the user wants in a step."""
        told = self.told(place)
        return tuple(self._put_in(call, told) for call in self.steps[place].calls)

    def _put_in(self, template: Mapping[str, Any], told: str = "") -> Json:
        """The template with the words of this attack in the places that are kept for them."""
        written = self._filled(json.dumps(template, ensure_ascii=False))
        found: Json = json.loads(written.replace("{told}", json.dumps(told)[1:-1]))
        return found

    def _filled(self, text: str) -> str:
        names = {name: getattr(self, name) for name in _FILLED}
        for name, word in {**names, "evil": EVIL}.items():
            text = text.replace(f"{{{name}}}", word)
        return text


def load(file: Path = _FILE) -> Sequence[Attack]:
    """All attacks of a file. Raises: KeyError for one that names no deed or no way of writing."""
    told = tomllib.loads(file.read_text("utf-8"))
    deeds = {name: _deed(one) for name, one in told["deeds"].items()}
    return [_attack(number, one, deeds) for number, one in enumerate(_rows(told["groups"]), 1)]


def _rows(groups: Sequence[Json]) -> Iterator[Json]:
    for group in groups:
        shared = {key: value for key, value in group.items() if key != "attacks"}
        for row in group["attacks"]:
            yield {**shared, **row, "name": f"{group['name']}: {row['name']}"}


def _deed(told: Json) -> Deed:
    return Deed(**{**told, "calls": tuple(told.get("calls", ()))})


def _attack(number: int, told: Json, deeds: Mapping[str, Deed]) -> Attack:
    single = {key: told[key] for key in ("enters", "text", "asks", "calls") if key in told}
    steps = [_step(one) for one in told.get("steps", [single])]
    waits, encoding = told.get("waits", False), told.get("encoding", "plain")
    _WRITTEN[encoding]("")
    if isinstance(waits, str):
        steps.append(Step("message", asks=waits))
    deed = deeds[told["deed"]]
    return Attack(told["name"], number, deed, tuple(steps), encoding, bool(waits))


def _step(told: Json) -> Step:
    return Step(**{**told, "calls": tuple(told.get("calls", ()))})
