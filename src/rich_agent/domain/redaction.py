"""Secrets that must not be written anywhere: a bot token is part of every Bot API address."""

import re

_SECRET = re.compile(
    r"(?<!\d)\d{3,}:[A-Za-z0-9_-]{20,}"  # bot token; "bot" stands right before it in addresses
    r"|\b(?:sk|tvly)-[A-Za-z0-9_-]{12,}|\bgsk_[A-Za-z0-9]{12,}"
)
_PASSWORD = re.compile(r"(\w+://[^\s:/@]+:)[^\s@]+@")


def redact(text: str) -> str:
    """The text without bot tokens, API keys and passwords in addresses."""
    return _PASSWORD.sub(r"\1***@", _SECRET.sub("***", text))
