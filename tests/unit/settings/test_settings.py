"""Settings: read once, and every mistake is named with what to write instead."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rich_agent.domain.retrieval.local_models import LOCAL, MODELS, LocalModel
from rich_agent.domain.usage_limits import DailyLimits, Prices
from rich_agent.errors import InvalidSettingsError, SettingsError
from rich_agent.installed import choose_features
from rich_agent.settings.error_messages import RequiredSetting
from rich_agent.settings.settings import REMOVED, Settings, all_settings

# Of shells, systemd, containers, Kubernetes, CI, clouds, language tools and model libraries.
OTHER_PROGRAMS = """
HOME HOSTNAME HOSTTYPE HOST_IP PORT_RANGE PORTS LOGNAME LOG_DIR LOG_FILE LOGLEVEL LANG LC_ALL SHELL
DATA_ROOT DATA_PATH DATABASE DATABASE_NAME DATABASE_USER DATABASE_HOST DATABASE_PORT
DATABASE_PASSWORD DATABASE_URL_2 POSTGRES_URL POSTGRES_PASSWORD POSTGRES_PORT POSTGRES_PORT_5432_TCP
OPENAI_ORG_ID OPENAI_ORGANIZATION OPENAI_PROJECT_ID OPENAI_API_TYPE OPENAI_API_VERSION OPENAI_LOG
OPENAI_API_BASE OPENAI_WEBHOOK_SECRET OPENAI_ADMIN_KEY AZURE_OPENAI_API_KEY ANTHROPIC_API_KEY
GROQ_API_KEY TOKENIZERS_PARALLELISM HF_TOKEN MAX_TOKENS MODEL MODEL_NAME MODEL_PATH CHAT_ID
TELEGRAM_CHAT_ID TELEGRAM_API_ID TELEGRAM_API_HASH TELEGRAM_TO SLACK_WEBHOOK_URL DISCORD_WEBHOOK_URL
WEBHOOK DOMAIN DOMAINS SEARCH_PATH SEARCH_DOMAINS STREAM IDLE_TIMEOUT RETENTION WORKERS CONCURRENCY
WEB_CONCURRENCY ADMIN_EMAIL ADMIN_USERS_2 USERS USER USERNAME RICH_AGENT_PORT
KUBERNETES_SERVICE_HOST KUBERNETES_PORT GITHUB_TOKEN GITHUB_WORKSPACE CI_JOB_TOKEN AWS_REGION
AWS_SECRET_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS VIRTUAL_ENV PYTHONPATH NODE_ENV TZ TMPDIR
"""


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing of the machine's own environment or `.env` is read, and all features are there."""
    proxies = [name for name in os.environ if name.lower().endswith("_proxy")]
    for name in (*all_settings(), *proxies):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    yield
    choose_features((), ())


def problems_of_loading(*required: RequiredSetting) -> tuple[SettingsError, ...]:
    """The problems of the settings of the environment and `.env`."""
    with pytest.raises(InvalidSettingsError) as caught:
        Settings.load(*required)
    return caught.value.problems


