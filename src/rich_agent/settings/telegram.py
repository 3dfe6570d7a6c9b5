"""The settings of Telegram, and of who may use the bot there."""

from typing import Literal

from rich_agent.settings.error_messages import missing_setting
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Secret, Url, UserIds, UserIdsOrAll, Words


class TelegramSettings(Group):
    """Settings for the Bot API, and for how answers appear in Telegram."""

    bot_token: Secret = setting("The bot's token, from @BotFather.", name="TELEGRAM_BOT_TOKEN")
    api_base_url: Url = setting(
        "Address of the Bot API.", "https://api.telegram.org", name="TELEGRAM_API_BASE_URL"
    )
    streaming: Literal["edit", "draft", "off"] = setting(
        "How an answer appears: `edit` (a message that grows), `draft` (a preview that Telegram "
        "animates) or `off` (only the whole answer).",
        "edit",
        changes_at_run_time=True,
    )
    rich_messages: bool = setting(
        "Send answers with tables, headings or lists as rich messages (Bot API 10.1). Some clients "
        "show these blank.",
        default=False,
        changes_at_run_time=True,
    )
    widgets: Literal["auto", "off"] = setting(
        "`auto` shows approvals, lists, sessions, charts and sources as widgets (Bot API 10.4) "
        "where Telegram takes them; otherwise, and with `off`, they are messages with buttons.",
        "off",
        changes_at_run_time=True,
    )
    conversation_per_topic: bool = setting(
        "Give each topic of a private chat a conversation of its own. What is remembered of a user "
        "counts in all of them.",
        default=False,
    )
    feedback: bool = setting(
        "Show 👍 👎 and “Why?” under answers.", default=True, changes_at_run_time=True
    )

    def require_token(self) -> str:
        """The bot token. Raises: SettingsError if it is missing."""
        if self.bot_token is None:
            raise missing_setting("TELEGRAM_BOT_TOKEN")
        return self.bot_token.get_secret_value()

    def require_bot_id(self) -> str:
        """The bot's id, with which its token begins. Raises: SettingsError without a token.

        Source: Bot API, "Authorizing your bot".
        """
        return self.require_token().partition(":")[0]


class AccessSettings(Group):
    """Settings for who may use the bot, and whose answers wait for an admin."""

    allowed_users: UserIdsOrAll = setting(
        "Telegram user ids that may use the bot, comma-separated; `*`: everybody. Unset: "
        "ADMIN_USERS and whom they let in.",
        frozenset(),
    )
    admin_users: UserIds = setting(
        "Telegram user ids of admins, comma-separated; they may always use the bot. Unset: the "
        "operator, who sends the bot the code that its start prints.",
        frozenset(),
    )
    guest_mode: Literal["off", "allowed", "everyone"] = setting(
        "Who is answered in groups, from registered documents only: `allowed` (those who may use "
        "the bot), `everyone` or nobody (`off`).",
        "off",
    )
    guest_web: bool = setting(
        "Let answers in groups use the web search too.", default=False, changes_at_run_time=True
    )
    guest_answers_per_day: int = setting(
        "Answers in groups for one user in 24 hours; 0: no limit.",
        20,
        ge=0,
        changes_at_run_time=True,
    )
    guest_group_answers_per_hour: int = setting(
        "Answers in one group in an hour; 0: no limit.", 30, ge=0, changes_at_run_time=True
    )
    approval_intents: Words = setting(
        "Intents whose answers wait for an admin's approval, comma-separated.",
        (),
        changes_at_run_time=True,
    )

    @property
    def allowed_ids(self) -> frozenset[int] | None:
        """The ids in ALLOWED_USERS; None stands for everybody."""
        return None if self.allowed_users == "*" else self.allowed_users

    @property
    def names_nobody(self) -> bool:
        """Whether no setting names a user, so that the operator has to prove to be the operator."""
        return not self.allowed_users and not self.admin_users
