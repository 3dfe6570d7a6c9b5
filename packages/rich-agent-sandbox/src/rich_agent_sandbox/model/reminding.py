"""Wishes to be reminded, in fourteen languages: of what, and when by the clocks of the prompt.

A real model reads times in any words; this reads those that people use most.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Self

from rich_agent_sandbox.model.prompt import Act, Prompt
from rich_agent_sandbox.model.request import FunctionSpec

REMIND_TOOL, ASK_TOOL = "remind", "request_more_information"
_MOST_READ = 500  # characters
_ENDS = " \n\t.!?,;:。！？、，؟،।\"'“”„«»「」"
_RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_HALF_DAY = 12
_MOST_TRIES = 2
_SOME_DAY = datetime(2000, 1, 1)  # noqa: DTZ001 - local
_PLACE = re.compile(
    r"^(?:i.m|i am|we.re|i live|ich bin|ich wohne|estoy|vivo|je suis|j.habite|sono|estou|moro) "
    r"(?:in|at|en|a|à|em|au) |^(?:in|en|à) |^我?在|^أنا في |^في |^मैं ",
    re.IGNORECASE,
)
_VOWELS = re.compile("[\u064b-\u0652]")
_PLACE_END = re.compile(r"(?:です|にいます|にいる|में (?:हूँ|हूं|रहता हूँ|रहती हूँ))$")


@dataclass(frozen=True, slots=True)
class Tongue:
    """The forms of a wish in one language: patterns over folded text, numbers by their words."""

    wish: re.Pattern[str]
    span: re.Pattern[str]
    every: re.Pattern[str]
    day: re.Pattern[str]
    clock: re.Pattern[str]
    lead: re.Pattern[str]
    told: Mapping[str, Any]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """The language that a table of the file describes."""

        def built(name: str) -> re.Pattern[str]:
            return re.compile("|".join(_expanded(form, told) for form in told[name]))

        names = ("wish", "span", "every", "day", "clock")
        return cls(
            **{name: built(name) for name in names}, lead=re.compile(told["lead"]), told=told
        )

    def number(self, word: str | None) -> int:
        """A number in digits or as a word; 1 for none."""
        if not word:
            return 1
        return int(word) if word.isdecimal() else _place(word, self.told["numbers"]) + 1


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish to be reminded of `text`; `when` as the tool takes it, "" where no time is told."""

    text: str
    when: str
    words: Mapping[str, str]


def read_wish(said: str, now: datetime | None) -> Wish | None:
    """The wish in a message, None if it is none."""
    text = _VOWELS.sub("", unicodedata.normalize("NFKC", said[:_MOST_READ])).strip(_ENDS)
    folded = _folded(text)
    for tongue in _tongues():
        if found := _first(tongue.wish, folded):
            wish = _read(tongue, text, folded, found, now)
            is_at_edge = found.start() == 0 or found.end() == len(text)
            return wish if wish.when or is_at_edge else None
    return None


def is_wish(said: str) -> bool:
    """Whether a message is a wish to be reminded."""
    return read_wish(said, _SOME_DAY) is not None


def planned_reminders(said: str) -> list[dict[str, Any]]:
    """The reminder that a message asks for, as a planner of calls says it."""
    wish = read_wish(said, _SOME_DAY)
    if wish is None:
        return []
    written = ["text", "when"]
    repeats = "RRULE" in wish.when
    return [{"tool": REMIND_TOOL, "given": [], "written": written, "repeats": repeats}]


