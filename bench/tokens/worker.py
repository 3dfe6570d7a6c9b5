"""Counts the tokens of texts, in the environment of the peers.

Each line of the input is a JSON list of texts; each line of the output is the list of their counts.
"""

import json
import sys

import bpe_openai

_ENCODING = "o200k_base"


def main() -> None:
    """Answer each line until the input ends."""
    encoding = bpe_openai.get_encoding(_ENCODING)
    for line in sys.stdin:
        counts = [len(encoding.encode(text)) for text in json.loads(line)]
        sys.stdout.write(json.dumps(counts) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
