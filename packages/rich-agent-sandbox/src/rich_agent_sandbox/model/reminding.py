"""Requests for a reminder in listed forms: the text, and the time by the prompt's clock.

A wish with words that no form explains is none: a wrong reminder would be worse.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from typing import Any, Self

from rich_agent_sandbox.model.listed import listed
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
    """The forms of a wish in one language: patterns over folded text, and words for numbers."""

    wish: re.Pattern[str]
    span: re.Pattern[str]
    every: re.Pattern[str]
    day: re.Pattern[str]
    clock: re.Pattern[str]
    lead: re.Pattern[str]
    told: Mapping[str, Any]

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Self:
        """The language that a table of the file describes."""

        def built(name: str) -> re.Pattern[str]:
            return re.compile("|".join(_expanded(form, table) for form in table[name]))

        names = ("wish", "span", "every", "day", "clock")
        return cls(
            **{name: built(name) for name in names}, lead=re.compile(table["lead"]), told=table
        )

    def number(self, word: str | None) -> int:
        """A number in digits or as a word; 1 for no word."""
        if not word:
            return 1
        return int(word) if word.isdecimal() else _place(word, self.told["numbers"]) + 1


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish to be reminded of `text`; `when` is in the tool's form, "" if it has no time."""

    text: str
    when: str
    words: Mapping[str, str]


def read_wish(message: str, now: datetime | None) -> Wish | None:
    """The wish in a message, None if it has none."""
    text = _VOWELS.sub("", unicodedata.normalize("NFKC", message[:_MOST_READ])).strip(_ENDS)
    folded_text = _folded(text)
    for tongue in _tongues():
        if match := _first(tongue.wish, folded_text):
            wish = _read(tongue, text, folded_text, match, now)
            is_at_edge = match.start() == 0 or match.end() == len(text)
            return wish if wish and (wish.when or is_at_edge) else None
    return None


def is_wish(message: str) -> bool:
    """Whether a message is a wish to be reminded."""
    return read_wish(message, _SOME_DAY) is not None


def planned_reminders(message: str) -> list[dict[str, Any]]:
    """The reminder that a message asks for, in the form of a planner of calls."""
    wish = read_wish(message, _SOME_DAY)
    if wish is None:
        return []
    written_arguments = ["text", "when"]
    repeats = "RRULE" in wish.when
    return [{"tool": REMIND_TOOL, "given": [], "written": written_arguments, "repeats": repeats}]


def call_for(prompt: Prompt, offered: Sequence[FunctionSpec]) -> tuple[str, dict[str, Any]] | None:
    """The tool to call for a wish to be reminded, with its arguments; None if there is none."""
    names = {spec.name for spec in offered}
    reminder_acts = [act for act in prompt.acts if act.name == REMIND_TOOL]
    if (
        REMIND_TOOL not in names
        or len(reminder_acts) >= _MOST_TRIES
        or (reminder_acts and not _is_to_do(reminder_acts[-1]))
    ):
        return None
    now = _now_in(reminder_acts[-1]) if reminder_acts else prompt.now
    answer = prompt.answer_to_it.strip()
    first_message = prompt.question.strip().removesuffix(answer) if answer else prompt.question
    wish = read_wish(first_message, now)
    if wish is None:
        return None
    if wish.when:
        place = {"time_zone": _place_in(answer)} if answer and not reminder_acts else {}
        return REMIND_TOOL, {"text": wish.text, "when": wish.when, **place}
    whole_wish = read_wish(f"{prompt.question} {_answered(prompt)}", now)
    if whole_wish and whole_wish.when:
        return REMIND_TOOL, {"text": wish.text, "when": whole_wish.when}
    is_asked = any(act.name == ASK_TOOL for act in prompt.acts)
    return (
        (ASK_TOOL, {"question": wish.words["asks"]}) if ASK_TOOL in names and not is_asked else None
    )


def promised(language: str) -> str:
    """The answer after a reminder was set; in English for other languages."""
    tongues = _table()
    return str(tongues.get(language, tongues["en"])["words"]["set"])


def _read(
    tongue: Tongue, text: str, folded: str, wish: re.Match[str], now: datetime | None
) -> Wish | None:
    """The wish; None if words before its text stay unexplained ("every second …")."""
    parts, when = [wish], ""
    remaining_text = _blanked(folded, wish)
    if span := _first(tongue.span, remaining_text):
        parts.append(span)
        count, unit = _count(span, tongue), _unit(span, tongue)
        when = f"P{count}D" if unit == "D" else f"PT{count}{unit}"
    elif now is not None:
        time_parts, when = _on_clock(tongue, remaining_text, now)
        parts += time_parts
    remaining_title = "".join(
        " " if any(part.start() <= index < part.end() for part in parts) else letter
        for index, letter in enumerate(text)
    )
    title = " ".join(remaining_title.split()).strip(_ENDS)
    lead_match = tongue.lead.match(_folded(title))
    if lead_match is None and re.search(rf"\b{tongue.lead.pattern}", _folded(title)):
        return None
    title = title[lead_match.end() if lead_match else 0 :].strip(_ENDS)
    title = title or tongue.told["words"]["title"]
    return Wish(title[:1].upper() + title[1:], when, tongue.told["words"])


