"""Settings that choose the features."""

from rich_agent.settings.chosen_features import FEATURES_OFF, FEATURES_ON
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Words


class FeatureSettings(Group):
    """Settings that choose the features; `chosen_features` reads them first."""

    on: Words = setting(
        "Features of other packages to load, comma-separated. They run with all rights of the bot.",
        (),
        name=FEATURES_ON,
    )
    off: Words = setting(
        "Features and connectors not to load, comma-separated.", (), name=FEATURES_OFF
    )
