"""The features and connectors that are installed and switched on, found by their entry points.

The project's own are on unless the operator switches them off. Code of other packages runs with all
rights of the bot, so it is loaded only if the operator names it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import EntryPoint, distribution, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from rich_agent.domain.memory.kinds import MEMORY_KINDS

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData

    from rich_agent.domain.answer.attachments import Draw, MakeBlock
    from rich_agent.domain.memory.kinds import MemoryKind

GROUP = "rich_agent.features"
CONNECTORS: Final = "rich_agent.connectors"
OWN_PACKAGE = "rich-agent"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_RESERVED = frozenset({"app", "core", "rag"})
"""Names of the core's own tables and migrations."""


class MenuCommand(Protocol):
    """The field of a `MenuEntry` that this module reads."""

    @property
    def name(self) -> str:
        """The command, without its slash."""
        ...


class Declaration(Protocol):
    """The fields of a `Feature` that settings, phrases, prompts and migrations read."""

    @property
    def name(self) -> str:
        """The name of the feature, as in FEATURES_ON and FEATURES_OFF."""
        ...

    @property
    def menu(self) -> "tuple[MenuCommand, ...]":
        """The feature's commands in menus and in /help."""
        ...

    @property
    def settings(self) -> "type[BaseModel] | Callable[[], type[BaseModel]] | None":
        """The feature's section of the settings, or a function that loads the section."""
        ...

    @property
    def locales(self) -> Path | None:
        """The folder with the feature's phrases."""
        ...

    @property
    def prompts(self) -> Path | None:
        """The folder with the feature's prompts."""
        ...

    @property
    def migrations(self) -> Path | None:
        """The folder with the feature's migrations."""
        ...

    @property
    def tables(self) -> "Callable[[], MetaData] | None":
        """A function that returns the feature's tables; it loads SQLAlchemy."""
        ...

    @property
    def pictures(self) -> "Mapping[str, Draw]":
        """Functions that draw attachments, by the kind of attachment."""
        ...

    @property
    def blocks(self) -> "Mapping[str, MakeBlock]":
        """Functions that make living blocks of attachments, by the kind of attachment."""
        ...

    @property
    def memory_rows(self) -> "Mapping[MemoryKind, Callable[[], object]]":
        """Functions that load the tables whose rows are items of the memory, by kind."""
        ...

    @property
    def after(self) -> tuple[str, ...]:
        """The names of features that come before this one."""
        ...

    @property
    def extensions(self) -> "Mapping[str, Callable[[], object]]":
        """Functions that load additions to other features, by the other features' names."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of features without which this one cannot be opened."""
        ...


class Named(Protocol):
    """A declaration of a feature or a connector."""

    @property
    def name(self) -> str:
        """The name of the declaration's entry point."""
        ...


T = TypeVar("T", bound=Named)


