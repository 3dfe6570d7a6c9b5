"""Features that a test needs from others than its own."""

import pytest

from rich_agent.installed import installed_features


def need_feature(name: str) -> None:
    """Skip the test where a feature is taken out."""
    if all(feature.name != name for feature in installed_features().features):
        pytest.skip(f"{name} is taken out")
