"""Removes bot tokens from the logs of libraries, however logging is configured."""

import logging

from typing_extensions import override

from rich_agent.domain.redaction import redact

_LOG_URLS = ("httpx", "telegram.Bot")


class TokenRedaction(logging.Filter):
    """Replaces secrets in log records; never drops a record."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the record in place; always returns True."""
        record.msg, record.args = redact(record.getMessage()), ()
        return True


def redact_library_logs() -> None:
    """Add the filter to the libraries that log the URLs of Bot API calls; safe to repeat."""
    for name in _LOG_URLS:
        logger = logging.getLogger(name)
        if not any(isinstance(known, TokenRedaction) for known in logger.filters):
            logger.addFilter(TokenRedaction())
