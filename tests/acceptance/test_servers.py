"""Ten conversations against each model server that the sandbox stands in for."""

from collections.abc import Iterator

import pytest

from bench.servers.conversations import CONVERSATIONS
from bench.servers.running import bot_on, converse
from rich_agent_sandbox.openai.servers.personality import Personality
from tests.acceptance.world import Sandbox, running_sandbox
from tests.database import PostgresServer
from tests.stand_ins.model_servers.roster import SERVERS

_IN_EACH_RUN = frozenset({"openai", "anthropic"})
"""`make soak` talks to the others."""


@pytest.fixture(scope="module")
def telegram() -> Iterator[Sandbox]:
    """Stand-ins of their own: each accepts one bot at a time."""
    with running_sandbox() as running:
        yield running


@pytest.mark.costs("ten conversations are held")
@pytest.mark.parametrize(
    "one",
    [
        pytest.param(one, id=one.name, marks=() if one.name in _IN_EACH_RUN else pytest.mark.soak)
        for one in SERVERS
    ],
)
def test_ten_conversations_are_answered_well(
    telegram: Sandbox,
    database_server: PostgresServer,
    with_samples: str,
    user: int,
    one: Personality,
) -> None:
    """The address chooses the server; vectors or eyes that it has not are another's."""
    with database_server.database(with_samples) as url, bot_on(one, telegram, url) as world:
        problems = converse(world, user * len(CONVERSATIONS))
    assert {talk: problem for talk, problem in problems.items() if problem} == {}
