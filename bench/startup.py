"""Cost of starting a command: `python -m bench.startup`, processor and wall time of each.

Commands that need a database get an embedded one of their own, which runs already. Nothing is
asked of any model; `run` and `ask` are measured by what they import.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rich_agent.repositories.database.embedded import EmbeddedPostgres

TRIES = 5
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "rich-agent --help": ["-m", "rich_agent.cli", "--help"],
    "ingest --help": ["-m", "ingest.cli", "--help"],
    "ingest list": ["-m", "ingest.cli", "list"],
    "ingest status": ["-m", "ingest.cli", "status"],
    "rich-agent usage": ["-m", "rich_agent.cli", "usage"],
    "ingest search (imports)": [
        "-c",
        "import ingest.cli, ingest.searching, rich_agent.composition.model_server",
    ],
    "run, until it receives (imports)": ["-c", "import rich_agent.cli, rich_agent.commands.run"],
    "run, until it answers (imports)": [
        "-c",
        "import rich_agent.cli, rich_agent.commands.run, rich_agent.composition.answering",
    ],
    "ask (imports)": ["-c", "import rich_agent.cli, rich_agent.commands.ask"],
}


def measure(line: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Processor and wall seconds of a command, the medians of several starts."""
    processor, wall = [], []
    for _ in range(TRIES):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(
            [sys.executable, *line], env=environment, check=True, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(time.monotonic() - began)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(processor), median(wall)


def main() -> None:
    """Print a row for each command."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)  # as root, another user serves
        environment = {**os.environ, "DATA_DIR": directory, "EMBEDDING_MODEL": "none"}
        with EmbeddedPostgres(Path(directory)):
            measure(COMMANDS["ingest list"], environment)  # makes the tables
            print("| Command | processor | wall |\n|---|---|---|")
            for name, line in COMMANDS.items():
                processor, wall = measure(line, environment)
                print(f"| `{name}` | {processor:.2f} s | {wall:.2f} s |")


if __name__ == "__main__":
    main()
