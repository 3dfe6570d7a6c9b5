"""Settings: read once, and every mistake is named with its mend."""

from pathlib import Path

import pytest

from rich_agent.domain.prices import Prices
from rich_agent.domain.usage import DailyLimits
from rich_agent.errors import SettingsError
from rich_agent.settings import Settings


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the machine's own environment or `.env` is read."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_settings_have_defaults_for_all_but_token_and_key() -> None:
    """A fresh machine needs two settings."""
    settings = Settings.load()
    assert settings.telegram_api_base_url == "https://api.telegram.org"
    assert settings.domain.intent == "domain_solana_defi_trade"
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN: is missing"):
        settings.require_token()
    with pytest.raises(SettingsError, match="OPENAI_API_KEY: is missing"):
        settings.require_api_key()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_BOT_TOKEN", "my-token"),
        ("TELEGRAM_API_BASE_URL", "api.telegram.org"),
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("ALLOWED_USERS", "alice"),
        ("EMBEDDING_DIMENSIONS", "0"),
        ("INTRANET_HOSTS", "wiki.corp.example,http://10.0.0.1"),
        ("RESPECT_ROBOTS", "perhaps"),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("RAG_DATABASE_URL", "postgresql://localhost/x"),
        ("MAX_CONTEXT_TOKENS", "-1"),
        ("DOMAIN_NAME", "Solana DeFi"),
        ("LOG_LEVEL", "loud"),
        ("MODEL_PRICES", "gpt-4.1-mini"),
        ("MODEL_PRICES", "gpt-4.1-mini=cheap"),
        ("SEARCH_PRICE", "free"),
        ("DAILY_TOKENS", "-1"),
    ],
)
def test_settings_name_what_is_malformed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The error names the variable and says what to write."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        Settings.load()
    assert caught.value.name == name
    assert caught.value.mend


@pytest.mark.parametrize("secret", ["", "a word with spaces", "x" * 15, "x" * 257])
def test_settings_require_a_secret_with_a_webhook(
    monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    """A webhook without a usable secret would let anyone speak as Telegram."""
    monkeypatch.setenv("WEBHOOK_URL", "https://bot.example")
    monkeypatch.setenv("WEBHOOK_SECRET", secret)
    with pytest.raises(SettingsError, match="WEBHOOK_SECRET"):
        Settings.load()


def test_settings_read_lists_and_empty_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are comma-separated; an empty value is as good as none."""
    monkeypatch.setenv("ALLOWED_USERS", "42, 43")
    monkeypatch.setenv("DATABASE_URL", "")
    settings = Settings.load()
    assert settings.allowed_users == {42, 43}
    assert settings.database_url is None


def test_settings_read_a_dotenv_file() -> None:
    """`.env` in the working directory counts."""
    Path(".env").write_text("CHAT_MODEL=llama\nUNKNOWN=1\n", encoding="utf-8")
    assert Settings.load().chat_model == "llama"


@pytest.mark.req("DEP-2")
def test_settings_do_not_show_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A printed settings object holds no key."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-key")
    assert "very-secret" not in repr(Settings.load())


def test_settings_of_the_cost_may_be_left_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty limit is none, as 0 is; admins have none whatever is set."""
    for name in ("DAILY_TOKENS", "DAILY_IMAGES", "SEARCH_PRICE", "MODEL_PRICES"):
        monkeypatch.setenv(name, "")
    assert Settings.load().allowance.of(42) == DailyLimits()
    assert Settings.load().prices == Prices()
    monkeypatch.setenv("DAILY_TOKENS", "5000")
    monkeypatch.setenv("ADMIN_USERS", "7")
    monkeypatch.setenv("MODEL_PRICES", "small=0.40/1.60, vectors=0.02")
    settings = Settings.load()
    assert settings.allowance.of(42) == DailyLimits(tokens=5_000)
    assert settings.allowance.of(7) == DailyLimits()
    assert set(settings.prices.models) == {"small", "vectors"}
