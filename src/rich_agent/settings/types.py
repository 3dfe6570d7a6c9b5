"""Types of settings: addresses, secrets, and lists separated by commas; empty is unset."""

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AnyHttpUrl, BeforeValidator, SecretStr, TypeAdapter
from pydantic_settings import NoDecode

from rich_agent.domain.tools import Policy

_HTTP_URL = TypeAdapter(AnyHttpUrl)


def _split(value: object) -> object:
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, str)
        else value
    )


def _split_or_all(value: object) -> object:
    return "*" if isinstance(value, str) and value.strip() == "*" else _split(value)


def _http_url(value: str) -> str:
    _HTTP_URL.validate_python(value)
    return value.rstrip("/")


def _zero_if_empty(value: object) -> object:
    return 0 if value == "" else value


def _none_if_empty(value: object) -> object:
    return None if value == "" else value


_OF_THE_PRODUCT: Final = frozenset(
    {"model", "messages", "input", "stream", "stream_options", "n"}
    | {"tools", "tool_choice", "response_format"}
)
"""What a request says of itself; no setting may change it."""


def _parameters(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        given = json.loads(value or "{}")
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise ValueError("is not a JSON object")  # noqa: TRY004 - pydantic reports ValueErrors
    if taken := sorted(_OF_THE_PRODUCT & given.keys()):
        raise ValueError(f"must not set {', '.join(taken)}")
    return given


def _policies(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        given = json.loads(value or "{}")
    except ValueError:
        given = None
    if not isinstance(given, dict) or not set(map(str, given.values())) <= set(get_args(Policy)):
        raise ValueError(f"is not a JSON object of tools with {', '.join(get_args(Policy))}")
    return given


Url = Annotated[str, BeforeValidator(_http_url)]
Count = Annotated[int, BeforeValidator(_zero_if_empty)]
OptionalUrl = Annotated[Url | None, BeforeValidator(_none_if_empty)]
OptionalPath = Annotated[Path | None, BeforeValidator(_none_if_empty)]
OptionalText = Annotated[str | None, BeforeValidator(_none_if_empty)]
OptionalCount = Annotated[int | None, BeforeValidator(_none_if_empty)]
OptionalNumber = Annotated[float | None, BeforeValidator(_none_if_empty)]
OptionalSecret = Annotated[SecretStr | None, BeforeValidator(_none_if_empty)]
UserIds = Annotated[AbstractSet[int], NoDecode, BeforeValidator(_split)]
UserIdsOrAll = Annotated[frozenset[int] | Literal["*"], NoDecode, BeforeValidator(_split_or_all)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
Parameters = Annotated[Mapping[str, Any], NoDecode, BeforeValidator(_parameters)]
Policies = Annotated[Mapping[str, Policy], NoDecode, BeforeValidator(_policies)]
