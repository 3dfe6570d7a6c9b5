"""Tells what takes more than linear time, and finds every pattern of the product by itself.

A text is read once at 2,000 characters. What takes less than 50 µs passes: were it quadratic,
100,000 characters would take 0.13 s. Everything else is compared with itself at an eighth of the
length, where time is the processor's own, and the quickest of several runs counts: a busy machine
makes more works be compared, and no linear one fail. What grows worse than linear is compared again
at greater lengths, up to beyond every bound. A run that does not end is cut off by a signal, which
reaches a match on its way.

`python -m tests.growth` tries every pattern, and lists those that grow no worse than linear in
`linear_patterns.txt`, by hash. The tests try the others.
"""

import ast
import gc
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import regex
from typing_extensions import override

from tests.hostile_text import Pump, pumps_for
from tests.sources import parsed

PACKAGES = ("rich_agent", "ingest")
LINEAR = Path(__file__).with_name("linear_patterns.txt")
LENGTH = 2_000
TIMES = 8
MOST_GROWTH = 20.0
"""Linear work takes 8 times as long on 8 times the text, quadratic 64 times."""
CUT_OFF_S = 2.0
_QUICK_S = 50e-6
"""For `LENGTH` characters; four times as much for twice as many."""
_FURTHER_LENGTHS = (16_000, 128_000)
"""What is bounded grows until it comes to its bound."""
_METHODS = frozenset(
    {"search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"}
)
_THROUGHOUT = frozenset({"search", "sub", "subn", "findall", "finditer", "split"})
_PATTERN_TYPES = (re.Pattern, regex.Pattern)


class _CutOffError(BaseException):
    """A run took longer than any linear one."""


@dataclass(frozen=True, slots=True)
class Work:
    """Something that reads a text; `name` is where it stands."""

    name: str
    run: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Steep:
    """A work that grows worse than linear on a pump; `growth` is for eight times the text."""

    work: str
    pump: Pump
    growth: float

    @override
    def __str__(self) -> str:
        return f"{self.work}: x{self.growth:.0f} on {self.pump}"


