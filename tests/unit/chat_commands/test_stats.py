"""/stats: the use of models, for admins."""

from dataclasses import dataclass

import pytest

from rich_agent.chat_commands.replies import CommandRequest
from rich_agent.chat_commands.status import Stats
from rich_agent.domain.message import User
from rich_agent.domain.usage_limits import UNLIMITED, Call, Payer, Prices, Usage
from rich_agent.ports.operations import Statistics, TurnStatistics, UserStatistics
from rich_agent.settings.published_prices import PublishedPrices
from tests.twins.accounts import InMemoryAccounts
from tests.twins.usage import InMemoryUsageLedger


@dataclass(frozen=True, slots=True)
class Quiet:
    """Reads the statistics of a bot that did nothing."""

    async def read(self) -> Statistics:
        """See `StatisticsReader`."""
        return Statistics(
            UserStatistics(0, 0, 0, 0), TurnStatistics(0, 0, {}, 0, 0.0, 0.0), *[0] * 6
        )


@pytest.mark.parametrize(("cached", "line"), [(750, "75 %"), (0, ""), (1, "")])
async def test_stats_show_the_share_of_cached_tokens(cached: int, line: str) -> None:
    """If there is any to speak of."""
    ledger, payer = InMemoryUsageLedger(), Payer(42, "r1")
    number = await ledger.reserve(payer, Call("text", "m", tokens=1), 10, UNLIMITED)
    used = Usage(1, input_tokens=1_000, cached_tokens=cached, output_tokens=5)
    await ledger.settle(payer, {number: used}, is_over=True)
    stats = Stats(Quiet(), ledger, Prices, InMemoryAccounts())
    reply = await stats.answer(CommandRequest("stats", "", User(42), "en"))
    lines = [shown for shown in reply.message.text.splitlines() if "had read before" in shown]
    assert [shown.rpartition(": ")[2] for shown in lines] == ([line] if line else [])


async def test_stats_name_the_table_that_prices_come_from() -> None:
    """With its day, so that an admin can tell how old the prices are."""
    ledger, payer = InMemoryUsageLedger(), Payer(42, "r1")
    number = await ledger.reserve(payer, Call("text", "gpt-4.1-mini", tokens=1), 10, UNLIMITED)
    await ledger.settle(payer, {number: Usage(1, input_tokens=1_000_000)}, is_over=True)
    prices = Prices(table=PublishedPrices({"gpt-4.1-mini": "https://api.openai.com/v1"}))
    reply = await Stats(Quiet(), ledger, lambda: prices, InMemoryAccounts()).answer(
        CommandRequest("stats", "", User(42), "en")
    )
    assert "cost $0.40" in reply.message.text
    assert f"MODEL_PRICES does not set: {prices.table.edition}" in reply.message.text
