"""Shared parts of all Bot API calls: connections, conversions, and translated errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    WebAppInfo,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    TelegramError,
)
from telegram.request import HTTPXRequest
from typing_extensions import override

from rich_agent.domain.people import has_telegram
from rich_agent.domain.redaction import redact
from rich_agent.errors import (
    BadGatewayError,
    ChatBlockedError,
    EntitiesRefusedError,
    ImageRefusedError,
    LaneLostError,
    MessageGoneError,
    OutcomeUnknownError,
    PassingUpstreamError,
    RichAgentError,
    Target,
    TokenRefusedError,
    UpdatesConflictError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
)
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.runtime.fencing import confirm_lease
from rich_agent.runtime.reach import in_reach, out_of_reach
from rich_agent.upstreams.connection_failures import explain_failure, proxy_of

SERVICE = "telegram"
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_TOO_MANY_REQUESTS = 429
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_BLOCKED = ("chat not found", "user is deactivated", "bot was blocked")
_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message_id_invalid",
)
_OUT_OF_REACH = (
    "Check the network of this machine. Where Telegram is blocked, set HTTPS_PROXY to a proxy, or "
    "TELEGRAM_API_BASE_URL to a Bot API server within reach."
)
_MOMENT_FORMAT = "wDt"
"""Weekday, long date, time. Source: Bot API, "Date-time entity formatting"."""


class _FloodControlError(TelegramError):
    """Telegram's 429; the library's own class emits a warning whenever it is created."""

    def __init__(self, retry_after_s: float | None) -> None:
        super().__init__("Too Many Requests")
        self.retry_after_s = retry_after_s


async def raise_flood_control(response: httpx.Response) -> None:
    """A response hook that raises on status 429, with the wait that Telegram asks for."""
    if response.status_code != _TOO_MANY_REQUESTS:
        return
    await response.aread()
    try:
        retry_after = response.json()["parameters"]["retry_after"]
    except (ValueError, KeyError, TypeError):
        retry_after = None
    raise _FloodControlError(float(retry_after) if retry_after is not None else None)


async def confirm_before_sending(request: httpx.Request) -> None:
    """A request hook that lets a request leave only while its lane's lease runs.

    The lease is checked right before the headers are sent, because a call may wait for a
    connection, or with its whole process, after all other checks. Source:
    https://www.encode.io/httpcore/extensions/, "trace".
    """

    async def on_event(event: str, _: dict[str, Any]) -> None:
        if event.endswith(".send_request_headers.started"):
            confirm_lease()

    request.extensions["trace"] = on_event


@dataclass(frozen=True, slots=True)
class Route:
    """The server of the Bot API, and the proxy before it, if there is one."""

    server: Target
    proxy: Target | None = None

    @classmethod
    def of(cls, url: str, *, trust_env: bool = True) -> "Route":
        """The route to the host of `url`; with `trust_env`, by the environment's proxy."""
        return cls(Target.at(SERVICE, url), proxy_of(url) if trust_env else None)

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets that an answer shows to be within reach."""
        return (self.server, self.proxy) if self.proxy else (self.server,)


def translate_telegram_error(
    error: TelegramError, deadline_s: float, route: Route
) -> RichAgentError:
    """Return the product's own error for the library's; `deadline_s` is the call's deadline.

    A failure of the connection is reported as an outage of what is on the `route`.
    """
    message = redact(error.message)
    failure: RichAgentError
    match error:
        case _FloodControlError():
            failure = UpstreamRateLimitedError(SERVICE, error.retry_after_s)
        case Forbidden():
            failure = ChatBlockedError(SERVICE, message)
        case InvalidToken():
            hint = "Check TELEGRAM_BOT_TOKEN: @BotFather shows the token of your bot."
            failure = TokenRefusedError(SERVICE, message, hint=hint)
        case Conflict():
            failure = UpdatesConflictError(SERVICE, message)
        case ChatMigrated():
            # A group became a supergroup, where the messages have other numbers.
            failure = UpstreamRefusedError(SERVICE, message)
        case BadRequest():
            failure = _translate_bad_request(message)
        case NetworkError():
            return _translate_network_error(error, message, deadline_s, route)
        case _:
            # A 200 without JSON: the work was done, but its result did not arrive.
            failure = OutcomeUnknownError(SERVICE, message)
    in_reach(*route.targets)
    return failure


def _translate_bad_request(message: str) -> RichAgentError:
    lower_message = message.lower()
    if any(phrase in lower_message for phrase in _GONE):
        return MessageGoneError(SERVICE, message)
    if any(phrase in lower_message for phrase in _BLOCKED):
        return ChatBlockedError(SERVICE, message)
    if "file is too big" in lower_message:
        return ImageRefusedError("too_large", message)
    if "entit" in lower_message:
        return EntitiesRefusedError(SERVICE, message)
    return UpstreamRefusedError(SERVICE, message)


def _translate_network_error(
    error: NetworkError, message: str, deadline_s: float, route: Route
) -> RichAgentError:
    cause = error.__cause__
    if isinstance(cause, LaneLostError):
        return cause
    failure: PassingUpstreamError
    if isinstance(cause, _NOT_SENT):
        explanation = explain_failure(cause, route.server, _OUT_OF_REACH, route.proxy)
        return out_of_reach(explanation.target, explanation.of_service(SERVICE))
    if isinstance(cause, httpx.TimeoutException):
        failure = UpstreamTimeoutError(SERVICE, deadline_s)
    elif isinstance(cause, httpx.TransportError):
        failure = OutcomeUnknownError(SERVICE, f"{route.server.address} broke off ({message})")
    else:
        # A 5xx: a gateway may send it although the server behind it has done the work.
        failure = BadGatewayError(SERVICE, message)
    failure.hint = _OUT_OF_REACH
    return out_of_reach(route.server, failure)


@dataclass(frozen=True, slots=True)
class TelegramOptions:
    """Deadlines in seconds, the number of connections, and the largest download.

    `download_s`: for a whole file.
    `max_file_bytes`: the limit of getFile. Source: Bot API, getFile.
    """

    connect_s: float = 5.0
    read_s: float = 15.0
    download_s: float = 60.0
    connections: int = 64
    max_file_bytes: int = 20_000_000


def open_requests(options: TelegramOptions, connections: int, *, local: bool) -> HTTPXRequest:
    """A pool of connections. With `local`, they bypass the environment's proxy."""
    return HTTPXRequest(
        connection_pool_size=connections,
        connect_timeout=options.connect_s,
        read_timeout=options.read_s,
        write_timeout=options.read_s,
        pool_timeout=options.connect_s,
        httpx_kwargs={
            # The environment's proxy cannot reach this machine's own servers.
            "trust_env": not local,
            "event_hooks": {
                "request": [confirm_before_sending],
                "response": [raise_flood_control],
            },
        },
    )


