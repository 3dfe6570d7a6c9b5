"""The settings of HTTP: the address to listen on, and who may use the endpoints."""

from urllib.parse import urlsplit

from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Count, OptionalUrl, Secret, Words


class WebSettings(Group):
    """Settings for the bot's own addresses, and for reaching another bot."""

    host: str = setting(
        "Address to listen on; 127.0.0.1: this machine only, 0.0.0.0: all networks.", "127.0.0.1"
    )
    port: int = setting("Port to listen on.", 8000, ge=0, le=65535)
    public_url: OptionalUrl = setting(
        "Public address of this bot's HTTP endpoints, for calendar feeds and other programs; "
        "unset: the host of WEBHOOK_URL."
    )
    webhook_url: OptionalUrl = setting(
        "Public address of this bot, for a webhook; unset: long polling."
    )
    webhook_secret: Secret = setting(
        "Sent by Telegram with each update; required with WEBHOOK_URL. At least 16 letters, "
        "digits, _ or -."
    )
    cors_origins: Words = setting(
        "Origins whose pages may use the HTTP API with a token, comma-separated: "
        "`https://chat.example.com`. Unset: none.",
        (),
    )
    api_requests_per_minute: Count = setting(
        "Requests of one token per minute, in each process; 0: no limit.",
        120,
        changes_at_run_time=True,
    )
    metrics_token: Secret = setting(
        "Bearer token for /metrics and the details of /readyz; unset: only this machine gets them."
    )

    @property
    def public_address(self) -> str | None:
        """The public address of the HTTP endpoints, None if no setting gives one."""
        if self.public_url or not self.webhook_url:
            return self.public_url
        webhook = urlsplit(self.webhook_url)
        return f"{webhook.scheme}://{webhook.netloc}"
