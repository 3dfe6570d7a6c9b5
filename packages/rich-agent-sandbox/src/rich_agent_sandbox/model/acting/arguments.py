"""Fills a tool's arguments from the user's words, by name, type, format and description."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from rich_agent_sandbox.model.acting.results import entries_in, nearest
from rich_agent_sandbox.model.acting.wishes import concepts, named_in, said_in, thing_in, title_in
from rich_agent_sandbox.model.language.lengths import minutes_in
from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.model.language.times import When, read_when
from rich_agent_sandbox.model.prompt import Act
from rich_agent_sandbox.model.schema import Schema, default_for, plain_type, resolve

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_LIST_EDGE = re.compile(r",\s*|、|\s+(?:and|und|y)\s+|と")
_CLOCK = re.compile(r"\bHH:MM\b", re.IGNORECASE)
_TO_THE_MINUTE = re.compile(r"(?:DD|\d{4}-\d\d-\d\d)(?P<between>[T ])(?:HH:MM|\d\d:\d\d)(?!:)")
_SPAN = re.compile(r"\bPT\d+M\b")
_DAY = re.compile(r"date|day|due|deadline")
_MISSING = object()
_USUAL_MINUTES = 60
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
    "object": dict,
}  # fmt: skip
# What a parameter wants, by its name; the first that fits.
_KINDS = {
    "id": re.compile(r"(?:^|_)ids?$|(?<=[a-z])Ids?$"),
    "zone": re.compile(r"zone|(?:^|_)tz$", re.IGNORECASE),
    "moment": re.compile(
        r"(?:^|_)(?:when|date|day|due|deadline|until|start|end|at|from|first)(?:_|$)|(?:^|_)time$"
    ),
    "rule": re.compile(r"rrule|recurr|repeat", re.IGNORECASE),
    "length": re.compile(r"minutes|duration|hours", re.IGNORECASE),
    "lookup": re.compile(r"search|query|filter|contains|keyword|(?:^|_)q$", re.IGNORECASE),
    "title": re.compile(
        r"(?:^|_)(?:title|name|text|content|subject|message|question|what|city|place|location"
        r"|topic|summary|task|body|item|to|recipient)$"
    ),
}


@cache
def _cities() -> Mapping[str, str]:
    """The time zone of each city that one is named after: "Berlin" → "Europe/Berlin"."""
    zones = (zone for zone in sorted(available_timezones()) if "/" in zone)
    return {zone.rpartition("/")[2]: zone for zone in zones if not zone.startswith("Etc/")}


@dataclass(frozen=True, slots=True)
class Wish:
    """One clause of a message, read: when, how long, and what about; `now` as the prompt tells it.

    `told` is what tools have answered so far; without a title of its own it is about what `before`
    names, or what it names of things. What `changed` says counts more. `answered` is the reply to
    a question back, which is part of the text.
    """

    text: str
    now: datetime | None = None
    told: Sequence[Act] = ()
    before: str = ""
    changed: str = ""
    answered: str = ""
    when: When = field(init=False)
    minutes: int | None = field(init=False)
    zone: str = field(init=False)
    title: str = field(init=False)

    def __post_init__(self) -> None:
        """Read the text, once."""
        today = self.now.date() if self.now else None
        when, left = read_when(self.text, today)
        when = when.changed_by(read_when(self.changed, today)[0])
        changed, _ = minutes_in(read_when(self.changed, today)[1])
        named, left = minutes_in(left)
        minutes = changed or named
        city = self.answered if self.answered in _cities() else ""
        if city:
            left = left.replace(city, " ", 1)
        object.__setattr__(self, "zone", _cities().get(city, ""))
        object.__setattr__(self, "when", when)
        object.__setattr__(self, "minutes", minutes)
        object.__setattr__(self, "title", title_in(left) or self.before)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A parameter to be filled."""

    name: str
    part: Schema
    is_required: bool

    @property
    def about(self) -> str:
        return str(self.part.get("description", ""))


def arguments_for(schema: Schema, wish: Wish) -> tuple[dict[str, Any], list[str]]:
    """Arguments that the wish gives, and the names of those required that it does not give."""
    required, is_of_one = needed_by(schema), bool(ids_needed_by(schema))
    wanted = [_Wanted(name, part, name in required) for name, part in parts_of(schema)]
    told = {
        one.name: _value(one, wish)
        for one in wanted
        if one.is_required or _is_told(one, wish, is_of_one=is_of_one)
    }
    given = {name: value for name, value in told.items() if value is not _MISSING}
    return given, [name for name in required if name not in given]


def _is_told(wanted: _Wanted, wish: Wish, *, is_of_one: bool) -> bool:
    """Whether an optional argument may be told; what a thing is called does not change it."""
    kind, name = kind_of_parameter(wanted.name, wanted.part), wanted.name
    if kind == "id":
        return bool(named_in(name).nouns & said_in(wish.text).nouns)
    return not (is_of_one and kind in ("title", "lookup"))


