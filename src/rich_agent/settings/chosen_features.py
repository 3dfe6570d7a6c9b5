"""The names of the features to load, read before all other settings, which may be a feature's own.

`--help` reads them too, and loads nothing of the settings.
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
    """The names in a text, which commas separate."""
    return [part.strip() for part in text.split(",") if part.strip()]


def choose_features_of(values: Mapping[str, object]) -> None:
    """Load the features that these settings name, by environment name."""
    on, off = (split_names(str(values.get(name, ""))) for name in (FEATURES_ON, FEATURES_OFF))
    choose_features(on, off)


def choose_features_of_environment() -> None:
    """Load the features that the environment and `.env` name."""
    in_file, _ = read_env_file(Path(ENV_FILE))
    choose_features_of(in_file | {name.upper(): value for name, value in os.environ.items()})