@contextmanager
def cut_off(after_s: float) -> Iterator[None]:
    """Raise in the block when it has used so much of the processor."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _CutOffError

    # What looks on at collections of garbage could be cut off in their place.
    gc.disable()
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, after_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        gc.enable()


def _seconds(work: Work, text: str) -> float:
    started = time.thread_time()
    with suppress(Exception):  # a text that is refused was read, too
        work.run(text)
    return time.thread_time() - started


def growth_of(work: Work, pump: Pump, length: int = LENGTH, cut_off_s: float = CUT_OFF_S) -> float:
    """The factor by which it takes longer than on an eighth of the text; 0.0 when it is quick."""
    short, long = pump.text(length // TIMES), pump.text(length)
    try:
        with cut_off(cut_off_s):
            slowest = _seconds(work, long)
            if slowest < _QUICK_S * (length / LENGTH) ** 2:
                return 0.0
            quickest = min(_seconds(work, short) for _ in range(2))
            for _ in range(3):
                if slowest <= MOST_GROWTH * quickest:
                    break
                quickest = min(quickest, *(_seconds(work, short) for _ in range(3)))
                slowest = min(slowest, _seconds(work, long))
            return slowest / quickest
    except _CutOffError:
        return float("inf")


def steep_ones(
    works: Iterable[tuple[Work, Iterable[Pump]]],
    length: int = LENGTH,
    cut_off_s: float = CUT_OFF_S,
) -> list[Steep]:
    """The works that grow worse than linear, each with the first pump that showed it."""
    found = []
    for work, pumps in works:
        for pump in pumps:
            growth = growth_of(work, pump, length, cut_off_s)
            for further in _FURTHER_LENGTHS:
                if growth > MOST_GROWTH:
                    growth = growth_of(work, pump, further, 4 * cut_off_s)
            if growth > MOST_GROWTH:
                found.append(Steep(work.name, pump, growth))
                break
    return found


@cache
def modules_of(*packages: str) -> tuple[ModuleType, ...]:
    """Every module of the packages; those of a program's start, and of Alembic's, excepted."""
    found: list[ModuleType] = []
    for package in packages:
        root = importlib.import_module(package)
        found.append(root)
        inner = pkgutil.walk_packages(getattr(root, "__path__", ()), f"{package}.")
        names = [module.name for module in inner if not module.name.endswith(("__main__", ".env"))]
        found += map(importlib.import_module, names)
    return tuple(found)


@cache
def patterns() -> dict[str, tuple[Any, frozenset[str]]]:
    """Every compiled pattern of the product by name, with the methods that are called on it."""
    found: dict[str, tuple[Any, frozenset[str]]] = {}
    seen: set[int] = set()
    for module in modules_of(*PACKAGES):
        uses = _uses(module)
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ != module.__name__:
                continue
            for path, pattern in _patterns_in(name, value):
                if id(pattern) not in seen:
                    seen.add(id(pattern))
                    methods = uses.get(path) or uses.get("", _THROUGHOUT)
                    found[f"{module.__name__}.{path}"] = (pattern, methods)
        found |= {
            f"{module.__name__}:{line} {method}": (pattern, frozenset({method}))
            for line, method, pattern in _written_in_place(module)
        }
    return found


def pattern_works() -> Iterator[tuple[Work, Any]]:
    """The ways in which the product has its patterns read a text, and the pattern of each."""
    for name, (pattern, methods) in patterns().items():
        forms = (methods - _THROUGHOUT) | ({"finditer"} if methods & _THROUGHOUT else frozenset())
        for form in sorted(forms):
            yield Work(f"{name}.{form}", _reader(pattern, form)), pattern


def _reader(pattern: Any, form: str) -> Callable[[str], object]:
    method = getattr(pattern, form)

    def read(text: str) -> object:
        given = text.encode(errors="replace") if isinstance(pattern.pattern, bytes) else text
        return sum(1 for _ in method(given)) if form == "finditer" else method(given)

    return read


def _patterns_in(path: str, value: object, depth: int = 4) -> Iterator[tuple[str, Any]]:
    """The patterns that something holds: in a collection, a class or the fields of an object."""
    if isinstance(value, _PATTERN_TYPES):
        yield path, value
        return
    if isinstance(value, dict):
        held = [(f"{path}[{key!r}]", item) for key, item in value.items()]
    elif isinstance(value, tuple | list | frozenset | set):
        held = [(f"{path}[{number}]", item) for number, item in enumerate(value)]
    elif isinstance(value, type):
        held = [(f"{path}.{name}", item) for name, item in vars(value).items()]
    else:
        parts = fields(value) if is_dataclass(value) else ()
        held = [(f"{path}.{part.name}", getattr(value, part.name, None)) for part in parts]
    for name, item in held if depth else ():
        yield from _patterns_in(name, item, depth - 1)


def _uses(module: ModuleType) -> dict[str, frozenset[str]]:
    """The methods called on each name of a module; under "" those called on something unnamed."""
    uses: dict[str, set[str]] = {}
    for node in ast.walk(parsed(Path(str(module.__file__)))):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS:
            name = node.value.id if isinstance(node.value, ast.Name) else ""
            known = isinstance(vars(module).get(name), _PATTERN_TYPES)
            if name not in {"re", "regex"}:
                uses.setdefault(name if known else "", set()).add(node.attr)
    return {name: frozenset(methods) for name, methods in uses.items()}


def _written_in_place(module: ModuleType) -> Iterator[tuple[int, str, Any]]:
    """Patterns that a module writes where it uses them, if they need nothing of a function."""
    for node in ast.walk(parsed(Path(str(module.__file__)))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id in {"re", "regex"}):
            continue
        if node.func.attr not in _METHODS or not node.args:
            continue
        flags = [k.value for k in node.keywords if k.arg == "flags"]
        flags += [a for a in node.args[2:] if isinstance(a, ast.Attribute)]
        try:
            written, *options = [
                eval(compile(ast.Expression(part), "<pattern>", "eval"), vars(module))  # noqa: S307
                for part in (node.args[0], *flags)
            ]
        except NameError:  # made of what a function was given: the text functions try it
            continue
        engine = regex if node.func.value.id == "regex" else re
        yield node.lineno, node.func.attr, engine.compile(written, *options)


def pumps_of(pattern: Any) -> list[Pump]:
    """The growing texts to try on a pattern."""
    written, flags = pattern.pattern, pattern.flags
    if isinstance(written, bytes):
        written = written.decode("latin-1")
    return pumps_for(written, flags if isinstance(pattern, re.Pattern) else 0)


@cache
def _trial() -> str:
    """All that a result depends on but the pattern: the engines, and the texts that are tried."""
    texts = Path(__file__).with_name("hostile_text.py").read_text("utf-8")
    limits = (LENGTH, TIMES, MOST_GROWTH, CUT_OFF_S, _QUICK_S, _FURTHER_LENGTHS)
    return f"{sys.version_info[:2]} {regex.__version__} {limits} {texts}"


def mark_of(work: Work, pattern: Any) -> str:
    """The hash of a pattern, of how it reads a text, and of how it is tried."""
    form = work.name.rpartition(".")[2]
    written = f"{type(pattern).__module__} {pattern.flags} {pattern.pattern!r} {form}"
    return sha256(f"{written}\n{_trial()}".encode()).hexdigest()[:20]


def steep_patterns(
    length: int = LENGTH, part: int = 0, parts: int = 1, *, but: Collection[str] = ()
) -> list[Steep]:
    """The patterns that grow worse than linear; of `parts` equal parts of them, one.

    `but` are the marks of those that are not tried.
    """
    works = [one for one in pattern_works() if mark_of(*one) not in but][part::parts]
    return steep_ones(((work, pumps_of(pattern)) for work, pattern in works), length)


def main() -> int:
    """Try every pattern, and list the linear ones; 1 if there are others."""
    works = list(pattern_works())
    steep = steep_patterns()
    names = {one.work for one in steep}
    marks = {mark_of(work, pattern) for work, pattern in works if work.name not in names}
    LINEAR.write_text("".join(f"{mark}\n" for mark in sorted(marks)), "utf-8")
    for one in steep:
        print(one)
    print(f"{len(works) - len(names)} of {len(works)} patterns grow no worse than their text")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
