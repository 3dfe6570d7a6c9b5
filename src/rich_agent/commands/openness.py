"""What a bot allows by default that its operator may not have meant."""

from dataclasses import dataclass

import structlog

from rich_agent.settings import Settings

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class OpenDoor:
    """Something that everybody may do for want of a setting; `mend` is what to write."""

    detail: str
    mend: str


def open_doors(settings: Settings) -> list[OpenDoor]:
    """The doors that stand open without a word; one that was opened by a setting is meant."""
    doors = []
    if settings.is_open_by_default:
        doors.append(
            OpenDoor(
                "everybody on Telegram may use this bot",
                "Write the ids of those who may use it into ALLOWED_USERS, or ALLOWED_USERS=* if "
                "this is intended.",
            )
        )
    if settings.is_unlimited_by_default:
        doors.append(
            OpenDoor(
                "there is no daily limit: a single user can cause any cost",
                "Write a limit, as in DAILY_TOKENS=200000, or DAILY_TOKENS=0 if this is intended.",
            )
        )
    return doors


def warn_of_open_doors(settings: Settings) -> None:
    """Log each of them."""
    for door in open_doors(settings):
        log.warning(door.detail, do=door.mend)