@dataclass(frozen=True, slots=True)
class BrokenFeature:
    """A feature or a connector that could not be loaded, and why.

    `hint` tells the operator what to do; "" if there is only the advice for every such failure.
    `is_by_choice` is true if it only lacks what the operator switched off.
    """

    name: str
    reason: str
    hint: str = ""
    is_by_choice: bool = False


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """Loaded declarations by name, and the failures of other declarations."""

    declarations: Mapping[str, T]
    broken: tuple[BrokenFeature, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    """Package and version of each declaration, by its name, such as "bookmarks 1.0"."""


@dataclass(frozen=True, slots=True)
class InstalledFeatures:
    """The features of this process in their opening order, and the failures of other features."""

    features: tuple[Declaration, ...] = ()
    broken: tuple[BrokenFeature, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    """Package and version of each feature, by its name, such as "bookmarks 1.0"."""

    @property
    def own(self) -> frozenset[str]:
        """The names of the project's own features."""
        return _own_names(self.packages)


@cache
def find_features(on: frozenset[str], off: frozenset[str]) -> InstalledFeatures:
    """Load the project's own features, and features of other packages that are named in `on`.

    Features named in `off` are not loaded. A feature that fails to load is listed as broken.
    """
    result: Loaded[Declaration] = load_declarations(GROUP, on, off, _problems_of)
    connectors = {entry.name for entry in entry_points(group=CONNECTORS)} if on else set()
    missing_features = [
        BrokenFeature(name, "no installed package has it")
        for name in sorted(on - off - connectors)
        if name not in {*result.declarations, *(failure.name for failure in result.broken)}
    ]
    own_names = _own_names(result.packages)
    features, circular_features = _in_order(result.declarations.values(), own_names)
    broken = (*result.broken, *missing_features, *circular_features)
    return _with_needs(InstalledFeatures(features, broken, result.packages), off)


def _with_needs(installed: InstalledFeatures, off: Collection[str]) -> InstalledFeatures:
    """The features whose needs are met. The other features are listed as broken."""
    features: dict[str, Declaration] = {}
    failures = list(installed.broken)
    off_by_choice = {*off, *(failure.name for failure in failures if failure.is_by_choice)}
    for feature in installed.features:  # those that a feature needs stand before it
        if missing_names := sorted({*feature.needs} - features.keys()):
            failure = _lack_of(feature.name, missing_names, off_by_choice)
            failures.append(failure)
            if failure.is_by_choice:
                off_by_choice.add(feature.name)
        else:
            features[feature.name] = feature
    return InstalledFeatures(tuple(features.values()), tuple(failures), installed.packages)


def _lack_of(
    name: str, missing_names: Sequence[str], off_by_choice: AbstractSet[str]
) -> BrokenFeature:
    """The failure of a feature without some that it needs."""
    is_by_choice = {*missing_names} <= off_by_choice
    needed_name = next(
        (name_of_need for name_of_need in missing_names if name_of_need not in off_by_choice),
        missing_names[0],
    )
    return BrokenFeature(
        name,
        f"it needs {needed_name}, which is switched off, broken or not installed",
        f"Switch {needed_name} on, or add {name} to FEATURES_OFF."
        if needed_name in off_by_choice
        else "",
        is_by_choice,
    )


def load_declarations(
    group: str,
    on: frozenset[str],
    off: frozenset[str],
    problems_of: Callable[[T, Collection[T]], Iterator[str]],
) -> Loaded[T]:
    """Load the declarations of a group of entry points. A failure is listed with its reason."""
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
    """The project's own entry points, and the other packages' that the operator names."""
    own_entries = distribution(OWN_PACKAGE).entry_points.select(group=group)
    # To look through all packages takes time, and is needed only for other packages' entries.
    entries = [entry for entry in entry_points(group=group) if entry.name in on] if on else []
    own_names = {entry.name for entry in own_entries}
    return [
        *(entry for entry in own_entries if entry.name not in off),
        *(entry for entry in entries if entry.name not in own_names),
    ]


def _load(
    entry: EntryPoint,
    declarations: Mapping[str, T],
    problems_of: Callable[[T, Collection[T]], Iterator[str]],
) -> T:
    """The declaration of an entry point. Raises: ValueError if it cannot be used."""
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
    """Problems of a declaration that the core could not read or join with `others`."""
    if not all(map(_NAME.fullmatch, [*feature.pictures, *feature.blocks])):
        yield "a name of `pictures` or `blocks` is not one of small letters, digits and _"
    if other_kinds := sorted(feature.memory_rows.keys() - {*MEMORY_KINDS}):
        yield f"`memory_rows` has {other_kinds[0]}; the kinds are {', '.join(MEMORY_KINDS)}"
    for other in others:
        if both := sorted(feature.pictures.keys() & other.pictures.keys()):
            yield f"the kind of attachment {both[0]} belongs to {other.name}"
        if both := sorted(feature.blocks.keys() & other.blocks.keys()):
            yield f"the block {both[0]} belongs to {other.name}"
        if both := sorted(feature.memory_rows.keys() & other.memory_rows.keys()):
            yield f"the kind of memory {both[0]} belongs to {other.name}"
    yield from _problems_of_parts(feature)


def _problems_of_parts(feature: Declaration) -> Iterator[str]:
    lists: list[object] = [feature.menu, feature.after, feature.needs]
    if not all(isinstance(value, tuple) for value in lists):
        yield "`menu`, `after` and `needs` are tuples"
    if other_names := sorted(feature.extensions.keys() - {*feature.needs}):
        yield f"it extends {other_names[0]}, which is not in its `needs`"
    for folder, pattern in (
        (feature.locales, "en.ftl"),
        (feature.prompts, "*.md"),
        (feature.migrations, "*.py"),
    ):
        if folder and not any(folder.glob(pattern)):
            yield f"{folder} has no {pattern}"
    if feature.migrations and not feature.tables:
        yield "it has `migrations`, and no `tables` that say whose rows they hold"
    phrases_by_file = {path.name: path.read_text("utf-8") for path in _phrase_files(feature)}
    for command in feature.menu:
        if f"command-{command.name} =" not in phrases_by_file.get("en.ftl", ""):
            yield f"en.ftl has no command-{command.name}"
    if isinstance(feature.settings, type):
        feature.settings()  # each setting has a default


def _phrase_files(feature: Declaration) -> Iterator[Path]:
    return feature.locales.glob("*.ftl") if feature.locales else iter(())


def _package_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""


def _own_names(packages: Mapping[str, str]) -> frozenset[str]:
    """The names of the project's own features."""
    return frozenset(
        name for name, package in packages.items() if package.partition(" ")[0] == OWN_PACKAGE
    )


def _in_order(
    features: Iterable[Declaration], own: Collection[str] = ()
) -> tuple[tuple[Declaration, ...], list[BrokenFeature]]:
    """The features in order, and the failures of features that wait for one another.

    The project's `own` come first: the first to have a name keeps it. Then a feature comes after
    the features that it names in `after`; otherwise names decide.
    """
    feature_by_name = {feature.name: feature for feature in features}
    failures = []
    while True:
        sorter = TopologicalSorter(
            {
                name: _before(feature, feature_by_name, own)
                for name, feature in feature_by_name.items()
            }
        )
        try:
            sorter.prepare()
        except CycleError as error:
            circle = error.args[1]
            reason = f"they wait for one another: {', '.join(circle)}"
            failures += [BrokenFeature(name, reason) for name in sorted({*circle})]
            feature_by_name = {
                name: feature for name, feature in feature_by_name.items() if name not in circle
            }
            continue
        return tuple(feature_by_name[name] for name in _ready(sorter)), failures


def _before(feature: Declaration, names: Iterable[str], own: Collection[str]) -> list[str]:
    """The names of the features that stand before a feature."""
    earlier_names = {*feature.after, *feature.needs}
    if feature.name in own:
        return [name for name in names if name in earlier_names and name in own]
    return [name for name in names if name in earlier_names or name in own]


def _ready(sorter: "TopologicalSorter[str]") -> Iterator[str]:
    """The names in order; names that wait for no other name are ordered alphabetically."""
    ready_names: set[str] = set()
    while sorter.is_active():
        ready_names |= {*sorter.get_ready()}
        name = min(ready_names)
        ready_names.remove(name)
        yield name
        sorter.done(name)


@dataclass(slots=True)
class _Choice:
    """Names of features in the settings of this process, and features left out since."""

    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    left_out: dict[str, str] = field(default_factory=dict)
    """The reason, by the name of the feature."""


_choice = _Choice()


def choose_features(on: Iterable[str], off: Iterable[str]) -> InstalledFeatures:
    """Load the features that the settings name; from then on the process has these features."""
    choice = frozenset(on), frozenset(off)
    if choice != (_choice.on, _choice.off):
        _choice.left_out = {}
    _choice.on, _choice.off = choice
    return installed_features()


def feature_choice() -> tuple[frozenset[str], frozenset[str]]:
    """The names of features that the settings switch on, and of features they switch off."""
    return _choice.on, _choice.off


def leave_out(name: str, reason: str) -> None:
    """Leave a feature out from now on, for instance because its tables could not be made."""
    _choice.left_out[name] = reason


def section_of(feature: Declaration) -> "type[BaseModel] | None":
    """A feature's section of the settings. If it cannot be loaded, the feature is left out."""
    settings_source = feature.settings
    if settings_source is None or isinstance(settings_source, type):
        return settings_source
    try:
        settings_class = settings_source()
        settings_class()  # each setting has a default
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module does
        leave_out(feature.name, f"its settings: {type(error).__name__}: {error}")
        return None
    return settings_class


def absent_features() -> frozenset[str]:
    """The names of features that the operator switched off, or that could not be loaded."""
    return _choice.off | {failure.name for failure in installed_features().broken}


def installed_features() -> InstalledFeatures:
    """The features of the process. Until the settings are read, only the project's own."""
    all_features = find_features(_choice.on, _choice.off)
    if not _choice.left_out:
        return all_features
    reasons = _choice.left_out
    failures = (BrokenFeature(name, reason) for name, reason in reasons.items())
    features = tuple(feature for feature in all_features.features if feature.name not in reasons)
    broken = (*all_features.broken, *failures)
    return _with_needs(InstalledFeatures(features, broken, all_features.packages), _choice.off)
