"""Secrets in files: what Docker and systemd hand over, and what is wrong with it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from rich_agent.errors import InvalidSettingsError
from rich_agent.installed import choose_features
from rich_agent.settings.settings import Settings, all_settings, names_in_files, secret_names

TOKEN = "123456789:AAsecret-of-a-bot-that-does-not-exist"
SOUND = {
    "TELEGRAM_BOT_TOKEN": TOKEN,
    "WEBHOOK_SECRET": "s" * 32,
    "CREDENTIALS_KEY": "k" * 43 + "=",
    "DATABASE_URL": "postgresql://me:sesame@db.example/rich_agent",
    "RAG_DATABASE_URL": "postgresql://me:sesame@db.example/documents",
    "DATABASE_DIRECT_URL": "postgresql://me:sesame@direct.example/rich_agent",
    "RAG_READ_URL": "postgresql://me:sesame@replica.example/documents",
}


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing of the machine's own environment or `.env` is read, and all features are there."""
    for name in all_settings():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    yield
    choose_features((), ())


def told() -> str:
    """Everything that is wrong with the settings."""
    with pytest.raises(InvalidSettingsError) as caught:
        Settings.load("OPENAI_API_KEY")
    return caught.value.explain()


def test_secret_files_give_every_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each setting that holds one; editors and `echo` end a file with a line break."""
    assert secret_names() < names_in_files()
    assert {
        "TELEGRAM_BOT_TOKEN",
        "SPEECH_API_KEY",
        "PLANNER_API_KEY",
        "METRICS_TOKEN",
    } < secret_names()
    for name in names_in_files():
        Path(name).write_bytes(SOUND.get(name, f"of {name}").encode() + b"\r\n")
        monkeypatch.setenv(f"{name}_FILE", name)
    settings = Settings.load("TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY")
    for name in names_in_files():
        value = all_settings()[name].of(settings)
        shown = value.get_secret_value() if isinstance(value, SecretStr) else value
        assert shown == SOUND.get(name, f"of {name}")
    assert {TOKEN, "sesame", "of PLANNER_API_KEY"} <= settings.secrets


def test_secret_files_are_named_in_the_env_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty name counts for nothing, as compose hands over what `.env` leaves open."""
    Path("key").write_text("sk-1", "utf-8")
    Path(".env").write_text("OPENAI_API_KEY=\nOPENAI_API_KEY_FILE=key\n", "utf-8")
    monkeypatch.setenv("RERANK_API_KEY_FILE", "")
    settings = Settings.load("OPENAI_API_KEY")
    assert settings.models.require_api_key() == "sk-1"
    assert all_settings()["RERANK_API_KEY"].of(settings) is None
    assert Settings.from_files() == {"OPENAI_API_KEY": "sk-1"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"\xff\xfes\x00", "cannot be read: it is not in UTF-8"),
        (b"sk-1\nsk-2\n", "has more than one line"),
        (b"x" * 65537, "is larger than 64 KB"),
    ],
)
def test_secret_file_that_is_unusable_is_told(
    monkeypatch: pytest.MonkeyPatch, content: bytes | None, problem: str
) -> None:
    """By the setting, its file and what is wrong, once; nothing of the content is shown."""
    if content is not None:
        Path("key").write_bytes(content)
    monkeypatch.setenv("OPENAI_API_KEY_FILE", "key")
    first, hint = told().splitlines()
    assert first == f"OPENAI_API_KEY: its file key (OPENAI_API_KEY_FILE) {problem}"
    assert hint.startswith("  → Write the path of a file into OPENAI_API_KEY_FILE")


def test_secret_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of two would count is nothing to guess; what a caller gives goes before both."""
    Path("key").write_text("sk-1", "utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-2")
    Path(".env").write_text("OPENAI_API_KEY_FILE=key\n", "utf-8")
    assert told().startswith("OPENAI_API_KEY: is set, and so is OPENAI_API_KEY_FILE\n")
    assert Settings.load(openai_api_key="sk-3").models.require_api_key() == "sk-3"


def test_secret_file_with_a_misspelt_name_is_told() -> None:
    """Once: what is meant is not told as missing too."""
    Path(".env").write_text("OPENAI_APIKEY_FILE=key\n", "utf-8")
    assert told().startswith("OPENAI_APIKEY_FILE: there is no such setting")


def test_secret_files_are_not_named_to_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has read them forgets where they are."""
    Path("key").write_text("sk-1", "utf-8")
    monkeypatch.setenv("OPENAI_API_KEY_FILE", "key")
    Settings.load("OPENAI_API_KEY").forget_secrets()
    assert "OPENAI_API_KEY_FILE" not in os.environ


def test_secrets_of_an_absent_feature_are_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masked and forgotten, in the environment, `.env` and files; nobody knows their names."""
    Path("key").write_text("sk-in-a-file", "utf-8")
    os.mkfifo("endless")
    Path(".env").write_text("FEATURES_OFF=voice,tavily\nPOKER_PASSWORD=sk-of-poker\n", "utf-8")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-sesame")
    monkeypatch.setenv("SPEECH_API_KEY_FILE", "key")
    monkeypatch.setenv("OTHER_KEY_FILE", "endless")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_CLIENT_KEY", "client.pem")
    monkeypatch.setenv("TAVILY_BASE_URL", "http://tavily.example")
    settings = Settings.load()
    settings.forget_secrets()
    assert settings.secrets == {"tvly-sesame", "sk-in-a-file", "sk-of-poker"}
    assert {"TAVILY_API_KEY", "SPEECH_API_KEY_FILE"}.isdisjoint(os.environ)
    assert settings.environment["TAVILY_API_KEY"] == "tvly-sesame"
    assert {"OTEL_EXPORTER_OTLP_CLIENT_KEY", "TAVILY_BASE_URL"} <= os.environ.keys()


def test_secrets_of_other_programs_stay_while_all_features_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their names are known then."""
    monkeypatch.setenv("GITHUB_TOKEN", "ghp-sesame")
    settings = Settings.load()
    settings.forget_secrets()
    assert not settings.secrets
    assert os.environ["GITHUB_TOKEN"] == "ghp-sesame"
