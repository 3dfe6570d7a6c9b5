"""What a bot allows by default that its operator may not have meant."""

from rich_agent.commands.diagnosis.findings import CheckResult
from rich_agent.settings.settings import Settings


def open_doors(settings: Settings) -> list[CheckResult]:
    """What everybody may do for want of a setting; a door that a setting opened is meant."""
    doors = []
    if settings.is_open_by_default:
        doors.append(
            CheckResult(
                "access",
                "warn",
                "everybody on Telegram may use this bot",
                "Write the ids of those who may use it into ALLOWED_USERS, or ALLOWED_USERS=* if "
                "this is intended.",
            )
        )
    if settings.is_unlimited_by_default:
        doors.append(
            CheckResult(
                "access",
                "warn",
                "there is no daily limit: a single user can cause any cost",
                "Write a limit, as in DAILY_TOKENS=200000, or DAILY_TOKENS=0 if this is intended.",
            )
        )
    return doors
