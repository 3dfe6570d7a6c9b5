"""Start-up and resident memory of the bot: `python -m bench.process [RUNS]`.

Start-up is the time from the start of `rich-agent run` on an existing, migrated database to the
line that says it is ready; memory is the resident set of an idle `rich-agent worker`.
"""

import statistics
import sys
import time

import psutil

from bench.database import running_database
from bench.instant import Instant, served
from bench.programs import running_program
from bench.turn import settings_for

IDLE_S = 3.0


def start(role: str, settings: dict[str, str]) -> tuple[float, float]:
    """Seconds to readiness, and resident MB after some idle seconds."""
    began = time.perf_counter()
    with running_program(["-m", "rich_agent.cli", role], settings) as program:
        ready_s = time.perf_counter() - began
        time.sleep(IDLE_S)
        resident_mb = psutil.Process(program.process.pid).memory_info().rss / 1e6
    return ready_s, resident_mb


def main() -> None:
    """Print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with (
        running_database() as database,
        served(Instant()) as upstream,
    ):
        settings = settings_for(upstream, database.url, port=18_098)
        started = [start("run", settings)[0] for _ in range(runs)]
        resident = [start("worker", settings)[1] for _ in range(runs)]
    print(f"start-up of `rich-agent run`:      median {statistics.median(started):.2f} s")
    print(f"resident memory, idle worker:      median {statistics.median(resident):.0f} MB")


if __name__ == "__main__":
    main()