def test_settings_have_defaults_for_all_but_token_and_key() -> None:
    """A fresh machine needs two settings."""
    settings = Settings.load()
    assert settings.telegram.api_base_url == "https://api.telegram.org"
    assert settings.turn.domain.intent == "domain_documents"
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN: is missing"):
        settings.telegram.require_token()
    with pytest.raises(SettingsError, match="OPENAI_API_KEY: is missing"):
        settings.models.require_api_key()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_BOT_TOKEN", "my-token"),
        ("TELEGRAM_API_BASE_URL", "api.telegram.org"),
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("PORT", ""),
        ("CHAT_MODEL", ""),
        ("RETENTION_DAYS", "inf"),
        ("ALLOWED_USERS", "alice"),
        ("ALLOWED_USERS", "*,42"),
        ("EMBEDDING_DIMENSIONS", "0"),
        ("INTRANET_HOSTS", "wiki.corp.example,http://10.0.0.1"),
        ("CORS_ORIGINS", "https://chat.example.com,https://chat.example.com/app"),
        ("CORS_ORIGINS", "*"),
        ("LINK_PRIVATE_HOSTS", "http://10.0.0.1"),
        ("CREDENTIALS_KEY", "a password"),
        ("RESPECT_ROBOTS", "perhaps"),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("RAG_DATABASE_URL", "postgresql://localhost/x"),
        ("RAG_READ_URL", "postgresql://localhost/x"),
        ("RAG_READ_LAG_S", "0"),
        ("MAX_CONTEXT_TOKENS", "-1"),
        ("MAX_CONTEXT_TOKENS", "3999"),
        ("CONTEXT_WINDOW", "4095"),
        ("DOMAIN_NAME", "Solana DeFi"),
        ("DOMAIN_NAME", "a" * 81),
        ("LOG_LEVEL", "loud"),
        ("MODEL_PRICES", "gpt-4.1-mini"),
        ("MODEL_PRICES", "gpt-4.1-mini=cheap"),
        ("SEARCH_PRICE", "free"),
        ("DAILY_TOKENS", "-1"),
        ("CHAT_PARAMETERS", "temperature=0.2"),
        ("VISION_PARAMETERS", "[1]"),
        ("PLANNER_PARAMETERS", '{"tools": []}'),
        ("PLANNER_BASE_URL", "models.example"),
        ("TAVILY_BASE_URL", "https://anna:pa/ss@tav.example"),
        ("HTTPS_PROXY", "http://anna:pa/ss@proxy.example:3128"),
        ("ALL_PROXY", "http://anna:12#pa/ss@proxy.example:3128"),
    ],
)
def test_settings_name_what_is_malformed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The error names the variable and says what to write."""
    monkeypatch.setenv(name, value)
    (problem,) = problems_of_loading()
    assert problem.name == name
    assert problem.hint
    assert "Input should" not in problem.explain()
    assert "pa/ss" not in problem.explain()


@pytest.mark.parametrize("secret", ["", "a word with spaces", "x" * 15, "x" * 257])
def test_settings_require_a_secret_with_a_webhook(
    monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    """A webhook without a usable secret would let anyone speak as Telegram."""
    monkeypatch.setenv("WEBHOOK_URL", "https://bot.example")
    monkeypatch.setenv("WEBHOOK_SECRET", secret)
    with pytest.raises(InvalidSettingsError, match="WEBHOOK_SECRET"):
        Settings.load()


def test_settings_read_lists_and_empty_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are comma-separated; an empty value is as good as none."""
    monkeypatch.setenv("ALLOWED_USERS", "42, 43")
    monkeypatch.setenv("DATABASE_URL", "")
    settings = Settings.load()
    assert settings.access.allowed_ids == frozenset({42, 43})
    assert settings.storage.database_url is None


def test_settings_read_a_dotenv_file() -> None:
    """`.env` in the working directory counts."""
    Path(".env").write_text("CHAT_MODEL=llama\nUNKNOWN=1\n", encoding="utf-8")
    assert Settings.load().models.chat.model == "llama"


@pytest.mark.req("DEP-1")
def test_settings_of_production_and_of_a_machine_are_separate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each folder has its own `.env`, and what a server sets in the environment counts more."""
    local, production = tmp_path / "local", tmp_path / "production"
    for folder, lines in (
        (local, "OPENAI_BASE_URL=http://localhost:1/v1\nLOG_FORMAT=console\nCHAT_MODEL=small\n"),
        (production, "DATABASE_URL=postgresql://db/bot\nLOG_FORMAT=console\n"),
    ):
        folder.mkdir()
        (folder / ".env").write_text(lines, encoding="utf-8")
    monkeypatch.chdir(local)
    on_a_machine = Settings.load()
    assert on_a_machine.storage.database_url is None
    assert on_a_machine.models.chat.base_url == "http://localhost:1/v1"
    assert on_a_machine.logs.format == "console"
    monkeypatch.chdir(production)
    for name, value in (
        ("LOG_FORMAT", "json"),
        ("RAG_DATABASE_URL", "postgresql://rag/documents"),
        ("WEBHOOK_URL", "https://bot.example"),
        ("WEBHOOK_SECRET", "w" * 32),
    ):
        monkeypatch.setenv(name, value)
    on_a_server = Settings.load()
    assert on_a_server.logs.format == "json"
    assert on_a_server.storage.database_url == "postgresql://db/bot"
    assert on_a_server.storage.rag_database_url == "postgresql://rag/documents"
    assert on_a_server.models.chat == Settings().models.chat
    assert on_a_server.web.webhook_url == "https://bot.example"
    assert on_a_machine.web.webhook_url is None


def test_settings_give_each_role_the_common_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings that a role lacks are those of the chat model, but for its parameters."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-common")
    monkeypatch.setenv("CHAT_PARAMETERS", '{"temperature": 0.2}')
    settings = Settings.load()
    assert settings.models.role("chat").parameters == {"temperature": 0.2}
    planner = settings.models.role("planner")
    assert (planner.model, planner.api_key) == (settings.models.chat.model, "sk-common")
    assert (planner.base_url, planner.parameters) == (settings.models.chat.base_url, {})
    assert (planner.model_setting, planner.key_setting) == ("CHAT_MODEL", "OPENAI_API_KEY")


def test_settings_give_a_role_a_server_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its errors name its own settings."""
    monkeypatch.setenv("PLANNER_BASE_URL", "http://gpu:8000/v1")
    monkeypatch.setenv("PLANNER_API_KEY", "sk-planner")
    monkeypatch.setenv("PLANNER_MODEL", "qwen")
    role = Settings.load().models.role("planner")
    assert (role.model, role.base_url, role.api_key) == ("qwen", "http://gpu:8000/v1", "sk-planner")
    named = (role.model_setting, role.url_setting, role.key_setting)
    assert named == ("PLANNER_MODEL", "PLANNER_BASE_URL", "PLANNER_API_KEY")


