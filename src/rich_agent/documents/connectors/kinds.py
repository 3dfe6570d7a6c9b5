"""The kinds of services that documents are read from, each a connector of an installed package."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.port import Connector
from rich_agent.documents.source import SourceError
from rich_agent.domain.intranet import Intranet
from rich_agent.installed import CONNECTORS, Loaded, feature_choice, load_declarations

C = TypeVar("C", bound=ServiceConfig)


@dataclass(frozen=True, slots=True)
class Opening:
    """The surroundings of a connector that is opened: its secret, its source, its place for files.

    `secret` is what the operator was asked for, "" for none; `source` the name of the source. In
    `folder` it may keep files of its own. `intranet` are the hosts outside the public internet that
    the operator lets it ask.
    """

    secret: str
    source: str
    folder: Path
    intranet: Intranet


@dataclass(frozen=True, slots=True)
class Service(Generic[C]):
    """A loaded kind: the model of its configuration, and the function that opens a connector.

    The first field of the model is an address, if it has one.
    """

    config: type[C]
    open: Callable[[C, Opening], Connector]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorKind:
    """A kind of service, declared; an entry point of the group `rich_agent.connectors` names it.

    Declaring loads nothing: `load` imports what reads the service. The operator is asked for the
    secret that `asks_for` names, "" for none. `has_rights`: the service knows who may read each
    document. `library` is a module without which it cannot be opened, and `install` tells the
    operator how to get it.
    """

    name: str
    load: Callable[[], Service[Any]]
    asks_for: str = ""
    has_rights: bool = False
    library: str = ""
    install: str = ""

    @property
    def config(self) -> type[ServiceConfig]:
        """The model of its configuration. Raises: SourceError if its module cannot be loaded."""
        return self._service().config

    def parse(self, options: Mapping[str, object]) -> ServiceConfig:
        """The configuration with these options. Raises: SourceError for one that does not fit."""
        try:
            return self.config.model_validate(dict(options))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            option = ".".join(map(str, first["loc"])) or self.name
            hint = "`ingest connect` without a kind shows the options of each."
            problem = first["msg"].removeprefix("Value error, ")
            raise SourceError(f"{option}: {problem}", hint=hint) from error

    def knows_rights(self, config: ServiceConfig) -> bool:
        """Whether the service says who may read each document, with this configuration."""
        return self.has_rights and config.has_rights

    def open(self, config: ServiceConfig, opening: Opening) -> Connector:
        """Open the connector of a source. Raises: SourceError if a library is missing."""
        if self.library and not find_spec(self.library):
            problem = f"{self.name}: the library {self.library} is missing"
            raise SourceError(problem, hint=f"Install it: {self.install or self.library}")
        return self._service().open(config, opening)

    def _service(self) -> Service[Any]:
        try:
            return self.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            hint = "Update the package that has it."
            raise SourceError(f"{self.name} cannot be loaded: {reason}", hint=hint) from error


def installed_kinds() -> Loaded[ConnectorKind]:
    """The project's own kinds, and those of other packages that the operator names."""
    on, off = feature_choice()
    return _find_kinds(on, off)


def find_kind(name: str) -> ConnectorKind:
    """The kind with this name. Raises: SourceError."""
    kinds = installed_kinds()
    if name in kinds.declarations:
        return kinds.declarations[name]
    for failure in kinds.broken:
        if failure.name == name:
            raise SourceError(f"{name} cannot be loaded: {failure.reason}")
    choice = f"Choose from {', '.join(kinds.declarations)}."
    raise SourceError(f"{name} cannot be connected", hint=choice)


def options_in(kind: ConnectorKind, words: Sequence[str]) -> dict[str, object]:
    """The options that NAME=VALUE words give; a repeated name is a list.

    Raises: SourceError for a word without a name.
    """
    fields = kind.config.model_fields
    values: dict[str, list[str]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in fields:
            hint = f"Options of {kind.name}: {', '.join(fields)}."
            raise SourceError(f"{word} is not an option with its value", hint=hint)
        values.setdefault(name, []).append(value)
    many = {
        name
        for name, about in fields.items()
        if isinstance(about.get_default(call_default_factory=True), (tuple, list))
    }
    return {name: each if name in many else each[-1] for name, each in values.items()}


@cache
def _find_kinds(on: frozenset[str], off: frozenset[str]) -> Loaded[ConnectorKind]:
    return load_declarations(CONNECTORS, on, off, _problems_of)


def _problems_of(kind: object, _module: object) -> Iterator[str]:
    if not isinstance(kind, ConnectorKind):
        yield "it is no `ConnectorKind`"
