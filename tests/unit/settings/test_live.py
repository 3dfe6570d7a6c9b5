"""Settings that change while the bot runs."""

from pathlib import Path

import pytest

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.usage_limits import DailyLimits
from rich_agent.errors import InvalidSettingsError, SettingsError
from rich_agent.settings.fields import as_text
from rich_agent.settings.live import LiveSettings, changeable
from rich_agent.settings.settings import Settings, all_settings, names_in_files


@pytest.fixture(autouse=True)
def _without_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.delenv("DAILY_TOKENS", raising=False)


def test_live_settings_have_what_was_changed() -> None:
    """A changed value is in effect for those who ask again; the start is kept."""
    live = LiveSettings(Settings.load(admin_users="7"))
    domain = live.derived(lambda settings: settings.turn.domain)
    assert domain().name == "documents"
    allowance = live.allowance
    live.take({"DAILY_TOKENS": "900", "DOMAIN_NAME": "boats", "DOMAIN_EXAMPLES": "A?, B?"})
    assert allowance.of(42) == DailyLimits(tokens=900)
    assert allowance.of(7) == DailyLimits()
    assert domain() == Domain("boats", "", ("A?", "B?"))
    assert domain() is domain()
    assert live.start.cost.daily_tokens == 0
    live.take({})
    assert allowance.of(42) == DailyLimits()
    assert domain().name == "documents"


def test_live_settings_keep_the_set_of_admins_that_grows() -> None:
    """The operator who is bound later is an admin after a change, too."""
    admins: set[int] = set()
    live = LiveSettings(Settings.load().with_changes("access", admin_users=admins))
    live.take({"GUEST_WEB": "true", "DAILY_IMAGES": "3"})
    assert live.allowance.of(9).images == 3
    admins.add(9)
    assert live.now.access.guest_web
    assert live.allowance.of(9) == DailyLimits()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DAILY_TOKENS", "many"),
        ("DAILY_TOKENS", "-3"),
        ("CHECK_ANSWERS", "2"),
        ("STREAMING", "fast"),
        ("FEEDBACK", "perhaps"),
        ("DOMAIN_NAME", "Our Boats"),
        ("MODEL_PRICES", "gpt=cheap"),
        ("SEARCH_PRICE", "free"),
        ("APPROVAL_INTENTS", "gossip"),
    ],
)
def test_live_settings_refuse_with_the_sentence_of_the_start(name: str, value: str) -> None:
    """The program says of a wrong value that is set now what it says at its start."""
    with pytest.raises(InvalidSettingsError) as at_start:
        Settings.load(admin_users="7", **{name.lower(): value})
    live = LiveSettings(Settings.load(admin_users="7"))
    with pytest.raises(SettingsError) as refusal:
        live.check({name: value})
    problem = at_start.value.problems[0]
    assert (str(refusal.value), refusal.value.hint) == (str(problem), problem.hint)
    live.take({name: value, "DAILY_SEARCHES": "5"})
    assert live.values == {"DAILY_SEARCHES": "5"}
    assert str(live.refused[name]) == str(problem)
    assert live.now.cost.daily_searches == 5


def test_live_settings_refuse_a_value_that_another_rests_on() -> None:
    """The domain cannot be renamed while its intent is one that waits for approval."""
    live = LiveSettings(Settings.load(admin_users="7"))
    live.check({"DOMAIN_NAME": "boats", "APPROVAL_INTENTS": "domain_boats"})
    live.take({"DOMAIN_NAME": "boats", "APPROVAL_INTENTS": "domain_boats"})
    assert not live.refused
    with pytest.raises(SettingsError, match="there is no intent domain_boats"):
        live.check({"APPROVAL_INTENTS": "domain_boats"})


@pytest.mark.parametrize("value", ["1\x00", "1\x1b[2J", "9" * 4_001, "\ud800"])
def test_live_settings_refuse_what_cannot_be_stored(value: str) -> None:
    """Control characters, endless values, halves of characters."""
    with pytest.raises(SettingsError):
        LiveSettings(Settings.load()).check({"DOMAIN_DESCRIPTION": value})


def test_live_settings_leave_what_is_fixed() -> None:
    """Neither secrets nor addresses change, and a name of another version is told."""
    live = LiveSettings(Settings.load())
    live.take({"OPENAI_API_KEY": "x", "PORT": "1", "COLOUR_OF_BOATS": "red"})
    assert live.refused.keys() == {"OPENAI_API_KEY", "PORT", "COLOUR_OF_BOATS"}
    assert live.now.web.port == live.start.web.port
    assert live.now.models.chat.api_key is None
    live.check({"PORT": "1", "DAILY_TOKENS": "5"})  # what is refused already hinders nothing


def test_live_settings_leave_an_option_of_the_command() -> None:
    """An option of the command that began the process goes before what is stored."""
    live = LiveSettings(Settings.load(daily_tokens=5))
    live.take({"DAILY_TOKENS": "900", "DAILY_IMAGES": "2"})
    assert live.now.cost.daily_tokens == 5
    assert live.now.cost.daily_images == 2


def test_changeable_settings_are_no_secrets() -> None:
    """No secret and no address with a password changes while the bot runs."""
    names = {name for name, one in all_settings().items() if one.changes_at_run_time}
    assert names
    assert not names & names_in_files()
    assert changeable("DAILY_TOKENS").name == "DAILY_TOKENS"


def test_as_text_writes_what_the_start_reads() -> None:
    """Each default, written out, is read as itself."""
    settings = Settings.load()
    for name, setting in all_settings().items():
        if setting.changes_at_run_time:
            live = LiveSettings(settings)
            live.take({name: as_text(setting.of(settings))})
            assert not live.refused
            assert setting.of(live.now) == setting.of(settings), name


def test_settings_know_where_values_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment, `.env`, an option, or the default."""
    Path(".env").write_text("DAILY_IMAGES=4\nDAILY_TOKENS=1\n", encoding="utf-8")
    Path("key").write_text("secret\n", encoding="utf-8")
    monkeypatch.setenv("DAILY_TOKENS", "2")
    monkeypatch.setenv("OPENAI_API_KEY_FILE", "key")
    settings = Settings.load(port=1)
    origins = {
        name: settings.origin_of(name)
        for name in ("DAILY_TOKENS", "DAILY_IMAGES", "OPENAI_API_KEY", "PORT", "HOST")
    }
    assert origins == {
        "DAILY_TOKENS": "environment",
        "DAILY_IMAGES": ".env",
        "OPENAI_API_KEY": "file",
        "PORT": "command",
        "HOST": "default",
    }
    assert settings.with_changes("web", port=2).origin_of("DAILY_TOKENS") == "environment"


def test_default_language_is_one_with_phrases() -> None:
    """All languages of the bot's own sentences, and no other."""
    assert set(changeable("DEFAULT_LANGUAGE").choices) == set(SUPPORTED_LOCALES)


def test_live_settings_are_not_replaced_by_older_ones() -> None:
    """Whoever reads them late leaves alone what somebody else read after a later change."""
    live = LiveSettings(Settings.load())
    live.take({"DAILY_IMAGES": "4"}, 2)
    live.take({"DAILY_IMAGES": "3"}, 1)
    assert live.now.cost.daily_images == 4
    live.take({}, 3)
    assert live.now.cost.daily_images == live.start.cost.daily_images
