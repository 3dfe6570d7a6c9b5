"""Kinds of services from which documents are read; installed packages declare them."""

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
from rich_agent.runtime.own_package import extra_hint

C = TypeVar("C", bound=ServiceConfig)


@dataclass(frozen=True, slots=True)
class Opening:
    """The values with which a connector is opened."""

    secret: str
    """Secret that the operator gave, "" for none."""
    source: str
    """Name of the source."""
    folder: Path
    """Folder for the connector's own files."""
    intranet: Intranet
    """Hosts outside the public internet that the connector may reach."""


@dataclass(frozen=True, slots=True)
class Service(Generic[C]):
    """The code of a kind of service."""

    config: type[C]
    """Model of the configuration. If it has an address, that is its first field."""
    open: Callable[[C, Opening], Connector]
    """Opens a connector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorKind:
    """The declaration of a kind of service. Its entry point has the group `rich_agent.connectors`.

    A declaration loads none of the code that reads the service.
    """

    name: str
    """Name of the kind; its entry point has the same."""
    load: Callable[[], Service[Any]]
    """Imports and returns the code."""
    asks_for: str = ""
    """Name of the secret that the operator is asked for, "" for none."""
    has_rights: bool = False
    """Whether the service tells who may read each document."""
    library: str = ""
    """Module that a connector needs, "" for none."""
    install: str = ""
    """Instruction for installing this module."""
    extra: str = ""
    """The extra of rich-agent that has this module, instead of an instruction."""

    @property
    def config(self) -> type[ServiceConfig]:
        """The model of the configuration. Raises: SourceError if the code cannot be loaded."""
        return self._service().config

    def parse(self, options: Mapping[str, object]) -> ServiceConfig:
        """The configuration with these options. Raises: SourceError if an option does not fit."""
        try:
            return self.config.model_validate(dict(options))
        except ValidationError as error:
            first_error = error.errors(include_url=False)[0]
            option = ".".join(map(str, first_error["loc"])) or self.name
            hint = "`ingest connect` without a kind shows the options of each."
            problem = first_error["msg"].removeprefix("Value error, ")
            raise SourceError(f"{option}: {problem}", hint=hint) from error

    def knows_rights(self, config: ServiceConfig) -> bool:
        """Whether, with this configuration, the service tells who may read each document."""
        return self.has_rights and config.has_rights

    def open(self, config: ServiceConfig, opening: Opening) -> Connector:
        """Open the connector of a source. Raises: SourceError if a library is missing."""
        if self.library and not find_spec(self.library):
            problem = f"{self.name}: the library {self.library} is missing"
            hint = f"Install it: {self.install or self.library}"
            raise SourceError(problem, hint=extra_hint(self.extra) if self.extra else hint)
        return self._service().open(config, opening)

    def _service(self) -> Service[Any]:
        try:
            return self.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            hint = "Update the package that has it."
            raise SourceError(f"{self.name} cannot be loaded: {reason}", hint=hint) from error


def installed_kinds() -> Loaded[ConnectorKind]:
    """The project's own kinds, and kinds of other packages that the operator names."""
    enabled_names, disabled_names = feature_choice()
    return _find_kinds(enabled_names, disabled_names)


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
    """The options in NAME=VALUE words. An option with several values is a list.

    Raises: SourceError for a word of another form, or with an unknown name.
    """
    fields = kind.config.model_fields
    values_by_name: dict[str, list[str]] = {}
    for argument in words:
        name, equals, value = argument.partition("=")
        if not equals or name not in fields:
            hint = f"Options of {kind.name}: {', '.join(fields)}."
            raise SourceError(f"{argument} is not an option with its value", hint=hint)
        values_by_name.setdefault(name, []).append(value)
    list_names = {
        name
        for name, field in fields.items()
        if isinstance(field.get_default(call_default_factory=True), (tuple, list))
    }
    return {
        name: values if name in list_names else values[-1]
        for name, values in values_by_name.items()
    }


@cache
def _find_kinds(
    enabled_names: frozenset[str], disabled_names: frozenset[str]
) -> Loaded[ConnectorKind]:
    return load_declarations(CONNECTORS, enabled_names, disabled_names, _problems_of)


def _problems_of(kind: object, _module: object) -> Iterator[str]:
    if not isinstance(kind, ConnectorKind):
        yield "it is no `ConnectorKind`"
