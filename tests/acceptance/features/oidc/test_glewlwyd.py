"""The bot and Glewlwyd, a provider of which it knows nothing but the standard."""

from pathlib import Path

import pytest

from tests.acceptance.features.oidc.glewlwyd import running_glewlwyd, with_glewlwyd
from tests.acceptance.features.oidc.provider import visitor
from tests.acceptance.world import (
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

SECRET = "a+secret of:the client"
_PRINCIPALS = "SELECT principal FROM rag_memberships ORDER BY principal"
_AGE = "UPDATE oidc_identities SET checked_at = checked_at - interval '25 s' RETURNING 1"


@pytest.mark.costs("it starts a provider and a bot")
@with_glewlwyd
def test_glewlwyd_signs_in_and_takes_a_group_away(
    database_server: PostgresServer, with_samples: str, tmp_path: Path
) -> None:
    """It decodes no names in headers, refuses with 403, and writes its addresses in its own way."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        port = free_port()
        settings = environment(
            sandbox.url,
            url,
            ALLOWED_USERS="",
            OIDC_ISSUER=f"http://localhost:{port}/api/oidc",
            OIDC_CLIENT_ID="rich-agent",
            OIDC_CLIENT_SECRET=SECRET,
            OIDC_GROUPS_CLAIM="groups",
            OIDC_SCOPES="openid",
        )
        home, world = settings["PUBLIC_URL"], World(sandbox, settings, url)
        client = {
            "client_id": "rich-agent",
            "client_secret": SECRET,
            "redirect_uri": [f"{home}/oidc/callback"],
            "token_endpoint_auth_method": ["client_secret_basic"],
        }
        with (
            running_glewlwyd(tmp_path, port, client) as provider,
            running_bot(settings),
            visitor(world) as anna,
        ):
            provider.group(["board", "staff"])
            page = provider.sign_in(anna.http, "rich-agent", f"{home}/oidc/sign-in?to=/chat")
            assert "You are signed in" in page.text
            signed_in = anna.user()
            assert signed_in
            assert signed_in["name"] == "Anna Berg"
            principals = [row["principal"] for row in world.rows(_PRINCIPALS)]
            assert principals == ["external:oidc:board", "external:oidc:staff"]
            provider.group(["staff"])
            world.rows(_AGE)

            def is_gone() -> bool:
                anna.user()
                return world.rows(_PRINCIPALS) == [{"principal": "external:oidc:staff"}]

            wait_until(is_gone, "the group is gone", 40)