def call_for(prompt: Prompt, offered: Sequence[FunctionSpec]) -> tuple[str, dict[str, Any]] | None:
    """The tool to call, with its arguments, for a wish to be reminded; None where none is left."""
    names = {spec.name for spec in offered}
    tried = [act for act in prompt.acts if act.name == REMIND_TOOL]
    if (
        REMIND_TOOL not in names
        or len(tried) >= _MOST_TRIES
        or (tried and not _is_to_do(tried[-1]))
    ):
        return None
    now = _now_in(tried[-1]) if tried else prompt.now
    answer = prompt.answer_to_it.strip()
    first = prompt.question.strip().removesuffix(answer) if answer else prompt.question
    wish = read_wish(first, now)
    if wish is None:
        return None
    if wish.when:
        place = {"time_zone": _place_in(answer)} if answer and not tried else {}
        return REMIND_TOOL, {"text": wish.text, "when": wish.when, **place}
    whole = read_wish(f"{prompt.question} {_answered(prompt)}", now)
    if whole and whole.when:
        return REMIND_TOOL, {"text": wish.text, "when": whole.when}
    is_asked = any(act.name == ASK_TOOL for act in prompt.acts)
    return (
        (ASK_TOOL, {"question": wish.words["asks"]}) if ASK_TOOL in names and not is_asked else None
    )


def promised(language: str) -> str:
    """The answer once a reminder is set; in English in other languages."""
    tongues = _table()
    return str(tongues.get(language, tongues["en"])["words"]["set"])


def _read(
    tongue: Tongue, text: str, folded: str, wish: re.Match[str], now: datetime | None
) -> Wish:
    parts, when = [wish], ""
    rest = _blanked(folded, wish)
    if span := _first(tongue.span, rest):
        parts.append(span)
        count, unit = _count(span, tongue), _unit(span, tongue)
        when = f"P{count}D" if unit == "D" else f"PT{count}{unit}"
    elif now is not None:
        found, when = _on_clock(tongue, rest, now)
        parts += found
    kept = "".join(
        " " if any(part.start() <= at < part.end() for part in parts) else letter
        for at, letter in enumerate(text)
    )
    title = " ".join(kept.split()).strip(_ENDS)
    lead = tongue.lead.match(_folded(title))
    title = title[lead.end() if lead else 0 :].strip(_ENDS) or tongue.told["words"]["title"]
    return Wish(title[:1].upper() + title[1:], when, tongue.told["words"])


def _on_clock(tongue: Tongue, rest: str, now: datetime) -> tuple[list[re.Match[str]], str]:
    """The parts of a text that tell a day and a time of day, and what they come to."""
    every = _first(tongue.every, rest)
    rest = _blanked(rest, every) if every else rest
    clock = _first(tongue.clock, rest)
    rest = _blanked(rest, clock) if clock else rest
    day = None if every else _first(tongue.day, rest)
    parts = [one for one in (every, clock, day) if one]
    at = _time_of(clock, tongue) if clock else None
    if at is None:
        return parts, ""
    weekday = _weekday(every or day, tongue)
    away = _days_away(day, tongue)
    if weekday is not None:
        away = (weekday - now.weekday()) % 7
    start = datetime.combine(now.date() + timedelta(days=away or 0), at)
    if start <= now:
        start += timedelta(days=7 if weekday is not None else 1 if away in (None, 0) else 0)
    rule = ""
    if every:
        rule = (
            " RRULE:FREQ=DAILY"
            if weekday is None
            else f" RRULE:FREQ=WEEKLY;BYDAY={_RULE_DAYS[weekday]}"
        )
    return parts, f"{start:%Y-%m-%dT%H:%M}{rule}"


def _time_of(clock: re.Match[str], tongue: Tongue) -> time | None:
    groups = _groups(clock)
    hour, part = tongue.number(groups.get("n")), groups.get("p", "")
    minute = 30 if groups.get("half") else int(groups.get("m") or 0)
    if part and hour < _HALF_DAY and _is_among(part, tongue.told["afternoon"]):
        hour += _HALF_DAY
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _weekday(found: re.Match[str] | None, tongue: Tongue) -> int | None:
    word = _groups(found).get("w") if found else None
    return _place(word, tongue.told["weekdays"].split()) if word else None


