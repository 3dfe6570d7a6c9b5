"""A process of the bot whose clock is wrong: `python -m bench.faults.shifted SECONDS ROLE`."""

import sys
from datetime import UTC, datetime, timedelta

import time_machine

from rich_agent.cli import main

if __name__ == "__main__":
    shift_s, *arguments = sys.argv[1:]
    sys.argv[1:] = arguments
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=float(shift_s)), tick=True):
        main()
