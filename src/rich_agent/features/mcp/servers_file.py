"""The file of tool servers: the `mcpServers` form of other programs, with additional keys.

All problems of the file are reported before any server is started.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from dotenv import dotenv_values
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.networks import AnyHttpUrl

from rich_agent.feature.confinement import CommandBounds
from rich_agent.feature.errors import SettingsError
from rich_agent.feature.settings import ENV_FILE, SUFFIX, read_secret_file
from rich_agent.feature.tool_sources import EVERY, Rule
from rich_agent.features.mcp.definitions import (
    LONGEST_TIMEOUT_S,
    TIMEOUT_S,
    McpServer,
    is_server_name,
)

_SETTING: Final = "MCP_SERVERS_FILE"
_MOST_BYTES = 2**20
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]{0,99})(?::-([^}]{0,1000}))?\}")
_HTTP_URL = TypeAdapter(AnyHttpUrl)
_EXAMPLE = (
    'Write {"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}; '
    "docs/how-to/mcp.md has more examples."
)


class _Rule(BaseModel):
    """The operator's rule for a tool of a server; see `Rule`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    given: tuple[str, ...] = Field(EVERY, strict=False)
    sends: tuple[str, ...] = Field(EVERY, strict=False)
    most_a_day: int | None = Field(None, ge=0)
    sums: dict[str, float] = Field(default_factory=dict)

    def rule(self) -> Rule:
        """The rule as a domain value."""
        return Rule(
            user_provided=self.given, sends=self.sends, most_a_day=self.most_a_day, sums=self.sums
        )


class _Confinement(BaseModel):
    """The rights of a confined command, as the file has them."""

    model_config = ConfigDict(extra="forbid", strict=True)

    read: tuple[str, ...] = Field((), strict=False)
    write: tuple[str, ...] = Field((), strict=False)
    network: bool = False

    def bounds(self) -> CommandBounds:
        """The rights as bounds, with absolute paths."""
        return CommandBounds(_whole(self.read), _whole(self.write), self.network)


def _confinement(value: object) -> object:
    """The value, with `true` replaced by no rights, and `false` by no confinement."""
    return ({} if value else None) if isinstance(value, bool) else value