@pytest.mark.req("DEP-2")
@pytest.mark.parametrize(
    ("url", "is_sent"),
    [
        ("https://api.openai.com/v2", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
    ],
)
def test_settings_send_the_common_key_to_its_own_host_only(
    monkeypatch: pytest.MonkeyPatch, url: str, *, is_sent: bool
) -> None:
    """A role on another host without a key of its own gets a word that is no key."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-common")
    monkeypatch.setenv("EMBEDDING_BASE_URL", url)
    role = Settings.load().models.role("embedding")
    assert (role.api_key == "sk-common") is is_sent
    assert role.key_setting == "EMBEDDING_API_KEY"


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
    assert Settings.load().cost.prices == Prices()
    monkeypatch.setenv("DAILY_TOKENS", "5000")
    monkeypatch.setenv("ADMIN_USERS", "7")
    monkeypatch.setenv("MODEL_PRICES", "small=0.40/1.60, vectors=0.02")
    settings = Settings.load()
    assert settings.allowance.of(42) == DailyLimits(tokens=5_000)
    assert settings.allowance.of(7) == DailyLimits()
    assert set(settings.cost.prices.models) == {"small", "vectors"}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ALOWED_USERS", "ALLOWED_USERS"),
        ("ALLOWED_USER", "ALLOWED_USERS"),
        ("ALLOWED_USER_IDS", "ALLOWED_USERS"),
        ("TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"),
        ("BOT_TOKEN", "TELEGRAM_BOT_TOKEN"),
        ("OPENAI_KEY", "OPENAI_API_KEY"),
        ("OPENAI_API_BASE", "OPENAI_BASE_URL"),
        ("openai_url", "OPENAI_BASE_URL"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("EMBEDDINGS_MODEL", "EMBEDDING_MODEL"),
        ("MODEL_TIMEOUT", "MODEL_TIMEOUT_S"),
        ("LOGLEVEL", "LOG_LEVEL"),
        ("PROT", "PORT"),
    ],
)
def test_settings_name_the_nearest_to_a_misspelt_name(name: str, meant: str) -> None:
    """Ignored, a misspelt ALLOWED_USERS would leave the bot open to everybody."""
    Path(".env").write_text(f"{name}=1\n", encoding="utf-8")
    (problem,) = problems_of_loading()
    assert problem.name == name.upper()
    assert meant in problem.hint


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ALOWED_USERS", "ALLOWED_USERS"),
        ("ALLOWED_USRES", "ALLOWED_USERS"),
        ("ALLOWED_USER", "ALLOWED_USERS"),
        ("TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"),
        ("OPENAI_KEY", "OPENAI_API_KEY"),
        ("DATABSE_URL", "DATABASE_URL"),
    ],
)
def test_settings_name_a_slip_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    """As in a container, where `.env` arrives as the environment."""
    monkeypatch.setenv(name, "1")
    (problem,) = problems_of_loading()
    assert (problem.name, meant in problem.hint) == (name, True)


def test_settings_name_a_slip_beside_the_right_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody added to the misspelt one would be refused, and nobody would know why."""
    monkeypatch.setenv("ALLOWED_USERS", "1")
    monkeypatch.setenv("ALOWED_USERS", "1,2")
    (problem,) = problems_of_loading()
    assert (problem.name, "ALLOWED_USERS" in problem.hint) == ("ALOWED_USERS", True)


def test_settings_leave_the_names_of_other_programs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment holds much that only looks like a setting; a second key is no slip."""
    for name in OTHER_PROGRAMS.split():
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("OPENAI_KEY", "sk-1")
    Path(".env").write_text(
        "POSTGRES_PASSWORD=1\nCOMPOSE_PROJECT_NAME=1\nTELEGRAM_API_ID=1\nTELEGRAM_API_HASH=1\n"
        "OPENAI_ORG_ID=1\nHTTPS_PROXY=1\nTZ=1\nUNKNOWN=1\n",
        encoding="utf-8",
    )
    Settings.load()


def test_settings_of_an_absent_feature_may_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the file and in the environment: switching it off is one line."""
    Path(".env").write_text("FEATURES_OFF=poker\nPOKER_BASE_URL=http://poker.example\n", "utf-8")
    monkeypatch.setenv("POKER_API_KEY", "1")
    Settings.load()
    monkeypatch.setenv("FEATURES_OFF", "")
    assert [one.name for one in problems_of_loading()] == ["POKER_BASE_URL"]


@pytest.mark.parametrize("absence", ["FEATURES_OFF", "FEATURES_ON"], ids=["off", "broken"])
def test_unknown_names_are_warnings_while_a_feature_is_absent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], absence: str
) -> None:
    """Nobody knows the names of its settings; each is told once."""
    absent = "voice" if absence == "FEATURES_OFF" else "poker"
    monkeypatch.setenv(absence, absent)
    Path(".env").write_text("PLANER_API_KEY=sk\nTRANSCRIPTION_BASE_URL=http://x.example\n", "utf-8")
    Settings.load()
    Settings.load()
    (warning,) = (one for one in capsys.readouterr().err.splitlines() if "PLANER" in one)
    assert warning.startswith("warning: PLANER_API_KEY: there is no such setting (but PLANNER_API")
    assert warning.endswith(f"belongs to a feature that is absent: {absent}.")


