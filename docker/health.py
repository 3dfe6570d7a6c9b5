"""The health check of the container: asks /healthz, and ends a bot that is silent for too long.

Docker restarts what has ended, and leaves alone what is only unhealthy. `init: true` makes the bot
a child of process 1, which ends with it.
"""

import os
import signal
import sys
import urllib.request
from pathlib import Path

FAILURES_BEFORE_THE_END = 12
"""At an interval of 10 seconds, two minutes: longer than any start takes."""

_FAILURES = Path("/tmp/health-failures")  # noqa: S108 - the container's own


def check(url: str, failures: Path, init_pid: int = 1) -> int:
    """The exit code of the check; `failures` keeps how often in a row it failed."""
    try:
        with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own address
            failures.unlink(missing_ok=True)
            return 0
    except OSError as error:
        sys.stdout.write(f"{url}: {error}\n")
    count = (int(failures.read_text()) if failures.exists() else 0) + 1
    failures.write_text(str(count))
    if count >= FAILURES_BEFORE_THE_END:
        failures.unlink()
        children = Path(f"/proc/{init_pid}/task/{init_pid}/children").read_text()
        for pid in children.split():
            if int(pid) != os.getpid():
                os.kill(int(pid), signal.SIGKILL)
    return 1


if __name__ == "__main__":
    port = os.environ.get("PORT", "8000")
    sys.exit(check(f"http://127.0.0.1:{port}/healthz", _FAILURES))
