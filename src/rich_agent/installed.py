"""The features and connectors that are installed and switched on, found by their entry points.

The project's own are on unless the operator switches them off; those of other packages run with all
rights of the bot, and are loaded only if the operator names them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import EntryPoint, distribution, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData

    from rich_agent.domain.answer.attachments import Draw
    from rich_agent.ports.task_changes import OnTaskChange

GROUP = "rich_agent.features"
CONNECTORS: Final = "rich_agent.connectors"
OWN_PACKAGE = "rich-agent"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_RESERVED = frozenset({"app", "core", "rag"})
"""Names that the core's own tables and migrations go by."""


class MenuCommand(Protocol):
    """The field of a `MenuEntry` that is read here."""

    @property
    def name(self) -> str:
        """The command, without its slash."""
        ...


class Declaration(Protocol):
    """Fields of a `Feature` that settings, phrases, prompts and migrations read; see there."""

    @property
    def name(self) -> str:
        """The folder's name, and the word in FEATURES_OFF."""
        ...

    @property
    def menu(self) -> "tuple[MenuCommand, ...]":
        """Its commands in menus and in /help."""
        ...

    @property
    def settings(self) -> "type[BaseModel] | Callable[[], type[BaseModel]] | None":
        """Its section of the settings, or a function that loads it."""
        ...

    @property
    def locales(self) -> Path | None:
        """The folder of its phrases."""
        ...

    @property
    def prompts(self) -> Path | None:
        """The folder of its prompts."""
        ...

    @property
    def migrations(self) -> Path | None:
        """The folder of its migrations."""
        ...

    @property
    def tables(self) -> "Callable[[], MetaData] | None":
        """The function that gives the declarations of its tables; it loads SQLAlchemy."""
        ...

    @property
    def pictures(self) -> "Mapping[str, Draw]":
        """The kinds of attachments that it draws."""
        ...

    @property
    def on_task_change(self) -> "OnTaskChange | None":
        """The function that is called where a user's tasks change."""
        ...

    @property
    def after(self) -> tuple[str, ...]:
        """The features before it."""
        ...


class Named(Protocol):
    """A declaration of any kind."""

    @property
    def name(self) -> str:
        """The name of its entry point."""
        ...


T = TypeVar("T", bound=Named)


