"""Tokens of programs, for tests of what is reached with one.

They are skipped where the feature that makes tokens is taken out.
"""

import secrets

from rich_agent.domain.tokens import SCOPES, Scope, hash_token
from tests.acceptance.world import World, command
from tests.needed_features import need_feature


def make_token(environment: dict[str, str], user: int, *more: str) -> str:
    """A new token, which `rich-agent tokens add` prints; nothing else is on its stdout."""
    need_feature("tokens")
    arguments = ["rich_agent.cli", "tokens", "add", "--user", str(user), "--name", "n", *more]
    return command(arguments, environment).stdout.strip()


def store_token(world: World, user: int, *scopes: Scope) -> str:
    """A new token of all scopes, or of these, stored without a process that makes it."""
    need_feature("tokens")
    token = f"ra_{secrets.token_urlsafe(32)}"
    world.rows(
        "INSERT INTO api_tokens (token_hash, user_id, name, scopes) VALUES (%s, %s, 'n', %s) "
        "RETURNING 1",
        *(hash_token(token), user, list(scopes or SCOPES)),
    )
    return token
