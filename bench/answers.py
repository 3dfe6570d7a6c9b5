"""Answers of the demo's model to questions on the sample documents: `python -m bench.answers`.

The bot runs beside the sandbox with the sample documents and docs/, as in the acceptance tests, and
is asked sample/answers.toml by `rich-agent eval answers`, without the web. Options go to that
command: `--against RETRIEVAL_PASSAGES=1`.
"""

import subprocess
import sys

from bench.samples import with_samples
from tests.acceptance.world import ROOT

QUESTIONS = ROOT / "sample" / "answers.toml"


def main() -> None:
    """Ask all of them."""
    command = [sys.executable, "-m", "rich_agent.cli", "eval", "answers", str(QUESTIONS)]
    with with_samples() as world:
        environment = {**world.environment, "TAVILY_API_KEY": ""}
        subprocess.run([*command, *sys.argv[1:]], env=environment, check=True)


if __name__ == "__main__":
    main()
