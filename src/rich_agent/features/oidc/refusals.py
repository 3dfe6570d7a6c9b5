"""Reasons for which a sign-in is refused. Pages say each in the reader's language."""

from typing import Literal

from rich_agent.feature import RichAgentError

Reason = Literal[
    "state", "denied", "code", "issuer", "audience", "nonce", "expired", "signature", "token",
    "away", "group", "blocked",
]  # fmt: skip


class SignInRefusedError(RichAgentError):
    """A sign-in or a logout that is refused; the text is for the operator's log."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason: Reason = reason
