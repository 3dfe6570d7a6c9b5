"""Secrets in files, as used by Docker and systemd: NAME_FILE has the path of the file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from rich_agent.errors import SettingsError

SUFFIX: Final = "_FILE"
_MOST_BYTES: Final = 2**16


def read_secret_file(name: str, path: Path) -> str:
    """The secret `name` in a file of one line, without the line break at its end.

    Raises: SettingsError for a file that cannot be read, is empty, is larger than 64 KB, is not in
    UTF-8, or has several lines.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        text = content.decode().rstrip("\r\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        raise _unusable(name, path, f"cannot be read: {reason}") from error
    if len(content) > _MOST_BYTES:
        raise _unusable(name, path, "is larger than 64 KB")
    if not text.strip():
        raise _unusable(name, path, "is empty")
    if len(text.splitlines()) > 1:
        raise _unusable(name, path, "has more than one line")
    return text


def fill_in_secrets(
    values: Mapping[str, str], names: Iterable[str]
) -> tuple[dict[str, str], list[SettingsError]]:
    """The secrets of those `names` whose NAME_FILE is among `values`, and problems with the files.

    An empty NAME or NAME_FILE counts as unset.
    """
    secrets, problems = {}, []
    for name in names:
        path = values.get(name + SUFFIX)
        if not path:
            continue
        if values.get(name):
            hint = f"Keep one of the two, and leave {name} or {name}{SUFFIX} empty."
            problems.append(SettingsError(name, f"is set, and so is {name}{SUFFIX}", hint=hint))
            continue
        try:
            secrets[name] = read_secret_file(name, Path(path))
        except SettingsError as problem:
            problems.append(problem)
    return secrets, problems


def _unusable(name: str, path: Path, problem: str) -> SettingsError:
    hint = f"Write the path of a file into {name}{SUFFIX} that holds the value and nothing else."
    return SettingsError(name, f"its file {path} ({name}{SUFFIX}) {problem}", hint=hint)
