"""Handling of an update by every contender: a pause, then a line in the record."""

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

SLOW = "slow"
_PAUSES_S = (0.001, 0.012, 0.004, 0.008)
_SLOW_PAUSES_S = (0.3, 0.05)


@dataclass(frozen=True, slots=True)
class Handled:
    """An update that was handled to its end, at seconds since the epoch."""

    update_id: int
    user: int
    at: float


async def handle(update_id: int, user: int, text: str) -> None:
    """Take a while, not always the same, and note the end in the file `RECORD`."""
    pauses_s = _SLOW_PAUSES_S if text == SLOW else _PAUSES_S
    await asyncio.sleep(pauses_s[update_id % len(pauses_s)])
    record = os.open(os.environ["RECORD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(record, f"{update_id} {user} {time.time()}\n".encode())
    finally:
        os.close(record)


def read_record(record: Path) -> list[Handled]:
    """All that was handled, in the order of the ends."""
    lines = record.read_text().splitlines() if record.exists() else []
    fields = (line.split() for line in lines)
    return [Handled(int(update_id), int(user), float(at)) for update_id, user, at in fields]