@dataclass(frozen=True, slots=True)
class BrokenFeature:
    """A feature or a connector that could not be loaded, and why.

    `hint` tells what to do about it, "" if only that is known which helps for any.
    """

    name: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """Declarations by name, and those that could not be loaded.

    `packages` tell by name in which package, and in which version of it, a declaration came.
    """

    declarations: Mapping[str, T]
    broken: tuple[BrokenFeature, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InstalledFeatures:
    """The features of this process in their order, and those that could not be loaded.

    `packages` tell by name in which package, and in which version of it, a feature came.
    """

    features: tuple[Declaration, ...] = ()
    broken: tuple[BrokenFeature, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)


@cache
def find_features(on: frozenset[str], off: frozenset[str]) -> InstalledFeatures:
    """Load the declarations of the project's own features, and of those that are `on`.

    Those that are `off` are not loaded. One that fails to load is left out, with its reason.
    """
    result: Loaded[Declaration] = load_declarations(GROUP, on, off, _problems_of)
    elsewhere = {one.name for one in entry_points(group=CONNECTORS)} if on else set()
    absent = [
        BrokenFeature(name, "no installed package has it")
        for name in sorted(on - off - elsewhere)
        if name not in {*result.declarations, *(one.name for one in result.broken)}
    ]
    features, circular = _in_order(result.declarations.values())
    return InstalledFeatures(features, (*result.broken, *absent, *circular), result.packages)


def load_declarations(
    group: str,
    on: frozenset[str],
    off: frozenset[str],
    problems_of: Callable[[T, Collection[T]], Iterator[str]],
) -> Loaded[T]:
    """Load the declarations of a group of entry points; what fails is left out, with its reason."""
    declarations: dict[str, T] = {}
    failures: list[BrokenFeature] = []
    packages: dict[str, str] = {}
    for entry in _candidates(on - off, off, group):
        try:
            declarations[entry.name] = _load(entry, declarations, problems_of)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's module does
            failures.append(BrokenFeature(entry.name, f"{type(error).__name__}: {error}"))
        else:
            packages[entry.name] = _package_of(entry)
    return Loaded(declarations, tuple(failures), packages)


def _candidates(
    on: Collection[str], off: Collection[str], group: str = GROUP
) -> Sequence[EntryPoint]:
    """The entry points of the project's own package, and of others that the operator names."""
    own = distribution(OWN_PACKAGE).entry_points.select(group=group)
    # Looking through all packages takes time, and is needed for others' alone.
    others = [one for one in entry_points(group=group) if one.name in on] if on else []
    names = {one.name for one in own}
    return [
        *(one for one in own if one.name not in off),
        *(one for one in others if one.name not in names),
    ]


def _load(
    entry: EntryPoint,
    declarations: Mapping[str, T],
    problems_of: Callable[[T, Collection[T]], Iterator[str]],
) -> T:
    """The declaration of an entry point. Raises: ValueError for one that cannot be used."""
    if entry.name in declarations:
        raise ValueError("two packages have one of this name")
    declaration: T = entry.load()
    for problem in problems_of(declaration, declarations.values()):
        raise ValueError(problem)
    if declaration.name != entry.name:
        raise ValueError(f"it calls itself {declaration.name!r}")
    if not _NAME.fullmatch(entry.name) or entry.name in _RESERVED:
        raise ValueError("its name is not one of small letters, digits and _, or it is the core's")
    return declaration


def _problems_of(feature: Declaration, others: Iterable[Declaration]) -> Iterator[str]:
    """Problems of a declaration that would stop the core when that reads it."""
    if not all(map(_NAME.fullmatch, feature.pictures)):
        yield "a name of `pictures` is not one of small letters, digits and _"
    for other in others:
        if both := sorted(feature.pictures.keys() & other.pictures.keys()):
            yield f"the kind of attachment {both[0]} belongs to {other.name}"
    yield from _problems_of_parts(feature)


def _problems_of_parts(feature: Declaration) -> Iterator[str]:
    lists: list[object] = [feature.menu, feature.after]
    if not all(isinstance(one, tuple) for one in lists):
        yield "`menu` and `after` are tuples"
    for folder, pattern in (
        (feature.locales, "en.ftl"),
        (feature.prompts, "*.md"),
        (feature.migrations, "*.py"),
    ):
        if folder and not any(folder.glob(pattern)):
            yield f"{folder} has no {pattern}"
    if feature.migrations and not feature.tables:
        yield "it has `migrations`, and no `tables` that say whose rows they hold"
    phrases = {path.name: path.read_text("utf-8") for path in _phrase_files(feature)}
    for command in feature.menu:
        if f"command-{command.name} =" not in phrases.get("en.ftl", ""):
            yield f"en.ftl has no command-{command.name}"
    if isinstance(feature.settings, type):
        feature.settings()  # each setting has a default


def _phrase_files(feature: Declaration) -> Iterator[Path]:
    return feature.locales.glob("*.ftl") if feature.locales else iter(())


def _package_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""


def _in_order(
    features: Iterable[Declaration],
) -> tuple[tuple[Declaration, ...], list[BrokenFeature]]:
    """The features, each behind those that it names in `after`, otherwise by name.

    Those that wait for one another are left out.
    """
    by_name = {one.name: one for one in features}
    failures = []
    while True:
        sorter = TopologicalSorter(
            {
                name: [other for other in one.after if other in by_name]
                for name, one in by_name.items()
            }
        )
        try:
            sorter.prepare()
        except CycleError as error:
            circle = error.args[1]
            reason = f"they wait for one another: {', '.join(circle)}"
            failures += [BrokenFeature(name, reason) for name in sorted({*circle})]
            by_name = {name: one for name, one in by_name.items() if name not in circle}
            continue
        return tuple(by_name[name] for name in _ready(sorter)), failures


def _ready(sorter: "TopologicalSorter[str]") -> Iterator[str]:
    while sorter.is_active():
        names = sorted(sorter.get_ready())
        yield from names
        sorter.done(*names)


@dataclass(slots=True)
class _Choice:
    """The features that the settings of this process name, and those left out since, by reason."""

    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    left_out: dict[str, str] = field(default_factory=dict)


_choice = _Choice()


def choose_features(on: Iterable[str], off: Iterable[str]) -> InstalledFeatures:
    """Load the features that the settings name; they are the ones of the process from then on."""
    choice = frozenset(on), frozenset(off)
    if choice != (_choice.on, _choice.off):
        _choice.left_out = {}
    _choice.on, _choice.off = choice
    return installed_features()


def feature_choice() -> tuple[frozenset[str], frozenset[str]]:
    """The names that the settings of this process switch on, and those that they switch off."""
    return _choice.on, _choice.off


def leave_out(name: str, reason: str) -> None:
    """Do without a feature from now on, such as one whose tables could not be made."""
    _choice.left_out[name] = reason


def section_of(feature: Declaration) -> "type[BaseModel] | None":
    """The section of the settings of a feature, which is left out if it cannot be loaded."""
    settings = feature.settings
    if settings is None or isinstance(settings, type):
        return settings
    try:
        section = settings()
        section()  # each setting has a default
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
        leave_out(feature.name, f"its settings: {type(error).__name__}: {error}")
        return None
    return section


def absent_features() -> frozenset[str]:
    """The names of features that the operator switched off, or that could not be loaded."""
    return _choice.off | {one.name for one in installed_features().broken}


def installed_features() -> InstalledFeatures:
    """The features of the process: the project's own until the settings are read."""
    all_features = find_features(_choice.on, _choice.off)
    if not _choice.left_out:
        return all_features
    reasons = _choice.left_out
    failures = (BrokenFeature(name, reason) for name, reason in reasons.items())
    staying = tuple(one for one in all_features.features if one.name not in reasons)
    return InstalledFeatures(staying, (*all_features.broken, *failures), all_features.packages)
