"""The kinds of services that documents are read from; each has a module of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

from pydantic import ValidationError

from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.port import Connector
from rich_agent.documents.source import SourceError
from rich_agent.domain.intranet import Intranet


@dataclass(frozen=True, slots=True)
class ConnectorKind:
    """A kind of service, with a module of its name here, and classes whose names begin with it.

    It `asks_for` a secret, "" for none. `has_rights`: the service knows who may read each document.
    `library` is a module that it needs; `keeps_files`: it keeps files of its own in a folder;
    `is_guarded`: it asks hosts outside the public internet only if the operator names them.
    """

    name: str
    asks_for: str
    has_rights: bool = False
    library: str = ""
    keeps_files: bool = False
    is_guarded: bool = False

    @property
    def config(self) -> type[ServiceConfig]:
        """The model of its configuration, whose first field is an address, if it has one."""
        return cast(
            "type[ServiceConfig]", getattr(self._module(), f"{self.name.capitalize()}Config")
        )

    def parse(self, options: Mapping[str, object]) -> ServiceConfig:
        """The configuration with these options. Raises: SourceError for one that does not fit."""
        try:
            return self.config.model_validate(dict(options))
        except ValidationError as error:
            found = error.errors(include_url=False)[0]
            named = ".".join(map(str, found["loc"])) or self.name
            hint = "`ingest connect` without a kind shows the options of each."
            problem = found["msg"].removeprefix("Value error, ")
            raise SourceError(f"{named}: {problem}", hint=hint) from error

    def knows_rights(self, config: ServiceConfig) -> bool:
        """Whether the service says who may read each document, with this configuration."""
        return self.has_rights and config.has_rights

    def open(
        self, config: ServiceConfig, secret: str, *, source: str, folder: Path, intranet: Intranet
    ) -> Connector:
        """Open the connector of a source; in `folder` it may keep files of its own.

        `intranet` are the hosts outside the public internet that may be asked.
        Raises: SourceError if a library is missing.
        """
        if self.library and not find_spec(self.library):
            hint = "Install the extra: pip install 'rich-agent[connectors]'."
            raise SourceError(f"{self.name}: the library {self.library} is missing", hint=hint)
        wanted: dict[str, object] = {"folder": folder} if self.keeps_files else {}
        wanted |= {"intranet": intranet} if self.is_guarded else {}
        opened = getattr(self._module(), f"open_{self.name}")
        return cast("Connector", opened(config, secret, source=source, **wanted))

    def _module(self) -> object:
        return import_module(f"rich_agent.documents.connectors.{self.name}")


KINDS: Final[Mapping[str, ConnectorKind]] = {
    one.name: one
    for one in (
        ConnectorKind("git", "access token", library="dulwich", keeps_files=True),
        ConnectorKind("webdav", "app password", has_rights=True, is_guarded=True),
        ConnectorKind("s3", "secret access key", library="boto3"),
        ConnectorKind("confluence", "API token", has_rights=True, is_guarded=True),
        ConnectorKind("drive", "key file", has_rights=True, library="jwt", is_guarded=True),
        ConnectorKind("imap", "password", has_rights=True, library="imap_tools"),
    )
}
"""The kinds by name."""


def kind_named(name: str) -> ConnectorKind:
    """The kind with this name. Raises: SourceError."""
    if name not in KINDS:
        raise SourceError(f"{name} cannot be connected", hint=f"Choose from {', '.join(KINDS)}.")
    return KINDS[name]


def given_options(kind: ConnectorKind, words: Sequence[str]) -> dict[str, object]:
    """The options that NAME=VALUE words give; a repeated name is a list.

    Raises: SourceError for a word without a name.
    """
    found: dict[str, list[str]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in kind.config.model_fields:
            hint = f"Options of {kind.name}: {', '.join(kind.config.model_fields)}."
            raise SourceError(f"{word} is not an option with its value", hint=hint)
        found.setdefault(name, []).append(value)
    many = {
        name
        for name, about in kind.config.model_fields.items()
        if isinstance(about.get_default(call_default_factory=True), (tuple, list))
    }
    return {name: values if name in many else values[-1] for name, values in found.items()}
