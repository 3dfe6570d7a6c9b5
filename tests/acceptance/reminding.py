"""Reminders that are due, set in the database, and the messages by which they come."""

from typing import Any

from tests.acceptance.world import World, wait_until

TEXT = "Water the plants"
Message = dict[str, Any]
_ADD = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, rrule, local_next, next_at)
SELECT %s, %s, %s, at AT TIME ZONE %s, %s, %s, at AT TIME ZONE %s, at
FROM (SELECT clock_timestamp() + make_interval(secs => %s) AS at) AS planned
RETURNING id
"""


def plan(
    world: World,
    user: int,
    text: str = TEXT,
    *,
    in_s: float = 0,
    kind: str = "reminder",
    rule: str = "",
    tz: str = "Asia/Tokyo",
) -> int:
    """A reminder that is due so many seconds from now; the bot is told of it."""
    if not world.sandbox.chat(user)["messages"]:
        world.ask(user, "/start")
    (row,) = world.rows(_ADD, user, text, kind, tz, tz, rule, tz, in_s)
    return int(row["id"])


def reminded(world: World, user: int, text: str = TEXT, times: int = 1) -> Message:
    """The last of so many messages that remind the user."""

    def found() -> Message | None:
        came = [reply for reply in world.sandbox.replies(user) if text in reply["text"]]
        return came[times - 1] if len(came) >= times else None

    return wait_until(found, f"user {user} is reminded")
