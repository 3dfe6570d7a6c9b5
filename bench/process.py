"""Start-up and resident memory of the bot: `python -m bench.process [RUNS]`.

Start-up is the time from the start of `rich-agent run` on an existing, migrated database to the
line that says it is ready; memory is the resident set of an idle `rich-agent worker`.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import psutil

from bench.instant import Instant, served
from bench.turn import settings_for
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from tests.database import temporary_data_dir

IDLE_S = 3.0


def start(role: str, settings: dict[str, str]) -> tuple[float, float]:
    """Seconds to readiness, and resident MB after some idle seconds."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "rich_agent.cli", role],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if "ready" in line)
        ready_s = time.perf_counter() - began
        time.sleep(IDLE_S)
        resident_mb = psutil.Process(process.pid).memory_info().rss / 1e6
        process.terminate()
    return ready_s, resident_mb


def main() -> None:
    """Print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with (
        temporary_data_dir() as data,
        EmbeddedPostgres(Path(data)) as server,
        served(Instant()) as upstream,
    ):
        migrate(server.url(), server.url())
        settings = settings_for(upstream, server.url(), port=18_098)
        started = [start("run", settings)[0] for _ in range(runs)]
        resident = [start("worker", settings)[1] for _ in range(runs)]
    print(f"start-up of `rich-agent run`:      median {statistics.median(started):.2f} s")
    print(f"resident memory, idle worker:      median {statistics.median(resident):.0f} MB")


if __name__ == "__main__":
    main()
