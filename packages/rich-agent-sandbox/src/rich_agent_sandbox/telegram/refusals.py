"""Refusals: in Telegram's own words for a bot, in plain words on `/sim`."""


class BotApiError(Exception):
    """The Bot API's answer with `ok: false`.

    `code`: the HTTP status and the `error_code`.
    `description`: Telegram's text.
    `retry_after`: seconds.

    Source: https://core.telegram.org/bots/api#making-requests
    """

    def __init__(self, code: int, description: str, *, retry_after: int | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after


class SimError(Exception):
    """An invalid request to `/sim`; the text says what has to be changed."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def bad_request(description: str) -> BotApiError:
    """A 400 with Telegram's prefix."""
    return BotApiError(400, f"Bad Request: {description}")


def too_many_requests(retry_after: int) -> BotApiError:
    """The flood refusal; `retry_after` is in seconds."""
    return BotApiError(
        429, f"Too Many Requests: retry after {retry_after}", retry_after=retry_after
    )