def test_features_are_switched_off_and_their_settings_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the settings of the project's features are called, the bot starts."""
    ours = {name: one for name, one in all_settings().items() if one.path[0] == "sections"}
    text = "".join(f"{name}=x\n" for name in ours)
    off = ",".join(sorted({one.path[1] for one in ours.values()}))
    Path(".env").write_text(f"FEATURES_OFF={off}\n{text}", "utf-8")
    Settings.load()
    monkeypatch.setenv("FEATURES_OFF", "")
    assert problems_of_loading()


def test_settings_tell_all_that_is_wrong_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain words, in the order of the reference page, and no cause twice."""
    text = "TELEGRAM_TOKEN=1:AA\nchat_modle=x\nSEARCH_PRICE=free\nPORT: 80\nADMIN_USERS=me\n"
    Path(".env").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PORT", "eighty")
    monkeypatch.setenv("APPROVAL_INTENTS", "general_question")
    found = problems_of_loading("TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY")
    assert [problem.name for problem in found] == [
        ".env, line 4",
        "TELEGRAM_TOKEN",
        "PORT",
        "ADMIN_USERS",
        "OPENAI_API_KEY",
        "CHAT_MODLE",
        "SEARCH_PRICE",
    ]
    told = InvalidSettingsError(found).explain()
    assert told.startswith(
        "7 settings are wrong\n.env, line 4: cannot be read\n  → Write NAME=value"
    )
    assert "PORT: “eighty” is not a whole number\n  → Write a whole number from 0 to 65535" in told


def test_settings_do_not_quote_what_may_be_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error is copied into chats and tickets."""
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "sesame")
    monkeypatch.setenv("OPENAI_BASE_URL", "me:sesame@models.example")
    monkeypatch.setenv("MAX_CONTEXT_TOKENS", "http://me:sesame@models.example")
    told = InvalidSettingsError(problems_of_loading()).explain()
    assert "3 settings" in told
    assert "sesame" not in told


@pytest.mark.parametrize("content", [b"\xff\xfeC\x00H\x00", None])
def test_settings_tell_that_the_file_cannot_be_read(content: bytes | None) -> None:
    """UTF-16 of an editor, or the directory that Docker makes of a missing file."""
    if content is None:
        Path(".env").mkdir()
    else:
        Path(".env").write_bytes(content)
    (problem,) = problems_of_loading("TELEGRAM_BOT_TOKEN")
    assert problem.name == ".env"


def test_settings_read_a_file_with_a_byte_order_mark() -> None:
    """Windows' editor writes one."""
    Path(".env").write_text("CHAT_MODEL=llama\n", encoding="utf-8-sig")
    assert Settings.load().models.chat.model == "llama"


