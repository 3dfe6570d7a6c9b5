"""Why a page cannot be had, in words that a person understands."""

from http import HTTPStatus

from rich_agent.errors import RichAgentError

_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


class FetchError(RichAgentError):
    """A page that cannot be had; `status` is that of the answer, or None without one."""

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status

    @property
    def is_gone(self) -> bool:
        """Whether the server says that there is no such page (404 or 410)."""
        return self.status in _GONE


class PassingFetchError(FetchError):
    """A failure that may pass; `wait_s` is what the server asked for, or None."""

    def __init__(
        self, reason: str, *, status: int | None = None, wait_s: float | None = None
    ) -> None:
        super().__init__(reason, status=status)
        self.wait_s = wait_s


class RefusedAddressError(FetchError):
    """An address that is not public, and that the operator has not listed."""
