"""Removes bot tokens from library logs at the source, however logging is configured."""

import logging

from typing_extensions import override

from rich_agent.domain.redaction import redact

_LOG_URLS = ("httpx", "telegram.Bot")


class TokenRedaction(logging.Filter):
    """Rewrites log records that hold a secret; lets all of them through."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the record in place."""
        record.msg, record.args = redact(record.getMessage()), ()
        return True


def redact_library_logs() -> None:
    """Redact the libraries that log a Bot API call's URL; again changes nothing."""
    for name in _LOG_URLS:
        logger = logging.getLogger(name)
        if not any(isinstance(known, TokenRedaction) for known in logger.filters):
            logger.addFilter(TokenRedaction())