def with_defaults(schema: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with a plain value for each required one that is missing."""
    part = resolve(schema, schema)
    properties = part.get("properties", {})
    missing = [n for n in part.get("required", ()) if n not in given and n in properties]
    return {**given, **{name: default_for(properties[name], schema) for name in missing}}


def parts_of(schema: Schema) -> list[tuple[str, Schema]]:
    """The parameters, each with its name."""
    properties = resolve(schema, schema).get("properties", {})
    return [(name, resolve(part, schema)) for name, part in properties.items()]


def needed_by(schema: Schema) -> list[str]:
    """The names of the required parameters."""
    return [*resolve(schema, schema).get("required", ())]


def ids_needed_by(schema: Schema) -> list[str]:
    """The names of the required parameters that are ids."""
    return [name for name in needed_by(schema) if _KINDS["id"].search(name)]


def kind_of_parameter(name: str, part: Schema) -> str:
    """Return the kind of a parameter, by format, name and description: a key of `_VALUES` or ""."""
    if "enum" in part or "const" in part:
        return "choice"
    if part.get("format") in ("date", "date-time", "time"):
        return "moment"
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(name)), "")
    if kind == "length" and plain_type(part) not in ("integer", "number"):
        return ""
    return kind or ("rule" if "RRULE" in part.get("description", "") else "")


def _value(wanted: _Wanted, wish: Wish) -> object:
    fill = _VALUES.get(kind_of_parameter(wanted.name, wanted.part), _by_type)
    told = fill(wanted, wish)
    kind = _TYPES.get(plain_type(wanted.part), object)
    return told if "enum" in wanted.part or isinstance(told, kind) else _MISSING


def _id(wanted: _Wanted, wish: Wish) -> object:
    entry = nearest(entries_in(wish.told, wanted.name), wish.title, wish.text)
    return _MISSING if entry is None else _as_type(entry.id, wanted.part)


def _rule(_: _Wanted, wish: Wish) -> object:
    return wish.when.timed_rule or _MISSING


def _length(wanted: _Wanted, wish: Wish) -> object:
    if wish.minutes is None and not wanted.is_required:
        return _MISSING
    minutes = wish.minutes or _USUAL_MINUTES
    return minutes / 60 if "hour" in wanted.name else minutes


def _text(wanted: _Wanted, wish: Wish) -> object:
    title = wish.title or (thing_in(wish.text) if wanted.is_required else "")
    if plain_type(wanted.part) == "array":
        return [item for item in _LIST_EDGE.split(title) if item]
    return title or _MISSING


def _by_type(wanted: _Wanted, wish: Wish) -> object:
    kind = plain_type(wanted.part)
    if kind == "string":
        return _text(wanted, wish) if wanted.is_required else _MISSING
    named = set(content_terms(wanted.name.replace("_", " "))) & set(content_terms(wish.text))
    if kind == "boolean":
        return True if named else _MISSING
    numbers = _NUMBER.findall(wish.text)
    return _as_type(numbers[0], wanted.part) if numbers and named else _MISSING


def _choice(wanted: _Wanted, wish: Wish) -> object:
    """The value that the words name; of a status, also what was done."""
    if "const" in wanted.part:
        return wanted.part["const"]
    words, meant = set(content_terms(wish.text)), concepts("values", wish.text)
    for value in wanted.part["enum"]:
        spelt = str(value).replace("_", " ").casefold()
        is_named = set(content_terms(spelt)) <= words if content_terms(spelt) else False
        if is_named or concepts("values", spelt) & meant:
            return value
    return _MISSING


def _moment(wanted: _Wanted, wish: Wish) -> object:
    """A date, a time or both, as format or description write them; a rule where it may be one."""
    if wish.now is None:
        return _MISSING
    moment = wish.when.moment(wish.now)
    if moment is None and wish.minutes and not wanted.name.startswith("end"):
        moment = wish.now + timedelta(minutes=wish.minutes)
    if _is_clock(wanted):
        is_named = bool(wish.when.at or wish.when.offset)
        return f"{moment:%H:%M}" if moment and is_named else _MISSING
    if wanted.part.get("format") == "date" or _is_day(wanted):
        is_named = bool(wish.when.day or wish.when.offset)
        # What names no day is for today, where a day must be given.
        day = moment if is_named else wish.now if wanted.is_required else None
        return f"{day:%Y-%m-%d}" if day else _MISSING
    if moment and wanted.name.startswith("end"):
        moment += timedelta(minutes=wish.minutes or _USUAL_MINUTES)
    return _written(moment, wish.when, wanted.about) if moment else _MISSING


def _written(moment: datetime, when: When, about: str) -> str:
    """A moment as a description shows it, to the second if it shows nothing else.

    What is named from now is a span where the description shows one.
    """
    if when.offset and not when.rule and _SPAN.search(about):
        return f"PT{round(when.offset.total_seconds() / 60)}M"
    to_the_minute = _TO_THE_MINUTE.search(about)
    form = f"%Y-%m-%d{to_the_minute['between']}%H:%M" if to_the_minute else "%Y-%m-%dT%H:%M:%S"
    if not when.rule or "RRULE" not in about:
        return moment.strftime(form)
    if "RRULE:" in about:
        return f"{moment.strftime(form)} RRULE:{when.rule}"
    return when.timed_rule


def _is_clock(wanted: _Wanted) -> bool:
    if told := wanted.part.get("format"):
        return bool(told == "time")
    is_written_so = bool(_CLOCK.search(wanted.about)) or wanted.name.endswith("time")
    return is_written_so and "YY" not in wanted.about


def _is_day(wanted: _Wanted) -> bool:
    is_timed = "HH" in wanted.about or wanted.part.get("format") == "date-time"
    return not is_timed and ("YYYY-MM-DD" in wanted.about or bool(_DAY.search(wanted.name)))


_VALUES: Mapping[str, Callable[[_Wanted, Wish], object]] = {
    "id": _id,
    "zone": lambda _, wish: wish.zone or _MISSING,
    "moment": _moment,
    "rule": _rule,
    "length": _length,
    "lookup": _text,
    "title": _text,
    "choice": _choice,
}


def _as_type(value: object, part: Schema) -> object:
    kind = plain_type(part)
    try:
        if kind == "integer":
            return int(str(value))
        if kind == "number":
            return float(str(value))
    except ValueError:
        return _MISSING
    return [value] if kind == "array" else str(value)
