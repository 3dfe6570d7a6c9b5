"""Reads `.env` and finds malformed lines in it; writes values into it."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values, set_key
from dotenv.parser import parse_stream

from rich_agent.errors import SettingsError

ENV_FILE = ".env"
_PROXIES = frozenset({"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"})
OF_LIBRARIES = _PROXIES | {"SSL_CERT_FILE", "SSL_CERT_DIR"}
"""The variables that the libraries for HTTP read themselves."""
_ENCODING = "utf-8-sig"  # Windows' editor writes a mark of byte order

# The library warns of each unreadable line twice; here, such a line is a single error.
logging.getLogger("dotenv").setLevel(logging.ERROR)


def read_env_file(path: Path) -> tuple[dict[str, str], list[SettingsError]]:
    """The values by name in capitals, and the problems with the file. A missing file is empty."""
    try:
        with path.open(encoding=_ENCODING) as file:
            lines = list(parse_stream(file))
    except FileNotFoundError:
        return {}, []
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        hint = "Make it a text file in UTF-8 that this program may read, or remove it."
        return {}, [SettingsError(str(path), f"cannot be read: {reason}", hint=hint)]
    problems = [
        SettingsError(
            f"{path}, line {line.original.line}",
            "cannot be read",
            hint="Write NAME=value; a value in quotes needs both of them.",
        )
        for line in lines
        if line.error or (line.key and line.value is None)
    ]
    values = dotenv_values(path, encoding=_ENCODING)
    return {name.upper(): value for name, value in values.items() if value is not None}, problems


def use_proxies(values: Mapping[str, str]) -> None:
    """Take proxies and trusted certificates in `.env` for this process, for the libraries for HTTP.

    What the environment names itself stays.
    """
    for name in OF_LIBRARIES & values.keys():
        if name not in os.environ and name.lower() not in os.environ:
            os.environ[name] = values[name]


def write_values(path: Path, values: Mapping[str, str]) -> None:
    """Set the values of these names, and keep all other lines.

    If the file is missing, it is created, readable only by its owner.
    """
    path.touch(mode=0o600)
    present_values = dotenv_values(path, interpolate=False)
    for name, value in values.items():
        if present_values.get(name, "") != value:
            set_key(path, name, value, quote_mode="auto")
