"""The settings of the Telegram surface, the first part of all settings."""

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from rich_agent.setting_types import OptionalSecret, OptionalUrl, Url, UserIds, UserIdsOrAll

ENV_FILE = ".env"


class TelegramSettings(BaseSettings):
    """How the bot is reached, by whom, and how it shows its answers."""

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
        "https://api.telegram.org", description="Where the Bot API is served."
    )
    webhook_url: OptionalUrl = Field(
        None, description="Public address of this bot; unset: long polling."
    )
    webhook_secret: OptionalSecret = Field(
        None,
        description="Sent by Telegram with each update; required with WEBHOOK_URL: "
        "at least 16 letters, digits, _ or -.",
    )
    host: str = Field(
        "127.0.0.1",
        description="Address to listen on: this machine alone; 0.0.0.0 for all of its networks.",
    )
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on.")
    metrics_token: OptionalSecret = Field(
        None,
        description="Opens /metrics and the reasons of /readyz, as a bearer token; "
        "unset: to this machine alone.",
    )
    streaming: Literal["edit", "draft", "off"] = Field(
        "edit",
        description="How an answer grows: in a message that is edited, as a draft (a preview that "
        "Telegram animates), or off: only the whole answer.",
    )
    allowed_users: UserIdsOrAll = Field(
        frozenset(),
        description="Telegram user ids that may use the bot, comma-separated; `*`: everybody. "
        "Empty: everybody too, with a warning at each start.",
    )
    admin_users: UserIds = Field(
        frozenset(), description="Telegram user ids with admin commands; always allowed."
    )
    feedback: bool = Field(
        True,  # noqa: FBT003 - pydantic's default
        description="Show 👍 👎 and “Why?” under answers.",
    )

    inbox_max_pending: int = Field(
        50, ge=1, description="Messages of one user that may wait; more are dropped, with a notice."
    )

    @property
    def allowed_ids(self) -> frozenset[int]:
        """The ids in ALLOWED_USERS; none stands for everybody."""
        return frozenset() if self.allowed_users == "*" else self.allowed_users

    @property
    def is_open_by_default(self) -> bool:
        """Whether everybody may use the bot, and no setting says so."""
        return not self.allowed_users
