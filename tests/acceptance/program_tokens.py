"""Tokens of programs, made as the operator makes them, for tests of what is reached with one."""

from tests.acceptance.world import command


def make_token(environment: dict[str, str], user: int, *more: str) -> str:
    """A new token, which `rich-agent tokens add` prints; nothing else is on its stdout."""
    arguments = ["rich_agent.cli", "tokens", "add", "--user", str(user), "--name", "n", *more]
    return command(arguments, environment).stdout.strip()
