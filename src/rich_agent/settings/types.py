"""Types of settings: addresses, secrets, comma-separated lists. An optional setting may be None."""

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AfterValidator, AnyHttpUrl, BeforeValidator, Field, SecretStr, TypeAdapter

from rich_agent.domain.intranet import Intranet
from rich_agent.domain.tools import Policy
from rich_agent.settings.chosen_features import split_names

_HTTP_URL = TypeAdapter(AnyHttpUrl)


def _split(value: object) -> object:
    """The items of a comma-separated text."""
    return split_names(value) if isinstance(value, str) else value


def _split_or_all(value: object) -> object:
    """The items of a comma-separated text, or "*"."""
    return "*" if isinstance(value, str) and value.strip() == "*" else _split(value)


def _http_url(value: str) -> str:
    """The address without a final slash.

    Raises: ValueError if it is no web address.
    """
    _HTTP_URL.validate_python(value)
    return value.rstrip("/")


def _empty_as(unset: object) -> BeforeValidator:
    """A validator that reads an empty text as this value."""
    return BeforeValidator(lambda value: unset if value == "" else value)


_OF_THE_PRODUCT: Final = frozenset(
    {"model", "messages", "input", "stream", "stream_options", "n"}
    | {"tools", "tool_choice", "response_format"}
)
"""Fields of a request that the product sets itself; no setting may change them."""


def _json_object(value: object) -> dict[str, Any] | None:
    """The JSON object, either as given or read from a text; None for anything else."""
    try:
        content = json.loads(value or "{}") if isinstance(value, str) else value
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _parameters(value: object) -> object:
    """The parameters of requests.

    Raises: ValueError if they are not allowed.
    """
    content = _json_object(value)
    if content is None:
        raise ValueError("is not a JSON object")
    if forbidden_names := sorted(_OF_THE_PRODUCT & content.keys()):
        raise ValueError(f"must not set {', '.join(forbidden_names)}")
    return content


def _policies(value: object) -> object:
    """The policies by tool.

    Raises: ValueError if they are malformed.
    """
    content = _json_object(value)
    if content is None or not set(map(str, content.values())) <= set(get_args(Policy)):
        raise ValueError(f"is not a JSON object of tools with {', '.join(get_args(Policy))}")
    return content


def _hosts(value: tuple[str, ...]) -> tuple[str, ...]:
    """The hosts, if all are well formed.

    Raises: ValueError.
    """
    Intranet.parse(value)
    return value


_UNSET = _empty_as(None)
_Locale = Literal[
    "en",
    "ar",
    "de",
    "es",
    "fa",
    "fr",
    "hi",
    "id",
    "it",
    "ja",
    "ko",
    "nl",
    "pl",
    "pt-BR",
    "ru",
    "tr",
    "uk",
    "vi",
    "zh-Hans",
    "zh-Hant",
]
Url = Annotated[str, BeforeValidator(_http_url)]
Count = Annotated[int, Field(ge=0), _empty_as(0)]
OptionalUrl = Annotated[Url | None, _UNSET]
FilePath = Annotated[Path | None, _UNSET]
Text = Annotated[str | None, _UNSET]
OptionalCount = Annotated[int | None, _UNSET]
Language = Annotated[_Locale, _empty_as("en")]
Number = Annotated[float | None, _UNSET]
Secret = Annotated[SecretStr | None, _UNSET]
UserIds = Annotated[AbstractSet[int], BeforeValidator(_split)]
UserIdsOrAll = Annotated[frozenset[int] | Literal["*"], BeforeValidator(_split_or_all)]
Words = Annotated[tuple[str, ...], BeforeValidator(_split)]
Hosts = Annotated[Words, AfterValidator(_hosts)]
Parameters = Annotated[Mapping[str, Any], BeforeValidator(_parameters)]
Policies = Annotated[Mapping[str, Policy], BeforeValidator(_policies)]
