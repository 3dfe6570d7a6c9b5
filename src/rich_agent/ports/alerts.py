"""Interface of what keeps admins from being told the same again and again."""

from typing import Protocol


class Alerts(Protocol):
    """When admins were last told of each cause, by whichever process."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        """Whether nobody told of it within `pause_s`; if so, it counts as told now.

        Raises: DatabaseUnavailableError.
        """
        ...
