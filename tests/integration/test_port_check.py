"""The port of the bot, as doctor looks at it while something listens there."""

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from rich_agent.commands.diagnosis.port import check_port
from rich_agent.errors import PortTakenError
from rich_agent.settings.settings import Settings
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.receive.webhook import Intake, create_webhook_app
from tests.integration.test_webhook import serving
from tests.twins.inbox import InMemoryInbox


async def test_port_belongs_to_this_bot_only_if_its_id_does() -> None:
    """Another bot, in a folder of its own on the default port, is another program."""
    settings = Settings().with_changes("telegram", bot_token=SecretStr("700000001:AAF-a-token"))
    others = settings.with_changes("telegram", bot_token=SecretStr("700000002:AAF-a-token"))
    nobodys = settings.with_changes("telegram", bot_token=None)
    app = create_webhook_app(
        InMemoryInbox(),
        Metrics(CollectorRegistry()),
        lambda: pytest.fail("nothing is checked"),
        intake=Intake(GroupGate(700000001)),
    )
    async with serving(app) as url:
        port = int(url.rpartition(":")[2])
        own = settings.with_changes("web", port=port)
        assert await check_port(own) == f"this bot runs, and listens on {port} already"
        for one in (others, nobodys):
            with pytest.raises(PortTakenError):
                await check_port(one.with_changes("web", port=port))
    assert "is free" in await check_port(own)
