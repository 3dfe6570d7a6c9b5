"""The names of the features to load. They are read before all other settings.

A feature may have settings of its own, so the features must be known first. `--help` reads these
names too, and no other settings.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rich_agent.installed import choose_features
from rich_agent.settings.dotenv import ENV_FILE, read_env_file

FEATURES_ON: Final = "FEATURES_ON"
FEATURES_OFF: Final = "FEATURES_OFF"


def split_names(text: str) -> list[str]:
    """The names in a text, separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def choose_features_of(values: Mapping[str, object]) -> None:
    """Choose the features that these settings name; `values` are by environment name."""
    names_on, names_off = (
        split_names(str(values.get(name, ""))) for name in (FEATURES_ON, FEATURES_OFF)
    )
    choose_features(names_on, names_off)


def choose_features_of_environment() -> None:
    """Choose the features that the environment and `.env` name."""
    file_values, _ = read_env_file(Path(ENV_FILE))
    choose_features_of(file_values | {name.upper(): value for name, value in os.environ.items()})
