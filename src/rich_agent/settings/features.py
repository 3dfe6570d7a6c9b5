"""The choice of features: it is read before all other settings, which may be a feature's own."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rich_agent.installed import choose_features
from rich_agent.settings.dotenv import ENV_FILE, read_env_file
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Words

FEATURES_ON: Final = "FEATURES_ON"
FEATURES_OFF: Final = "FEATURES_OFF"


class FeatureSettings(Group):
    """Settings that choose the features."""

    on: Words = setting(
        "Features of other packages to load, comma-separated. They run with all rights of the bot.",
        (),
        name=FEATURES_ON,
    )
    off: Words = setting("Features not to load, comma-separated.", (), name=FEATURES_OFF)


def choose_features_of(values: Mapping[str, object]) -> None:
    """Load the features that these settings name, by environment name."""
    names = {"on": FEATURES_ON, "off": FEATURES_OFF}
    chosen = {field: values[name] for field, name in names.items() if name in values}
    choice = FeatureSettings.model_validate(chosen)
    choose_features(choice.on, choice.off)


def choose_features_of_environment() -> None:
    """Load the features that the environment and `.env` name: `--help` lists their commands."""
    written, _ = read_env_file(Path(ENV_FILE))
    choose_features_of(written | {name.upper(): value for name, value in os.environ.items()})
