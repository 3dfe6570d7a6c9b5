"""Results of tools: read as JSON, lists or words, and told in words."""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich_agent_sandbox.model.acting.wishes import concepts
from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.model.prompt import Act

_TAG = re.compile(r"</?[a-z_]+\b(?:[^<>\"]|\"[^\"]*\")*>")
_PASSAGES = re.compile(r"<passage\b.*?</passage>", re.DOTALL)
_NUMBER = re.compile(r'<[a-z_]+\b[^<>]*\bn="(\d+)"')
_ERROR = re.compile(
    r'(?:error|failed|denied|refused|invalid)\b|"error"|status="(?:error|denied)"', re.IGNORECASE
)
_ID = re.compile(
    r"(?:\b[a-z_]*id\b[\"']?\s*[:=]\s*[\"']?|#|^\W*\[?)([\w-]*\d[\w-]*)", re.IGNORECASE
)
_TITLES = ("title", "name", "text", "subject", "summary", "question", "content", "description")
_DETAILS = re.compile(r"(?<!query_)(?:due|when|next|date$|start|time|status|priority|minutes)")
_SAID = re.compile(r"user|said|says|feedback|instead|comment", re.IGNORECASE)
_MOST_DETAILS = 3


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """One thing that a tool listed: its id as it was given, and its text."""

    id: str | int
    text: str


@dataclass(frozen=True, slots=True)
class ListedThing:
    """An item of a list, as the list tells it; "" and 0 where it does not."""

    id: str | int
    title: str
    kind: str = ""
    due: str = ""
    start: str = ""
    end: str = ""
    minutes: int = 0
    is_done: bool = False

    def is_for(self, day: str) -> bool:
        """Whether it is due by a day, or meant for today."""
        return bool(self.due and self.due[:10] <= day) or "today" in concepts("values", self.kind)


def things_in(act: Act) -> list[ListedThing]:
    """The things with a title that a tool listed."""
    return [
        _thing(item)
        for item in _objects(_json(material_of(act)))
        if any(isinstance(item.get(name), str) for name in _TITLES[:2])
    ]


def _thing(item: Mapping[str, Any]) -> ListedThing:
    def first(*parts: str) -> Any:  # noqa: ANN401 - JSON
        return next((item[name] for name in item if any(part in name for part in parts)), None)

    return ListedThing(
        next((item[name] for name in item if name == "id" or name.endswith("_id")), ""),
        next(item[name] for name in _TITLES if item.get(name)),
        str(first("type") or ""),
        str(first("due") or ""),
        str(first("start") or ""),
        str(first("end") or ""),
        int(first("minutes", "duration") or 0),
        "done" in concepts("values", str(first("status") or "")),
    )


def entries_in(acts: Sequence[Act], parameter: str) -> list[ToldEntry]:
    """Return the entries that were listed, with the ids that fit a parameter such as `task_id`."""
    return [entry for act in acts for entry in _entries(material_of(act), parameter)]


def nearest(entries: Sequence[ToldEntry], title: str, text: str) -> ToldEntry | None:
    """The entry that shares the most words with a title, or without one with the whole text."""
    wanted = {term for term in content_terms(title) if not concepts("things", term)}
    if not wanted:
        named = set(content_terms(text)) & {t for one in entries for t in content_terms(one.text)}
        if not named:
            return entries[0] if len(entries) == 1 else None
        wanted = named
    shared = [
        (len(wanted & set(content_terms(entry.text))), -at) for at, entry in enumerate(entries)
    ]
    best = max(shared, default=(0, 0))
    return entries[-best[1]] if best[0] * 2 >= len(wanted) else None


def is_failure(act: Act) -> bool:
    """Whether a call failed or was denied, as far as its answer says so at its beginning."""
    return bool(_ERROR.search(act.result[:200]))


def material_of(act: Act) -> str:
    """The answer without the tags around it, and without passages, which are quoted elsewhere."""
    return html.unescape(_TAG.sub("", _PASSAGES.sub("", act.result))).strip()


def amendment_in(act: Act) -> str:
    """Return a person's words instead of an approval of a call, "" if they said nothing."""
    value = _json(material_of(act))
    if not isinstance(value, dict) or not is_failure(act):
        return ""
    said = [told for name, told in value.items() if _SAID.search(name) and isinstance(told, str)]
    return " ".join(said)


def words_in(act: Act) -> str:
    """Return a person's question and answer as given: a text, or the texts of an object."""
    text = material_of(act)
    with suppress(ValueError):
        value = json.loads(text)
        told = value.values() if isinstance(value, dict) else [value]
        return " ".join(one for one in told if isinstance(one, str))
    return text


def in_words(act: Act) -> str:
    """The answer of one call for a person, with its number where it has one to be cited by."""
    text = material_of(act)
    value = _json(text)
    if value is not None:
        text = "\n".join(_told(value))
    number = _NUMBER.search(_PASSAGES.sub("", act.result))
    return f"{text} [{number[1]}]" if number and text else text


def _told(value: object) -> list[str]:
    if isinstance(value, list):
        return [f"- {' '.join(_told(item))}" for item in value]
    if not isinstance(value, Mapping):
        return [str(value)]
    listed = [inner for inner in value.values() if isinstance(inner, list)]
    if listed and any(isinstance(item, Mapping) for item in listed[0]):
        return _told(listed[0])
    title = next((str(value[name]) for name in _TITLES if value.get(name)), "")
    others = [
        f"{name.replace('_', ' ')}: {told}"
        for name, told in value.items()
        if isinstance(told, str | int | float) and name not in _TITLES and not name.endswith("id")
    ]
    telling = [detail for detail in others if _DETAILS.match(detail)]
    details = ", ".join(telling[:_MOST_DETAILS] if title else others)
    return [f"{title} ({details})" if title and details else title or details]


def _entries(text: str, parameter: str) -> Iterator[ToldEntry]:
    value = _json(text)
    if value is None:
        for line in text.splitlines():
            if found := _ID.search(line):
                yield ToldEntry(found[1], line)
        return
    for item in _objects(value):
        names = [parameter, "id", *(name for name in item if name.endswith("_id"))]
        given = next((item[name] for name in names if isinstance(item.get(name), str | int)), None)
        if given is not None:
            words = (str(told) for told in item.values() if isinstance(told, str))
            yield ToldEntry(given, " ".join(words))


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    """All objects, the innermost first."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _objects(inner)
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner)


def _json(text: str) -> object | None:
    with suppress(ValueError):
        value: object = json.loads(text)
        return value if isinstance(value, dict | list) else None
    return None