class _Entry(BaseModel):
    """The entry of a server.

    Keys by which other programs let calls pass unasked are read and ignored.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    type: Literal["stdio", "http", "streamable-http", "streamableHttp"] | None = None
    command: str = ""
    args: tuple[str, ...] = Field((), strict=False)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    tools: frozenset[str] | None = Field(None, strict=False)
    trusted: bool = False
    timeout_s: float = Field(TIMEOUT_S, gt=0, le=LONGEST_TIMEOUT_S)
    rules: dict[str, _Rule] = Field(default_factory=dict)
    disabled: bool = False
    confine: Annotated[_Confinement | None, BeforeValidator(_confinement)] = None
    autoApprove: Any = None  # noqa: N815 - as other programs write it
    alwaysAllow: Any = None  # noqa: N815 - the same


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")

    mcpServers: dict[str, dict[str, Any]]  # noqa: N815 - as other programs write it


@dataclass(frozen=True, slots=True)
class McpServerFile:
    """The servers of a file.

    `secrets`: values that must not be logged or shown.
    `variables`: the names of variables whose values are among `secrets`.
    `problems`: the problems of the file.
    """

    servers: tuple[McpServer, ...] = ()
    secrets: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    problems: tuple[SettingsError, ...] = ()


def read_mcp_servers(path: Path | None) -> McpServerFile:
    """The servers of the file, none without a file.

    Its variables come from the process and from `.env`.
    """
    if path is None:
        return McpServerFile()
    try:
        entries = _entries(path)
    except SettingsError as problem:
        return McpServerFile(problems=(problem,))
    variables = _Variables({**_of_env_file(), **os.environ})
    servers, problems = [], []
    for name, entry in entries.items():
        try:
            server = _read(name, entry, variables)
        except SettingsError as problem:
            problems.append(problem)
        else:
            servers += [server] if server else []
    header_values = {value for server in servers for value in server.headers.values()}
    private_texts = [
        *header_values,
        *(
            text
            for listed_server in servers
            for text in (listed_server.url, *listed_server.env.values())
        ),
    ]
    private_variables = {
        name: value
        for name, value in variables.used.items()
        if any(value in text for text in private_texts)
    }
    secrets = frozenset(header_values.union(private_variables.values()))
    return McpServerFile(tuple(servers), secrets, frozenset(private_variables), tuple(problems))


def _entries(path: Path) -> Mapping[str, dict[str, Any]]:
    try:
        with path.open("rb") as file:
            file_bytes = file.read(_MOST_BYTES + 1)
        if len(file_bytes) > _MOST_BYTES:
            raise SettingsError(_SETTING, f"{path} is larger than 1 MB", hint=_EXAMPLE)
        return _File.model_validate(json.loads(file_bytes)).mcpServers
    except OSError as error:
        raise SettingsError(
            _SETTING,
            f"{path} cannot be read: {error.strerror}",
            hint="Write the path of a file that this program may read, or leave it out.",
        ) from error
    except ValidationError as error:
        raise SettingsError(_SETTING, f"{path} has no mcpServers", hint=_EXAMPLE) from error
    except (ValueError, RecursionError) as error:
        line_note = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise SettingsError(_SETTING, f"{path}{line_note} is not JSON", hint=_EXAMPLE) from error


class _Variables:
    """Fills in `${NAME}`, `${NAME:-default}` and `${env:NAME}`.

    `used` has the values that were filled in.
    """

    def __init__(self, values: Mapping[str, str | None]) -> None:
        self._values = values
        self.used: dict[str, str] = {}

    def fill(self, value: Any, server: str) -> Any:  # noqa: ANN401 - JSON
        """The value with the variables in all of its texts filled in."""
        if isinstance(value, str):
            return _VARIABLE.sub(lambda variable: self._value_of(variable, server), value)
        if isinstance(value, list):
            return [self.fill(item, server) for item in value]
        if isinstance(value, dict):
            return {key: self.fill(item, server) for key, item in value.items()}
        return value

    def _value_of(self, variable: re.Match[str], server: str) -> str:
        name, default = variable.groups()
        file_path = self._values.get(name + SUFFIX)
        file_value = read_secret_file(name, Path(file_path)) if file_path else None
        value = self._values.get(name) or file_value or default
        if value is None:
            raise SettingsError(
                _SETTING,
                f"server {server}: the variable {name} is not set",
                hint=f"Write {name}=… into .env or the environment, or give it a default: "
                f"${{{name}:-…}}.",
            )
        self.used[name] = value
        return value


def _of_env_file() -> Mapping[str, str | None]:
    try:
        return dotenv_values(ENV_FILE, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return {}  # reported as a problem of that file


def _read(name: str, entry: dict[str, Any], variables: _Variables) -> McpServer | None:
    """The server of an entry, None if it is disabled. Raises: SettingsError."""
    if not is_server_name(name):
        raise SettingsError(
            _SETTING,
            f"server {name[:40]!r} has a name that its tools cannot begin with",
            hint="Write up to 31 letters, digits, - and single _, such as my-files.",
        )
    if entry.get("disabled") is True:
        return None
    try:
        server_entry = _Entry.model_validate(variables.fill(entry, name))
    except ValidationError as error:
        raise _wrong(name, error) from error
    _check_way(name, server_entry)
    return McpServer(
        name,
        server_entry.command,
        server_entry.args,
        server_entry.env,
        server_entry.cwd,
        server_entry.url,
        server_entry.headers,
        server_entry.tools,
        server_entry.trusted,
        server_entry.timeout_s,
        {tool: rule.rule() for tool, rule in server_entry.rules.items()},
        server_entry.confine.bounds() if server_entry.confine else None,
    )


def _whole(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(os.path.abspath(os.path.expanduser(path)) for path in paths)  # noqa: PTH100, PTH111 - texts


def _wrong(name: str, error: ValidationError) -> SettingsError:
    """The first problem of an entry. Its value is left out, because it may be secret."""
    first_error = error.errors(include_input=False, include_url=False)[0]
    key = ".".join(map(str, first_error["loc"]))
    if first_error["type"] == "extra_forbidden":
        models: dict[str, type[BaseModel]] = {"rules": _Rule, "confine": _Confinement}
        fields = models.get(str(first_error["loc"][0]), _Entry).model_fields
        keys = [
            field_name for field_name in fields if field_name not in {"autoApprove", "alwaysAllow"}
        ]
        hint = f"Take it out, or write one of: {', '.join(keys)}."
        return SettingsError(_SETTING, f"server {name}: there is no key {key!r}", hint=hint)
    if key == "type":
        hint = "Write stdio or http. A server that has SSE only has to be updated."
        return SettingsError(_SETTING, f"server {name}: its type is unknown", hint=hint)
    problem = first_error["msg"][:1].lower() + first_error["msg"][1:]
    return SettingsError(_SETTING, f"server {name}, {key}: {problem}", hint=_EXAMPLE)


def _check_way(name: str, server_entry: _Entry) -> None:
    """Check that there is exactly one way to reach a server. Raises: SettingsError."""
    way_of_type = server_entry.type and ("command" if server_entry.type == "stdio" else "url")
    ways = [way for way in ("command", "url") if getattr(server_entry, way)]
    if len(ways) != 1 or (way_of_type and ways != [way_of_type]):
        required_way = way_of_type or "either a command or a url"
        raise SettingsError(_SETTING, f"server {name} needs {required_way}", hint=_EXAMPLE)
    if server_entry.confine and not server_entry.command:
        hint = "Take confine out: what runs elsewhere can only be confined there."
        raise SettingsError(_SETTING, f"server {name} is no command to confine", hint=hint)
    if ways == ["url"]:
        try:
            _HTTP_URL.validate_python(server_entry.url)
        except ValidationError as error:
            hint = "Write an address with http:// or https://, such as https://host.example/mcp."
            raise SettingsError(
                _SETTING, f"server {name}: its url is not a web address", hint=hint
            ) from error