def test_settings_tell_a_bot_that_is_open_on_purpose(monkeypatch: pytest.MonkeyPatch) -> None:
    """`*` is everybody, nothing is nobody; a limit of 0 says that none is meant."""
    assert Settings.load().access.allowed_ids == frozenset()
    unset = Settings.load()
    assert (unset.access.names_nobody, unset.cost.is_unlimited_by_default) == (1, 1)
    monkeypatch.setenv("ALLOWED_USERS", "*")
    monkeypatch.setenv("DAILY_SEARCHES", "0")
    settings = Settings.load()
    assert (settings.access.names_nobody, settings.cost.is_unlimited_by_default) == (False, False)
    assert settings.access.allowed_ids is None


def test_settings_of_a_command_reach_the_programs_that_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over the environment, also in a copy with changes."""
    monkeypatch.setenv("DATA_DIR", "data")
    settings = Settings.load(DATA_DIR="data/demo", port=8081).with_changes("web", host="127.0.0.1")
    environment = settings.environment
    assert (environment["DATA_DIR"], environment["PORT"]) == ("data/demo", "8081")
    assert os.environ["DATA_DIR"] == "data"


def test_settings_warn_of_a_name_that_was_one_once(capsys: pytest.CaptureFixture[str]) -> None:
    """An old `.env` does not stop the start; one line tells the value that is in force."""
    Path(".env").write_text("USAGE_DAYS=7\nCHAT_MODEL=llama\n", encoding="utf-8")
    for _ in range(2):
        assert Settings.load().models.chat.model == "llama"
    (told,) = capsys.readouterr().err.splitlines()
    assert told == "warning: USAGE_DAYS is no longer a setting: its value is always 400. Remove it."


@pytest.mark.parametrize("name", REMOVED)
def test_settings_that_are_gone_are_not_taken_for_misspelt(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Neither in the environment nor in `.env`, however much they resemble another."""
    monkeypatch.setenv(name, "1")
    Path(".env").write_text(f"{name}=1\n", encoding="utf-8")
    assert Settings.load() == Settings()


def test_settings_have_names_of_their_own() -> None:
    """Each is set by one name, alone; its place is where the name says."""
    assert len({setting.path for setting in all_settings().values()}) == len(all_settings())
    assert all_settings()["PLANNER_BASE_URL"].path == ("models", "planner", "base_url")
    assert all_settings()["OPENAI_BASE_URL"].path == ("models", "chat", "base_url")
    assert not REMOVED.keys() & all_settings().keys()


@pytest.mark.parametrize(("held", "is_here"), [("", False), ("data", True), (".env", True)])
def test_data_stay_in_a_folder_of_the_bot_and_else_go_to_the_user(
    held: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_here: bool
) -> None:
    """A folder with `data` or `.env` goes on using `data`; a setting counts everywhere."""
    home = tmp_path / "home"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    if held:
        (tmp_path / held).touch()
    chosen = Settings.load().storage.data_dir
    assert chosen == (Path("data") if is_here else home / "rich-agent")
    assert Settings.load(DATA_DIR="elsewhere").storage.data_dir == Path("elsewhere")


def test_embedding_model_is_that_of_this_machine_without_a_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An installed extra does not have all vectors of a server made again."""
    monkeypatch.setattr(LocalModel, "is_installed", True)
    local = Settings.load().models.embedding
    assert local.vector_space == MODELS[LOCAL].space
    assert "model" not in local.model_fields_set
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert Settings.load().models.embedding.local is not None
    monkeypatch.setenv("EMBEDDING_API_KEY", "key")
    assert Settings.load().models.embedding.local is None
    monkeypatch.delenv("EMBEDDING_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    assert Settings.load().models.embedding.model == "text-embedding-3-small"
    monkeypatch.setenv("EMBEDDING_MODEL", LOCAL)
    assert {role.model_setting for role in Settings.load().models.roles} == {"CHAT_MODEL"}
    monkeypatch.delenv("EMBEDDING_MODEL")
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("EMBEDDING_BASE_URL", "http://127.0.0.1:9/v1")
    assert Settings.load().models.embedding.local is None
    monkeypatch.delenv("EMBEDDING_BASE_URL")
    monkeypatch.setenv("EMBEDDING_MODEL", "none")
    assert not Settings.load().models.embedding.is_used
    monkeypatch.delenv("EMBEDDING_MODEL")
    monkeypatch.setattr(LocalModel, "is_installed", False)
    assert Settings.load().models.embedding.model == "text-embedding-3-small"
