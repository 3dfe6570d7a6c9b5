"""The estimates compared with the true counts: `python -m bench.tokens [NAME...]`.

`most_tokens` is what prompts are held within their budget by: its ratio to the truth must not fall
below 1. `estimate_tokens` says what is likely. Needs `python -m bench.peers tokens`.
"""

import json
import subprocess
import sys
from typing import Any

from bench.peers import ROOT, peer_python
from rich_agent.domain.text import estimate_tokens, most_tokens


def counted() -> list[dict[str, Any]]:
    """Texts with the counts of both encodings."""
    command = [str(peer_python()), "-m", "bench.tokens.counted"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Print a line for each text, the tightest first, and the extremes."""
    wanted = set(sys.argv[1:])
    rows = []
    for text in counted():
        true = text["counts"]
        most, likely = most_tokens(text["text"]), estimate_tokens(text["text"])
        newer, older = true["o200k_base"], true["cl100k_base"]
        rows.append((most / newer, most / older, likely / newer, newer, text["name"]))
    print(f"{'':14}{'tokens':>8}{'most':>9}{'most':>9}{'likely':>9}")
    print(f"{'':14}{'o200k':>8}{'/o200k':>9}{'/cl100k':>9}{'/o200k':>9}")
    for of_newer, of_older, likely, tokens, name in sorted(rows):
        if not wanted or name in wanted:
            print(f"{name:14}{tokens:8}{of_newer:9.2f}{of_older:9.2f}{likely:9.2f}")
    ratios = [row[0] for row in rows]
    print(f"{len(rows)} texts, most / o200k: {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