def _on_clock(
    tongue: Tongue, remaining_text: str, now: datetime
) -> tuple[list[re.Match[str]], str]:
    """The parts of a text with a day and a time of day, and the resulting time."""
    every = _first(tongue.every, remaining_text)
    remaining_text = _blanked(remaining_text, every) if every else remaining_text
    clock = _first(tongue.clock, remaining_text)
    remaining_text = _blanked(remaining_text, clock) if clock else remaining_text
    day = None if every else _first(tongue.day, remaining_text)
    parts = [part for part in (every, clock, day) if part]
    clock_time = _time_of(clock, tongue) if clock else None
    if clock_time is None:
        return parts, ""
    weekday = _weekday(every or day, tongue)
    days_away = _days_away(day, tongue)
    if weekday is not None:
        days_away = (weekday - now.weekday()) % 7
    start = datetime.combine(now.date() + timedelta(days=days_away or 0), clock_time)
    if start <= now:
        start += timedelta(days=7 if weekday is not None else 1 if days_away in (None, 0) else 0)
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


def _weekday(match: re.Match[str] | None, tongue: Tongue) -> int | None:
    word = _groups(match).get("w") if match else None
    return _place(word, tongue.told["weekdays"].split()) if word else None


def _days_away(match: re.Match[str] | None, tongue: Tongue) -> int | None:
    word = _groups(match).get("d") if match else None
    return _place(word, tongue.told["days"]) if word else None


def _count(span: re.Match[str], tongue: Tongue) -> int:
    return tongue.number(_groups(span).get("n"))


def _unit(span: re.Match[str], tongue: Tongue) -> str:
    word = _groups(span)["u"]
    units: Mapping[str, str] = tongue.told["units"]
    return next(unit for unit, forms in units.items() if _is_among(word, forms))


def _groups(match: re.Match[str]) -> dict[str, str]:
    """The matched groups, by their names without a number."""
    return {name.rstrip("0123456789"): text for name, text in match.groupdict().items() if text}


def _is_among(word: str, forms: str) -> bool:
    return any(re.fullmatch(form, word) for form in forms.split())


def _place(word: str, forms_list: Sequence[str]) -> int:
    return next(index for index, forms in enumerate(forms_list) if _is_among(word, forms))


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next((match for match in pattern.finditer(text) if _is_edge(match, text)), None)


def _is_edge(match: re.Match[str], text: str) -> bool:
    """Whether a match begins and ends at word boundaries; scripts without spaces have none."""
    return not (_joins(text, match.start()) or _joins(text, match.end()))


def _joins(text: str, index: int) -> bool:
    neighbours = text[max(0, index - 1) : index + 1]
    return len(neighbours) == 2 and all(
        character.isalnum() and ord(character) < 0x0900 for character in neighbours
    )


def _blanked(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]}{' ' * (match.end() - match.start())}{text[match.end() :]}"


def _folded(text: str) -> str:
    """The text in lower case without accents, letter by letter, so that positions are kept."""
    return "".join(_bare(letter) for letter in text)


def _bare(letter: str) -> str:
    if letter in "’`´-":
        return "'" if letter != "-" else "-"
    if not letter.isalpha() or ord(letter) >= 0x0900:
        return letter
    decomposed = unicodedata.normalize("NFKD", letter.lower())
    return decomposed[:1] or letter


def _expanded(form: str, table: Mapping[str, Any]) -> str:
    """A form as a pattern; names are numbered, because a pattern may contain each only once."""
    numbers = " ".join(table["numbers"])
    forms = {
        "n": rf"\d{{1,4}}|{_either(numbers)}",
        "m": r"\d{1,2}",
        "u": _either(" ".join(table["units"].values())),
        "d": _either(" ".join(table["days"])),
        "w": _either(table["weekdays"]),
        "p": _either(f"{table['afternoon']} {table['morning']}"),
    }
    used_names = table["_places"]

    def named(match: re.Match[str]) -> str:
        used_names.append(match[1])
        return f"(?P<{match[1]}{len(used_names)}>{forms[match[1]]})"

    numbered_form = re.sub(r"\{(\w)\}", named, form)

    def renamed(match: re.Match[str]) -> str:
        used_names.append(match[1])
        return f"(?P<{match[1]}{len(used_names)}>"

    return re.sub(r"\(\?P<([a-z]+)>", renamed, numbered_form)


def _either(forms: str) -> str:
    """A pattern for any of the forms, the longest first."""
    return "|".join(sorted(forms.split(), key=len, reverse=True))


@cache
def _tongues() -> tuple[Tongue, ...]:
    return tuple(Tongue.of({**table, "_places": []}) for table in _table().values())


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    tables = [file.get("reminders", {}) for file in reversed(listed())]
    return {language: table for one in tables for language, table in one.items()}


def _is_to_do(act: Act) -> bool:
    """Whether a call has set nothing yet, and its result names the present."""
    return _now_in(act) is not None and '"error"' in act.result


def _now_in(act: Act) -> datetime | None:
    match = re.search(r'"now": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d)"', act.result)
    return datetime.fromisoformat(match[1]) if match else None


def _answered(prompt: Prompt) -> str:
    return " ".join(act.result for act in prompt.acts if act.name == ASK_TOOL)


def _place_in(answer: str) -> str:
    """The place in a sentence about a person's location."""
    return _PLACE_END.sub("", _PLACE.sub("", answer.strip(_ENDS))).strip(_ENDS)
