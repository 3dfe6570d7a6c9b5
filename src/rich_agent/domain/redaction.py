"""Removes secrets from text to be written, such as the bot token in Bot API addresses."""

import re
from collections.abc import Iterable

_SECRET = re.compile(
    r"(?<!\d)\d{3,}:[A-Za-z0-9_-]{20,}"  # bot token; "bot" stands right before it in addresses
    r"|\b(?:sk|pk|tvly|xai|glpat|pplx|xox[abeprs])-[\w-]{12,}"
    r"|\b(?:gsk|hf|gh[opsur]|github_pat|[rs]k_live|pk_live|npm|r8)_\w{12,}"
    r"|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}"
    r"|\bra[chs]?_[\w-]{43}"
    r"|\beyJ[\w-]{10,2000}+\.[\w-]{10,}\.[\w-]{10,}"
)
_BEARER = re.compile(r"(\b(?:Bearer|Basic) )[\w.~+/=-]{8,}", re.IGNORECASE)
# Up to the last "@", since a password may contain one.
_IN_ADDRESS = re.compile(r"(://[^\s:/@\"'<>]{0,128}:)[^\s\"'<>]{1,256}@")
_NAMED = re.compile(
    r"((?<![a-z])(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key)=)"
    r"(?:'[^'\n]{1,256}'|[^\s\"'&,;<>]{1,256})",
    re.IGNORECASE,
)
FEWEST_CHARACTERS = 6
"""Least length of a secret. A shorter one would also be found inside ordinary words."""


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without bot tokens, API keys, passwords, and the given `secrets`."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= FEWEST_CHARACTERS:
            text = text.replace(secret, "***")
    text = _IN_ADDRESS.sub(r"\1***@", _SECRET.sub("***", text))
    return _NAMED.sub(r"\1***", _BEARER.sub(r"\1***", text))
