"""The settings of the Telegram surface, the first part of all settings."""

from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from rich_agent.settings.types import (
    Count,
    OptionalSecret,
    OptionalUrl,
    Url,
    UserIds,
    UserIdsOrAll,
    Words,
)

ENV_FILE = ".env"


class TelegramSettings(BaseSettings):
    """Settings for Telegram: how the bot is reached, by whom, and how it shows its answers."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8-sig",
        extra="ignore",
        frozen=True,
        allow_inf_nan=False,
    )

    telegram_bot_token: OptionalSecret = Field(
        None, description="The bot's token, from @BotFather."
    )
    telegram_api_base_url: Url = Field(
        "https://api.telegram.org", description="Address of the Bot API."
    )
    webhook_url: OptionalUrl = Field(
        None, description="Public address of this bot, for a webhook; unset: long polling."
    )
    webhook_secret: OptionalSecret = Field(
        None,
        description="Sent by Telegram with each update; required with WEBHOOK_URL. "
        "At least 16 letters, digits, _ or -.",
    )
    host: str = Field(
        "127.0.0.1",
        description="Address to listen on; 127.0.0.1: this machine only, 0.0.0.0: all networks.",
    )
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on.")
    public_url: OptionalUrl = Field(
        None,
        description="Public address of this bot's HTTP endpoints, for calendar feeds and other "
        "programs; unset: the host of WEBHOOK_URL.",
    )
    cors_origins: Words = Field(
        (),
        description="Origins whose pages may use the HTTP API with a token, comma-separated: "
        "`https://chat.example.com`. Unset: none.",
    )
    api_requests_per_minute: Count = Field(
        120,
        ge=0,
        description="Requests of one token per minute, in each process; 0: no limit.",
    )
    remote_token: OptionalSecret = Field(
        None,
        description="Your token on another bot, for `rich-agent chat --url`; see /tokens there.",
    )
    web_session_days: float = Field(
        30.0, gt=0, le=400, description="Days after which a sign-in to the web chat ends."
    )
    metrics_token: OptionalSecret = Field(
        None,
        description="Bearer token for /metrics and the details of /readyz; "
        "unset: only this machine gets them.",
    )
    streaming: Literal["edit", "draft", "off"] = Field(
        "edit",
        description="How an answer appears: `edit` (a message that grows), `draft` (a preview that "
        "Telegram animates) or `off` (only the whole answer).",
    )
    rich_messages: bool = Field(
        False,  # noqa: FBT003 - pydantic's default
        description="Send answers with tables, headings or lists as rich messages (Bot API 10.1). "
        "Some clients show these blank.",
    )
    conversation_per_topic: bool = Field(
        False,  # noqa: FBT003 - pydantic's default
        description="Give each topic of a private chat a conversation of its own. What is "
        "remembered of a user counts in all of them.",
    )
    allowed_users: UserIdsOrAll = Field(
        frozenset(),
        description="Telegram user ids that may use the bot, comma-separated; `*`: everybody. "
        "Unset: ADMIN_USERS and whom they let in.",
    )
    admin_users: UserIds = Field(
        frozenset(),
        description="Telegram user ids of admins, comma-separated; they may always use the bot. "
        "Unset: the operator, who sends the bot the code that its start prints.",
    )
    guest_mode: Literal["off", "allowed", "everyone"] = Field(
        "off",
        description="Who is answered in groups, from registered documents only: `allowed` (those "
        "who may use the bot), `everyone` or nobody (`off`).",
    )
    guest_web: bool = Field(
        False,  # noqa: FBT003 - pydantic's default
        description="Let answers in groups use the web search too.",
    )
    guest_answers_per_day: int = Field(
        20, ge=0, description="Answers in groups for one user in 24 hours; 0: no limit."
    )
    guest_group_answers_per_hour: int = Field(
        30, ge=0, description="Answers in one group in an hour; 0: no limit."
    )
    feedback: bool = Field(
        True,  # noqa: FBT003 - pydantic's default
        description="Show 👍 👎 and “Why?” under answers.",
    )

    inbox_max_pending: int = Field(
        50,
        ge=1,
        description="Maximum waiting messages of one user; more are dropped, with a notice.",
    )

    @property
    def public_address(self) -> str | None:
        """The address of the HTTP endpoints for others, None if nobody said so."""
        if self.public_url or not self.webhook_url:
            return self.public_url
        webhook = urlsplit(self.webhook_url)
        return f"{webhook.scheme}://{webhook.netloc}"

    @property
    def allowed_ids(self) -> frozenset[int] | None:
        """The ids in ALLOWED_USERS; None stands for everybody."""
        return None if self.allowed_users == "*" else self.allowed_users

    @property
    def names_nobody(self) -> bool:
        """Whether no setting says whom the bot belongs to, so that its operator has to prove it."""
        return not self.allowed_users and not self.admin_users