def _days_away(found: re.Match[str] | None, tongue: Tongue) -> int | None:
    word = _groups(found).get("d") if found else None
    return _place(word, tongue.told["days"]) if word else None


def _count(span: re.Match[str], tongue: Tongue) -> int:
    return tongue.number(_groups(span).get("n"))


def _unit(span: re.Match[str], tongue: Tongue) -> str:
    word = _groups(span)["u"]
    units: Mapping[str, str] = tongue.told["units"]
    return next(unit for unit, forms in units.items() if _is_among(word, forms))


def _groups(found: re.Match[str]) -> dict[str, str]:
    """The groups that matched, by their names without a number."""
    return {name.rstrip("0123456789"): text for name, text in found.groupdict().items() if text}


def _is_among(word: str, forms: str) -> bool:
    return any(re.fullmatch(form, word) for form in forms.split())


def _place(word: str, listed: Sequence[str]) -> int:
    return next(at for at, forms in enumerate(listed) if _is_among(word, forms))


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next((one for one in pattern.finditer(text) if _is_edge(one, text)), None)


def _is_edge(found: re.Match[str], text: str) -> bool:
    """Whether a match ends where words do; scripts without spaces have no such places."""
    return not (_joins(text, found.start()) or _joins(text, found.end()))


def _joins(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at + 1]
    return len(around) == 2 and all(one.isalnum() and ord(one) < 0x0900 for one in around)


def _blanked(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]}{' ' * (found.end() - found.start())}{text[found.end() :]}"


def _folded(text: str) -> str:
    """The text in lower case without accents, letter by letter, so that places stay."""
    return "".join(_bare(letter) for letter in text)


def _bare(letter: str) -> str:
    if letter in "’`´-":
        return "'" if letter != "-" else "-"
    if not letter.isalpha() or ord(letter) >= 0x0900:
        return letter
    plain = unicodedata.normalize("NFKD", letter.lower())
    return plain[:1] or letter


def _expanded(form: str, told: Mapping[str, Any]) -> str:
    """A form as a pattern; each name is numbered, as a pattern may have it but once."""
    numbers = " ".join(told["numbers"])
    forms = {
        "n": rf"\d{{1,4}}|{_either(numbers)}",
        "m": r"\d{1,2}",
        "u": _either(" ".join(told["units"].values())),
        "d": _either(" ".join(told["days"])),
        "w": _either(told["weekdays"]),
        "p": _either(f"{told['afternoon']} {told['morning']}"),
    }
    place = told["_places"]

    def named(found: re.Match[str]) -> str:
        place.append(found[1])
        return f"(?P<{found[1]}{len(place)}>{forms[found[1]]})"

    numbered = re.sub(r"\{(\w)\}", named, form)

    def renamed(found: re.Match[str]) -> str:
        place.append(found[1])
        return f"(?P<{found[1]}{len(place)}>"

    return re.sub(r"\(\?P<([a-z]+)>", renamed, numbered)


def _either(forms: str) -> str:
    """Any of the forms, the longest first."""
    return "|".join(sorted(forms.split(), key=len, reverse=True))


@cache
def _tongues() -> tuple[Tongue, ...]:
    return tuple(Tongue.of({**told, "_places": []}) for told in _table().values())


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("reminders.toml").read_text(encoding="utf-8"))


def _is_to_do(act: Act) -> bool:
    """Whether a call set nothing yet and tells the present, to be read by."""
    return _now_in(act) is not None and '"error"' in act.result


def _now_in(act: Act) -> datetime | None:
    found = re.search(r'"now": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d)"', act.result)
    return datetime.fromisoformat(found[1]) if found else None


def _answered(prompt: Prompt) -> str:
    return " ".join(act.result for act in prompt.acts if act.name == ASK_TOOL)


def _place_in(answer: str) -> str:
    """The place in a sentence about where somebody is."""
    return _PLACE_END.sub("", _PLACE.sub("", answer.strip(_ENDS))).strip(_ENDS)