class TranslatingBot(Bot):
    """A bot whose calls raise the product's own errors, and which returns updates unparsed."""

    def __init__(self, options: TelegramOptions, route: Route, **options_of_library: Any) -> None:  # noqa: ANN401 - the library's own
        super().__init__(**options_of_library)
        self._read_s = options.read_s
        self._route = route

    @override
    async def _do_post(self, endpoint: str, data: dict[str, Any], **options: Any) -> Any:
        """Make a call; if its topic is gone, repeat it without the topic.

        An edit without changes returns True. Raises: the errors of `translate_telegram_error`;
        ChatBlockedError for a person without Telegram, about whom Telegram is never asked.
        """
        people = (
            data.get("chat_id"),
            data.get("user_id"),
            getattr(data.get("scope"), "chat_id", None),
        )
        if not all(has_telegram(one) for one in people if isinstance(one, int)):
            raise ChatBlockedError("telegram", "this person has no Telegram")
        try:
            result = await super()._do_post(endpoint, data, **options)
        except TelegramError as error:
            lower_message = error.message.lower()
            if "message is not modified" in lower_message:
                in_reach(*self._route.targets)
                return True
            if "message thread not found" not in lower_message or "message_thread_id" not in data:
                # From None: the chain contains requests, and their URLs contain the token.
                raise translate_telegram_error(error, self._read_s, self._route) from None
        else:
            in_reach(*self._route.targets)
            return result
        data_without_topic = {
            name: value for name, value in data.items() if name != "message_thread_id"
        }
        return await self._do_post(endpoint, data_without_topic, **options)

    async def call(self, method: str, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as it comes
        """Call a method with parameters that the library may not support; return the result.

        Parameters that are None are left out.
        """
        data = {name: value for name, value in parameters.items() if value is not None}
        return await self._post(method, data)

    async def get_raw_updates(self, parameters: dict[str, Any], read_s: float) -> list[Any]:
        """Return the updates of getUpdates unparsed, so that the inbox can store the originals."""
        return list(await self._post("getUpdates", parameters, read_timeout=read_s))


def to_entities(message: RenderedMessage) -> list[MessageEntity] | None:
    """The entities of a message, None if it has none."""
    return [
        MessageEntity(
            entity.type,
            entity.offset,
            entity.length,
            url=entity.url,
            language=entity.language,
            unix_time=entity.moment,
            date_time_format=_MOMENT_FORMAT if entity.moment else None,
        )
        for entity in message.entities
    ] or None


def to_keyboard(buttons: tuple[tuple[Button, ...], ...]) -> InlineKeyboardMarkup | None:
    """The rows of buttons as a keyboard, None if there are none."""
    rows = [[_to_button(button) for button in row] for row in buttons]
    return InlineKeyboardMarkup(rows) if rows else None


def _to_button(button: Button) -> InlineKeyboardButton:
    if button.app_url:
        return InlineKeyboardButton(button.text, web_app=WebAppInfo(button.app_url))
    if button.url:
        return InlineKeyboardButton(button.text, url=button.url)
    return InlineKeyboardButton(button.text, callback_data=button.data)
