"""Says in plain words what is wrong with a setting's value, and what to write instead."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, Literal, get_args

from pydantic.fields import FieldInfo

from rich_agent.errors import SettingsError
from rich_agent.settings.fields import Setting

_SHOWN_CHARACTERS = 40
_PROBLEMS: Final[Mapping[str, str]] = {
    "int_parsing": "is not a whole number",
    "int_parsing_size": "is too large",
    "float_parsing": "is not a number",
    "finite_number": "is not a number",
    "bool_parsing": "is neither true nor false",
    "greater_than": "is too small",
    "greater_than_equal": "is too small",
    "less_than_equal": "is too large",
}

RequiredSetting = Literal["TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY"]
_WHERE_TO_GET: Final[Mapping[RequiredSetting, str]] = {
    "TELEGRAM_BOT_TOKEN": "Make a bot with @BotFather in Telegram and write its token into .env "
    "(or try without one: `rich-agent demo`).",
    "OPENAI_API_KEY": "Write the key of your model server into .env; for one that needs none "
    "(Ollama, vLLM), write any word and set OPENAI_BASE_URL (or try without one: "
    "`rich-agent demo`).",
}


def missing_setting(name: RequiredSetting) -> SettingsError:
    """The error for a setting without a default that is not set."""
    return SettingsError(name, "is missing", hint=_WHERE_TO_GET[name])


def wrong_value(setting: Setting, error: Mapping[str, Any]) -> SettingsError:
    """The error for a setting, in plain words.

    `error` is an item of pydantic's `ValidationError.errors()`. The value is quoted, unless it is
    secret or may hold a password.
    """
    kind, value = str(error["type"]), str(error["input"]).strip()
    if len(error["loc"]) < len(setting.path):  # of a whole group, whose values may be secret
        problem = f"does not fit the settings beside it: {error['msg']}"
    elif kind == "value_error":
        problem = str(error["msg"]).removeprefix("Value error, ")
    elif not value:
        problem = "is empty"
    elif kind.startswith("url_"):
        problem = "is not a web address"
    else:
        problem = f"{_quote(value, setting)} {_PROBLEMS.get(kind, 'is not allowed here')}"
    return SettingsError(setting.name, problem, hint=_what_to_write(setting, kind))


def _quote(value: str, setting: Setting) -> str:
    """The value in quotation marks; "its value" if it may be secret."""
    if setting.is_secret or ("://" in value and "@" in value):
        return "its value"
    printable_value = re.sub(r"[\x00-\x1f\x7f]", " ", value[:_SHOWN_CHARACTERS])
    return f"“{printable_value}{'…' if len(value) > _SHOWN_CHARACTERS else ''}”"


def _what_to_write(setting: Setting, kind: str) -> str:
    """The hint what to write for a setting."""
    name, field = setting.name, setting.field
    types, default = setting.types, field.get_default()
    if kind.startswith("url_"):
        example = default or "https://bot.example.com"
        return f"Write an address with http:// or https://, as in {name}={example}."
    if frozenset in types or tuple in types:
        return _what_to_list(name, types)
    if Mapping in types:
        example = (field.examples or ['{"temperature": 0.2, "max_tokens": 800}'])[0]
        return f"Write one JSON object, as in {name}={example}."
    if Literal in types:
        return f"Write one of: {', '.join(get_args(field.annotation))}."
    if bool in types:
        return "Write true or false."
    description = (
        "small letters, digits and _ only" if kind == "string_pattern_mismatch" else "a value"
    )
    if int in types or float in types:
        description = f"{'a whole number' if int in types else 'a number'}{_range(field)}"
    return f"Write {description}{'' if default is None else f', as in {name}={default}'}."


def _what_to_list(name: str, types: Collection[Any]) -> str:
    """The hint what to write for a list."""
    if frozenset in types:
        return f"Write numbers separated by commas, as in {name}=123456789,987654321."
    # No list of words is refused but one of hosts.
    return (
        "Write hosts separated by commas: names, *.corp.example, addresses, networks such as "
        "10.0.0.0/8."
    )


def _range(field: FieldInfo) -> str:
    """The permitted range of a number, in words."""
    limit_by_name = {
        limit: value
        for constraint in field.metadata
        for limit in ("ge", "gt", "le")
        if (value := getattr(constraint, limit, None)) is not None
    }
    if "le" in limit_by_name and "gt" in limit_by_name:
        return f" above {limit_by_name['gt']}, {limit_by_name['le']} at most"
    if "le" in limit_by_name:
        return f" from {limit_by_name['ge']} to {limit_by_name['le']}"
    if "ge" in limit_by_name:
        return f", {limit_by_name['ge']} or more"
    return f" above {limit_by_name['gt']}" if "gt" in limit_by_name else ""
