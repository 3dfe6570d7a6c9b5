"""Tokens of programs, made as the operator makes them, for tests of what is reached with one."""

import pytest

from rich_agent.installed import installed_features
from tests.acceptance.world import command


def make_token(environment: dict[str, str], user: int, *more: str) -> str:
    """A new token, which `rich-agent tokens add` prints; nothing else is on its stdout.

    The test is skipped where the feature that makes tokens is taken out.
    """
    if all(feature.name != "tokens" for feature in installed_features().features):
        pytest.skip("tokens is taken out")
    arguments = ["rich_agent.cli", "tokens", "add", "--user", str(user), "--name", "n", *more]
    return command(arguments, environment).stdout.strip()
