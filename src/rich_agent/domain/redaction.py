"""Secrets that must not be written anywhere: a bot token is part of every Bot API address."""

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
# Up to the last "@", for a password may hold one.
_IN_ADDRESS = re.compile(r"(://[^\s:/@\"'<>]{0,128}:)[^\s\"'<>]{1,256}@")
_NAMED = re.compile(
    r"((?<![a-z])(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key)=)"
    r"(?:'[^'\n]{1,256}'|[^\s\"'&,;<>]{1,256})",
    re.IGNORECASE,
)
FEWEST_CHARACTERS = 6
"""A shorter secret would be found in the middle of ordinary words."""


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without bot tokens, API keys and passwords; also without the given `secrets`."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= FEWEST_CHARACTERS:
            text = text.replace(secret, "***")
    text = _IN_ADDRESS.sub(r"\1***@", _SECRET.sub("***", text))
    return _NAMED.sub(r"\1***", _BEARER.sub(r"\1***", text))
