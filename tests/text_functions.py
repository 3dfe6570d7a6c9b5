"""Finds every public function that reads a text, and tells which grow worse than linear.

`python -m tests.text_functions 400` is the longer campaign: 16 times the length for each pattern,
and up to 400 of the known pumps for each function.
"""

import collections.abc
import inspect
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import UTC, date, datetime
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from tests.growth import LENGTH, Steep, Work, modules_of, steep_ones, steep_patterns
from tests.hostile_text import KNOWN, Pump

PACKAGES = (
    "rich_agent.domain",
    "rich_agent.rendering",
    "rich_agent.graph",
    "rich_agent.prompts",
    "rich_agent.turns.streaming",
    "rich_agent.web.answers",
    "rich_agent.web.link_guard",
    "rich_agent.web.link_tokens",
    "ingest",
)
_ELSEWHERE = frozenset(
    {
        # Commands: they act, and read no more than they hand on.
        "ingest.cli",
        "ingest.connect_cli",
        "ingest.space_cli",
        # docutils: runs in a process of its own, with a deadline
        "rich_agent.documents.extract.restructured",
    }
)

_LENGTH = 4_000
_REST = frozenset({inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD})


def text_works() -> tuple[list[Work], list[str]]:
    """The public functions that read a text, once for each of their texts; and those not reached.

    What else a function asks for is made by its type; a value object's `text` is a text, too.
    """
    works: list[Work] = []
    unreached: list[str] = []
    for name, function in _public_functions():
        hints = get_type_hints(function)
        parameters = inspect.signature(function).parameters.values()
        for text in parameters:
            if not _reads_text(hints.get(text.name)) or text.kind in _REST:
                continue
            try:
                others = {
                    other.name: made(hints[other.name])
                    for other in parameters
                    if other is not text
                    and other.default is other.empty
                    and other.kind not in _REST
                }
                work = Work(f"{name}({text.name})", _caller(function, text, hints, others))
                work.run("Some words, and 1 number.")
            except (TypeError, KeyError, AttributeError) as error:
                unreached.append(f"{name}({text.name}): {error}")
                continue
            except Exception:  # noqa: BLE001, S110 - a text that is refused was read, too
                pass
            works.append(work)
    return works, unreached


def _public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for module in modules_of(*PACKAGES):
        if module.__name__ in _ELSEWHERE:
            continue
        for name, value in vars(module).items():
            is_public = inspect.isfunction(value) and not name.startswith("_")
            is_own = getattr(value, "__module__", "") == module.__name__
            inner = inspect.unwrap(value) if is_public else value
            waits = inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner)
            if is_public and is_own and not waits:
                yield f"{module.__name__}.{name}", value


def _reads_text(hint: object) -> bool:
    return hint is str or (is_dataclass(hint) and any(f.name == "text" for f in fields(hint)))


def _caller(
    function: Callable[..., object],
    text: inspect.Parameter,
    hints: dict[str, Any],
    others: dict[str, object],
) -> Callable[[str], object]:
    def call(given: str) -> object:
        value = given if hints[text.name] is str else replace(made(hints[text.name]), text=given)
        found = function(**{text.name: value}, **others)
        return list(found) if isinstance(found, Iterator) else found

    return call


def made(hint: Any) -> Any:  # noqa: PLR0911 - one line for each kind of type
    """A small value of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return None if NoneType in arguments else made(arguments[0])
    if origin is Literal:
        return arguments[0]
    if origin is collections.abc.Callable:
        return lambda *_: made(arguments[-1])
    plain: dict[object, object] = {
        str: "word", int: 100, float: 1.0, bool: False, bytes: b"", object: None, Any: None,
        datetime: datetime(2026, 1, 2, tzinfo=UTC), date: date(2026, 1, 2),
    }  # fmt: skip
    if hint in plain:
        return plain[hint]
    if is_typeddict(hint):
        own = get_type_hints(hint)
        filled: dict[str, Any] = {}
        for key, kind in own.items():
            with suppress(TypeError, AttributeError):
                filled[key] = made(kind)
        return filled
    kind = origin or hint
    if isinstance(kind, type) and is_dataclass(kind):
        own = get_type_hints(kind)
        needed = [f for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
        return kind(**{f.name: made(own[f.name]) for f in needed if f.init})
    if isinstance(kind, type) and issubclass(kind, Exception):
        return kind("words")
    if kind in _EMPTY:
        return _EMPTY[kind]()
    return kind()


_EMPTY: dict[object, Callable[[], object]] = {
    collections.abc.Sequence: tuple,
    collections.abc.Iterable: tuple,
    collections.abc.Collection: tuple,
    collections.abc.Set: frozenset,
    collections.abc.Mapping: dict,
}


def steep_functions(most: int) -> list[Steep]:
    """The functions that grow worse than linear on one of so many known pumps, others for each."""
    works, _ = text_works()
    return steep_ones(((work, _known(work, most)) for work in works), _LENGTH)


def _known(work: Work, most: int) -> list[Pump]:
    pumps = random.Random(work.name).sample(  # noqa: S311 - the same ones at each run
        KNOWN, min(most, len(KNOWN))
    )
    return [Pump("", pump, "!") for pump in pumps]


if __name__ == "__main__":
    pumps_each = int(sys.argv[1])
    for steep in steep_patterns(16 * LENGTH) + steep_functions(pumps_each):
        sys.stdout.write(f"{steep}\n".encode(errors="replace").decode())
