"""The only reader of the environment (and of `.env`): every setting, its default and its check."""

import os
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import Field, SecretStr, ValidationError

from rich_agent.domain.intranet import Intranet
from rich_agent.domain.retrieval.passage import Retrieval
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.usage.prices import Prices
from rich_agent.domain.usage.usage import Allowance, DailyLimits
from rich_agent.errors import InvalidSettingsError, SettingsError, UnknownSettingError
from rich_agent.settings.checks import FORMAT_CHECKS
from rich_agent.settings.dotenv import read_names
from rich_agent.settings.error_messages import (
    RequiredSetting,
    is_secret,
    missing_setting,
    wrong_value,
)
from rich_agent.settings.misspelt import misspelt_in_environment, misspelt_in_file
from rich_agent.settings.telegram import ENV_FILE
from rich_agent.settings.tools import ToolSettings
from rich_agent.settings.types import (
    Count,
    OptionalCount,
    OptionalNumber,
    OptionalText,
    Words,
)


class Settings(ToolSettings):
    """All settings; the environment variable is the field's name in capitals."""

    # The cost
    model_prices: Words = Field(
        (),
        description="Prices in USD per million tokens, comma-separated: MODEL=IN/OUT or "
        "MODEL=IN/OUT/CACHED.",
    )
    search_price: OptionalText = Field(None, description="Price of one web search in USD.")
    daily_tokens: Count = Field(
        0, ge=0, description="Tokens per user and day (UTC); 0: no limit. Admins have no limit."
    )
    daily_images: Count = Field(0, ge=0, description="Images per user and day; 0: no limit.")
    daily_searches: Count = Field(
        0, ge=0, description="Web searches per user and day; 0: no limit."
    )
    daily_tool_calls: Count = Field(
        0, ge=0, description="Calls of tools of MCP servers per user and day; 0: no limit."
    )
    usage_days: float = Field(400.0, gt=0, description="Days for which daily usage is kept.")

    # Reading the web
    intranet_hosts: Words = Field(
        (),
        description="Hosts on private networks that `ingest` may read, comma-separated: "
        "names, `*.corp.example`, addresses, networks such as 10.0.0.0/8.",
    )
    respect_robots: bool = Field(
        True,  # noqa: FBT003 - pydantic's default
        description="Read only pages that the robots.txt of their host allows.",
    )

    max_file_mb: int = Field(
        100,
        ge=1,
        le=2_000,
        description="Largest local file that `ingest` reads, in MB.",
    )

    # Storage
    database_url: OptionalText = Field(
        None, description="PostgreSQL with pgvector; unset: an embedded one under DATA_DIR."
    )
    rag_database_url: OptionalText = Field(
        None, description="Database for documents and decisions; unset: DATABASE_URL."
    )
    data_dir: Path = Field(
        Path("data"), description="Where the embedded PostgreSQL keeps its files."
    )
    session_templates_dir: Path | None = Field(
        None, description="Where the operator's own templates of guided sessions are (TOML files)."
    )
    database_pool_size: int = Field(10, ge=2, description="Maximum connections to each database.")

    # The turn
    max_context_tokens: int = Field(
        12_000,
        ge=2_000,
        description="Maximum tokens in a prompt: conversation, memory, passages and question.",
    )
    context_window: OptionalCount = Field(
        None,
        ge=2_048,
        description="Context window of the model in tokens, for prompt and answer. Unset: what the "
        "server reports; if it reports nothing, only MAX_CONTEXT_TOKENS limits a prompt.",
    )
    recent_turns: int = Field(10, ge=1, description="Recent turns that are kept word for word.")
    tokenizer: str = Field(
        "auto",
        min_length=1,
        description="How tokens are counted: `auto` (CHAT_MODEL's own tokenizer, if tiktoken has "
        "it), the name of a tiktoken encoding, or `estimate`.",
    )
    retrieval_passages: int = Field(6, ge=1, le=50, description="Maximum passages for an answer.")
    retrieval_min_score: float = Field(
        0.3, ge=0, le=1, description="Evidence is weak if the best passage scores less than this."
    )
    question_expires_h: float = Field(
        24.0, gt=0, description="Hours after which a question that the bot asked expires."
    )
    approval_intents: Words = Field(
        (), description="Intents whose answers wait for an admin's approval, comma-separated."
    )
    approval_expires_h: float = Field(
        24.0, gt=0, description="Hours after which an answer that waits for approval expires."
    )
    retention_days: float = Field(
        30.0,
        gt=0,
        description="Days for which answered updates, sent messages, calls of tools, runs and "
        "images of other programs, and tasks and notes that users deleted are kept.",
    )
    dead_letter_days: float = Field(90.0, gt=0, description="Days for which dead letters are kept.")
    idle_days: float = Field(
        90.0,
        ge=7,
        description="Days of silence after which a conversation moves from the running state to "
        "the archive. The next message continues it.",
    )
    conversation_days: OptionalNumber = Field(
        None,
        gt=0,
        description="Days for which conversations, their archive and the records of their answers "
        "are kept; unset: forever.",
    )
    worker_concurrency: int = Field(16, ge=1, description="Users that one process serves at once.")

    # The domain
    domain_name: str = Field(
        "solana_defi_trade",
        pattern=r"^[a-z0-9_]+$",
        description="Name of the intent: `domain_<name>`.",
    )
    domain_description: str = Field(
        "Solana, Drift, trading, DeFi and blockchain: how they work and how to use them.",
        description="What the registered documents are about, for the planner.",
    )
    domain_examples: Words = Field(
        (
            "What is proof of history?",
            "How is funding paid on Drift perpetuals?",
            "What happens when a loan is liquidated?",
        ),
        description="Typical questions about the domain, comma-separated, for the planner.",
    )

    log_format: Literal["json", "console"] = Field("console", description="Format of the log.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level that is logged."
    )

    @classmethod
    def load(cls, *required: RequiredSetting, **overrides: Any) -> Self:  # noqa: ANN401 - pydantic checks each value
        """Read the environment and `.env`.

        `required` are the settings without which the caller can do nothing.
        Raises: InvalidSettingsError naming every setting that is misspelt, malformed or missing.
        """
        problems = list(cls._misspelt())
        if any(problem.name == ENV_FILE for problem in problems):
            overrides["_env_file"] = None  # it cannot be read: what may be missing stands there
            required = ()
        try:
            settings = cls(**overrides)
        except ValidationError as error:
            wrong = {str(one["loc"][0]): one for one in reversed(error.errors())}
            fields = {name: cls.model_fields[name] for name in wrong}
            problems += [wrong_value(name, fields[name], one) for name, one in wrong.items()]
            defaults = {name: field.get_default() for name, field in fields.items()}
            settings = cls(**overrides | defaults)
        problems += settings._malformed(besides={one.name for one in problems})
        problems += settings._missing(required, besides=_concerned(problems))
        if problems:
            raise InvalidSettingsError(sorted(problems, key=cls._position))
        return settings

    def forget_secrets(self) -> None:
        """Take keys, tokens and the addresses of databases out of the environment.

        For a program that has read them: the processes that it starts, which decode images and
        documents of strangers, inherit what is left.
        """
        secret = {name for name, field in type(self).model_fields.items() if is_secret(field)}
        of_servers = self.mcp_servers.variables  # read now: later they are gone
        for name in list(os.environ):
            if name.lower() in secret | {"database_url", "rag_database_url"} or name in of_servers:
                del os.environ[name]

    @classmethod
    def _misspelt(cls) -> Iterator[SettingsError]:
        known = [name.upper() for name in cls.model_fields]
        keys = {name.upper() for name, field in cls.model_fields.items() if is_secret(field)}
        written, unreadable = read_names(Path(ENV_FILE))
        yield from unreadable
        yield from misspelt_in_file(written, known)
        inherited = {name.upper() for name in os.environ}
        for problem in misspelt_in_environment(inherited | set(written), known, keys):
            if problem.name not in written:
                yield problem

    def _malformed(self, besides: Collection[str]) -> Iterator[SettingsError]:
        for fields, check in FORMAT_CHECKS.items():
            if not any(name.upper() in besides for name in fields):
                yield from check(*(getattr(self, name) for name in fields))

    def _missing(
        self, required: Iterable[RequiredSetting], besides: Collection[str]
    ) -> Iterator[SettingsError]:
        for name in required:
            if getattr(self, name) is None and name.upper() not in besides:
                yield missing_setting(name)

    @classmethod
    def _position(cls, problem: SettingsError) -> int:
        """Return the place of the setting on the reference page; what is no setting comes first."""
        name = problem.meant[0] if isinstance(problem, UnknownSettingError) else problem.name
        known = [field.upper() for field in cls.model_fields]
        return known.index(name) if name in known else -1

    def require_token(self) -> str:
        """The bot token.

        Raises: SettingsError if it is missing.
        """
        if self.telegram_bot_token is None:
            raise missing_setting("telegram_bot_token")
        return self.telegram_bot_token.get_secret_value()

    @cached_property
    def secrets(self) -> frozenset[str]:
        """The values that must not be written anywhere: keys, and passwords of addresses."""
        values = [value for _, value in self]
        keys = {value.get_secret_value() for value in values if isinstance(value, SecretStr)}
        addresses = [value for value in values if isinstance(value, str) and "://" in value]
        passwords = {password for url in addresses if (password := urlsplit(url).password)}
        secrets = self.mcp_servers.secrets.union(self.credentials_keys, keys, passwords)
        return secrets.union(map(unquote, passwords))

    @cached_property
    def prices(self) -> Prices:
        """The prices of use."""
        return Prices.parse(self.model_prices, self.search_price)

    @cached_property
    def allowance(self) -> Allowance:
        """The daily limits of users."""
        limits = (
            *(self.daily_tokens, self.daily_images),
            *(self.daily_searches, self.daily_tool_calls, self.daily_audio_seconds),
        )
        return Allowance(DailyLimits(*(limit or None for limit in limits)), self.admin_users)

    @property
    def is_unlimited_by_default(self) -> bool:
        """Whether no user has a daily limit, and no setting says so."""
        return not self.model_fields_set & {"daily_tokens", "daily_images", "daily_searches"}

    @cached_property
    def domain(self) -> Domain:
        """The configured domain."""
        return Domain(self.domain_name, self.domain_description, self.domain_examples)

    @cached_property
    def intranet(self) -> Intranet:
        """The hosts that may be read although they are not public."""
        return Intranet.parse(self.intranet_hosts)

    @cached_property
    def retrieval(self) -> Retrieval:
        """The amount that is read before an answer."""
        return Retrieval(passages=self.retrieval_passages, min_score=self.retrieval_min_score)


def _concerned(problems: Iterable[SettingsError]) -> set[str]:
    """The settings that a problem was told of already, also under a wrong name."""
    misspelt = (one for one in problems if isinstance(one, UnknownSettingError))
    return {one.name for one in problems} | {name for one in misspelt for name in one.meant}
