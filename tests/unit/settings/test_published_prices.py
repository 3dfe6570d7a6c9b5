"""Prices of a published table, for models whose server the table knows."""

import sys
import tomllib
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import NoReturn

import pytest
from structlog.testing import capture_logs

from rich_agent.domain.usage_limits import ModelUse, Usage
from rich_agent.settings.published_prices import RELEASES, PublishedPrices
from rich_agent.settings.settings import Settings

READ = Usage(1, input_tokens=1_000_000)
OPENAI, LOCAL = "https://api.openai.com/v1", "http://127.0.0.1:11434/v1"


@pytest.mark.parametrize(
    ("server", "model", "cost"),
    [
        (OPENAI, "gpt-4.1-mini", "0.4"),
        ("https://openrouter.ai/api/v1", "openai/gpt-4.1-mini", "0.4"),
        # It rises with the prompt: the lowest counts.
        ("https://api.anthropic.com/v1", "claude-sonnet-4-5", "3"),
        (OPENAI, "a-model-of-tomorrow", None),
        (LOCAL, "gpt-4.1-mini", None),
        ("http://gpu.local:8000/v1", "gpt-4.1-mini", None),
        ("https://models.example.com/v1", "gpt-4.1-mini", None),
    ],
)
def test_prices_are_those_of_the_model_s_own_server(
    server: str, model: str, cost: str | None
) -> None:
    """A name alone has no price: the same model costs nothing on a machine of one's own."""
    settings = Settings.load(OPENAI_BASE_URL=server, CHAT_MODEL=model, EMBEDDING_MODEL="none")
    assert settings.prices.cost(model, READ) == (None if cost is None else Decimal(cost))


def test_prices_of_the_operator_come_first() -> None:
    """The table is named only if a price is from there."""
    prices = Settings.load(OPENAI_API_KEY="k", MODEL_PRICES="gpt-4.1-mini=7").prices
    own, published = ModelUse("gpt-4.1-mini", READ), ModelUse("text-embedding-3-small", READ)
    search = ModelUse("gpt-4.1", Usage(1, searches=1))
    assert prices.cost(own.model, READ) == Decimal(7)
    assert prices.cost(published.model, READ) == Decimal("0.02")
    assert prices.edition_for([own, search]) == ""
    assert prices.edition_for([own, published]).startswith("genai-prices ")


def test_price_of_a_former_model_is_that_of_the_configured_servers() -> None:
    """Its server is not stored with its use."""
    assert PublishedPrices({"a": LOCAL, "b": OPENAI}).find("gpt-4.1") is not None
    assert PublishedPrices({"a": LOCAL}).find("gpt-4.1") is None


def test_table_that_cannot_be_read_has_no_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log says so once for a model, and the bot goes on."""

    def fail() -> NoReturn:
        raise TypeError("a form of tomorrow")

    monkeypatch.setattr("genai_prices.data_snapshot.get_snapshot", fail)
    prices = PublishedPrices({"gpt-4.1": OPENAI})
    with capture_logs() as logs:
        assert [prices.find("gpt-4.1"), prices.find("gpt-4.1")] == [None, None]
    (line,) = logs
    assert (line["event"], line["model"]) == ("prices.unreadable", "gpt-4.1")
    assert "a form of tomorrow" in line["error"]


def test_day_of_the_table_is_that_of_its_release() -> None:
    """The package does not name it: the lock does."""
    lock = tomllib.loads((Path(__file__).parents[3] / "uv.lock").read_text("utf-8"))
    package = next(one for one in lock["package"] if one["name"] == "genai-prices")
    released = package["sdist"]["upload-time"]
    day = (
        released.date()
        if isinstance(released, datetime)
        else datetime.fromisoformat(released).date()
    )
    assert RELEASES[package["version"]] == day
    assert PublishedPrices({}).edition == f"genai-prices {package['version']} of {day}"


def test_table_is_not_loaded_for_servers_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes time and memory."""
    monkeypatch.delitem(sys.modules, "genai_prices.data_snapshot", raising=False)
    assert PublishedPrices({"m": LOCAL}).find("m") is None
    assert "genai_prices.data_snapshot" not in sys.modules
    assert PublishedPrices({"m": OPENAI}).find("m") is None
    assert "genai_prices.data_snapshot" in sys.modules
