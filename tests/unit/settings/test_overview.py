"""Settings and models as an operator sees them."""

import pytest

from rich_agent.settings.live import LiveSettings
from rich_agent.settings.overview import list_models, list_settings
from rich_agent.settings.settings import Settings, all_settings


@pytest.fixture(autouse=True)
def _without_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.chdir(str(tmp_path))


def test_list_settings_shows_no_secret() -> None:
    """Neither a secret, nor a password in an address, nor a key within other parameters."""
    key = "sk-" + "a1" * 20
    live = LiveSettings(
        Settings.load(
            openai_api_key=key,
            database_url="postgresql://me:hunter22@db/bot",
            openai_base_url="http://me:hunter22@models.example/v1",
            chat_parameters=f'{{"user": "{key}"}}',
        )
    )
    states = {state.name: state for state in list_settings(live)}
    assert states.keys() == all_settings().keys()
    assert (states["OPENAI_API_KEY"].value, states["OPENAI_API_KEY"].is_set) == ("", True)
    assert (states["CREDENTIALS_KEY"].value, states["CREDENTIALS_KEY"].is_set) == ("", False)
    everything = "".join(f"{one.value} {one.start_value} {one.default}" for one in states.values())
    assert "hunter22" not in everything
    assert key not in everything
    assert "models.example" in states["OPENAI_BASE_URL"].value


def test_list_settings_tells_changes_and_their_problems() -> None:
    """A changed value with the one that it covers; a wrong one is left out, and told."""
    live = LiveSettings(Settings.load())
    live.take({"DAILY_TOKENS": "5", "DAILY_IMAGES": "many"})
    states = {state.name: state for state in list_settings(live)}
    tokens, images = states["DAILY_TOKENS"], states["DAILY_IMAGES"]
    assert (tokens.value, tokens.origin) == ("5", "changed")
    assert (tokens.start_value, tokens.start_origin) == ("0", "default")
    assert (images.value, images.origin) == ("0", "default")
    assert "is not a whole number" in str(images.problem)


def test_list_models_names_each_role_and_its_server() -> None:
    """A server is named without user and password."""
    settings = Settings.load(
        openai_base_url="http://me:hunter22@models.example:8000/v1",
        chat_model="big",
        planner_model="small",
        planner_base_url="http://other.example/v1",
        embedding_model="none",
        rerank_model="planner",
    )
    models = [(one.role, one.model, one.server) for one in list_models(settings)]
    assert models == [
        ("chat", "big", "models.example:8000/v1"),
        ("planner", "small", "other.example/v1"),
        ("vision", "big", "models.example:8000/v1"),
        ("rerank", "small", "other.example/v1"),
    ]


def test_list_models_names_a_model_of_this_machine() -> None:
    """It has no server."""
    settings = Settings.load(embedding_model="local")
    assert ("embedding", "") in [(one.role, one.server) for one in list_models(settings)]
