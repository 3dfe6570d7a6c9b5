"""Errors of fetching, with messages for people."""

from http import HTTPStatus
from typing import Literal

from rich_agent.errors import RichAgentError

_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


FetchProblem = Literal["", "robots", "too_large", "slow"]
"""The cause of a failure; "" if it is the server's status or the connection."""


class FetchError(RichAgentError):
    """The page could not be fetched. `status` is the HTTP status, None without a response."""

    def __init__(
        self, reason: str, *, status: int | None = None, problem: FetchProblem = ""
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.problem: FetchProblem = problem

    @property
    def is_gone(self) -> bool:
        """Whether the server says that the page does not exist (404 or 410)."""
        return self.status in _GONE


class PassingFetchError(FetchError):
    """A temporary failure.

    `wait_s` is the number of seconds that the server asks to wait, or None.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: int | None = None,
        wait_s: float | None = None,
        problem: FetchProblem = "",
    ) -> None:
        super().__init__(reason, status=status, problem=problem)
        self.wait_s = wait_s


class RefusedAddressError(FetchError):
    """The address is neither public nor listed by the operator."""
